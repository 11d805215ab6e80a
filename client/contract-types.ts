import type { components, operations, webhooks } from '../generated/schema.d.ts'

// The contract's own names, under one roof: a field that changes in the contract changes here, and nobody imports the
// generated file.
type Schemas = components['schemas']
type Parameters = components['parameters']

/** The operations that a merchant calls; those of `webhooks` are calls that Malipo makes. */
export type OperationId = Exclude<keyof operations, keyof webhooks>

/** What `collections.initialize` takes: told apart by `transaction_method`. */
export type CollectionRequest = Schemas['CollectionRequest']
/** A collection from a mobile money account: `msisdn` is required. */
export type MobileMoneyCollectionRequest = Schemas['MobileMoneyCollectionRequest']
/** A collection from a bank account: `redirect_url` is required, and the reply carries a `payment_url`. */
export type BankCollectionRequest = Schemas['BankCollectionRequest']
/**
 * References of an accepted collection, and the `payment_url` where the customer pays, if there is one. Accepted is not
 * paid.
 */
export type CollectionAcknowledgement = Schemas['CollectionAcknowledgement']

/** What `collections.authorize` takes: the collection and the customer's one-time password. */
export type AuthorizeCollectionRequest = Schemas['AuthorizeCollectionRequest']
/** References of an authorized collection, and its `payment_url`. */
export type CollectionAuthorization = Schemas['CollectionAuthorization']

/** What `payouts.send` takes: told apart by `transaction_method`. */
export type PayoutRequest = Schemas['PayoutRequest']
/** A payout to a mobile money account. */
export type MobileMoneyPayoutRequest = Schemas['MobileMoneyPayoutRequest']
/** A payout to a bank account: `extra_params.bank_code` comes from `banks.list`. */
export type BankPayoutRequest = Schemas['BankPayoutRequest']
/** References of an accepted payout. Accepted is not paid. */
export type PayoutAcknowledgement = Schemas['PayoutAcknowledgement']

/** A collection or a payout, told apart by `transaction_type`. */
export type Transaction = Schemas['Transaction']
/** A collection as `transactions.verify` returns it. */
export type CollectionTransaction = Schemas['CollectionTransaction']
/** A payout as `transactions.verify` returns it. */
export type PayoutTransaction = Schemas['PayoutTransaction']
/** Status of a collection; `COMPLETED`, `FAILED` and `CANCELLED` are final. */
export type CollectionStatus = Schemas['CollectionStatus']
/** Status of a payout; `COMPLETED` and `FAILED` are final. */
export type PayoutStatus = Schemas['PayoutStatus']
/** How the money travels. */
export type TransactionMethod = Schemas['TransactionMethod']

/** A provider with its limits and, for mobile money, the prefixes of its phone numbers. */
export type Provider = Schemas['Provider']
/** Which providers `providers.list` returns: currency and direction. */
export type ProvidersQuery = operations['listPaymentProviders']['parameters']['query']
/** A bank that a provider can pay out to. */
export type PayoutBank = Schemas['PayoutBank']
/** Which banks `banks.list` returns: those of one provider. */
export type BanksQuery = operations['listPayoutBanks']['parameters']['query']
/** A wallet with its balances, in major units of `currency`. */
export type Wallet = Schemas['Wallet']
/** Which wallets `wallets.list` returns: all, or those of one currency. */
export type WalletsQuery = NonNullable<operations['listWalletBalances']['parameters']['query']>

/**
 * What Malipo posts to your callback URLs. `event` tells completed from failed; in `payload`, `transaction_type` and
 * `transaction_status` tell the rest.
 */
export type CallbackEvent = CollectionCallback | PayoutCallback
/** The callback of a collection that is final. */
export type CollectionCallback = Schemas['CollectionCallback']
/** The callback of a payout that is final. */
export type PayoutCallback = Schemas['PayoutCallback']

/** What the customer's browser brings to your `redirect_url`, without the signatures. */
export interface RedirectOutcome {
  readonly id: Parameters['RedirectId']
  readonly event: Parameters['RedirectEvent']
  readonly merchant_reference: Parameters['RedirectMerchantReference']
  readonly internal_reference: Parameters['RedirectInternalReference']
  readonly transaction_type: Parameters['RedirectTransactionType']
  readonly transaction_status: Parameters['RedirectTransactionStatus']
  readonly status_message: Parameters['RedirectStatusMessage']
}
