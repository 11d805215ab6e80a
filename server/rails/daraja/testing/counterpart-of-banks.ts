import type { RailReferences } from '../../../actions/ports/rail.ts'
import { fieldsAt, type BookedOrder, type Counterpart, type Words } from '../../conformance/counterpart.ts'
import { NO_REFUND } from '../../conformance/counterparts/refunds.ts'
import {
  ASKED_LATER,
  BESIDE,
  CENTS,
  inKenya,
  kes,
  orderIdIn,
  questionAbout,
  queuedWords,
  refused,
  shillingsOf,
  statusOf,
  UNDOCUMENTED,
} from './counterpart-parts.ts'

interface BankPayoutBody {
  readonly AccountReference: string
  readonly Amount: number
  readonly ResultURL: string
  readonly Remarks: string
}

const namesOf = ({ number }: Pick<BookedOrder, 'number'>): RailReferences => ({
  OriginatorConversationID: `16917-22577599-${number}`,
  ConversationID: `AG_20260302_${number}`,
})

const bankPayout: Words = {
  ...queuedWords({
    submit: 'POST /mpesa/b2b/v1/paymentrequest',
    names: namesOf,
    results: { pending: 7777, paid: '0', failed: 2001, strange: 1313 },
    receipt: 'UC23BNK',
    paid: ({ amount }) => [{ Key: 'Amount', Value: `${shillingsOf(amount)}.00` }],
    unpaid: { Key: 'BOCompletedTime', Value: 20260302103015 },
    // Documented for payouts to phones only.
    resultCodes: { failed: ['2001'], undocumented: ['1', 'SFC_IC0003', ...UNDOCUMENTED] },
    unclear: { 'a code of payouts': refused(500, '500.002.1001') },
    oddMessages: {
      'one pair of reference data': fieldsAt(['Result'], { ReferenceData: { ReferenceItem: { Key: 'x', Value: 1 } } }),
    },
  }),
  ...ASKED_LATER,
  read(request) {
    const body = request.json() as BankPayoutBody
    return {
      orderId: orderIdIn(body.ResultURL),
      account: body.AccountReference,
      amount: kes(body.Amount),
      callbackUrl: body.ResultURL,
      texts: [body.Remarks],
    }
  },
  isAbout: (question, order) =>
    (question.json() as { OriginalConversationID?: string }).OriginalConversationID ===
    namesOf(order)['OriginatorConversationID'],
  lateAnswers: {
    tail: 'status',
    question: questionAbout,
    body: (order, verdict, { orderId, ...said }) => {
      const theirs = orderId === order.orderId ? namesOf(order)['OriginatorConversationID'] : orderId
      return statusOf(order, verdict, { ...said, ...(theirs !== undefined && { orderId: theirs }) })
    },
  },
  callbackWith: ['amount', 'names'],
}

/** Payouts to accounts at banks, by the banks' pay bill numbers. */
export const darajaBankPayout: Counterpart = {
  ...inKenya,
  name: 'daraja bank payout',
  type: 'PAYOUT',
  providerCode: 'bank_ke',
  bankCode: 'equity_bank_ke',
  settings: { ...inKenya.settings, payouts_to: 'banks', bank_paybills: 'equity_bank_ke=247247' },
  account: (n) => `0${String(n).padStart(8, '0')}123`,
  lacks: {
    idempotency: 'M-PESA does not know a payment to a business again: the same one twice pays twice',
    given_back: 'a payout is not given back',
    query: 'asked about a payout, M-PESA answers by callback only',
    not_found: 'M-PESA never says that it does not know a payout',
    timestamps: 'a payout carries no time',
    decimals: CENTS,
    ...NO_REFUND,
    ...BESIDE,
    statements: 'M-PESA lists what a short code received, not what it paid out',
  },
  pollAfterMsMin: 30_000,
  failureCode: '2001',
  words: bankPayout,
}
