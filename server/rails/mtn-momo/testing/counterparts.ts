import { money, moneyFromWire } from '../../../domain/money.ts'
import type { TransactionType } from '../../../domain/provider.ts'
import { amountText } from '../amount.ts'
import { mtnMomo } from '../mtn-momo.ts'
import { CREDENTIALS } from './connected.ts'
import type { OperatorRequest, WholeAnswer } from '../../testing/scripted-operator.ts'
import {
  fieldsAt,
  type BookedOrder,
  type Change,
  type Counterpart,
  type Lie,
  type Refusal,
  type Verdict,
  type Words,
} from '../../conformance/counterpart.ts'
import { backwards, NO_PAYMENT, NO_REFUND } from '../../conformance/counterparts/refunds.ts'

interface Direction {
  readonly type: TransactionType
  readonly product: 'collection' | 'disbursement'
  readonly call: 'requesttopay' | 'transfer' | 'refund'
  /** A refund has none. */
  readonly party?: 'payer' | 'payee'
  readonly noAccount: string
}

const error = (status: number, code: string, message = 'x'): WholeAnswer => ({ status, body: { code, message } })
const STATUSES: Readonly<Record<Verdict, string>> = {
  pending: 'PENDING',
  paid: 'SUCCESSFUL',
  failed: 'FAILED',
  strange: 'DEFERRED',
}

const header = ({ headers }: OperatorRequest, name: string): string => String(headers[name] ?? '')

/** The same in replies and in callbacks. */
const resultOf = ({ party }: Direction, order: BookedOrder, verdict: Verdict, lie: Lie) => {
  const { orderId, account, amount } = { ...order, ...lie }
  return {
    externalId: orderId,
    amount: amountText(amount),
    currency: lie.currency ?? amount.currency,
    ...(party && { [party]: { partyIdType: 'MSISDN', partyId: account } }),
    payerMessage: 'Payment',
    payeeNote: 'Payment',
    status: STATUSES[verdict],
    ...(verdict === 'paid' && { financialTransactionId: `36344${order.number}` }),
    ...(verdict === 'failed' && { reason: 'APPROVAL_REJECTED' }),
    ...lie.names,
  }
}

const oddities = ({ party }: Direction): Readonly<Record<string, Change>> => ({
  'a null note': fieldsAt([], { payeeNote: null }),
  'a note that is an object': fieldsAt([], { payeeNote: {} }),
  'no notes': fieldsAt([], { payeeNote: undefined, payerMessage: undefined }),
  'an amount that is a number': (body) => fieldsAt([], { amount: Number((body as Body).amount) })(body),
  'an amount with decimals and blanks around': (body) =>
    fieldsAt([], { amount: ` ${(body as Body).amount}.00 ` })(body),
  'a currency in lower case': (body) => fieldsAt([], { currency: (body as Body).currency.toLowerCase() })(body),
  'an external id in capital letters': (body) =>
    fieldsAt([], { externalId: (body as Body).externalId.toUpperCase() })(body),
  'a reason': fieldsAt([], { reason: { code: 'EXPIRED' } }),
  'a receipt that is a number': fieldsAt([], { financialTransactionId: 363440463 }),
  'a null reason': fieldsAt([], { reason: null }),
  ...(party && {
    'a party type in lower case': fieldsAt([party], { partyIdType: 'msisdn' }),
    'a null party': fieldsAt([], { [party]: null }),
    'no party type': fieldsAt([party], { partyIdType: undefined }),
    'a party that is a number': (body) => fieldsAt([], { [party]: { partyId: Number(partyOf(body)) } })(body),
    'a party with a plus': (body) => fieldsAt([], { [party]: { partyId: `+${partyOf(body)}` } })(body),
    'a party that is hidden in part': (body) =>
      fieldsAt([], { [party]: { partyId: partyOf(body).replace(/(?<=^.{4}).{5}/, '*****') } })(body),
    'a party that is a text': (body) => fieldsAt([], { [party]: partyOf(body) })(body),
  }),
  'no external id': fieldsAt([], { externalId: null }),
  'fields that nobody documents': fieldsAt([], { more: [{ deep: null }] }),
})

interface Body {
  readonly amount: string
  readonly currency: string
  readonly externalId: string
  readonly payer?: { readonly partyId: string }
  readonly payee?: { readonly partyId: string }
  readonly referenceIdToRefund?: string
  readonly payerMessage: string
  readonly payeeNote: string
}

const partyOf = (body: unknown): string => {
  const { payer, payee } = body as Body
  return (payer ?? payee)?.partyId ?? ''
}

const refusalsOf = ({ noAccount }: Direction): readonly Refusal[] => [
  { answer: error(500, noAccount), code: 'account_not_found' },
  { answer: error(500, 'NOT_ALLOWED'), code: 'not_allowed' },
  { answer: error(500, 'PAYER_LIMIT_REACHED'), code: 'limit_reached' },
]

/** Replies to a query without a word on money. */
const UNTOLD: Words['untold'] = {
  'a code that nobody knows': error(500, 'NOBODY_KNOWS'),
  'a reason of a failure': error(500, 'APPROVAL_REJECTED'),
  unavailable: error(503, 'SERVICE_UNAVAILABLE'),
  'not found, by its front': { status: 404, body: { statusCode: 404, message: 'Resource not found' } },
  'an order without a status': { status: 200, body: { amount: '5000', currency: 'UGX' } },
  'not found, with another code': error(404, 'NOT_ALLOWED'),
  'a malformed id': error(400, 'BAD'),
  'rejected by its front': { status: 403, body: { statusCode: 403, message: 'x' } },
  'a success in a list': { status: 200, body: [{ status: STATUSES.paid }] },
  'a text': { status: 200, body: STATUSES.paid },
}

function wordsOf(direction: Direction): Words {
  const { product, call } = direction
  return {
    routes: {
      token: `POST /${product}/token/`,
      submit: `POST /${product}/v1_0/${call}`,
      ask: `GET /${product}/v1_0/${call}/{id}`,
    },
    token: (token, lifeSeconds) => ({
      status: 200,
      body: { access_token: token, token_type: 'access_token', expires_in: lifeSeconds },
    }),
    tokenRefused: [{ status: 401, body: { statusCode: 401, message: 'Access denied' } }],
    read(request) {
      const { amount, currency, externalId, payer, payee, referenceIdToRefund, payerMessage, payeeNote } =
        request.json() as Body
      const callbackUrl = header(request, 'x-callback-url')
      return {
        orderId: header(request, 'x-reference-id'),
        account: (payer ?? payee)?.partyId ?? backwards(referenceIdToRefund?.slice(COLLECTION.length) ?? ''),
        amount: moneyFromWire(amount, currency),
        ...(callbackUrl !== '' && { callbackUrl }),
        // Statements are matched by the external id; customers do not see it.
        texts: externalId === header(request, 'x-reference-id') ? [payerMessage, payeeNote] : [externalId],
      }
    },
    accepted: () => ({ status: 202 }),
    duplicate: () => error(409, 'RESOURCE_ALREADY_EXIST'),
    refusals: refusalsOf(direction),
    unclear: {
      'a code that nobody knows': error(500, 'NOBODY_KNOWS'),
      'a fault inside': error(500, 'INTERNAL_PROCESSING_ERROR'),
      unavailable: error(503, 'SERVICE_UNAVAILABLE'),
      'unavailable with the code of a refusal': error(503, 'NOT_ALLOWED'),
      'not found': error(404, 'RESOURCE_NOT_FOUND'),
      'a reason of what was started': error(500, 'EXPIRED'),
      'an error of its front': { status: 500, body: { statusCode: 500, message: 'x' } },
      'too many calls': { status: 429, body: { statusCode: 429, message: 'x' } },
    },
    withText: (text) => error(500, 'NOBODY_KNOWS', text),
    isAbout: ({ path }, { orderId }) => path.endsWith(`/${orderId}`),
    verdictMessage: (order, verdict, lie) => ({ status: 200, body: resultOf(direction, order, verdict, lie) }),
    unknown: error(404, 'RESOURCE_NOT_FOUND'),
    lieFields: ['orderId', 'amount', 'currency'],
    oddAnswers: oddities(direction),
    oddMessages: oddities(direction),
    untold: UNTOLD,
    names: () => ({}),
    callback: (order, verdict, lie) => ({ method: 'PUT', body: resultOf(direction, order, verdict, lie) }),
    callbackWith: ['orderId', 'amount', 'currency', ...(direction.party ? (['account'] as const) : [])],
    secretFields: [],
  }
}

/** The order id of a collection, before the account that paid it. */
const COLLECTION = '11d0c5b2-7a1e-4c0d-9b77-'

const ofMtn = (direction: Direction): Counterpart => ({
  name: `mtn-momo ${direction.call === 'refund' ? 'refund' : direction.type.toLowerCase()}`,
  kind: mtnMomo,
  type: direction.type,
  providerCode: 'mtn_ug',
  currency: 'UGX',
  settings: { target_environment: 'mtnuganda', partial_refunds: 'yes', ...CREDENTIALS },
  lacks: {
    names: 'an order has no name of its own at MTN before it is settled',
    timestamps: "MTN's requests carry no time",
    result_codes: "MTN's messages say FAILED, whatever the reason",
    late_answers: 'asked about an order, MTN answers at once',
    ...(direction.call === 'refund' ? { ...NO_PAYMENT, receipts: 'MTN knows a collection by our own id' } : NO_REFUND),
    ...(direction.call === 'transfer' && { given_back: 'a payout is not given back' }),
    account_address: 'MTN takes an address with every order',
    immediate: 'MTN answers an order with 202 and no word',
    unrequested: 'MTN reports nothing that was not ordered',
    payment_questions: 'MTN reports nothing that was not ordered',
    one_token: 'at MTN tokens live beside each other',
    late_balances: 'MTN answers about balances at once',
    statements: "MTN's report is a file",
  },
  account: (n) => `25677${String(n).padStart(4, '0')}123`,
  amounts: [5000n, 500n, 2_999_999n, 9_007_199_254_740_993n].map((amount) => money(amount, 'UGX')),
  decimals: { currency: 'EUR', amounts: [550n, 5n, 100n, 10n, 123_456_789n].map((cents) => money(cents, 'EUR')) },
  unsendable: [money(500n, 'EUR')],
  pollAfterMsMin: 5 * 60_000,
  ...(direction.call === 'refund' && {
    collectionOf: (account: string) => ({ orderId: `${COLLECTION}${backwards(account)}`, externalIds: {} }),
  }),
  failureCode: 'APPROVAL_REJECTED',
  words: wordsOf(direction),
})

const mtnPayout = ofMtn({
  type: 'PAYOUT',
  product: 'disbursement',
  call: 'transfer',
  party: 'payee',
  noAccount: 'PAYEE_NOT_FOUND',
})

const mtnRefund = ofMtn({
  type: 'COLLECTION',
  product: 'disbursement',
  call: 'refund',
  noAccount: 'PAYEE_NOT_FOUND',
})

const mtnCollection: Counterpart = {
  ...ofMtn({
    type: 'COLLECTION',
    product: 'collection',
    call: 'requesttopay',
    party: 'payer',
    noAccount: 'PAYER_NOT_FOUND',
  }),
  ofRefunds: mtnRefund.words,
}

export const COUNTERPARTS: readonly Counterpart[] = [mtnCollection, mtnPayout, mtnRefund]
