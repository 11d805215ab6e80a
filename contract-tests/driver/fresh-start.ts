import type { Target } from '../harness/part.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Ten digits in all references of a run. A running server knows the references of earlier runs; our own is new each
 * time. No account number begins as it does. @param round of a repetition
 */
export function runStamp({ own }: Pick<Target, 'own'>, seed: number, round = 0): string {
  const start = own ? seed : Math.floor(Date.now() / 1_000)
  return `9${String(start % 1e8).padStart(8, '0')}${round}`
}

/**
 * Where the numbers of a run begin, below `space`. A gateway of our own is new: the seed decides. A running server
 * counts what an account number has used in 24 hours: each time of a day begins elsewhere, so that runs of a whole day
 * in a row do not meet, as long as one uses fewer numbers than its share of the day.
 */
export const freshStart = (
  { own }: Pick<Target, 'own'>,
  seed: number,
  space: number,
  now: number = Date.now(),
): number => (own ? seed % space : Math.floor(((now % DAY_MS) / DAY_MS) * space))
