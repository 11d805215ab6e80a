import { createFinalURL } from 'openapi-fetch'
import type {
  AuthorizeCollectionRequest,
  BanksQuery,
  CollectionAcknowledgement,
  CollectionAuthorization,
  CollectionRequest,
  OperationId,
  PayoutAcknowledgement,
  PayoutBank,
  PayoutRequest,
  Provider,
  ProvidersQuery,
  Transaction,
  Wallet,
  WalletsQuery,
} from './contract-types.ts'
import { toHex } from './encoding.ts'
import { MalipoError } from './errors.ts'
import { exchange } from './exchange.ts'
import { withRightAmount } from './amount-check.ts'
import {
  checkedIdempotencyKey,
  checkedRetries,
  checkedTimeout,
  settingsFrom,
  type CallOptions,
  type MalipoOptions,
  type PostOptions,
} from './options.ts'
import { routes, type DataOf, type Input } from './routes.ts'
import { waitUntilFinal, type FinalTransaction, type WaitOptions } from './wait-until-final.ts'

/**
 * The gateway, one function per operation of the contract.
 *
 * Each resolves to the data of the reply or rejects with a {@link MalipoError}. A result union was weighed and set
 * aside: with money a forgotten `if (result.error)` ships the goods, while a forgotten `catch` stops the program; and
 * `error.kind` is typed either way.
 */
export interface Malipo {
  readonly providers: {
    /**
     * Providers that you may use in one currency and direction, with limits and phone prefixes; none gives an empty
     * list.
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
     * Your wallets: all, or those in one currency. Needs the secret key. Balances are in major units of the wallet's
     * currency.
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
    /**
     * Asks until the transaction is COMPLETED, FAILED or CANCELLED: after 1 second, then less and less often, every 15
     * seconds at last, a little earlier by chance, and as late as `Retry-After` says. It goes on after errors that a
     * later try may cure. For programs without a callback URL, and for tests; a server that receives callbacks needs it
     * not.
     *
     * @throws MalipoError, of kind `timeout` if it is not final in time: it may still become so
     * @example
     * ```ts
     * const { transaction_status, status_message } = await malipo.transactions.waitUntilFinal('ORDER-2026-0001', {
     * timeoutMs: 60_000 }) ```
     */
    waitUntilFinal(merchantReference: string, options?: WaitOptions): Promise<FinalTransaction>
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
     * Starts a payout: money from your payout wallet to a phone or bank account. Needs the secret key. Accepted is not
     * paid. When no reply arrives, the payout may have been accepted: send it again with the same `idempotencyKey`,
     * never under a new reference.
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
 * Binds keys, version and language once and returns the calls. Nothing is sent until one is made.
 *
 * Where a later try may help and cannot pay twice, a call is repeated: after a broken connection, HTTP 429 and 5xx, up
 * to `maxRetries` times within `timeoutMs`, and not before `Retry-After`. A POST is repeated only under an
 * `Idempotency-Key`, yours or one of its own.
 *
 * For servers: both keys are confidential, so it does not work in a browser.
 *
 * @throws TypeError or RangeError that names the wrong option, and TypeError in a browser
 * @example
 * ```ts
 * import { createMalipo } from '@malipo/client'
 *
 * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo', secretKey:
 * process.env.MALIPO_SECRET_KEY }) ```
 */
export function createMalipo(options: MalipoOptions): Malipo {
  const settings = settingsFrom(options)
  const send = <Id extends OperationId>(
    operationId: Id,
    input: Input<Id>,
    options: CallOptions,
    headers: Readonly<Record<string, string>> = {},
    key?: Key,
  ) => {
    const { timeoutMs = settings.timeoutMs, maxRetries = settings.maxRetries, signal } = options
    return exchange<DataOf<Id>>({
      operationId,
      signal,
      timeoutMs: checkedTimeout(timeoutMs),
      maxRetries: checkedRetries(maxRetries),
      fetch: settings.fetch,
      waiting: settings.waiting,
      url: createFinalURL(routes[operationId], {
        baseUrl: settings.baseUrl,
        params: { query: input.query ?? {}, path: input.path ?? {} },
        querySerializer,
        pathSerializer,
      }),
      headers: {
        'public-key': settings.publicKey,
        'x-api-version': '1',
        'accept-language': settings.language,
        accept: 'application/json',
        ...headers,
      },
      body: input.body && JSON.stringify(input.body),
      idempotencyKey: key?.value,
      repeatable: key?.isKnown ?? true,
    })
  }
  const post = <Id extends OperationId>(
    operationId: Id,
    input: Input<Id>,
    options: PostOptions,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const key = keyOf(options, settings.maxRetries)
    return send(
      operationId,
      input,
      options,
      {
        'content-type': 'application/json',
        ...(key.value !== undefined && { 'idempotency-key': key.value }),
        ...headers,
      },
      key,
    )
  }
  // The secret key goes with the two operations that need it, and nowhere else.
  const secretKey = () => {
    if (settings.secretKey !== undefined) return { 'secret-key': settings.secretKey }
    throw new MalipoError('secretKey is required for wallets and payouts: pass it to createMalipo', {
      kind: 'authentication',
      retryable: false,
    })
  }

  const malipo: Malipo = {
    providers: {
      list: async (query, options = {}) => (await send('listPaymentProviders', { query }, options)).payment_providers,
    },
    banks: { list: async (query, options = {}) => (await send('listPayoutBanks', { query }, options)).payout_banks },
    wallets: {
      list: async (query = {}, options = {}) =>
        (await send('listWalletBalances', { query }, options, secretKey())).merchant_wallets,
    },
    transactions: {
      verify: async (merchantReference, options = {}) =>
        send('verifyTransaction', { path: { merchant_reference: checkedReference(merchantReference) } }, options),
      // Each question is asked once: the waiting itself asks again.
      waitUntilFinal: (merchantReference, options = {}) =>
        waitUntilFinal(
          (call) => malipo.transactions.verify(merchantReference, { ...call, maxRetries: 0 }),
          options,
          settings.waiting,
        ),
    },
    collections: {
      initialize: async (body, options = {}) => post('initializeCollection', { body: withRightAmount(body) }, options),
      authorize: async (body, options = {}) => post('authorizeCollection', { body }, options),
    },
    payouts: {
      send: async (body, options = {}) => post('sendFunds', { body: withRightAmount(body) }, options, secretKey()),
    },
  }
  return malipo
}

const querySerializer = (query: Readonly<Record<string, unknown>>): string =>
  `${new URLSearchParams(Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])))}`

const pathSerializer = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(values[name])))

/** The idempotency key of one call, and whether the caller knows it. */
interface Key {
  readonly value: string | undefined
  readonly isKnown: boolean
}

/** The caller's key, or one for our own retries. */
function keyOf({ idempotencyKey, maxRetries }: PostOptions, maxRetriesOfAll: number): Key {
  if (idempotencyKey !== undefined) return { value: checkedIdempotencyKey(idempotencyKey), isKnown: true }
  const value =
    (maxRetries ?? maxRetriesOfAll) > 0 ? toHex(crypto.getRandomValues(new Uint8Array(16)).buffer) : undefined
  return { value, isKnown: false }
}

/**
 * An empty reference, one of dots, or the text "undefined" would name another path, whose 404 reads as "no such
 * transaction".
 */
function checkedReference(merchantReference: string): string {
  if (typeof merchantReference === 'string' && !/^\.{0,2}$/.test(merchantReference)) return merchantReference
  throw new MalipoError('merchant_reference is required', { kind: 'validation', retryable: false })
}
