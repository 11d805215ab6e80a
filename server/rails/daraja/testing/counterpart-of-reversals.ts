import type { RailReferences } from '../../../actions/ports/rail.ts'
import {
  fieldsAt,
  type BookedOrder,
  type Counterpart,
  type Verdict,
  type Words,
} from '../../conformance/counterpart.ts'
import { backwards, NO_PAYMENT } from '../../conformance/counterparts/refunds.ts'
import {
  BESIDE,
  CENTS,
  COMMON,
  inKenya,
  kes,
  oddities,
  ORDER_AT,
  refused,
  shillingsOf,
  UNCLEAR,
  UNDOCUMENTED,
  UNTOLD,
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
const namesOfReversal = ({ number }: Pick<BookedOrder, 'number'>): RailReferences => ({
  ConversationID: `AG_20260302_${number}`,
})
const REVERSAL_RESULTS: Readonly<Record<Verdict, string | number>> = {
  pending: 7777,
  paid: 0,
  failed: 'R000002',
  // Documented, and it does not say whose reversal it was.
  strange: 'R000001',
}

const reversal: Words = {
  ...COMMON,
  routes: {
    token: 'GET /oauth/v1/generate',
    submit: 'POST /mpesa/reversal/v1/request',
    ask: 'POST /mpesa/transactionstatus/v1/query',
  },
  read(request) {
    const body = request.json() as ReversalBody
    return {
      orderId: new URL(body.ResultURL).pathname.split('/')[ORDER_AT] ?? '',
      account: backwards(body.TransactionID.slice(RECEIPT.length)),
      amount: kes(body.Amount),
      callbackUrl: body.ResultURL,
      texts: [body.Remarks],
    }
  },
  accepted: ({ number }) => ({
    status: 200,
    body: { OriginatorConversationID: 'theirs', ConversationID: `AG_20260302_${number}`, ResponseCode: '0' },
  }),
  unclear: {
    ...UNCLEAR,
    'a fault inside': refused(500, '500.003.1001'),
    'a code of payouts': refused(500, '500.002.1001'),
    'a response code that nobody knows': {
      status: 200,
      body: { OriginatorConversationID: 'x', ConversationID: 'AG_0', ResponseCode: '1' },
    },
  },
  isAbout: () => false,
  verdictMessage: () => refused(500, '500.003.1001'),
  unknown: refused(500, '500.003.1001'),
  lieFields: [],
  untold: UNTOLD,
  oddAnswers: {},
  oddMessages: {
    ...oddities(['Result']),
    'a null receipt': fieldsAt(['Result'], { TransactionID: null }),
    'a parameter without a value': withParameter({ Key: 'Charge', Value: null }),
    'a parameter that is a list': withParameter([null, 1]),
  },
  names: namesOfReversal,
  resultCodes: {
    failed: '1 11 21 2001 2006 2028 8006 R000002'.split(' '),
    undocumented: ['R000001', ...UNDOCUMENTED.filter((code) => code !== '11')],
    body: (order, ResultCode) => ({
      Result: {
        ResultType: 0,
        ResultCode,
        ResultDesc: 'x',
        ...namesOfReversal(order),
        TransactionID: 'OAK0000000',
      },
    }),
  },
  callback(order, verdict, lie) {
    const { amount } = { ...order, ...lie }
    const ResultParameter = [
      { Key: 'Amount', Value: shillingsOf(amount) },
      { Key: 'OriginalTransactionID', Value: `${RECEIPT}${backwards(order.account)}` },
    ]
    return {
      method: 'POST',
      body: {
        Result: {
          ResultType: 0,
          ResultCode: REVERSAL_RESULTS[verdict],
          ResultDesc: 'x',
          OriginatorConversationID: 'theirs',
          ...namesOfReversal(order),
          ...lie.names,
          TransactionID: `UC23REV${order.number}`,
          ...(verdict === 'paid' && { ResultParameters: { ResultParameter } }),
        },
      },
    }
  },
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
