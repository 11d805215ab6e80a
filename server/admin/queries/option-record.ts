import { amountToWire } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { OptionRow } from '../../storage/option-row.ts'
import type { Pool } from '../../storage/pool.ts'
import { listProviderOptions } from './provider-settings.ts'

/** What a provider offers. @param providerCode undefined for all providers @param type undefined for both types */
export async function optionsOf(
  pool: Pool,
  providerCode: string | undefined,
  type: TransactionType | undefined,
): Promise<OptionRow[]> {
  const rows = await listProviderOptions(pool, { currency: undefined, type })
  return rows.filter((row) => providerCode === undefined || row.provider_code === providerCode)
}

/** A payment option as the command line prints it and the admin API returns it; amounts in major units. */
export const optionRecord = (row: OptionRow) => ({
  provider_code: row.provider_code,
  name: row.name,
  transaction_type: row.transaction_type,
  transaction_method: row.method,
  currency: row.currency,
  min_amount: amountToWire(row.min_amount_minor, row.currency),
  max_amount: amountToWire(row.max_amount_minor, row.currency),
  max_daily_amount: amountToWire(row.max_daily_amount_minor, row.currency),
  charge_basis_points: row.charge_bps,
  charge_flat: amountToWire(row.charge_flat_minor, row.currency),
  clearing_delay_seconds: row.clearing_delay_seconds,
  reserve_basis_points: row.reserve_bps,
  reserve_seconds: row.reserve_seconds,
  is_active: row.is_active,
  ...(row.transaction_type === 'COLLECTION' && { refunds_charge: row.refunds_charge }),
  requires_otp: row.requires_otp,
  calling_code: row.calling_code,
  prefixes: row.prefixes,
  prefix_rule: row.prefix_rule,
  rail_account: row.rail_account,
})
