import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import {
  ALL,
  data,
  each,
  LOOKUPS,
  messageOf,
  POSTS,
  refusal,
  renamed,
  replies,
  success,
  withBody,
  withFields,
  withHeader,
  withoutFields,
  withStatus,
} from './edit.ts'
import { faultsOf, type Plant } from './fault.ts'

const PROVIDERS = ['listPaymentProviders'] as const
const BANKS = ['listPayoutBanks'] as const
const WALLETS = ['listWalletBalances'] as const
const VERIFY = ['verifyTransaction'] as const
const ACCEPTED = ['initializeCollection', 'sendFunds'] as const

/** Changes every reply of a status, whatever was asked. */
const all = (status: number, change: (reply: WireReply, request: WireRequest) => WireReply): Plant => ({
  api: { onReply: (reply, request) => (reply.status === status ? change(reply, request) : reply) },
})
const isError = ({ status }: WireReply): boolean => status >= 400
const errors = (change: (reply: WireReply) => WireReply): Plant =>
  replies(ALL, 'any', (reply) => (isError(reply) ? change(reply) : reply))

export const statusFaults = faultsOf('replies', {
  'method-404': {
    what: 'answers 404 to a method that a path does not have',
    at: PROVIDERS,
    plant: () => all(405, (reply) => withStatus(withHeader(reply, 'allow', undefined), 404)),
  },
  'allow-missing': {
    what: 'answers 405 without Allow',
    at: PROVIDERS,
    plant: () => all(405, (reply) => withHeader(reply, 'allow', undefined)),
  },
  'allow-wrong': {
    what: 'names a method in Allow that the path does not have',
    at: PROVIDERS,
    plant: () => all(405, (reply) => withHeader(reply, 'allow', 'GET, POST, PUT')),
  },
  'trace-answered': {
    what: 'answers TRACE with what was sent',
    at: PROVIDERS,
    plant: () =>
      all(405, (reply, { method, path }) =>
        method === 'TRACE'
          ? { ...withBody(withHeader(reply, 'content-type', 'message/http'), `TRACE ${path} HTTP/1.1`), status: 200 }
          : reply,
      ),
  },
  'delete-answered': {
    what: 'answers 200 to DELETE',
    at: VERIFY,
    plant: () => all(405, (reply, { method }) => (method === 'DELETE' ? success(reply, {}) : reply)),
  },
  'patch-500': {
    what: 'breaks on PATCH',
    at: POSTS,
    plant: () => all(405, (reply, { method }) => (method === 'PATCH' ? refusal(reply, 500, 'Internal error') : reply)),
  },
  'accepted-200': {
    what: 'answers 200 instead of 202',
    at: ACCEPTED,
    plant: () => replies(ACCEPTED, 202, (reply) => withStatus(reply, 200)),
  },
  'accepted-201': {
    what: 'answers 201 instead of 202',
    at: ACCEPTED,
    plant: () => replies(ACCEPTED, 202, (reply) => withStatus(reply, 201)),
  },
  'refused-422': {
    what: 'answers 422 instead of 400',
    at: POSTS,
    plant: () => replies(POSTS, 400, (reply) => withStatus(reply, 422)),
  },
  'refused-200': {
    what: 'answers 200 with an error in the body',
    at: ALL,
    plant: () => replies(ALL, 400, (reply) => ({ ...reply, status: 200 })),
  },
  'unknown-reference-200': {
    what: 'answers 200 with nothing for an unknown reference',
    at: VERIFY,
    plant: () => replies(VERIFY, 404, (reply) => success(reply, {})),
  },
  'unknown-reference-400': {
    what: 'answers 400 for an unknown reference',
    at: VERIFY,
    plant: () => replies(VERIFY, 404, (reply) => withStatus(reply, 400)),
  },
  'unknown-collection-400': {
    what: 'answers 400 to a password for an unknown collection',
    at: ['authorizeCollection'],
    plant: () => replies(['authorizeCollection'], 404, (reply) => withStatus(reply, 400)),
  },
  'used-reference-400': {
    what: 'answers 400 to a used reference',
    at: ACCEPTED,
    plant: () => replies(ACCEPTED, 409, (reply) => withStatus(reply, 400)),
  },
  'used-reference-500': {
    what: 'breaks on a used reference',
    at: ACCEPTED,
    plant: () =>
      replies(ACCEPTED, 409, (reply) => refusal(reply, 500, 'duplicate key value violates unique constraint')),
  },
  'now-and-then-500': {
    what: 'breaks at every 20th lookup',
    at: PROVIDERS,
    plant: () => everyNth(20, (reply) => refusal(reply, 500, 'Internal error')),
  },
  'unavailable-without-retry-after': {
    what: 'answers 503 without Retry-After at every 20th lookup',
    at: PROVIDERS,
    plant: () =>
      everyNth(20, (reply) => refusal(reply, 503, 'The service is temporarily unavailable: try again shortly')),
  },
  'too-many-at-once': {
    what: 'answers 429 without Retry-After at every 20th lookup',
    at: PROVIDERS,
    plant: () => everyNth(20, (reply) => refusal(reply, 429, 'Too many requests')),
  },
  'connection-dropped': {
    what: 'drops the connection at every 20th lookup',
    at: PROVIDERS,
    plant: () =>
      everyNth(20, () => {
        throw new Error('dropped')
      }),
  },
})

function everyNth(nth: number, change: (reply: WireReply) => WireReply): Plant {
  let count = 0
  return replies(PROVIDERS, 'any', (reply) => ((count += 1) % nth === 0 ? change(reply) : reply))
}

export const formFaults = faultsOf('replies', {
  'html-instead-of-json': {
    what: 'calls JSON text/html',
    at: ALL,
    plant: () => replies(ALL, 'any', (reply) => withHeader(reply, 'content-type', 'text/html; charset=utf-8')),
  },
  'media-type-missing': {
    what: 'does not say that errors are JSON',
    at: ALL,
    plant: () => errors((reply) => withHeader(reply, 'content-type', undefined)),
  },
  'json-cut': {
    what: 'sends half of the JSON',
    at: BANKS,
    plant: () => replies(BANKS, 200, (reply) => withBody(reply, reply.body.toString().slice(0, -20))),
  },
  'byte-order-mark': {
    what: 'begins JSON with a byte order mark',
    at: BANKS,
    plant: () => replies(BANKS, 'any', (reply) => withBody(reply, `\ufeff${reply.body.toString()}`)),
  },
  'request-id-missing': {
    what: 'gives no X-Request-Id',
    at: ALL,
    plant: () => replies(ALL, 'any', (reply) => withHeader(reply, 'x-request-id', undefined)),
  },
  'request-id-malformed': {
    what: 'gives an X-Request-Id of another form',
    at: ALL,
    plant: () => replies(ALL, 'any', (reply) => withHeader(reply, 'x-request-id', 'id {1}')),
  },
  'code-differs': {
    what: 'says 200 in the envelope of a 202',
    at: ACCEPTED,
    plant: () => replies(ACCEPTED, 202, (reply) => withFields(reply, (fields) => ({ ...fields, code: 200 }))),
  },
  'error-code-0': {
    what: 'says code 0 in errors',
    at: ALL,
    plant: () => errors((reply) => withFields(reply, (fields) => ({ ...fields, code: 0 }))),
  },
  'error-code-differs': {
    what: 'says 500 in the envelope of a 400',
    at: ALL,
    plant: () => replies(ALL, 400, (reply) => withFields(reply, (fields) => ({ ...fields, code: 500 }))),
  },
  'status-ok': {
    what: 'says ok instead of success',
    at: LOOKUPS,
    plant: () => replies(LOOKUPS, 200, (reply) => withFields(reply, (fields) => ({ ...fields, status: 'ok' }))),
  },
  'status-success-in-error': {
    what: 'says success in errors',
    at: ALL,
    plant: () => errors((reply) => withFields(reply, (fields) => ({ ...fields, status: 'success' }))),
  },
  'message-missing': {
    what: 'leaves the message out',
    at: ALL,
    plant: () => replies(ALL, 'any', withoutFields('message')),
  },
  'message-empty': {
    what: 'says nothing in the message of errors',
    at: ALL,
    plant: () => errors((reply) => withFields(reply, (fields) => ({ ...fields, message: '' }))),
  },
  'message-object': {
    what: 'says an object as the message of errors',
    at: ALL,
    plant: () =>
      errors((reply) => withFields(reply, (fields) => ({ ...fields, message: { text: fields['message'] } }))),
  },
  'data-missing': { what: 'leaves data out of errors', at: ALL, plant: () => errors(withoutFields('data')) },
  'data-null': {
    what: 'says null for data in errors',
    at: ALL,
    plant: () => errors((reply) => withFields(reply, (fields) => ({ ...fields, data: null }))),
  },
  'stack-trace': {
    what: 'shows a stack trace in errors',
    at: ALL,
    plant: () =>
      replies(ALL, 400, (reply) =>
        withFields(reply, (fields) => ({ ...fields, data: { stack: 'Error: at check (/app/check.js:12:7)' } })),
      ),
  },
  'problem-json': {
    what: 'answers faults in another form (RFC 9457)',
    at: ALL,
    plant: () =>
      errors((reply) =>
        withBody(
          withHeader(reply, 'content-type', 'application/problem+json'),
          JSON.stringify({ type: 'about:blank', status: reply.status, title: messageOf(reply) }),
        ),
      ),
  },
  'not-wrapped': {
    what: 'answers without the envelope',
    at: LOOKUPS,
    plant: () => replies(LOOKUPS, 200, (reply) => withFields(reply, (fields) => fields['data'])),
  },
})

export const schemaFaults = faultsOf('replies', {
  'provider-extra-field': {
    what: 'tells its margin in the list of providers',
    at: PROVIDERS,
    plant: () =>
      replies(PROVIDERS, 200, (reply) =>
        withFields(
          reply,
          each('payment_providers', (provider) => ({ ...provider, margin_bps: 40 })),
        ),
      ),
  },
  'provider-type-upper-case': {
    what: 'writes transaction_type of a provider in capitals',
    at: PROVIDERS,
    plant: () =>
      replies(PROVIDERS, 200, (reply) =>
        withFields(
          reply,
          each('payment_providers', (provider) => ({
            ...provider,
            transaction_type: String(provider['transaction_type']).toUpperCase(),
          })),
        ),
      ),
  },
  'provider-limit-text': {
    what: 'writes limits as text',
    at: PROVIDERS,
    plant: () =>
      replies(PROVIDERS, 200, (reply) =>
        withFields(
          reply,
          each('payment_providers', (provider) => ({ ...provider, min_amount: String(provider['min_amount']) })),
        ),
      ),
  },
  'provider-prefix-number': {
    what: 'writes prefixes as numbers',
    at: PROVIDERS,
    plant: () =>
      replies(PROVIDERS, 200, (reply) =>
        withFields(
          reply,
          each('payment_providers', (provider) => ({ ...provider, option_prefixes: [77, 78] })),
        ),
      ),
  },
  'provider-active-number': {
    what: 'writes is_active as 1',
    at: PROVIDERS,
    plant: () =>
      replies(PROVIDERS, 200, (reply) =>
        withFields(
          reply,
          each('payment_providers', (provider) => ({ ...provider, is_active: 1 })),
        ),
      ),
  },
  'empty-list-null': {
    what: 'says null instead of an empty list',
    at: PROVIDERS,
    plant: () =>
      replies(PROVIDERS, 200, (reply) =>
        withFields(
          reply,
          data((inner) =>
            Array.isArray(inner['payment_providers']) && inner['payment_providers'].length === 0
              ? { payment_providers: null }
              : inner,
          ),
        ),
      ),
  },
  'list-as-map': {
    what: 'says an object instead of a list',
    at: BANKS,
    plant: () =>
      replies(BANKS, 200, (reply) =>
        withFields(
          reply,
          data(({ payout_banks }) => ({ payout_banks: Object.assign({}, payout_banks) })),
        ),
      ),
  },
  'bank-code-null': {
    what: 'says null for a bank code',
    at: BANKS,
    plant: () =>
      replies(BANKS, 200, (reply) =>
        withFields(
          reply,
          each('payout_banks', (bank) => ({ ...bank, bank_code: null })),
        ),
      ),
  },
  'wallet-camel-case': {
    what: 'says availableBalance',
    at: WALLETS,
    plant: () =>
      replies(WALLETS, 200, (reply) =>
        withFields(
          reply,
          each('merchant_wallets', (wallet) => renamed(wallet, 'available_balance', 'availableBalance')),
        ),
      ),
  },
  'wallet-type-unknown': {
    what: 'tells of a wallet type that is not declared',
    at: WALLETS,
    plant: () =>
      replies(WALLETS, 200, (reply) =>
        withFields(
          reply,
          each('merchant_wallets', (wallet) => ({ ...wallet, wallet_type: 'MAIN' })),
        ),
      ),
  },
  'balance-negative': {
    what: 'shows a negative balance',
    at: WALLETS,
    plant: () =>
      replies(WALLETS, 200, (reply) =>
        withFields(
          reply,
          each('merchant_wallets', (wallet) => ({ ...wallet, reserve_balance: -1 })),
        ),
      ),
  },
  'status-message-missing': {
    what: 'leaves status_message out',
    at: VERIFY,
    plant: () =>
      replies(VERIFY, 200, (reply) =>
        withFields(
          reply,
          data(({ status_message: _message, ...rest }) => rest),
        ),
      ),
  },
  'customer-name-null': {
    what: 'says null for a customer without a name',
    at: VERIFY,
    plant: () =>
      replies(VERIFY, 200, (reply) =>
        withFields(
          reply,
          data((transaction) => ({ customer_name: null, ...transaction })),
        ),
      ),
  },
  'status-not-declared': {
    what: 'says SUCCESS instead of COMPLETED or PENDING',
    at: VERIFY,
    plant: () =>
      replies(VERIFY, 200, (reply) =>
        withFields(
          reply,
          data((transaction) => ({ ...transaction, transaction_status: 'SUCCESS' })),
        ),
      ),
  },
  'id-as-text': {
    what: 'writes the id as text',
    at: VERIFY,
    plant: () =>
      replies(VERIFY, 200, (reply) =>
        withFields(
          reply,
          data((transaction) => ({ ...transaction, id: String(transaction['id']) })),
        ),
      ),
  },
  'card-cipher-shown': {
    what: 'shows card_cipher in verify',
    at: VERIFY,
    plant: () =>
      replies(VERIFY, 200, (reply) =>
        withFields(
          reply,
          data((transaction) => ({ ...transaction, card_cipher: 'bm90LWEtcmVhbC1jYXJk' })),
        ),
      ),
  },
  'internal-reference-form': {
    what: 'makes internal references of another form',
    at: ACCEPTED,
    plant: () =>
      replies(ACCEPTED, 202, (reply) =>
        withFields(
          reply,
          data((inner) => ({ ...inner, internal_reference: String(inner['internal_reference']).toLowerCase() })),
        ),
      ),
  },
  'payment-url-relative': {
    what: 'gives a payment_url without host',
    at: ['initializeCollection'],
    plant: () =>
      replies(['initializeCollection'], 202, (reply) =>
        withFields(
          reply,
          data((inner) =>
            'payment_url' in inner
              ? { ...inner, payment_url: `/pay/collection/${String(inner['internal_reference'])}` }
              : inner,
          ),
        ),
      ),
  },
})

export const lookupFaults = faultsOf('replies', {
  'providers-of-both-types': {
    what: 'ignores transaction_type in the list of providers',
    at: PROVIDERS,
    plant: ({ send }) =>
      replies(PROVIDERS, 200, async (reply, request) =>
        /transaction_type=PAYOUT/.test(request.path)
          ? send({ ...request, path: request.path.replace('PAYOUT', 'COLLECTION') })
          : reply,
      ),
  },
  'wallets-of-all-currencies': {
    what: 'ignores currency in the list of wallets',
    at: WALLETS,
    plant: ({ send }) => replies(WALLETS, 200, (_, request) => send({ ...request, path: '/data/wallet-balances' })),
  },
  'banks-for-mobile-money': {
    what: 'lists banks for providers that have none',
    at: BANKS,
    plant: ({ send }) =>
      replies(BANKS, 200, (_, request) => send({ ...request, path: '/data/payout-bank-codes?provider_code=bank_ng' })),
  },
  'no-wallets': {
    what: 'shows no wallets at all',
    at: WALLETS,
    plant: () =>
      replies(WALLETS, 200, (reply) =>
        withFields(
          reply,
          data(() => ({ merchant_wallets: [] })),
        ),
      ),
  },
  'payment-url-missing': {
    what: 'gives no payment_url for payments that need the page',
    at: ['initializeCollection'],
    plant: () =>
      replies(['initializeCollection'], 202, (reply) =>
        withFields(
          reply,
          data(({ payment_url: _url, ...rest }) => rest),
        ),
      ),
  },
})
