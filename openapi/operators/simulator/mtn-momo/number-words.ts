import type { NumberWords } from '../scenarios/number-words.ts'

/** How MTN plays the test numbers of Malipo's sandbox. */
export const MTN_NUMBER_WORDS: NumberWords = {
  operations: { in: 'requestToPay', out: 'transfer' },
  kinds: ['collection', 'transfer'],
  unable: { in: 'NOT_ENOUGH_FUNDS', out: 'PAYEE_NOT_ALLOWED_TO_RECEIVE' },
  declined: { in: 'APPROVAL_REJECTED', out: 'APPROVAL_REJECTED' },
  expired: { in: 'EXPIRED', out: 'EXPIRED' },
  away: { in: { do: 'close' }, out: { do: 'close' } },
  holderCalls: /Holder(Active|Name)$/,
  reportsAgain: true,
  always: [],
}
