// The public surface of @malipo/client: what is not named here may change at any time.
export { createMalipo } from './malipo.ts'
export type { Malipo } from './malipo.ts'
export { MalipoError } from './errors.ts'
export type { MalipoErrorKind } from './errors.ts'
export type { CallOptions, Fetch, MalipoOptions, PostOptions } from './options.ts'
export type {
  AuthorizeCollectionRequest, BankCollectionRequest, BankPayoutRequest, BanksQuery, CollectionAcknowledgement, CollectionAuthorization,
  CollectionRequest, CollectionStatus, CollectionTransaction, MobileMoneyCollectionRequest, MobileMoneyPayoutRequest, PayoutAcknowledgement,
  PayoutBank, PayoutRequest, PayoutStatus, PayoutTransaction, Provider, ProvidersQuery, Transaction, TransactionMethod, Wallet, WalletsQuery,
} from './contract-types.ts'
