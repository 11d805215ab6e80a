import type { AdminHandlers } from '../handler.ts'
import { depositToWalletHandler, resumeMerchantHandler, suspendMerchantHandler } from './merchants.ts'
import { showMe } from './you.ts'

/** A handler for every operation of the contract: a missing one does not compile. */
export const createAdminHandlers = (): AdminHandlers => ({
  showMe,
  suspendMerchant: suspendMerchantHandler,
  resumeMerchant: resumeMerchantHandler,
  depositToWallet: depositToWalletHandler,
})
