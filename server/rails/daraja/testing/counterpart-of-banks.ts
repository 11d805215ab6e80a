import type { RailReferences } from '../../../actions/ports/rail.ts'
import {
  fieldsAt,
  type BookedOrder,
  type Counterpart,
  type Verdict,
  type Words,
} from '../../conformance/counterpart.ts'
import { NO_REFUND } from '../../conformance/counterparts/refunds.ts'
import {
  BESIDE,
  CENTS,
  COMMON,
  inKenya,
  kes,
  oddities,
  ORDER_AT,
  questionAbout,
  refused,
  shillingsOf,
  statusOf,
  UNCLEAR,
  UNDOCUMENTED,
  UNTOLD,
  withParameter,
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
const RESULTS: Readonly<Record<Verdict, string | number>> = { pending: 7777, paid: '0', failed: 2001, strange: 1313 }

const bankPayout: Words = {
  ...COMMON,
  routes: {
    token: 'GET /oauth/v1/generate',
    submit: 'POST /mpesa/b2b/v1/paymentrequest',
    ask: 'POST /mpesa/transactionstatus/v1/query',
  },
  read(request) {
    const body = request.json() as BankPayoutBody
    return {
      orderId: new URL(body.ResultURL).pathname.split('/')[ORDER_AT] ?? '',
      account: body.AccountReference,
      amount: kes(body.Amount),
      callbackUrl: body.ResultURL,
      texts: [body.Remarks],
    }
  },
  accepted: (order) => ({ status: 200, body: { ...namesOf(order), ResponseCode: '0' } }),
  unclear: {
    ...UNCLEAR,
    'a fault inside': refused(500, '500.003.1001'),
    'a code of payouts': refused(500, '500.002.1001'),
    'a response code that nobody knows': { status: 200, body: { ...namesOf({ number: 0 }), ResponseCode: '1' } },
  },
  isAbout: (question, order) =>
    (question.json() as { OriginalConversationID?: string }).OriginalConversationID ===
    namesOf(order)['OriginatorConversationID'],
  verdictMessage: (order) => ({
    status: 200,
    body: { OriginatorConversationID: 'of-the-query', ConversationID: questionAbout(order), ResponseCode: '0' },
  }),
  unknown: { status: 200, body: { OriginatorConversationID: 'x', ConversationID: 'AG_0', ResponseCode: '0' } },
  lieFields: [],
  untold: UNTOLD,
  oddAnswers: {},
  oddMessages: {
    ...oddities(['Result']),
    'a null receipt': fieldsAt(['Result'], { TransactionID: null }),
    'a parameter that is a list': withParameter([null, 1]),
    'one pair of reference data': fieldsAt(['Result'], { ReferenceData: { ReferenceItem: { Key: 'x', Value: 1 } } }),
  },
  names: namesOf,
  resultCodes: {
    failed: ['2001'],
    // Documented for payouts to phones only.
    undocumented: ['1', 'SFC_IC0003', ...UNDOCUMENTED],
    body: (order, ResultCode) => ({
      Result: {
        ResultType: 0,
        ResultCode,
        ResultDesc: 'x',
        ...namesOf(order),
        TransactionID: 'OAK0000000',
        ResultParameters: { ResultParameter: { Key: 'BOCompletedTime', Value: 20260302103015 } },
      },
    }),
  },
  lateAnswers: {
    tail: 'status',
    question: questionAbout,
    body: (order, verdict, { orderId, ...said }) => {
      const theirs = orderId === order.orderId ? namesOf(order)['OriginatorConversationID'] : orderId
      return statusOf(order, verdict, { ...said, ...(theirs !== undefined && { orderId: theirs }) })
    },
  },
  callback(order, verdict, lie) {
    const { amount } = { ...order, ...lie }
    const ResultParameter =
      verdict === 'paid'
        ? [{ Key: 'Amount', Value: `${shillingsOf(amount)}.00` }]
        : { Key: 'BOCompletedTime', Value: 20260302103015 }
    return {
      method: 'POST',
      body: {
        Result: {
          ResultType: '0',
          ResultCode: RESULTS[verdict],
          ResultDesc: 'x',
          ...namesOf(order),
          ...lie.names,
          TransactionID: `UC23BNK${order.number}`,
          ResultParameters: { ResultParameter },
        },
      },
    }
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
