import type { UnrequestedPayment } from '../../../actions/ports/rail.ts'
import { amountText, money, moneyFromWire } from '../../../domain/money.ts'
import { NO_REFUND } from './refunds.ts'
import { modelRail } from '../model/model-rail.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import { fieldsAt, type BookedOrder, type Change, type Counterpart, type Lie, type Verdict } from '../counterpart.ts'

const error = (status: number, code: string): WholeAnswer => ({ status, body: { error: code, text: 'x' } })
const STATUSES: Readonly<Record<Verdict, string>> = {
  pending: 'ACCEPTED',
  paid: 'DONE',
  failed: 'FAILED',
  strange: 'DEFERRED',
}

/** The same in replies and in messages: an amount only if it lies about it. */
function resultOf(order: BookedOrder, verdict: Verdict, lie: Lie) {
  const { orderId, amount } = { ...order, ...lie }
  const hasAmount = lie.amount !== undefined || lie.currency !== undefined
  return {
    id: orderId,
    status: STATUSES[verdict],
    ...(verdict === 'paid' && { receipt: `R${order.number}` }),
    ...(verdict === 'failed' && { code: 'DECLINED' }),
    ...(hasAmount && {
      amount: amountText(amount.amountMinor, amount.currency),
      currency: lie.currency ?? amount.currency,
    }),
  }
}

const paymentBody = ({ receipt, amount, account, reference, paidAt }: Required<UnrequestedPayment>) => ({
  type: 'payment',
  receipt,
  amount: amountText(amount.amountMinor, amount.currency),
  currency: amount.currency,
  payer: account,
  reference,
  at: paidAt.toISOString(),
})

const ODDITIES: Readonly<Record<string, Change>> = {
  'a null code': fieldsAt([], { code: null }),
  'a receipt that is a number': fieldsAt([], { receipt: 363_440_463 }),
  'fields that nobody documents': fieldsAt([], { more: [{ deep: null }] }),
}

interface OrderBody {
  readonly id: string
  readonly account: string
  readonly amount: string
  readonly currency: string
  readonly text: string
  readonly callback?: string
}

/** The model of an operator with one address for all orders (`model/model-rail.ts`). */
export const model: Counterpart = {
  name: 'the model of the port',
  kind: modelRail,
  type: 'COLLECTION',
  providerCode: 'airtel_ug',
  currency: 'UGX',
  settings: { api_key: 'k3y-of-the-model' },
  lacks: {
    names: 'the model finds an order by our id only',
    decimals: 'the model moves whole shillings',
    timestamps: "the model's requests carry no time",
    result_codes: "the model's messages say FAILED, whatever the reason",
    late_answers: 'asked about an order, the model answers at once',
    order_addresses: 'the model has one address for all orders',
    amounts: "the model's verdicts carry no amount",
    statements: 'the model lists nothing',
    ...NO_REFUND,
    given_back: 'the model gives nothing back',
  },
  account: (n) => `25675${String(n).padStart(4, '0')}123`,
  amounts: [5000n, 500n, 2_999_999n].map((amount) => money(amount, 'UGX')),
  unsendable: [money(500n, 'EUR')],
  pollAfterMsMin: 60_000,
  failureCode: 'DECLINED',
  words: {
    routes: { token: 'POST /token', submit: 'POST /orders', ask: 'GET /orders/{id}', balance: 'POST /balance' },
    token: (token, seconds) => ({ status: 200, body: { token, seconds } }),
    hasOneToken: true,
    tokenRefused: [error(401, 'TOKEN')],
    read(request) {
      const { id, account, amount, currency, text, callback } = request.json() as OrderBody
      return {
        orderId: id,
        account,
        amount: moneyFromWire(amount, currency),
        texts: [text],
        ...(callback !== undefined && { callbackUrl: callback }),
      }
    },
    accepted: (order) => ({ status: 200, body: resultOf(order, 'pending', {}) }),
    duplicate: () => error(409, 'DUPLICATE'),
    refusals: [
      { answer: error(400, 'NO_ACCOUNT'), code: 'account_not_found' },
      { answer: error(400, 'NO_MONEY'), code: 'insufficient_funds' },
    ],
    unclear: {
      'a code that nobody knows': error(400, 'NOBODY_KNOWS'),
      'a conflict without a word': error(409, 'NOBODY_KNOWS'),
      'an order of somebody else': { status: 200, body: { id: 'x', status: 'ACCEPTED' } },
      'a state that nobody knows': { status: 200, body: { status: 'DEFERRED' } },
    },
    withText: (text) => ({ status: 400, body: { error: 'NOBODY_KNOWS', text } }),
    isAbout: ({ path }, { orderId }) => path.endsWith(`/${orderId}`),
    verdictMessage: (order, verdict, lie) => ({ status: 200, body: resultOf(order, verdict, lie) }),
    unknown: error(404, 'UNKNOWN'),
    lieFields: ['orderId', 'amount', 'currency'],
    untold: { 'an order without a status': { status: 200, body: {} }, 'a refused token': error(404, 'TOKEN') },
    oddAnswers: ODDITIES,
    oddMessages: ODDITIES,
    names: () => ({}),
    callback: (order, verdict, lie) => ({ method: 'POST', body: resultOf(order, verdict, lie) }),
    callbackWith: ['orderId', 'amount', 'currency'],
    outcome: (order, verdict, lie) => ({ status: 200, body: resultOf(order, verdict, lie) }),
    unrequested: {
      tail: 'message',
      body: paymentBody,
      askedAt: 'GET /payments/{receipt}',
      booked: (payment) => (payment ? { status: 200, body: paymentBody(payment) } : error(404, 'UNKNOWN')),
    },
    paymentQuestion: {
      tail: 'question',
      body: ({ amount, account, reference }) => ({
        amount: amountText(amount.amountMinor, amount.currency),
        currency: amount.currency,
        payer: account,
        reference,
      }),
      isAccepted: (answer) => (answer as { readonly accept?: unknown }).accept === true,
    },
    balances: {
      tail: 'message',
      asked: (question) => ({ status: 200, body: { question } }),
      body: (question, available) => ({
        type: 'balances',
        question,
        balances: [{ account: 'main', amount: amountText(available.amountMinor, 'UGX'), currency: 'UGX' }],
      }),
    },
    secretFields: [],
  },
}
