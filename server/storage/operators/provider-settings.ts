import type { ExchangeRate } from '../../domain/exchange.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { available, type Pool } from '../pool.ts'

/** What an operator may change of a payment option; amounts in minor units. What is absent stays. */
export interface OptionSettings {
  readonly min_amount_minor?: bigint
  readonly max_amount_minor?: bigint
  readonly max_daily_amount_minor?: bigint
  readonly charge_bps?: number
  readonly charge_flat_minor?: bigint
  readonly is_active?: boolean
  readonly clearing_delay_seconds?: number
  readonly reserve_bps?: number
  readonly reserve_seconds?: number
}

/**
 * @returns false when there is no such option. @throws a check violation when the settings contradict each other (a
 *   minimum above the maximum)
 */
export const updateOption = (
  pool: Pool,
  providerCode: string,
  type: TransactionType,
  settings: OptionSettings,
): Promise<boolean> =>
  available(async () => {
    // The names are those of OptionSettings, never text from outside.
    const columns: readonly [string, unknown][] = Object.entries(settings).filter(([, value]) => value !== undefined)
    const assignments = columns.map(([column], index) => `${column} = $${index + 3}`)
    const { rowCount } = await pool.query(
      `update payment_options set ${assignments.join(', ')} where provider_code = $1 and transaction_type = $2`,
      [providerCode, type, ...columns.map(([, value]) => value)],
    )
    return rowCount === 1
  })

/**
 * Changes what a provider's phone numbers begin with, after the country code; for collections and payouts alike.
 * @returns false when there is no such provider of mobile money
 */
export const updatePrefixes = (pool: Pool, providerCode: string, prefixes: readonly string[]): Promise<boolean> =>
  available(async () => {
    const { rowCount } = await pool.query(
      `update providers set prefixes = $2 where code = $1 and method = 'MOBILE_MONEY'`,
      [providerCode, prefixes],
    )
    return rowCount === 1
  })

export const setRate = (pool: Pool, { from, to, rate }: ExchangeRate, now: Date): Promise<void> =>
  available(async () => {
    await pool.query(
      `insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ($1, $2, $3, $4)
     on conflict (from_currency, to_currency) do update set rate = excluded.rate, updated_at = excluded.updated_at`,
      [from, to, rate, now],
    )
  })

export interface StoredRate extends ExchangeRate {
  readonly updatedAt: Date
}

export const listRates = (pool: Pool): Promise<StoredRate[]> =>
  available(async () => {
    const { rows } = await pool.query<StoredRate>(
      'select from_currency as "from", to_currency as "to", rate::text as rate, updated_at as "updatedAt" from exchange_rates order by 1, 2',
    )
    return rows
  })
