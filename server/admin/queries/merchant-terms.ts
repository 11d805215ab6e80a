import type { MerchantTerms } from '../../domain/merchant.ts'
import { amountToWire } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { TERMS, type TermsRow } from '../../storage/merchant-terms.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { optionsOf } from './option-record.ts'
import { rowsOf } from './rows.ts'

/** A merchant's own terms of each option that has any. */
export const listTerms = (pool: Pool, merchantId: bigint): Promise<TermsRow[]> =>
  rowsOf<TermsRow>(
    pool,
    `select ${TERMS.names()} from merchant_terms where merchant_id = $1 order by provider_code, transaction_type`,
    [merchantId],
  )

/** What is set: values that are undefined do not change. Null: the provider's applies again. */
export type TermsChange = { readonly [Name in keyof MerchantTerms]?: MerchantTerms[Name] | null | undefined }

/** What a merchant has of its own, as the command line prints it and the admin API returns it; in major units. */
export function termsRecord(row: TermsRow, currency: string) {
  const amount = (minor: bigint | null) => (minor === null ? null : amountToWire(minor, currency))
  return {
    min_amount: amount(row.min_amount_minor),
    max_amount: amount(row.max_amount_minor),
    max_daily_amount: amount(row.max_daily_amount_minor),
    charge_basis_points: row.charge_bps,
    charge_flat: amount(row.charge_flat_minor),
  }
}

/** A merchant's own terms of each option, with its currency. */
export async function termsOf(pool: Pool, merchantId: bigint) {
  const options = await optionsOf(pool, undefined, undefined)
  return (await listTerms(pool, merchantId)).map((row) => {
    const { provider_code, transaction_type } = row
    const option = options.find(
      (one) => one.provider_code === provider_code && one.transaction_type === transaction_type,
    )
    const currency = option?.currency ?? ''
    return { provider_code, transaction_type, currency, ...termsRecord(row, currency) }
  })
}

/**
 * Sets or removes terms of one option. A row without any is deleted.
 * @throws a check violation when they contradict each other
 */
export const changeTerms = (
  pool: AuditedPool,
  merchantId: bigint,
  { providerCode, type }: { readonly providerCode: string; readonly type: TransactionType },
  change: TermsChange,
): Promise<void> =>
  available(async () => {
    const { minAmountMinor, maxAmountMinor, maxDailyAmountMinor, chargeBps, chargeFlatMinor } = change
    const values = [minAmountMinor, maxAmountMinor, maxDailyAmountMinor, chargeBps, chargeFlatMinor]
    const given = COLUMNS.filter((_, index) => values[index] !== undefined)
    const key = [merchantId, providerCode, type]
    await pool.query(
      `insert into merchant_terms (merchant_id, provider_code, transaction_type, ${COLUMNS.join(', ')})
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (merchant_id, provider_code, transaction_type)
       do update set ${given.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [...key, ...values.map((value) => value ?? null)],
    )
    await pool.query(
      `delete from merchant_terms where merchant_id = $1 and provider_code = $2 and transaction_type = $3
         and num_nonnulls(${COLUMNS.join(', ')}) = 0`,
      key,
    )
  })

/** In the order of the fields above. */
const COLUMNS = [
  'min_amount_minor',
  'max_amount_minor',
  'max_daily_amount_minor',
  'charge_bps',
  'charge_flat_minor',
] as const
