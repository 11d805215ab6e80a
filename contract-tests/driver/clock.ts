import type { OwnGateway } from '../harness/part.ts'

/**
 * Steps by which the clock of our own gateway moves until everything is final. The first ones are usually enough. On a
 * busy machine a merchant's server may answer too late: a handshake is retried after 5 s, 30 s and 2 min, a callback
 * after 5 min and 30 min.
 */
const STEPS_MS: readonly number[] = [0, 2_000, 2_000, 2_000, 2_000, 8_000, 40_000, 150_000, 600_000, 1_200_000]
/** Number of polls of a third party's server. */
const POLL_MS = 400
const POLLS_MAX = 150

/** Lets time pass: on the clock of our own gateway, or for real. */
export const elapse = (own: OwnGateway | undefined, ms: number): Promise<void> =>
  own ? own.advance(ms) : new Promise((resolve) => setTimeout(resolve, ms))

/** Lets time pass until a condition holds, or waiting is pointless. @param steps of our own clock @returns whether it holds */
export async function passing(
  own: OwnGateway | undefined,
  isSo: () => boolean | Promise<boolean>,
  steps: readonly number[] = STEPS_MS,
): Promise<boolean> {
  for (const ms of own ? steps : Array.from({ length: POLLS_MAX }, () => POLL_MS)) {
    await elapse(own, ms)
    if (await isSo()) return true
  }
  return false
}

/** Moves the clock of our own gateway step by step, beside a program that does not know it. @returns what stops it */
export function keepMoving(own: OwnGateway | undefined, stepMs: number, pauseMs: number): () => Promise<void> {
  if (!own) return async () => undefined
  let isMoving = true
  const move = async (): Promise<void> => {
    while (isMoving) {
      await own.advance(stepMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const moved = move()
  // It may fail before anybody awaits it; the error reaches whoever does.
  moved.catch(() => undefined)
  return async () => {
    isMoving = false
    await moved
  }
}
