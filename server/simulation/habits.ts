import { MINUTE, SECOND } from './stage.ts'

/** What a customer has something to do for. */
export type Steps = 'otp' | 'bank' | 'hosted' | 'otp_page'

type Some<Value> = readonly [Value, ...Value[]]

/** What the payments of one schedule have in common. */
export interface Habits {
  readonly kinds: Some<'payout' | 'collection' | Steps>
  readonly merchants: Some<bigint>
  readonly beginsAfterMs: Some<number>
  readonly amounts: Some<number>
  /** So many account numbers share the limits. */
  readonly accounts: number
  /** Into each merchant's payout wallet. */
  readonly deposits: Some<bigint>
}

const EVERY_DAY: Habits = {
  kinds: ['payout', 'collection', 'otp', 'bank', 'payout', 'hosted', 'otp_page'],
  merchants: [1n, 2n],
  beginsAfterMs: [0, 5 * SECOND, 40 * SECOND, 11 * MINUTE],
  amounts: [1_000, 400, 2_000, 5_000],
  accounts: 3,
  deposits: [1_500n, 0n, 700n, 4_000n, 20_000n],
}
/**
 * Beside every day's: all at once to one number, whose limit is soon reached; payouts of a wallet that does not hold
 * enough for all of them.
 */
export const HABITS: readonly Habits[] = [
  EVERY_DAY,
  {
    ...EVERY_DAY,
    kinds: ['collection', 'payout', 'otp', 'hosted'],
    beginsAfterMs: [0],
    amounts: [5_000, 2_000],
    accounts: 1,
    deposits: [20_000n],
  },
  {
    ...EVERY_DAY,
    kinds: ['payout'],
    merchants: [1n],
    beginsAfterMs: [0, 5 * SECOND, 40 * SECOND],
    amounts: [1_000, 2_000],
    deposits: [2_100n, 1_100n, 4_200n],
  },
]
