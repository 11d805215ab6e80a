import type { NumberWords } from '../scenarios/number-words.ts'

/** How Airtel plays the test numbers of Malipo's sandbox. It reports every result once, and no payout expires. */
export const AIRTEL_NUMBER_WORDS: NumberWords = {
  operations: { in: 'collect', out: 'payOut' },
  kinds: ['collection', 'disbursement'],
  unable: { in: 'DP00800001007', out: 'DP00900001019' },
  declined: { in: 'DP00800001008', out: 'DP00900001013' },
  expired: { in: 'DP00800001029' },
  away: { in: { do: 'close' }, out: { do: 'close' } },
  holderCalls: /^getHolder$/,
  reportsAgain: false,
  always: [],
}
