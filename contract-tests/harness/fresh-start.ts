import type { Target } from './part.ts'

const DAY_MS = 24 * 3_600_000

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
