import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  ALL,
  AUTHORIZE,
  BANKS,
  INITIALIZE,
  LOOKUPS,
  messageOf,
  PAYMENTS,
  POSTS,
  PROVIDERS,
  refusal,
  renamed,
  success,
  VERIFY,
  WALLETS,
  withBody,
  withFields,
  withHeader,
  withoutFields,
  withStatus,
} from './edit.ts'
import { faultsOf, type OperationId, type Plant } from './fault.ts'
import { inData, inEach, inJson, inReplies, renumbered, rowsAt } from './rows.ts'

/** Replies to an undeclared method: on any path, though `at` names the operations that test it. */
const toMethods = (
  what: string,
  at: readonly OperationId[],
  change: (reply: WireReply, request: WireRequest) => WireReply,
) => ({
  what,
  at,
  plant: (): Plant => ({
    api: { onReply: (reply, request) => (reply.status === 405 ? change(reply, request) : reply) },
  }),
})
/** Every refusal of every operation. */
const inErrors = (what: string, change: (reply: WireReply) => WireReply) =>
  inReplies(what, ALL, 'any', (reply) => (reply.status >= 400 ? change(reply) : reply))
const inErrorJson = (what: string, change: (fields: Fields) => Fields) =>
  inErrors(what, (reply) => withFields(reply, (fields) => ({ ...fields, ...change(fields) })))
/** Every 20th lookup of providers. */
const nowAndThen = (what: string, change: (reply: WireReply) => WireReply) => ({
  what,
  at: PROVIDERS,
  plant: (world: Parameters<ReturnType<typeof inReplies>['plant']>[0]): Plant => {
    let count = 0
    return inReplies(what, PROVIDERS, 'any', (reply) => ((count += 1) % 20 === 0 ? change(reply) : reply)).plant(world)
  },
})
const allowing = (methods: string | undefined) => (reply: WireReply) => withHeader(reply, 'allow', methods)
const dropped = (): never => {
  throw new Error('dropped')
}

export const statusFaults = faultsOf('replies', {
  ...rowsAt(
    toMethods,
    PROVIDERS,
  )({
    'method-404': [
      'answers 404 to a method that a path does not have',
      (reply) => withStatus(allowing(undefined)(reply), 404),
    ],
    'allow-missing': ['answers 405 without Allow', allowing(undefined)],
    'allow-wrong': ['names a method in Allow that the path does not have', allowing('GET, POST, PUT')],
    'trace-answered': [
      'answers TRACE with what was sent',
      (reply, { method, path }) =>
        method === 'TRACE'
          ? { ...withBody(withHeader(reply, 'content-type', 'message/http'), `TRACE ${path} HTTP/1.1`), status: 200 }
          : reply,
    ],
  }),
  'delete-answered': toMethods('answers 200 to DELETE', VERIFY, (reply, { method }) =>
    method === 'DELETE' ? success(reply, {}) : reply,
  ),
  'patch-500': toMethods('breaks on PATCH', POSTS, (reply, { method }) =>
    method === 'PATCH' ? refusal(reply, 500, 'Internal error') : reply,
  ),
  ...rowsAt(
    renumbered,
    PAYMENTS,
  )({
    'accepted-200': ['answers 200 instead of 202', 202, 200],
    'accepted-201': ['answers 201 instead of 202', 202, 201],
    'used-reference-400': ['answers 400 to a used reference', 409, 400],
  }),
  'refused-422': renumbered('answers 422 instead of 400', POSTS, 400, 422),
  'refused-200': inReplies('answers 200 with an error in the body', ALL, 400, (reply) => ({ ...reply, status: 200 })),
  'unknown-reference-200': inReplies('answers 200 with nothing for an unknown reference', VERIFY, 404, (reply) =>
    success(reply, {}),
  ),
  'unknown-reference-400': renumbered('answers 400 for an unknown reference', VERIFY, 404, 400),
  'unknown-collection-400': renumbered('answers 400 to an OTP for an unknown collection', AUTHORIZE, 404, 400),
  'used-reference-500': inReplies('breaks on a used reference', PAYMENTS, 409, (reply) =>
    refusal(reply, 500, 'duplicate key value violates unique constraint'),
  ),
  'now-and-then-500': nowAndThen('breaks at every 20th lookup', (reply) => refusal(reply, 500, 'Internal error')),
  'unavailable-without-retry-after': nowAndThen('answers 503 without Retry-After at every 20th lookup', (reply) =>
    refusal(reply, 503, 'The service is temporarily unavailable: try again shortly'),
  ),
  'too-many-at-once': nowAndThen('answers 429 without Retry-After at every 20th lookup', (reply) =>
    refusal(reply, 429, 'Too many requests'),
  ),
  'connection-dropped': nowAndThen('drops the connection at every 20th lookup', dropped),
})

const HTML = 'text/html; charset=utf-8'

export const formFaults = faultsOf('replies', {
  ...rowsAt(
    inReplies,
    ALL,
  )({
    'html-instead-of-json': ['calls JSON text/html', 'any', (reply) => withHeader(reply, 'content-type', HTML)],
    'request-id-missing': ['gives no X-Request-Id', 'any', (reply) => withHeader(reply, 'x-request-id', undefined)],
    'request-id-malformed': [
      'gives an X-Request-Id of another form',
      'any',
      (reply) => withHeader(reply, 'x-request-id', 'id {1}'),
    ],
    'message-missing': ['omits the message', 'any', withoutFields('message')],
  }),
  ...rowsAt(
    inReplies,
    BANKS,
  )({
    'json-cut': ['sends half of the JSON', 200, (reply) => withBody(reply, reply.body.toString().slice(0, -20))],
    'byte-order-mark': [
      'begins JSON with a byte order mark',
      'any',
      (reply) => withBody(reply, `\ufeff${reply.body.toString()}`),
    ],
  }),
  'media-type-missing': inErrors('does not say that errors are JSON', (reply) =>
    withHeader(reply, 'content-type', undefined),
  ),
  'data-missing': inErrors('omits data in errors', withoutFields('data')),
  'problem-json': inErrors('answers faults in another form (RFC 9457)', (reply) =>
    withBody(
      withHeader(reply, 'content-type', 'application/problem+json'),
      JSON.stringify({ type: 'about:blank', status: reply.status, title: messageOf(reply) }),
    ),
  ),
  'error-code-0': inErrorJson('says code 0 in errors', () => ({ code: 0 })),
  'status-success-in-error': inErrorJson('says success in errors', () => ({ status: 'success' })),
  'message-empty': inErrorJson('says nothing in the message of errors', () => ({ message: '' })),
  'message-object': inErrorJson('says an object as the message of errors', ({ message }) => ({
    message: { text: message },
  })),
  'data-null': inErrorJson('says null for data in errors', () => ({ data: null })),
  ...rowsAt(
    inJson,
    ALL,
  )({
    'error-code-differs': ['says 500 in the envelope of a 400', 400, (fields) => ({ ...fields, code: 500 })],
    'stack-trace': [
      'shows a stack trace in errors',
      400,
      (fields) => ({ ...fields, data: { stack: 'Error: at check (/app/check.js:12:7)' } }),
    ],
  }),
  'code-differs': inJson('says 200 in the envelope of a 202', PAYMENTS, 202, (fields) => ({ ...fields, code: 200 })),
  ...rowsAt(
    inJson,
    LOOKUPS,
  )({
    'status-ok': ['says ok instead of success', 200, (fields) => ({ ...fields, status: 'ok' })],
    'not-wrapped': ['answers without the envelope', 200, (fields) => fields['data']],
  }),
})

export const schemaFaults = faultsOf('replies', {
  'provider-extra-field': inEach('discloses its margin in the list of providers', 'payment_providers', (provider) => ({
    ...provider,
    margin_bps: 40,
  })),
  'provider-type-upper-case': inEach(
    'writes transaction_type of a provider in capitals',
    'payment_providers',
    (provider) => ({ ...provider, transaction_type: String(provider['transaction_type']).toUpperCase() }),
  ),
  'provider-limit-text': inEach('writes limits as text', 'payment_providers', (provider) => ({
    ...provider,
    min_amount: String(provider['min_amount']),
  })),
  'provider-prefix-number': inEach('writes prefixes as numbers', 'payment_providers', (provider) => ({
    ...provider,
    option_prefixes: [77, 78],
  })),
  'provider-active-number': inEach('writes is_active as 1', 'payment_providers', (provider) => ({
    ...provider,
    is_active: 1,
  })),
  'empty-list-null': inData('says null instead of an empty list', PROVIDERS, 200, (inner) =>
    Array.isArray(inner['payment_providers']) && inner['payment_providers'].length === 0
      ? { payment_providers: null }
      : inner,
  ),
  'list-as-map': inData('says an object instead of a list', BANKS, 200, ({ payout_banks }) => ({
    payout_banks: Object.assign({}, payout_banks),
  })),
  'bank-code-null': inEach('says null for a bank code', 'payout_banks', (bank) => ({ ...bank, bank_code: null })),
  'wallet-camel-case': inEach('says availableBalance', 'merchant_wallets', (wallet) =>
    renamed(wallet, 'available_balance', 'availableBalance'),
  ),
  'wallet-type-unknown': inEach('returns an undeclared wallet type', 'merchant_wallets', (wallet) => ({
    ...wallet,
    wallet_type: 'MAIN',
  })),
  'balance-negative': inEach('shows a negative balance', 'merchant_wallets', (wallet) => ({
    ...wallet,
    reserve_balance: -1,
  })),
  ...rowsAt(
    inData,
    VERIFY,
  )({
    'status-message-missing': ['omits status_message', 200, ({ status_message: _message, ...rest }) => rest],
    'customer-name-null': [
      'says null for a customer without a name',
      200,
      (transaction) => ({ customer_name: null, ...transaction }),
    ],
    'status-not-declared': [
      'says SUCCESS instead of COMPLETED or PENDING',
      200,
      (transaction) => ({ ...transaction, transaction_status: 'SUCCESS' }),
    ],
    'id-as-text': ['writes the id as text', 200, (transaction) => ({ ...transaction, id: String(transaction['id']) })],
    'card-cipher-shown': [
      'shows card_cipher in verify',
      200,
      (transaction) => ({ ...transaction, card_cipher: 'bm90LWEtcmVhbC1jYXJk' }),
    ],
  }),
  'internal-reference-form': inData('makes internal references of another form', PAYMENTS, 202, (inner) => ({
    ...inner,
    internal_reference: String(inner['internal_reference']).toLowerCase(),
  })),
  'payment-url-relative': inData('gives a payment_url without host', INITIALIZE, 202, (inner) =>
    'payment_url' in inner
      ? { ...inner, payment_url: `/pay/collection/${String(inner['internal_reference'])}` }
      : inner,
  ),
})

export const lookupFaults = faultsOf('replies', {
  'providers-of-both-types': inReplies(
    'ignores transaction_type in the list of providers',
    PROVIDERS,
    200,
    async (reply, request, { send }) =>
      /transaction_type=PAYOUT/.test(request.path)
        ? send({ ...request, path: request.path.replace('PAYOUT', 'COLLECTION') })
        : reply,
  ),
  'wallets-of-all-currencies': inReplies(
    'ignores currency in the list of wallets',
    WALLETS,
    200,
    (_, request, { send }) => send({ ...request, path: '/data/wallet-balances' }),
  ),
  'banks-for-mobile-money': inReplies('lists banks for providers that have none', BANKS, 200, (_, request, { send }) =>
    send({ ...request, path: '/data/payout-bank-codes?provider_code=bank_ng' }),
  ),
  'no-wallets': inData('shows no wallets at all', WALLETS, 200, () => ({ merchant_wallets: [] })),
  'payment-url-missing': inData(
    'gives no payment_url for payments that need the page',
    INITIALIZE,
    202,
    ({ payment_url: _url, ...rest }) => rest,
  ),
})
