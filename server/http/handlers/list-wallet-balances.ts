import type { components } from '../../../generated/schema.d.ts'
import { listWalletBalances } from '../../actions/list-wallet-balances.ts'
import type { Wallet } from '../../actions/ports/lookups.ts'
import { amountToWire } from '../../domain/money.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const listWalletBalancesHandler =
  (deps: HandlerDeps): Handler<'listWalletBalances'> =>
  async ({ merchant, query }) => {
    const wallets = await listWalletBalances(deps, merchant, query.currency)
    return success('Wallet balances retrieved successfully', { merchant_wallets: wallets.map(toMerchantWallet) })
  }

const toMerchantWallet = ({
  type,
  currency,
  availableMinor,
  unclearedMinor,
  reserveMinor,
}: Wallet): components['schemas']['Wallet'] => ({
  available_balance: amountToWire(availableMinor, currency),
  actual_balance: amountToWire(availableMinor + unclearedMinor + reserveMinor, currency),
  uncleared_balance: amountToWire(unclearedMinor, currency),
  reserve_balance: amountToWire(reserveMinor, currency),
  currency,
  wallet_type: type,
})
