import { MINUTE, SECOND } from './stage.ts'

/** A step that a customer has to take. */
export type Steps = 'otp' | 'bank' | 'hosted' | 'otp_page'

type NonEmpty<Value> = readonly [Value, ...Value[]]

/** What the payments of one schedule have in common. */
export interface Habits {
  readonly kinds: NonEmpty<'payout' | 'collection' | Steps>
  readonly merchants: NonEmpty<bigint>
  readonly beginsAfterMs: NonEmpty<number>
  readonly amounts: NonEmpty<number>
  /** This many account numbers share the limits. */
  readonly accounts: number
  /** Deposited into each merchant's payout wallet. */
  readonly deposits: NonEmpty<bigint>
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
 * In addition to everyday traffic: all payments at once to one number, which soon reaches its limit; payouts from a
 * wallet that cannot cover all of them; customers who try again.
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
  { ...EVERY_DAY, kinds: ['hosted', 'otp_page'], merchants: [2n], beginsAfterMs: [0, 40 * SECOND], accounts: 8 },
]
