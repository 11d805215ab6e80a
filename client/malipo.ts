import createClient from 'openapi-fetch'
import type { paths } from '../generated/schema.d.ts'
import type {
  AuthorizeCollectionRequest, BanksQuery, CollectionAcknowledgement, CollectionAuthorization, CollectionRequest, OperationId,
  PayoutAcknowledgement, PayoutBank, PayoutRequest, Provider, ProvidersQuery, Transaction, Wallet, WalletsQuery,
} from './contract-types.ts'
import { MalipoError } from './errors.ts'
import { exchange } from './exchange.ts'
import { checkedIdempotencyKey, checkedTimeout, settingsFrom, type CallOptions, type MalipoOptions, type PostOptions } from './options.ts'

/**
 * The gateway, one function per operation of the contract.
 *
 * Each resolves to the data of the reply or rejects with a {@link MalipoError}. A result union was weighed and set aside: with money a
 * forgotten `if (result.error)` ships the goods, while a forgotten `catch` stops the program; and `error.kind` is typed either way.
 */
export interface Malipo {
  readonly providers: {
    /**
     * Providers that you may use in one currency and direction, with limits and phone prefixes; none gives an empty list.
     *
     * @throws MalipoError
     * @example
     * ```ts
     * const providers = await malipo.providers.list({ currency: 'UGX', transaction_type: 'COLLECTION' })
     * const mobileMoney = providers.filter((provider) => provider.transaction_method === 'MOBILE_MONEY')
     * ```
     */
    list(query: ProvidersQuery, options?: CallOptions): Promise<Provider[]>
  }
  readonly banks: {
    /**
     * Banks that a provider can pay out to; none gives an empty list.
     *
     * @throws MalipoError
     * @example
     * ```ts
     * const banks = await malipo.banks.list({ provider_code: 'bank_ng' })
     * ```
     */
    list(query: BanksQuery, options?: CallOptions): Promise<PayoutBank[]>
  }
  readonly wallets: {
    /**
     * Your wallets: all, or those in one currency. Needs the secret key. Balances are in major units of the wallet's currency.
     *
     * @throws MalipoError, of kind `authentication` before anything is sent if there is no secret key
     * @example
     * ```ts
     * const wallets = await malipo.wallets.list({ currency: 'UGX' })
     * const payout = wallets.find((wallet) => wallet.wallet_type === 'MERCHANT_PAYOUT')
     * console.log(payout?.available_balance)
     * ```
     */
    list(query?: WalletsQuery, options?: CallOptions): Promise<Wallet[]>
  }
  readonly transactions: {
    /**
     * What became of a transaction, by your own reference.
     *
     * @throws MalipoError, of kind `not_found` if no transaction of yours has this reference
     * @example
     * ```ts
     * const transaction = await malipo.transactions.verify('ORDER-2026-0001')
     * if (transaction.transaction_type === 'COLLECTION' && transaction.transaction_status === 'COMPLETED') {
     *   console.log('credited', transaction.total_credit, transaction.transaction_currency)
     * }
     * ```
     */
    verify(merchantReference: string, options?: CallOptions): Promise<Transaction>
  }
  readonly collections: {
    /**
     * Starts a collection: money from a customer to you. Accepted is not paid: the outcome comes by callback, or from
     * `transactions.verify`. If the result has a `payment_url`, send the customer there.
     *
     * @throws MalipoError, of kind `duplicate` if the reference was used before
     * @example
     * ```ts
     * const { internal_reference } = await malipo.collections.initialize({
     *   transaction_method: 'MOBILE_MONEY',
     *   provider_code: 'mtn_ug',
     *   merchant_reference: 'ORDER-2026-0001',
     *   msisdn: '256772000123',
     *   currency: 'UGX',
     *   amount: 5000,
     *   description: 'Order 2026-0001',
     * }, { idempotencyKey: order.idempotencyKey })
     * ```
     */
    initialize(request: CollectionRequest, options?: PostOptions): Promise<CollectionAcknowledgement>
    /**
     * Submits the one-time password of a collection that waits for one.
     *
     * @throws MalipoError, of kind `validation` if the password is wrong, `conflict` if none is wanted
     * @example
     * ```ts
     * await malipo.collections.authorize({ internal_reference, otp: 123456 })
     * ```
     */
    authorize(request: AuthorizeCollectionRequest, options?: PostOptions): Promise<CollectionAuthorization>
  }
  readonly payouts: {
    /**
     * Starts a payout: money from your payout wallet to a phone or bank account. Needs the secret key. Accepted is not paid. When no reply
     * arrives, the payout may have been accepted: send it again with the same `idempotencyKey`, never under a new reference.
     *
     * @throws MalipoError, of kind `authentication` before anything is sent if there is no secret key
     * @example
     * ```ts
     * await malipo.payouts.send({
     *   transaction_method: 'MOBILE_MONEY',
     *   provider_code: 'mtn_ug',
     *   merchant_reference: 'PAYOUT-2026-0001',
     *   account_number: '256772000123',
     *   customer_name: 'Amina Nakato',
     *   currency: 'UGX',
     *   amount: 20000,
     *   description: 'Refund 2026-0001',
     * }, { idempotencyKey: payout.idempotencyKey })
     * ```
     */
    send(request: PayoutRequest, options?: PostOptions): Promise<PayoutAcknowledgement>
  }
}

/**
 * Binds keys, version and language once and returns the calls. Nothing is sent until one is made, and none is repeated.
 *
 * @throws TypeError or RangeError that names the wrong option, and for a `secretKey` in a browser
 * @example
 * ```ts
 * import { createMalipo } from '@malipo/client'
 *
 * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo', secretKey: process.env.MALIPO_SECRET_KEY })
 * ```
 */
export function createMalipo(options: MalipoOptions): Malipo {
  const settings = settingsFrom(options)
  const client = createClient<paths>({ baseUrl: settings.baseUrl, headers: { 'public-key': settings.publicKey, accept: 'application/json' } })
  const header = { 'x-api-version': 1, 'Accept-Language': settings.language } as const

  const sending = (operationId: OperationId, { timeoutMs = settings.timeoutMs, signal }: CallOptions, repeatable = true) => {
    const call = { operationId, repeatable, timeoutMs: checkedTimeout(timeoutMs), signal, fetch: settings.fetch }
    return { fetch: (request: Request) => exchange(request, call) }
  }
  const posting = (operationId: OperationId, options: PostOptions) => {
    const { idempotencyKey: key } = options
    return {
      ...sending(operationId, options, key !== undefined),
      params: { header: { ...header, ...(key !== undefined && { 'Idempotency-Key': checkedIdempotencyKey(key) }) } },
    }
  }
  // The secret key goes with the two operations that need it, and nowhere else.
  const withSecretKey = () => {
    if (settings.secretKey !== undefined) return { headers: { 'secret-key': settings.secretKey } }
    throw new MalipoError('secretKey is required for wallets and payouts: pass it to createMalipo, on your server', { kind: 'authentication', retryable: false })
  }

  return {
    providers: {
      list: async (query, options = {}) =>
        dataOf(await client.GET('/data/payment-providers', { ...sending('listPaymentProviders', options), params: { header, query } })).payment_providers,
    },
    banks: {
      list: async (query, options = {}) =>
        dataOf(await client.GET('/data/payout-bank-codes', { ...sending('listPayoutBanks', options), params: { header, query } })).payout_banks,
    },
    wallets: {
      list: async (query = {}, options = {}) =>
        dataOf(await client.GET('/data/wallet-balances', { ...sending('listWalletBalances', options), ...withSecretKey(), params: { header, query } })).merchant_wallets,
    },
    transactions: {
      verify: async (merchantReference, options = {}) => {
        const path = { merchant_reference: checkedReference(merchantReference) }
        return dataOf(await client.GET('/data/transaction/verify/{merchant_reference}', { ...sending('verifyTransaction', options), params: { header, path } }))
      },
    },
    collections: {
      initialize: async (body, options = {}) => dataOf(await client.POST('/collections/initialize', { ...posting('initializeCollection', options), body })),
      authorize: async (body, options = {}) => dataOf(await client.POST('/collections/authorize', { ...posting('authorizeCollection', options), body })),
    },
    payouts: {
      send: async (body, options = {}) => dataOf(await client.POST('/payout/send-funds', { ...posting('sendFunds', options), ...withSecretKey(), body })),
    },
  }
}

/** `exchange` lets nothing but a success in its envelope through; the types of openapi-fetch cannot know that. */
function dataOf<Data>({ data: envelope }: { readonly data?: { readonly data: Data } }): Data {
  return envelope!.data
}

/** An empty reference or one of dots would name another path, whose 404 reads as "no such transaction". */
function checkedReference(merchantReference: string): string {
  if (!/^\.{0,2}$/.test(merchantReference)) return merchantReference
  throw new MalipoError('merchant_reference is required', { kind: 'validation', retryable: false })
}
