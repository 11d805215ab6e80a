import type { AccountKey, Transfer } from './ledger.ts'
import type { Currency } from './money.ts'

/** A merchant's two wallets: the one that collections credit, and the one that payouts are paid from. */
export type WalletPurpose = 'collection' | 'payout'

/**
 * The transfer of an admin's move of available money between a merchant's two wallets.
 * @throws RangeError when nothing would move, or from a wallet into itself
 */
export function walletTransfer(
  merchantId: bigint,
  currency: Currency,
  amountMinor: bigint,
  { from, to }: { readonly from: WalletPurpose; readonly to: WalletPurpose },
): Transfer {
  if (amountMinor <= 0n) throw new RangeError(`not an amount to move: ${amountMinor}`)
  if (from === to) throw new RangeError(`from the ${from} wallet into itself`)
  const available = (purpose: WalletPurpose): AccountKey => ({
    kind: `${purpose}_available`,
    currency,
    merchantId,
    providerCode: undefined,
  })
  return {
    kind: 'wallet_transfer',
    transactionId: undefined,
    entries: [
      { account: available(from), amountMinor: -amountMinor },
      { account: available(to), amountMinor },
    ],
  }
}
