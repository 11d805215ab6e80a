import type { Counterpart, Words } from '../../conformance/counterpart.ts'
import { backwards, NO_PAYMENT } from '../../conformance/counterparts/refunds.ts'
import {
  BESIDE,
  CENTS,
  inKenya,
  kes,
  orderIdIn,
  queuedWords,
  refused,
  shillingsOf,
  UNDOCUMENTED,
  withParameter,
} from './counterpart-parts.ts'

interface ReversalBody {
  readonly TransactionID: string
  readonly Amount: number
  readonly ResultURL: string
  readonly Remarks: string
}

/** The receipt of a collection, before the account that paid it. */
const RECEIPT = 'R'

const reversal: Words = {
  ...queuedWords({
    submit: 'POST /mpesa/reversal/v1/request',
    names: ({ number }) => ({ ConversationID: `AG_20260302_${number}` }),
    otherIds: { OriginatorConversationID: 'theirs' },
    // R000001 is documented, and it does not say whose reversal it was.
    results: { pending: 7777, paid: 0, failed: 'R000002', strange: 'R000001' },
    receipt: 'UC23REV',
    paid: ({ amount, account }) => [
      { Key: 'Amount', Value: shillingsOf(amount) },
      { Key: 'OriginalTransactionID', Value: `${RECEIPT}${backwards(account)}` },
    ],
    resultCodes: {
      failed: '1 11 21 2001 2006 2028 8006 R000002'.split(' '),
      undocumented: ['R000001', ...UNDOCUMENTED.filter((code) => code !== '11')],
    },
    unclear: { 'a code of payouts': refused(500, '500.002.1001') },
    oddMessages: { 'a parameter without a value': withParameter({ Key: 'Charge', Value: null }) },
  }),
  read(request) {
    const body = request.json() as ReversalBody
    return {
      orderId: orderIdIn(body.ResultURL),
      account: backwards(body.TransactionID.slice(RECEIPT.length)),
      amount: kes(body.Amount),
      callbackUrl: body.ResultURL,
      texts: [body.Remarks],
    }
  },
  isAbout: () => false,
  verdictMessage: () => refused(500, '500.003.1001'),
  unknown: refused(500, '500.003.1001'),
  callbackWith: ['amount', 'names'],
}

export const darajaRefund: Counterpart = {
  ...inKenya,
  name: 'daraja refund',
  type: 'COLLECTION',
  lacks: {
    idempotency: 'M-PESA knows a payment again, and not the request to reverse it',
    query: 'M-PESA is not asked about a reversal',
    not_found: 'M-PESA is not asked about a reversal',
    names: 'M-PESA is not asked about a reversal',
    polls: 'M-PESA is not asked about a reversal',
    late_answers: 'M-PESA is not asked about a reversal',
    timestamps: 'a reversal carries no time',
    decimals: CENTS,
    ...NO_PAYMENT,
    ...BESIDE,
    statements: 'a reversal is no payment that the short code received',
  },
  collectionOf: (account) => ({
    orderId: '11d0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
    externalIds: { MpesaReceiptNumber: `${RECEIPT}${backwards(account)}` },
  }),
  pollAfterMsMin: 30_000,
  words: reversal,
}
