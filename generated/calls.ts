// Written by `npm run generate` from openapi/paths/.
import type { Caller, CallRule } from '../client/caller.ts'
import type { CallOptions, PostOptions } from '../client/options.ts'
import type {
  AccountHolder,
  AuthorizeCollectionRequest,
  BankCollectionRequest,
  BanksQuery,
  CancelPayoutRequest,
  CollectionAcknowledgement,
  CollectionAuthorization,
  CollectionRequest,
  DataAccountHolderQuery,
  DataPredictProviderQuery,
  EventPage,
  EventsQuery,
  ExpectedPayment,
  ExpectedPaymentRequest,
  HostedCollectionAcknowledgement,
  HostedCollectionRequest,
  PayoutAcknowledgement,
  PayoutBank,
  PayoutBatch,
  PayoutBatchAcknowledgement,
  PayoutBatchRequest,
  PayoutRequest,
  PhoneCollectionRequest,
  PredictedProvider,
  Provider,
  ProvidersQuery,
  Refund,
  RefundAcknowledgement,
  RefundRequest,
  Statement,
  Transaction,
  TransactionPage,
  TransactionsQuery,
  Wallet,
  WalletsQuery,
  WalletsStatementQuery,
} from './schema.d.ts'

/** The fields that choose what `collections.initialize` takes and gives. */
export interface InitializeCollectionChoice<TransactionMethod, MobileMoneyHpp> { transaction_method: TransactionMethod; mobile_money_hpp?: MobileMoneyHpp }
/** What it takes, by the fields that choose. */
export type InitializeCollectionRequest<TransactionMethod, MobileMoneyHpp> = TransactionMethod extends 'BANK' ? BankCollectionRequest : MobileMoneyHpp extends true ? HostedCollectionRequest : PhoneCollectionRequest
/** What it gives, by the fields that choose. */
export type InitializeCollectionResult<TransactionMethod, MobileMoneyHpp> = TransactionMethod extends 'BANK' ? HostedCollectionAcknowledgement : MobileMoneyHpp extends true ? HostedCollectionAcknowledgement : CollectionAcknowledgement

export interface ProvidersCalls {
  /**
   * List payment providers.
   *
   * Returns the providers that your account may use in one currency, for one type of transaction.
   *
   * Take `provider_code`, the limits and the phone prefixes from here; do not write them into your program. A currency without
   * providers gives an empty list, not an error.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: The public key is missing or unknown.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
   *
   * try {
   *   const providers = await malipo.providers.list({ currency: 'UGX', transaction_type: 'COLLECTION' })
   *   for (const { provider_code, min_amount, max_amount } of providers) console.log(provider_code, min_amount, max_amount)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  list(query: ProvidersQuery, options?: CallOptions): Promise<Provider[]>
}

export interface BanksCalls {
  /**
   * List payout banks.
   *
   * Returns the banks that a provider can pay out to. Take `bank_code` from here for `extra_params.bank_code` of a bank payout.
   *
   * A provider without bank payouts gives an empty list, not an error.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong, or no such provider exists.
   * @throws MalipoError `authentication`, HTTP 401: The public key is missing or unknown.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
   *
   * try {
   *   const banks = await malipo.banks.list({ provider_code: 'bank_ng' })
   *   for (const { bank_code, bank_name } of banks) console.log(bank_code, bank_name)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  list(query: BanksQuery, options?: CallOptions): Promise<PayoutBank[]>
}

export interface WalletsCalls {
  /**
   * List wallet balances.
   *
   * Returns the wallets of your account: all of them, or those in one currency. Needs the secret key too.
   *
   * | balance | what it is |
   * |---|---|
   * | `available_balance` | what you can use now |
   * | `uncleared_balance` | collected, but not cleared yet by the provider |
   * | `reserve_balance` | kept back for a time as a reserve |
   * | `actual_balance` | the sum of the three |
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const wallets = await malipo.wallets.list({ currency: 'UGX' })
   *   for (const { wallet_type, available_balance, currency } of wallets)
   *     console.log(wallet_type, available_balance, currency)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  list(query?: WalletsQuery, options?: CallOptions): Promise<Wallet[]>
  /**
   * Retrieve a statement.
   *
   * Returns what moved in one of your wallets within a period, with the opening and the closing balance: opening balance and
   * entries add up to the closing balance, to the unit. Needs the secret key too.
   *
   * With `Accept: text/csv` the reply is a file of up to 100,000 entries; the envelope has up to 5,000. A period has at most 31
   * days. Entries are those booked in the period, whenever their transactions were accepted, and what payouts in flight hold is
   * still part of the wallet.
   *
   * When `from` lies in a month that has been archived, the answer is 404 and names the last such month; what it moved is part of
   * later opening balances.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `not_found`, HTTP 404: Payments may be archived 13 months after the end of their month. The message names the month.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const { entries } = await malipo.wallets.statement({ wallet_type: 'MERCHANT_COLLECTION', currency: 'UGX', from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' })
   *   for (const { booked_at, kind, amount } of entries) console.log(booked_at, kind, amount)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  statement(query: WalletsStatementQuery, options?: CallOptions): Promise<Statement>
}

export interface TransactionsCalls {
  /**
   * Verify a transaction.
   *
   * Returns a transaction by your own reference. References belong to the account of the public key: a reference of somebody else
   * gives the same 404 as one that does not exist.
   *
   * Ask here after a redirect, after a callback that you could not verify, or when you do not know whether a request arrived.
   *
   * @param merchantReference Your reference of the transaction.
   * @throws MalipoError `validation`, HTTP 400: A header or the reference is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: The public key is missing or unknown.
   * @throws MalipoError `not_found`, HTTP 404: Your account has no transaction with this reference, or only the archive has it: payments may be archived 13 months after the end of their month.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
   *
   * try {
   *   const transaction = await malipo.transactions.verify('ORDER-2026-0001')
   *   if (transaction.transaction_type === 'COLLECTION' && transaction.transaction_status === 'COMPLETED') {
   *     console.log('credited', transaction.total_credit, transaction.transaction_currency)
   *   } else {
   *     console.log(transaction.transaction_status, transaction.status_message)
   *   }
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  verify(merchantReference: string, options?: CallOptions): Promise<Transaction>
  /**
   * List transactions.
   *
   * Returns your collections, payouts and refunds, the newest first, each with the record of its own look-up. Needs the secret
   * key too.
   *
   * All parameters may be combined. A page looks at the newest 500 that its period has: where few of them fit, it has fewer
   * than `limit`, or none. Go on with `next` until there is none; nothing that is accepted meanwhile shifts a page.
   *
   * When `from` lies in a month that has been archived, the answer is 404 and names the last such month.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `not_found`, HTTP 404: Payments may be archived 13 months after the end of their month. The message names the month.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const { transactions } = await malipo.transactions.list({ from: '2026-11-01T00:00:00Z', transaction_type: 'COLLECTION' })
   *   for (const { merchant_reference, transaction_amount, transaction_currency } of transactions)
   *     console.log(merchant_reference, transaction_amount, transaction_currency)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  list(query?: TransactionsQuery, options?: CallOptions): Promise<TransactionPage>
}

export interface CollectionsCalls {
  /**
   * Initialize a collection.
   *
   * Starts a collection: money from a customer to you. The reply is an acknowledgement; the outcome comes later.
   *
   * | collection | you send | you get | the customer |
   * |---|---|---|---|
   * | mobile money | `msisdn` | references | approves on the phone |
   * | mobile money on the payment page | `msisdn`, `mobile_money_hpp: true`, `redirect_url` | references and `payment_url` | opens the page and approves there |
   * | bank | `redirect_url` | references and `payment_url` | opens the page and pays there |
   *
   * Some providers ask the customer for a one-time password. Then the collection stays PENDING, `Waiting for the one-time password`, until
   * you pass it to `collections.authorize`, whose reply carries the `payment_url` of such a collection. The reply
   * here is the one of the table, whether a password is asked for or not. The password is sent a moment after the reply.
   *
   * What customers can be bothered with is bounded per account number, over all merchants: approval prompts on the phone (over it:
   * 429 with `Retry-After`), one-time passwords and open payment pages. Of each bound one merchant has a share:
   * Times.
   *
   * When the collection is final, Malipo sends a callback and, if you gave a `redirect_url`,
   * sends the customer's browser there.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected, or a rule of the provider or a bound of the account number forbids it.
   * @throws MalipoError `authentication`, HTTP 401: The public key is missing or unknown, or the merchant is suspended.
   * @throws MalipoError `duplicate`, HTTP 409: The merchant reference, or the idempotency key, is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 64 KiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, too many with wrong keys from your address, or too many approval prompts for the account number. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot accept a payment now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
   *
   * // Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody pays twice.
   * const orderReference = `ORDER-${Date.now()}`
   * try {
   *   const collection = await malipo.collections.initialize(
   *     {
   *       transaction_method: 'MOBILE_MONEY',
   *       provider_code: 'mtn_ug',
   *       merchant_reference: orderReference,
   *       msisdn: '256772000123',
   *       currency: 'UGX',
   *       amount: 5000,
   *       description: 'Order 2026-0001',
   *     },
   *     { idempotencyKey: orderReference },
   *   )
   *   console.log('accepted, not yet paid:', collection.internal_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  initialize<TransactionMethod extends CollectionRequest['transaction_method'], MobileMoneyHpp extends NonNullable<CollectionRequest['mobile_money_hpp']> = false>(request: InitializeCollectionChoice<TransactionMethod, MobileMoneyHpp> & InitializeCollectionRequest<TransactionMethod, MobileMoneyHpp>, options?: PostOptions): Promise<InitializeCollectionResult<TransactionMethod, MobileMoneyHpp>>
  /**
   * Authorize a collection.
   *
   * Submits the one-time password of a collection that waits for one.
   *
   * A password lives 5 minutes from when it was sent; of several the newest counts. After 5 wrong tries the collection fails. Wrong tries
   * also count per account number: after 30 within 24 hours over all merchants, or 15 of yours, no password is taken for that number,
   * the right one neither. A right one is refused with 429 while the number can get no approval prompt; it was no try then. In the
   * sandbox the password is `123456`.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected, the password is wrong, or no password is taken for the account number now.
   * @throws MalipoError `authentication`, HTTP 401: The public key is missing or unknown, or the merchant is suspended.
   * @throws MalipoError `not_found`, HTTP 404: Your account has no collection with this internal reference.
   * @throws MalipoError `conflict`, HTTP 409: The collection does not wait for a one-time password, or the idempotency key is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 64 KiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, too many with wrong keys from your address, or too many approval prompts for the account number. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
   *
   * try {
   *   // The internal reference is in the reply to your collection. In the sandbox, numbers that end in 005 ask for the
   *   // password 123456.
   *   const { internal_reference } = await malipo.collections.authorize({
   *     internal_reference: 'MLPSVQSA9PFZYCMK46KMQQBKS',
   *     otp: 123456,
   *   })
   *   console.log('authorized', internal_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   if (error.status === undefined) console.error(error.message)
   *   else console.error(error.kind === 'validation' ? 'ask the customer again:' : 'refused:', error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  authorize(request: AuthorizeCollectionRequest, options?: PostOptions): Promise<CollectionAuthorization>
  /**
   * Expect a payment that the customer starts.
   *
   * Starts a collection that your customer pays on their own, from the menu of the phone or at an agent: to your account at the
   * operator (a paybill number), under a reference that they type. Needs the secret key too.
   *
   * The collection is PENDING until the operator confirms a payment with this reference and a fitting amount, and then COMPLETED
   * with what was paid: record, callback, `transactions.verify` and lists are those of every collection. If none
   * has come in time, it is FAILED with `Nobody paid it in time`. What does not fit is never credited by itself:
   * Payments that customers start says more.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected, or a rule of the provider forbids it.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong, or the merchant is suspended.
   * @throws MalipoError `conflict`, HTTP 409: The reference to be typed, the merchant reference or the idempotency key is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 64 KiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot accept a payment now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * // Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is expected twice.
   * const orderReference = `ORDER-${Date.now()}`
   * try {
   *   const expected = await malipo.collections.expect(
   *     {
   *       merchant_reference: orderReference,
   *       amount: 5000,
   *       provider_code: 'mtn_ug',
   *       customer_reference: 'auto',
   *       currency: 'UGX',
   *       description: 'Invoice 2026-1',
   *     },
   *     { idempotencyKey: orderReference },
   *   )
   *   console.log('to be typed by the customer:', expected.customer_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  expect(request: ExpectedPaymentRequest, options?: PostOptions): Promise<ExpectedPayment>
  /**
   * Refund a collection.
   *
   * Gives a completed collection back, or a part of it, always to the account that paid it. Needs the secret key too.
   *
   * Several partial refunds are possible, together at most the `request_amount` of the collection. The money comes from your
   * collection wallet and is held there meanwhile; without enough of it the refund is accepted too, and fails then with
   * `Insufficient balance for the transaction`. The outcome arrives by callback.
   *
   * When a request gets no answer, do not send it again with a new reference: send it again with the same `Idempotency-Key`, or
   * look the refund up by `collections.retrieveRefund`. Refunds says more.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected, or it is for more than is left of the collection.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong, or the merchant is suspended.
   * @throws MalipoError `not_found`, HTTP 404: Your account has no collection with this reference.
   * @throws MalipoError `conflict`, HTTP 409: The collection cannot be refunded, or the merchant reference or the idempotency key is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 64 KiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot accept a payment now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * // Your own reference, stored before you ask: when no reply arrives, send the same again, and nothing is refunded twice.
   * const refundReference = `REFUND-${Date.now()}`
   * try {
   *   const refund = await malipo.collections.refund(
   *     {
   *       merchant_reference: refundReference,
   *       amount: 2000,
   *       collection_reference: 'ORDER-2026-0001',
   *       reason: 'One of two items returned',
   *     },
   *     { idempotencyKey: refundReference },
   *   )
   *   console.log('accepted, not yet refunded:', refund.internal_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  refund(request: RefundRequest, options?: PostOptions): Promise<RefundAcknowledgement>
  /**
   * Look up a refund.
   *
   * Returns a refund by your own reference of it. Needs the secret key too. References belong to the account of the public key: a
   * reference of somebody else gives the same 404 as one that does not exist. Refunds have references apart from payments:
   * `transactions.verify` does not find them.
   *
   * @param merchantReference Your reference of the refund.
   * @throws MalipoError `validation`, HTTP 400: A header or the reference is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `not_found`, HTTP 404: Your account has no refund with this reference.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const refund = await malipo.collections.retrieveRefund('REFUND-2026-0001')
   *   console.log(refund.transaction_status, refund.status_message)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  retrieveRefund(merchantReference: string, options?: CallOptions): Promise<Refund>
}

export interface PayoutsCalls {
  /**
   * Send funds.
   *
   * Starts a payout: money from your payout wallet to a mobile money number or a bank account. Needs the secret key too.
   *
   * 1. Malipo accepts the payout (202). A payout without enough money in the wallet is accepted too, and fails then with
   *    `Insufficient balance for the transaction`.
   * 2. Malipo asks your verification URL whether the payout is yours. Answer 200, or any 2xx, to go on.
   * 3. The money is held, sent, and the outcome arrives by callback.
   *
   * When a request gets no answer, do not send it again with a new reference: send it again with the same `Idempotency-Key`, or ask
   * `transactions.verify`.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected, or a rule of the provider or of your account forbids it.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong, or the merchant is suspended.
   * @throws MalipoError `duplicate`, HTTP 409: The merchant reference, or the idempotency key, is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 64 KiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot accept a payment now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * // Your own reference, stored before you ask: when no reply arrives, send the same again, and nobody is paid twice.
   * const payoutReference = `PAYOUT-${Date.now()}`
   * try {
   *   const payout = await malipo.payouts.send(
   *     {
   *       transaction_method: 'MOBILE_MONEY',
   *       provider_code: 'mtn_ug',
   *       merchant_reference: payoutReference,
   *       account_number: '256772000123',
   *       customer_name: 'Grace Auma',
   *       currency: 'UGX',
   *       amount: 20000,
   *       description: 'Refund of order 17',
   *     },
   *     { idempotencyKey: payoutReference },
   *   )
   *   console.log('accepted, not yet paid:', payout.internal_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  send(request: PayoutRequest, options?: PostOptions): Promise<PayoutAcknowledgement>
  /**
   * Send a batch of payouts.
   *
   * Starts up to 1,000 payouts at once. Each item is a payout as `payouts.send` takes it, with a reference, a
   * handshake and a callback of its own. A body may have 1 MiB here.
   *
   * A batch with any faulty item is refused whole: 400 lists every faulty item with its line, counted from 1, and no reference is used
   * up. So the same batch can be sent again once it is right, and sending it twice pays once: its references are used by then.
   *
   * When every payout is final, the batch callback follows; `payouts.getBatch` any time.
   * Bulk payouts shows it step by step.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected, or payouts of the batch are faulty.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong, or the merchant is suspended.
   * @throws MalipoError `conflict`, HTTP 409: The batch reference, or the idempotency key, is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 1 MiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot accept a payment now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * // Your own references, stored before you ask: sent again, the same batch pays nobody twice.
   * const batch_reference = `SALARIES-${Date.now()}`
   * try {
   *   const batch = await malipo.payouts.batch(
   *     {
   *       batch_reference,
   *       payouts: [
   *         {
   *           transaction_method: 'MOBILE_MONEY',
   *           provider_code: 'mtn_ug',
   *           merchant_reference: `${batch_reference}-1`,
   *           account_number: '256772000123',
   *           customer_name: 'Grace Auma',
   *           currency: 'UGX',
   *           amount: 20000,
   *           description: 'Salary of March',
   *         },
   *       ],
   *     },
   *     { idempotencyKey: batch_reference },
   *   )
   *   console.log('accepted, not yet paid:', batch.batch_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  batch(request: PayoutBatchRequest, options?: PostOptions): Promise<PayoutBatchAcknowledgement>
  /**
   * Ask about a batch of payouts.
   *
   * Returns a batch by your own reference: its sums per currency, and the state of each payout.
   *
   * @param batchReference Your reference of the batch.
   * @throws MalipoError `validation`, HTTP 400: A header or the reference is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `not_found`, HTTP 404: Your account has no batch with this reference.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const { batch_reference, batch_status, totals } = await malipo.payouts.getBatch('SALARIES-2026-03')
   *   console.log(batch_reference, batch_status)
   *   for (const { currency, amount, completed, failed } of totals) console.log(currency, amount, completed, failed)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  getBatch(batchReference: string, options?: CallOptions): Promise<PayoutBatch>
  /**
   * Cancel a payout.
   *
   * Cancels a payout that was not handed to its operator yet: one that waits for the handshake, for an approver, for money at the
   * operator, or while your account is suspended. It becomes `FAILED` with the message `Payout cancelled by the merchant` and the code
   * `merchant_cancelled`, its hold is released, and the callback follows.
   *
   * Of paying and cancelling exactly one happens. A payout that was handed over, or is final, is refused with 409, which names its state;
   * so is one that you have cancelled before, unless the request repeats the first one's `Idempotency-Key`. Works while your account is
   * suspended.
   *
   * @throws MalipoError `validation`, HTTP 400: The request is not formed as expected.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `not_found`, HTTP 404: Your account has no payout with this reference.
   * @throws MalipoError `conflict`, HTTP 409: The payout was handed over, or is final; or the idempotency key is already used.
   * @throws MalipoError `validation`, HTTP 413: The request body is larger than 64 KiB.
   * @throws MalipoError `validation`, HTTP 415: The request body is not `application/json`.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const { internal_reference } = await malipo.payouts.cancel(
   *     { merchant_reference: 'PAYOUT-2026-0001' },
   *     { idempotencyKey: 'cancel-PAYOUT-2026-0001' },
   *   )
   *   console.log('cancelled', internal_reference)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   if (error.status === undefined) console.error(error.message)
   *   else console.error(error.status === 409 ? 'too late:' : 'refused:', error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  cancel(request: CancelPayoutRequest, options?: PostOptions): Promise<PayoutAcknowledgement>
}

export interface EventsCalls {
  /**
   * List events.
   *
   * Returns what your callbacks told, about collections, payouts, refunds and batches, in an order without gaps: for whoever has
   * missed some. Needs the secret key too. When a callback never came shows a program.
   *
   * Remember the `number` of the last event that you have handled, and send it as `after`. An event is listed within some
   * seconds of its outcome, also when your account has no callback URL, and whether its callback was acknowledged or not. Handle
   * each `webhook_id` once: the callback may have arrived, or may still come.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `not_found`, HTTP 404: Events after this number have been archived with their payments. The message says up to which.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const { events } = await malipo.events.list({ from: '2026-11-27T00:00:00Z' })
   *   for (const { number, webhook_id } of events) console.log(number, webhook_id)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  list(query?: EventsQuery, options?: CallOptions): Promise<EventPage>
}

export interface DataCalls {
  /**
   * Find an account holder.
   *
   * Asks the operator whether a mobile money account exists, whether it is active, and for its holder's name, which you get
   * masked. Needs the secret key too. Who has this number says how to use it.
   *
   * An operator that does not tell gives `NOT_SUPPORTED`, not an error. You may ask for so many account holders in 24 hours
   * as the settings of Malipo say, and ten times for one number; an answer is repeated for an hour without asking again. Each
   * query is in the audit log of your account.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: A key is missing, unknown or wrong.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, too many with wrong keys from your address, too many account holders in 24 hours, or too many queries about one account number. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo or the operator cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({
   *   baseUrl: 'http://127.0.0.1:8080',
   *   publicKey: 'pub_sandbox_demo',
   *   secretKey: 'sec_sandbox_demo',
   * })
   *
   * try {
   *   const { account_status, masked_name } = await malipo.data.accountHolder({
   *     provider_code: 'mtn_ug',
   *     msisdn: '256772000123',
   *   })
   *   console.log(account_status, masked_name)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  accountHolder(query: DataAccountHolderQuery, options?: CallOptions): Promise<AccountHolder>
  /**
   * Predict the provider of a number.
   *
   * Returns a number in the form that Malipo stores, its country, and which of your providers it probably has. The public key
   * is enough: then prefixes and numbering plans decide.
   *
   * With the secret key too, operators that tell who has an account are asked, so that a ported number gets its present
   * provider. Such queries count as those of `data.accountHolder`; when they are used up or
   * the operator does not answer, the prefix decides.
   *
   * @throws MalipoError `validation`, HTTP 400: A header or parameter is missing or wrong.
   * @throws MalipoError `authentication`, HTTP 401: The public key is missing or unknown.
   * @throws MalipoError `rate_limit`, HTTP 429: Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says.
   * @throws MalipoError `server`, HTTP 500: A fault of Malipo. Try again, a POST with the same `Idempotency-Key`.
   * @throws MalipoError `server`, HTTP 503: Malipo cannot answer now. Wait as `Retry-After` says.
   * @example
   * ```ts
   * import { createMalipo, MalipoError } from '@malipo/client'
   *
   * const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })
   *
   * try {
   *   const { provider_code, source } = await malipo.data.predictProvider({ msisdn: '256772000123' })
   *   console.log(provider_code, source)
   * } catch (error) {
   *   if (!(error instanceof MalipoError)) throw error
   *   console.error(error.message)
   *   process.exitCode = 1
   * }
   * ```
   */
  predictProvider(query: DataPredictProviderQuery, options?: CallOptions): Promise<PredictedProvider>
}

/** The operations of the contract. */
export interface Calls {
  readonly providers: ProvidersCalls
  readonly banks: BanksCalls
  readonly wallets: WalletsCalls
  readonly transactions: TransactionsCalls
  readonly collections: CollectionsCalls
  readonly payouts: PayoutsCalls
  readonly events: EventsCalls
  readonly data: DataCalls
}

/** Sends each operation as the contract has it. */
export function createCalls({ http, sending, sendingOnce, result }: Caller): Calls {
  async function listPaymentProviders(query: ProvidersQuery, options?: CallOptions): Promise<Provider[]> {
    const reply = http.GET('/data/payment-providers', { params: { query }, ...sending(options) })
    return result(reply, (data) => data.payment_providers)
  }

  async function listPayoutBanks(query: BanksQuery, options?: CallOptions): Promise<PayoutBank[]> {
    const reply = http.GET('/data/payout-bank-codes', { params: { query }, ...sending(options) })
    return result(reply, (data) => data.payout_banks)
  }

  async function listWalletBalances(query: WalletsQuery = {}, options?: CallOptions): Promise<Wallet[]> {
    const reply = http.GET('/data/wallet-balances', { params: { query }, ...sending(options) })
    return result(reply, (data) => data.merchant_wallets)
  }

  async function verifyTransaction(merchantReference: string, options?: CallOptions): Promise<Transaction> {
    const reply = http.GET('/data/transaction/verify/{merchant_reference}', { params: { path: { merchant_reference: merchantReference } }, ...sending(options) })
    return result(reply, (data) => data)
  }

  function initializeCollection<TransactionMethod extends CollectionRequest['transaction_method'], MobileMoneyHpp extends NonNullable<CollectionRequest['mobile_money_hpp']> = false>(request: InitializeCollectionChoice<TransactionMethod, MobileMoneyHpp> & InitializeCollectionRequest<TransactionMethod, MobileMoneyHpp>, options?: PostOptions): Promise<InitializeCollectionResult<TransactionMethod, MobileMoneyHpp>>
  async function initializeCollection(request: CollectionRequest, options?: PostOptions): Promise<CollectionAcknowledgement> {
    const reply = http.POST('/collections/initialize', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function authorizeCollection(request: AuthorizeCollectionRequest, options?: PostOptions): Promise<CollectionAuthorization> {
    const reply = http.POST('/collections/authorize', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function sendFunds(request: PayoutRequest, options?: PostOptions): Promise<PayoutAcknowledgement> {
    const reply = http.POST('/payout/send-funds', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function createPayoutBatch(request: PayoutBatchRequest, options?: PostOptions): Promise<PayoutBatchAcknowledgement> {
    const reply = http.POST('/payout/batches', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function getPayoutBatch(batchReference: string, options?: CallOptions): Promise<PayoutBatch> {
    const reply = http.GET('/payout/batches/{batch_reference}', { params: { path: { batch_reference: batchReference } }, ...sending(options) })
    return result(reply, (data) => data)
  }

  async function cancelPayout(request: CancelPayoutRequest, options?: PostOptions): Promise<PayoutAcknowledgement> {
    const reply = http.POST('/payout/cancel', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function expectPayment(request: ExpectedPaymentRequest, options?: PostOptions): Promise<ExpectedPayment> {
    const reply = http.POST('/collections/expect', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function refundCollection(request: RefundRequest, options?: PostOptions): Promise<RefundAcknowledgement> {
    const reply = http.POST('/collections/refund', { body: request, ...sendingOnce(options) })
    return result(reply, (data) => data)
  }

  async function retrieveRefund(merchantReference: string, options?: CallOptions): Promise<Refund> {
    const reply = http.GET('/collections/refund/{merchant_reference}', { params: { path: { merchant_reference: merchantReference } }, ...sending(options) })
    return result(reply, (data) => data)
  }

  async function listTransactions(query: TransactionsQuery = {}, options?: CallOptions): Promise<TransactionPage> {
    const reply = http.GET('/data/transactions', { params: { query }, ...sending(options) })
    return result(reply, (data) => data)
  }

  async function listEvents(query: EventsQuery = {}, options?: CallOptions): Promise<EventPage> {
    const reply = http.GET('/data/events', { params: { query }, ...sending(options) })
    return result(reply, (data) => data)
  }

  async function getStatement(query: WalletsStatementQuery, options?: CallOptions): Promise<Statement> {
    const reply = http.GET('/data/statement', { params: { query }, ...sending(options) })
    return result(reply, (data) => data)
  }

  async function findAccountHolder(query: DataAccountHolderQuery, options?: CallOptions): Promise<AccountHolder> {
    const reply = http.GET('/data/account-holder', { params: { query }, ...sending(options) })
    return result(reply, (data) => data)
  }

  async function predictProvider(query: DataPredictProviderQuery, options?: CallOptions): Promise<PredictedProvider> {
    const reply = http.GET('/data/predict-provider', { params: { query }, ...sending(options) })
    return result(reply, (data) => data)
  }

  return {
    providers: { list: listPaymentProviders },
    banks: { list: listPayoutBanks },
    wallets: { list: listWalletBalances, statement: getStatement },
    transactions: { verify: verifyTransaction, list: listTransactions },
    collections: { initialize: initializeCollection, authorize: authorizeCollection, expect: expectPayment, refund: refundCollection, retrieveRefund: retrieveRefund },
    payouts: { send: sendFunds, batch: createPayoutBatch, getBatch: getPayoutBatch, cancel: cancelPayout },
    events: { list: listEvents },
    data: { accountHolder: findAccountHolder, predictProvider: predictProvider },
  }
}

/** By method and path: whether the secret key goes along, and the kind of error that each status is. */
export const callRules: Readonly<Record<string, CallRule>> = {
  'GET /data/payment-providers': { needsSecretKey: false, kinds: { 400: 'validation', 401: 'authentication' } },
  'GET /data/payout-bank-codes': { needsSecretKey: false, kinds: { 400: 'validation', 401: 'authentication' } },
  'GET /data/wallet-balances': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication' } },
  'GET /data/transaction/verify/{merchant_reference}': { needsSecretKey: false, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found' } },
  'POST /collections/initialize': { needsSecretKey: false, kinds: { 400: 'validation', 401: 'authentication', 409: 'duplicate', 413: 'validation', 415: 'validation' } },
  'POST /collections/authorize': { needsSecretKey: false, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found', 409: 'conflict', 413: 'validation', 415: 'validation' } },
  'POST /payout/send-funds': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 409: 'duplicate', 413: 'validation', 415: 'validation' } },
  'POST /payout/batches': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 409: 'conflict', 413: 'validation', 415: 'validation' } },
  'GET /payout/batches/{batch_reference}': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found' } },
  'POST /payout/cancel': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found', 409: 'conflict', 413: 'validation', 415: 'validation' } },
  'POST /collections/expect': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 409: 'conflict', 413: 'validation', 415: 'validation' } },
  'POST /collections/refund': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found', 409: 'conflict', 413: 'validation', 415: 'validation' } },
  'GET /collections/refund/{merchant_reference}': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found' } },
  'GET /data/transactions': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found' } },
  'GET /data/events': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found' } },
  'GET /data/statement': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication', 404: 'not_found' } },
  'GET /data/account-holder': { needsSecretKey: true, kinds: { 400: 'validation', 401: 'authentication' } },
  'GET /data/predict-provider': { needsSecretKey: 'optional', kinds: { 400: 'validation', 401: 'authentication' } },
}
