import type { NumberWords } from '../scenarios/number-words.ts'
import type { QUIRKS } from './quirks.ts'

/**
 * Daraja's words for the test numbers of Malipo's sandbox. It tells every result once, and a payout neither expires nor
 * asks whoever receives it. A push whose connection breaks may be on its way and must not go out again: the one that
 * does not come through is turned away by the front.
 */
export const DARAJA_NUMBER_WORDS: NumberWords = {
  operations: { in: 'stkPush', out: 'payOut' },
  kinds: ['stkPush', 'payOut'],
  unable: { in: '1', out: '8' },
  declined: { in: '1032', out: '2028' },
  expired: { in: '1037' },
  away: { in: { do: 'refuse', code: '404.001.01' }, out: { do: 'close' } },
  tellsAgain: false,
  always: ['without_prompt_rules' satisfies keyof typeof QUIRKS],
  insteadOfExpiry: 'queue_time_out' satisfies keyof typeof QUIRKS,
}
