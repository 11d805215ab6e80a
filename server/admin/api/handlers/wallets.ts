import { success } from '../../../http/envelope.ts'
import { merchantNamed } from '../../operations/merchant-named.ts'
import { depositToWallet, transferBetweenWallets } from '../../operations/move-money.ts'
import { walletsOf } from '../../queries/wallet-record.ts'
import { changed, inputOf, type AdminHandlers } from '../handler.ts'
import { wire } from '../wire.ts'

export const WALLETS = {
  async showWallets({ context, params }) {
    const { id, name } = await merchantNamed(context, params.merchant)
    return success(`The wallets of ${name}`, wire(await walletsOf(context.pool, id)))
  },
  depositToWallet: (call) => changed(call, depositToWallet, inputOf(call)),
  transferBetweenWallets: (call) => changed(call, transferBetweenWallets, inputOf(call)),
} satisfies Partial<AdminHandlers>
