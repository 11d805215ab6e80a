import { amountToWire } from '../../../domain/money.ts'
import type { RailReferences } from '../../../actions/ports/rail.ts'
import {
  fieldsAt,
  type BookedOrder,
  type Counterpart,
  type PaymentQuestionWords,
  type StatementWords,
  type Verdict,
  type Words,
} from '../../conformance/counterpart.ts'
import { NO_REFUND } from '../../conformance/counterparts/refunds.ts'
import {
  ASKED_LATER,
  BESIDE,
  CENTS,
  COMMON,
  inKenya,
  kes,
  oddities,
  orderIdIn,
  questionAbout,
  queuedWords,
  refused,
  shillingsOf,
  statusOf,
  TOKEN_ROUTE,
  UNCLEAR,
  UNDOCUMENTED,
  UNTOLD,
  withParameter,
} from './counterpart-parts.ts'
import { COLLECTS } from './daraja-at-test.ts'
import { darajaBankPayout } from './counterpart-of-banks.ts'
import { darajaRefund } from './counterpart-of-reversals.ts'

interface PushBody {
  readonly Amount: number
  readonly PhoneNumber: string
  readonly CallBackURL: string
  readonly AccountReference: string
  readonly TransactionDesc: string
  readonly Timestamp: string
}

/** `yyyyMMddHHmmss`, Nairobi time. */
const timeOf = (stamp: string): Date =>
  new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6+03:00'))

const namesOfPrompt = ({ number, account }: BookedOrder): RailReferences => ({
  MerchantRequestID: `7f3a-${number}`,
  CheckoutRequestID: `ws_CO_0203202610300${number}${account}`,
})
const RESULTS: Readonly<Record<Verdict, number>> = { pending: 4999, paid: 0, failed: 1032, strange: 1313 }

/** The pull of the payments that a short code received. */
const PULLED: StatementWords = {
  settings: { pull: 'yes' },
  route: 'POST /pulltransactions/v1/query',
  page: (number, bookings) => ({
    status: 200,
    body: {
      ResponseCode: '1000',
      Response: [
        Array.from({ length: bookings }, (_, n) => ({
          transactionId: `UC23P${number}N${n}`,
          trxDate: '2026-03-02T09:30:15+03:00',
          amount: '500.00',
        })),
      ],
    },
  }),
  broken: refused(500, '500.003.02'),
}

const stampOf = (at: Date): string =>
  new Date(at.getTime() + 3 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
const ofC2b: PaymentQuestionWords['body'] = ({ receipt, amount, account, reference, paidAt }) => ({
  TransactionType: 'Pay Bill',
  TransID: receipt,
  TransTime: stampOf(paidAt),
  TransAmount: `${shillingsOf(amount)}.00`,
  BusinessShortCode: COLLECTS.short_code,
  BillRefNumber: reference,
  MSISDN: account,
})

const stkPush: Words = {
  ...COMMON,
  statement: PULLED,
  unrequested: {
    tail: 'paid',
    body: ofC2b,
    askedAt: PULLED.route,
    booked: (payment) => ({
      status: 200,
      body: {
        ResponseCode: payment ? '1000' : '1001',
        Response: [payment ? [{ transactionId: payment.receipt, amount: `${shillingsOf(payment.amount)}.00` }] : []],
      },
    }),
  },
  paymentQuestion: {
    tail: 'wanted',
    body: (payment) => ofC2b({ ...payment, receipt: payment.receipt ?? 'UC23WANTED' }),
    isAccepted: (answer) => (answer as { readonly ResultCode?: unknown }).ResultCode === '0',
  },
  routes: {
    token: TOKEN_ROUTE,
    submit: 'POST /mpesa/stkpush/v1/processrequest',
    ask: 'POST /mpesa/stkpushquery/v1/query',
  },
  read(request) {
    const body = request.json() as PushBody
    return {
      orderId: orderIdIn(body.CallBackURL),
      account: body.PhoneNumber,
      amount: kes(body.Amount),
      callbackUrl: body.CallBackURL,
      texts: [body.AccountReference, body.TransactionDesc],
      at: timeOf(body.Timestamp),
    }
  },
  accepted: (order) => ({ status: 200, body: { ...namesOfPrompt(order), ResponseCode: '0' } }),
  unclear: {
    ...UNCLEAR,
    'a fault inside': refused(500, '500.003.1001'),
    'a code of payouts': refused(500, '500.002.1001'),
    'a response code that nobody knows': {
      status: 200,
      body: { MerchantRequestID: '7f3a-0', CheckoutRequestID: 'ws_CO_0', ResponseCode: '1' },
    },
  },
  isAbout: (question, order) =>
    (question.json() as { CheckoutRequestID?: string }).CheckoutRequestID === namesOfPrompt(order)['CheckoutRequestID'],
  verdictMessage: (order, verdict, lie) => ({
    status: 200,
    body: { ResponseCode: '0', ...namesOfPrompt(order), ...lie.names, ResultCode: RESULTS[verdict] },
  }),
  unknown: refused(500, '500.001.1001'),
  lieFields: ['names'],
  untold: {
    ...UNTOLD,
    'a question that was not taken': { status: 200, body: { ResponseCode: '1', ResultCode: '0' } },
  },
  oddAnswers: { ...oddities([]), 'a null response description': fieldsAt([], { ResponseDescription: null }) },
  oddMessages: oddities(['Body', 'stkCallback']),
  names: namesOfPrompt,
  resultCodes: {
    failed: '1 2 3 4 8 17 1001 1019 1025 9999 1032 1037 2001 2028 8006 SFC_IC0003'.split(' '),
    undocumented: UNDOCUMENTED,
    body: (order, ResultCode) => ({ Body: { stkCallback: { ...namesOfPrompt(order), ResultCode, ResultDesc: 'x' } } }),
  },
  callback(order, verdict, lie) {
    const { amount, account } = { ...order, ...lie }
    const Item = [
      { Name: 'Amount', Value: shillingsOf(amount) },
      { Name: 'MpesaReceiptNumber', Value: `UC23ABC${order.number}` },
      { Name: 'PhoneNumber', Value: Number(account) },
    ]
    return {
      method: 'POST',
      body: {
        Body: {
          stkCallback: {
            ...namesOfPrompt(order),
            ...lie.names,
            ResultCode: RESULTS[verdict],
            ResultDesc: 'x',
            ...(verdict === 'paid' && { CallbackMetadata: { Item } }),
          },
        },
      },
    }
  },
  callbackWith: ['amount', 'account', 'names'],
}

interface PayoutBody {
  readonly OriginatorConversationID: string
  readonly Amount: number
  readonly PartyB: string
  readonly Remarks: string
  readonly ResultURL: string
}

const namesOfPayout = ({ orderId, number }: BookedOrder): RailReferences => ({
  OriginatorConversationID: orderId,
  ConversationID: `AG_20260302_${number}`,
})

const queuedPayout = queuedWords({
  submit: 'POST /mpesa/b2c/v3/paymentrequest',
  names: namesOfPayout,
  results: { pending: 7777, paid: 0, failed: 1, strange: 1313 },
  receipt: 'UC23XYZ',
  paid: ({ amount, account }) => [
    { Key: 'TransactionAmount', Value: shillingsOf(amount) },
    { Key: 'ReceiverPartyPublicName', Value: `${account} - Jane Doe` },
  ],
  resultCodes: {
    failed: '1 2 3 4 8 11 21 2001 2006 2028 2040 8006 SFC_IC0003'.split(' '),
    undocumented: UNDOCUMENTED.filter((code) => code !== '11'),
  },
  oddMessages: {
    'no conversation of its own': fieldsAt(['Result'], { ConversationID: undefined }),
    'a parameter without a value': withParameter({ Key: 'B2CUtilityAccountAvailableFunds', Value: null }),
    'null reference data': fieldsAt(['Result'], { ReferenceData: null }),
  },
})

const payOut: Words = {
  ...queuedPayout,
  ...ASKED_LATER,
  routes: { ...queuedPayout.routes, balance: 'POST /mpesa/accountbalance/v1/query' },
  balances: {
    tail: 'balance',
    asked: (question) => ({ status: 200, body: { ConversationID: question, ResponseCode: '0' } }),
    body: (ConversationID, available) => ({
      Result: {
        ResultCode: '0',
        OriginatorConversationID: '16917-22577599-3',
        ConversationID,
        ResultParameters: {
          ResultParameter: [
            {
              Key: 'AccountBalance',
              Value: `Utility Account|KES|900.00|${amountToWire(available.amountMinor, 'KES')}|0.00|0.00`,
            },
          ],
        },
      },
    }),
  },
  read(request) {
    const body = request.json() as PayoutBody
    return {
      orderId: body.OriginatorConversationID,
      account: body.PartyB,
      amount: kes(body.Amount),
      callbackUrl: body.ResultURL,
      texts: [body.Remarks],
    }
  },
  duplicate: () => refused(500, '500.002.1001'),
  isAbout: (question, { orderId }) =>
    (question.json() as { OriginalConversationID?: string }).OriginalConversationID === orderId,
  lateAnswers: { tail: 'status', question: questionAbout, body: statusOf },
  callbackWith: ['orderId', 'amount', 'account', 'names'],
}

const { late_balances: _held, ...BESIDE_PAYOUTS } = BESIDE
const { unrequested: _reported, payment_questions: _asked, ...BESIDE_COLLECTIONS } = BESIDE

const darajaCollection: Counterpart = {
  ...inKenya,
  name: 'daraja collection',
  type: 'COLLECTION',
  lacks: {
    idempotency: 'M-PESA does not know a prompt again: the same one twice charges twice',
    not_found: 'M-PESA never says that it does not know a prompt',
    late_answers: 'asked about a prompt, M-PESA answers at once',
    decimals: CENTS,
    ...NO_REFUND,
    ...BESIDE_COLLECTIONS,
  },
  settings: { ...inKenya.settings, ...PULLED.settings },
  pollAfterMsMin: 17_000,
  failureCode: '1032',
  words: stkPush,
  ofRefunds: darajaRefund.words,
}

const darajaPayout: Counterpart = {
  ...inKenya,
  name: 'daraja payout',
  type: 'PAYOUT',
  // Balances are asked for where one short code collects and pays.
  settings: { ...inKenya.settings, payout_short_code: '' },
  lacks: {
    given_back: 'a payout is not given back',
    query: 'asked about a payout, M-PESA answers by callback only',
    not_found: 'M-PESA never says that it does not know a payout',
    timestamps: 'a payout carries no time',
    decimals: CENTS,
    ...NO_REFUND,
    ...BESIDE_PAYOUTS,
    statements: 'M-PESA lists what a short code received, not what it paid out',
  },
  pollAfterMsMin: 30_000,
  failureCode: '1',
  words: payOut,
}

export const COUNTERPARTS: readonly Counterpart[] = [darajaCollection, darajaPayout, darajaBankPayout, darajaRefund]
