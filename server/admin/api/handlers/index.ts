import type { AdminHandlers } from '../handler.ts'
import { listCallbacksHandler, resendCallbackHandler, resendCallbacksHandler, showCallback } from './callbacks.ts'
import { depositToWalletHandler, resumeMerchantHandler, suspendMerchantHandler } from './merchants.ts'
import {
  exportPayments,
  listPayments,
  resolvePayment,
  showFullPayment,
  showPayment,
  showPaymentTimeline,
} from './payments.ts'
import { showMe } from './you.ts'

/** A handler for every operation of the contract: a missing one does not compile. */
export const createAdminHandlers = (): AdminHandlers => ({
  showMe,
  suspendMerchant: suspendMerchantHandler,
  resumeMerchant: resumeMerchantHandler,
  depositToWallet: depositToWalletHandler,
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
})
