import type { operations } from '../../../generated/schema.d.ts'
import type { AuthorizeDeps } from '../../actions/authorize-collection.ts'
import type { InitializeCollectionDeps } from '../../actions/initialize-collection.ts'
import type { Call } from '../api.ts'
import type { Reply } from '../envelope.ts'
import { authorizeCollectionHandler } from './authorize-collection.ts'
import { initializeCollectionHandler } from './initialize-collection.ts'
import { listPaymentProvidersHandler } from './list-payment-providers.ts'
import { listPayoutBanksHandler } from './list-payout-banks.ts'
import { listWalletBalancesHandler } from './list-wallet-balances.ts'
import { sendFundsHandler } from './send-funds.ts'
import { verifyTransactionHandler } from './verify-transaction.ts'

type CalledOperation = Exclude<
  keyof operations,
  'collectionCallback' | 'payoutCallback' | 'payoutHandshake' | 'customerRedirect'
>
export type OperationHandler = (call: Call) => Promise<Reply> | Reply

/** An operation of the contract without a handler does not compile. */
export type OperationHandlers = Readonly<Record<CalledOperation, OperationHandler>>

export type HandlerDeps = InitializeCollectionDeps &
  AuthorizeDeps & {
    /** Address of the hosted payment page of a collection. */
    readonly paymentUrl: (internalReference: string) => string
  }

export const createHandlers = (deps: HandlerDeps): OperationHandlers => ({
  listPaymentProviders: listPaymentProvidersHandler(deps),
  listPayoutBanks: listPayoutBanksHandler(deps),
  listWalletBalances: listWalletBalancesHandler(deps),
  verifyTransaction: verifyTransactionHandler(deps),
  initializeCollection: initializeCollectionHandler(deps),
  authorizeCollection: authorizeCollectionHandler(deps),
  sendFunds: sendFundsHandler(deps),
})
