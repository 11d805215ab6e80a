import { WalletTooLow } from '../../actions/ports/store.ts'
import { depositTransfer, type Transfer } from '../../domain/ledger.ts'
import { amountText, formatMoney, type Money } from '../../domain/money.ts'
import { invisibleIn } from '../../domain/readable-text.ts'
import { walletTransfer, type WalletPurpose } from '../../domain/wallet-transfer.ts'
import type { Pool } from '../../storage/pool.ts'
import type { MerchantView } from '../queries/merchants.ts'
import {
  bookStaffTransfer,
  merchantWallets,
  ReferenceUsed,
  walletCurrencies,
  type WalletView,
} from '../queries/wallets.ts'
import { minorFromText } from './amount.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext, type PreparedChange } from './operation.ts'

interface MoneyInput {
  /** Public key or id. */
  readonly merchant: string
  readonly currency: string
  /** In major units, as text. */
  readonly amount: string
  /** The name of the movement elsewhere, such as the bank's: it is booked once, whichever the merchant. */
  readonly reference: string
  readonly reason: string
}

interface TransferInput extends MoneyInput {
  readonly from: WalletPurpose
  readonly to: WalletPurpose
}

type Movement = { readonly merchant_id: string; readonly transfer_id: string }

/** Money that a merchant paid by bank, into its payout wallet. */
export const depositToWallet: Operation<MoneyInput, Movement> = {
  name: 'wallet deposit',
  approval: 'deposits',
  prepare: (context, input) =>
    movement(context, input, ({ id }, amountMinor) => depositTransfer(id, input.currency, amountMinor)),
}

/** Available money between the two wallets of a merchant. */
export const transferBetweenWallets: Operation<TransferInput, Movement> = {
  name: 'wallet transfer',
  approval: 'transfers',
  async prepare(context, input) {
    const { from, to, currency } = input
    if (from === to) throw new OperationRefusal('invalid', 'from and to must name the two different wallets')
    return movement(
      context,
      input,
      ({ id }, amountMinor) => walletTransfer(id, currency, amountMinor, { from, to }),
      from,
    )
  },
}

/** @throws OperationRefusal unless it is an amount above 0 in the decimals of the currency */
export function positiveMinor(text: string, currency: string): bigint {
  const amountMinor = minorFromText(text, currency)
  if (amountMinor > 0n) return amountMinor
  throw new OperationRefusal('invalid', 'the amount must be above 0')
}

/**
 * The name of a movement in the one spelling that is stored and compared: references that look alike to people are
 * equal.
 * @throws OperationRefusal
 */
export function movementReference(text: string): string {
  const invisible = invisibleIn(text)
  if (invisible !== undefined)
    throw new OperationRefusal('invalid', `reference has an invisible character (${invisible}): type it again`)
  const reference = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (reference === '') throw new OperationRefusal('invalid', 'reference must not be blank')
  return reference
}

async function movement(
  context: OperationContext,
  { merchant: name, currency, amount, reference: text, reason: note }: MoneyInput,
  transferFor: (merchant: MerchantView, amountMinor: bigint) => Transfer,
  from?: WalletPurpose,
): Promise<PreparedChange<Movement>> {
  const amountMinor = positiveMinor(amount, currency)
  const reference = movementReference(text)
  const merchant = await merchantNamed(context, name)
  if (!(await walletCurrencies(context.pool, merchant.id)).includes(currency))
    throw new OperationRefusal(
      'not_found',
      `there is no ${currency} wallet of ${merchant.name}, and no provider that pays in ${currency}`,
      `See its wallets: malipo wallet show ${merchant.public_key}`,
    )
  const transfer = transferFor(merchant, amountMinor)
  return {
    subject: merchant.public_key,
    merchantId: merchant.id,
    reference,
    amount: { amountMinor, currency },
    async read(pool) {
      const wallets = await walletsIn(pool, merchant, currency)
      return displayValues(
        Object.fromEntries(
          wallets.map((row) => [`${row.purpose} wallet`, `${amountText(row.available_minor, currency)} ${currency}`]),
        ),
      )
    },
    async apply(pool, staffActionId) {
      const id = await bookStaffTransfer(pool, { transfer, note, reference, staffActionId }, context.clock.now())
      return { merchant_id: String(merchant.id), transfer_id: String(id) }
    },
    // The doctor compares this amount with the entries: the balances before and after may also differ by a concurrent
    // payment.
    done: { amount: `${amountText(amountMinor, currency)} ${currency}` },
    async refusalOf(error) {
      if (error instanceof ReferenceUsed) return referenceUsed(error)
      return from && error instanceof WalletTooLow
        ? tooLow(context.pool, merchant, { amountMinor, currency }, from)
        : undefined
    },
  }
}

const walletsIn = async (pool: Pool, { id }: MerchantView, currency: string): Promise<WalletView[]> =>
  (await merchantWallets(pool, id)).filter((wallet) => wallet.currency === currency)

function referenceUsed({ movement: used }: ReferenceUsed): OperationRefusal {
  const { reference, transfer_id, at, kind, into, amount_minor: amountMinor, currency } = used
  const verb = kind === 'deposit' ? 'deposited' : 'moved'
  const done = `${formatMoney({ amountMinor, currency })} ${verb} into the ${into} wallet of ${used.merchant_name} (${used.merchant_id})`
  return new OperationRefusal(
    'conflict',
    `the reference ${reference} was used before: transfer ${transfer_id} of ${at.toISOString()}, ${done}; nothing was booked`,
  )
}

async function tooLow(
  pool: Pool,
  merchant: MerchantView,
  { amountMinor, currency }: Money,
  from: WalletPurpose,
): Promise<OperationRefusal> {
  const wallet = (await walletsIn(pool, merchant, currency)).find(({ purpose }) => purpose === from)
  const has = formatMoney({ amountMinor: wallet?.available_minor ?? 0n, currency })
  return new OperationRefusal(
    'conflict',
    `the ${from} wallet of ${merchant.name} has ${has} available, less than ${formatMoney({ amountMinor, currency })}; nothing was moved`,
  )
}
