import type { AdminHandlers } from '../handler.ts'
import { listCallbacksHandler, resendCallbackHandler, resendCallbacksHandler, showCallback } from './callbacks.ts'
import {
  exportPayments,
  listPayments,
  resolvePayment,
  showFullPayment,
  showPayment,
  showPaymentTimeline,
} from './payments.ts'
import { KEYS } from './keys.ts'
import { MERCHANTS } from './merchants.ts'
import { PROVIDERS } from './providers.ts'
import { WALLETS } from './wallets.ts'
import { listViews, saveViewHandler } from './views.ts'
import { showMe } from './you.ts'

/** A handler for every operation of the contract: a missing one does not compile. */
export const createAdminHandlers = (): AdminHandlers => ({
  showMe,
  listViews,
  saveView: saveViewHandler,
  listPayments,
  exportPayments,
  showPayment,
  showPaymentTimeline,
  showFullPayment,
  resolvePayment,
  listCallbacks: listCallbacksHandler,
  showCallback,
  resendCallback: resendCallbackHandler,
  resendCallbacks: resendCallbacksHandler,
  ...MERCHANTS,
  ...WALLETS,
  ...KEYS,
  ...PROVIDERS,
})
