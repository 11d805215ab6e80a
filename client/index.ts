// The public surface of @malipo/client: what is not named here may change at any time.
export { createMalipo } from './malipo.ts'
export type { Malipo } from './malipo.ts'
export { MalipoError } from './errors.ts'
export type { MalipoErrorKind } from './errors.ts'
export type { CallOptions, Fetch, MalipoOptions, PostOptions } from './options.ts'
export * as money from './money.ts'
export * as webhooks from './webhooks.ts'
export * as handshakes from './handshakes.ts'
export * as redirects from './redirects.ts'
export { createDuplicateGuard, type DuplicateGuard, type GuardNote, type SeenKeys } from './duplicate-guard.ts'
export { WebhookVerificationError, type VerificationFailure } from './verification-error.ts'
export type { FinalTransaction, WaitOptions } from './wait-until-final.ts'
export type { Waiting } from './waiting.ts'
export type { LegacyKeys, RsaPublicKeys } from './legacy-signature.ts'
export type { MessageHeaders } from './message-headers.ts'
export type { RawBody } from './raw-body.ts'
export type { Secrets } from './secrets.ts'
export type { SignedMessage, VerifyOptions } from './standard-webhook.ts'
export type { VerifiedCallback } from './webhooks.ts'
export type { VerifiedHandshake } from './handshakes.ts'
export type {
  AuthorizeCollectionRequest,
  BankCollectionRequest,
  BankPayoutRequest,
  BanksQuery,
  CallbackEvent,
  CollectionAcknowledgement,
  CollectionAuthorization,
  CollectionCallback,
  CollectionRequest,
  CollectionStatus,
  CollectionTransaction,
  MobileMoneyCollectionRequest,
  MobileMoneyPayoutRequest,
  PayoutAcknowledgement,
  PayoutBank,
  PayoutCallback,
  PayoutRequest,
  PayoutStatus,
  PayoutTransaction,
  Provider,
  ProvidersQuery,
  RedirectOutcome,
  Transaction,
  TransactionMethod,
  Wallet,
  WalletsQuery,
} from './contract-types.ts'
