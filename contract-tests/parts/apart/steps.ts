import type { OwnGateway } from '../../harness/part.ts'

/**
 * Steps by which the clock of our own gateway moves until everything is final. The first ones are usually enough. On a
 * busy machine a merchant's server may answer too late: a handshake is retried after 5 s, 30 s and 2 min, a callback
 * after 5 min and 30 min.
 */
const STEPS_MS: readonly number[] = [0, 2_000, 2_000, 2_000, 2_000, 8_000, 40_000, 150_000, 600_000, 1_200_000]
/** Number of polls of a third party's server. */
const POLL_MS = 400
const POLLS_MAX = 150

/** Lets time pass until a condition holds, or waiting is pointless. @returns whether it holds */
export async function passing(own: OwnGateway | undefined, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let step = 0; step < (own ? STEPS_MS.length : POLLS_MAX); step++) {
    if (own) await own.advance(STEPS_MS[step] ?? 0)
    else await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (await isSo()) return true
  }
  return false
}
