import type { NumberWords } from '../scenarios/number-words.ts'
import type { QUIRKS } from './quirks.ts'

/**
 * How Daraja plays the test numbers of Malipo's sandbox. It reports every result once, and a payout neither expires
 * nor prompts its receiver. A push whose connection breaks may have been accepted and must not be sent again; the
 * number whose requests fail is therefore rejected by the proxy in front.
 */
export const DARAJA_NUMBER_WORDS: NumberWords = {
  operations: { in: 'stkPush', out: 'payOut' },
  kinds: ['stkPush', 'payOut'],
  unable: { in: '1', out: '8' },
  declined: { in: '1032', out: '2028' },
  expired: { in: '1037' },
  away: { in: { do: 'refuse', code: '404.001.01' }, out: { do: 'close' } },
  reportsAgain: false,
  always: ['without_prompt_rules' satisfies keyof typeof QUIRKS],
  insteadOfExpiry: 'queue_time_out' satisfies keyof typeof QUIRKS,
}
