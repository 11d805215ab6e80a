import type { OwnGateway } from '../../harness/part.ts'

/**
 * How far the clock of our own gateway moves, step by step, until all is final. The first ones are enough; on a machine
 * with other work a merchant's server may answer too late, and what it was asked is asked again after 5 s, 30 s and 2
 * min, a callback after 5 min and 30 min.
 */
export const STEPS_MS: readonly number[] = [0, 2_000, 2_000, 2_000, 2_000, 8_000, 40_000, 150_000, 600_000, 1_200_000]
/** A server of somebody else is looked at so often. */
const POLL_MS = 400
const POLLS_MAX = 150

/** Lets time pass until something is so, or no longer has to be waited for. @returns whether it is so */
export async function passing(own: OwnGateway | undefined, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let step = 0; step < (own ? STEPS_MS.length : POLLS_MAX); step++) {
    if (own) await own.advance(STEPS_MS[step] ?? 0)
    else await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (await isSo()) return true
  }
  return false
}
