import { authorizeCollectionHandler } from './authorize-collection.ts'
import { cancelPayoutHandler } from './cancel-payout.ts'
import { createPayoutBatchHandler, getPayoutBatchHandler } from './payout-batches.ts'
import { expectPaymentHandler } from './expect-payment.ts'
import { findAccountHolderHandler } from './find-account-holder.ts'
import { getStatementHandler } from './get-statement.ts'
import type { HandlerDeps, OperationHandlers } from './handler.ts'
import { initializeCollectionHandler } from './initialize-collection.ts'
import { listEventsHandler } from './list-events.ts'
import { listPaymentProvidersHandler } from './list-payment-providers.ts'
import { listPayoutBanksHandler } from './list-payout-banks.ts'
import { listTransactionsHandler } from './list-transactions.ts'
import { listWalletBalancesHandler } from './list-wallet-balances.ts'
import { predictProviderHandler } from './predict-provider.ts'
import { refundCollectionHandler } from './refund-collection.ts'
import { retrieveRefundHandler } from './retrieve-refund.ts'
import { sendFundsHandler } from './send-funds.ts'
import { verifyTransactionHandler } from './verify-transaction.ts'

/** A handler for every operation of the contract: a missing one does not compile. */
export const createHandlers = (deps: HandlerDeps): OperationHandlers => ({
  listPaymentProviders: listPaymentProvidersHandler(deps),
  listPayoutBanks: listPayoutBanksHandler(deps),
  listWalletBalances: listWalletBalancesHandler(deps),
  verifyTransaction: verifyTransactionHandler(deps),
  initializeCollection: initializeCollectionHandler(deps),
  authorizeCollection: authorizeCollectionHandler(deps),
  sendFunds: sendFundsHandler(deps),
  cancelPayout: cancelPayoutHandler(deps),
  createPayoutBatch: createPayoutBatchHandler(deps),
  getPayoutBatch: getPayoutBatchHandler(deps),
  expectPayment: expectPaymentHandler(deps),
  refundCollection: refundCollectionHandler(deps),
  retrieveRefund: retrieveRefundHandler(deps),
  listTransactions: listTransactionsHandler(deps),
  listEvents: listEventsHandler(deps),
  getStatement: getStatementHandler(deps),
  findAccountHolder: findAccountHolderHandler(deps),
  predictProvider: predictProviderHandler(deps),
})
