import type { RailDesk } from '../../operations/rail-desk.ts'
import type { TestReceiver } from '../../operations/test-receiver.ts'
import type { AdminHandlers } from '../handler.ts'
import {
  listCallbacksHandler,
  resendCallbackHandler,
  resendCallbacksHandler,
  resendCallbacksOfPayment,
  listReceivedHandler,
  showCallback,
  testCallbackWith,
} from './callbacks.ts'
import {
  cancelPayment,
  exportPayments,
  listPayments,
  refundPayment,
  resolvePayment,
  showFullPayment,
  showPayment,
  showPaymentTimeline,
} from './payments.ts'
import { BATCHES } from './batches.ts'
import { KEYS } from './keys.ts'
import { MERCHANTS } from './merchants.ts'
import { PROVIDERS } from './providers.ts'
import { WALLETS } from './wallets.ts'
import { listViews, saveViewHandler } from './views.ts'
import { createRailHandlers } from './rails.ts'
import { SUSPENSE } from './suspense.ts'
import { RECONCILIATION } from './reconciliation.ts'
import {
  createStatementExport,
  exportBalances,
  exportVolume,
  reportBalances,
  reportVolume,
  showStatement,
} from './reports.ts'
import { APPROVAL_HANDLERS } from './approvals.ts'
import { AUDIT_HANDLERS } from './audit.ts'
import { PEOPLE_HANDLERS } from './people.ts'
import { TODAY_HANDLERS } from './today.ts'
import { showMe } from './you.ts'

interface OfProcess {
  readonly rails: RailDesk
  readonly testReceiver: TestReceiver
}

/** A handler for every operation of the contract: a missing one does not compile. */
export const createAdminHandlers = ({ rails, testReceiver }: OfProcess): AdminHandlers => ({
  ...createRailHandlers(rails),
  showMe,
  listViews,
  saveView: saveViewHandler,
  listPayments,
  exportPayments,
  showPayment,
  showPaymentTimeline,
  showFullPayment,
  resolvePayment,
  refundPayment,
  cancelPayment,
  listCallbacks: listCallbacksHandler,
  showCallback,
  resendCallback: resendCallbackHandler,
  resendCallbacks: resendCallbacksHandler,
  resendCallbacksOfPayment,
  testCallback: testCallbackWith(testReceiver),
  listReceived: listReceivedHandler,
  ...MERCHANTS,
  ...WALLETS,
  ...BATCHES,
  ...KEYS,
  ...PROVIDERS,
  ...RECONCILIATION,
  ...SUSPENSE,
  reportVolume,
  exportVolume,
  reportBalances,
  exportBalances,
  showStatement,
  exportStatement: createStatementExport(),
  ...PEOPLE_HANDLERS,
  ...APPROVAL_HANDLERS,
  ...AUDIT_HANDLERS,
  ...TODAY_HANDLERS,
})
