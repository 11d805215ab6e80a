import { withoutAudit } from '../../storage/audited-pool.ts'
import type { Gateway } from '../../main.ts'
import { depositTransfer } from '../../domain/ledger.ts'
import { moneyFromWire } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import {
  createMerchant,
  newMerchantKeys,
  setOptionEnabled,
  type MerchantKeys,
  type MerchantSettings,
} from '../../admin/queries/merchants.ts'
import { bookByStaff } from './book-by-staff.ts'
import { MASTER_KEY, seededRandom } from './gateway.ts'

interface AnotherMerchant extends MerchantSettings {
  readonly name: string
  /** Balances of its payout wallets, by currency, in major units. */
  readonly payoutBalances?: Readonly<Record<string, number>>
  /** Options that it may not use. */
  readonly disabled?: readonly (readonly [providerCode: string, type: TransactionType])[]
}

/**
 * Adds a merchant to a running gateway of a test. Its keys are derived from its name: the same in every run; a name
 * that the database has already names the same merchant.
 */
export async function addMerchant(
  { pool, refresh }: Pick<Gateway, 'pool' | 'refresh'>,
  { payoutBalances = {}, disabled = [], ...merchant }: AnotherMerchant,
  now: Date,
): Promise<MerchantKeys & { readonly id: bigint }> {
  const random = seededRandom(`the keys of ${merchant.name}`)
  const keys = newMerchantKeys(random)
  const known = await pool.query<{ id: bigint }>('select id from merchants where public_key = $1', [keys.publicKey])
  if (known.rows[0]) return { ...keys, ...known.rows[0] }
  const id = await createMerchant(
    withoutAudit(pool),
    createSecretBox(MASTER_KEY, random),
    { ...merchant, keys, sandboxOnly: false },
    now,
  )
  for (const [providerCode, type] of disabled) await setOptionEnabled(withoutAudit(pool), id, providerCode, type, false)
  for (const [currency, amount] of Object.entries(payoutBalances))
    await bookByStaff(pool, depositTransfer(id, currency, moneyFromWire(amount, currency).amountMinor), now)
  await refresh()
  return { ...keys, id }
}
