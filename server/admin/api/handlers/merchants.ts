import { depositToWallet } from '../../operations/move-money.ts'
import { resumeMerchant, suspendMerchant } from '../../operations/suspend-merchant.ts'
import { changed, type AdminHandler } from '../handler.ts'

export const suspendMerchantHandler: AdminHandler<'suspendMerchant'> = (call) =>
  changed(call, suspendMerchant, { merchant: call.params.merchant })

export const resumeMerchantHandler: AdminHandler<'resumeMerchant'> = (call) =>
  changed(call, resumeMerchant, { merchant: call.params.merchant })

export const depositToWalletHandler: AdminHandler<'depositToWallet'> = (call) =>
  changed(call, depositToWallet, { merchant: call.params.merchant, ...call.body })
