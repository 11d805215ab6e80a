import type { ExchangeRate } from '../../domain/exchange.ts'
import type { PrefixRule, TransactionType } from '../../domain/provider.ts'
import { OPTION, OPTIONS, type OptionRow } from '../../storage/option-row.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { rowsOf } from './rows.ts'

/** Every option, or those of one provider. */
export const listProviderOptions = (
  pool: Pool,
  { currency, type }: { currency: string | undefined; type: TransactionType | undefined },
): Promise<OptionRow[]> =>
  rowsOf<OptionRow>(
    pool,
    `select ${OPTION.names()} from ${OPTIONS}
       where ($1::text is null or currency = $1) and ($2::text is null or transaction_type = $2)
       order by currency, provider_code, transaction_type`,
    [currency, type],
  )

/** What staff may change of a payment option; amounts in minor units. Undefined values do not change. */
export type OptionSettings = Partial<
  Pick<
    OptionRow,
    | 'min_amount_minor'
    | 'max_amount_minor'
    | 'max_daily_amount_minor'
    | 'charge_bps'
    | 'charge_flat_minor'
    | 'is_active'
    | 'refunds_charge'
    | 'clearing_delay_seconds'
    | 'reserve_bps'
    | 'reserve_seconds'
  >
>

/**
 * @returns false when there is no such option
 * @throws a check violation when the settings contradict each other (a minimum above the maximum)
 */
export const updateOption = (
  pool: AuditedPool,
  providerCode: string,
  type: TransactionType,
  settings: OptionSettings,
): Promise<boolean> =>
  available(async () => {
    // The names are those of OptionSettings, never external input.
    const columns: readonly [string, unknown][] = Object.entries(settings).filter(([, value]) => value !== undefined)
    const assignments = columns.map(([column], index) => `${column} = $${index + 3}`)
    const { rowCount } = await pool.query(
      `update payment_options set ${assignments.join(', ')} where provider_code = $1 and transaction_type = $2`,
      [providerCode, type, ...columns.map(([, value]) => value)],
    )
    return rowCount === 1
  })

/** What staff may change of a provider's phone numbers. Undefined values do not change. */
interface NumberRules {
  /** The digits after the country code. */
  readonly prefixes: readonly string[] | undefined
  readonly prefixRule: PrefixRule | undefined
}

/**
 * Changes which phone numbers a provider accepts, for collections and payouts alike.
 * @returns false when there is no such mobile money provider
 */
export const updateNumberRules = (
  pool: AuditedPool,
  providerCode: string,
  { prefixes, prefixRule }: NumberRules,
): Promise<boolean> =>
  available(async () => {
    const { rowCount } = await pool.query(
      `update providers set prefixes = coalesce($2, prefixes), prefix_rule = coalesce($3, prefix_rule)
       where code = $1 and method = 'MOBILE_MONEY'`,
      [providerCode, prefixes, prefixRule],
    )
    return rowCount === 1
  })

/** Adds an exchange rate or replaces it. */
export const setRate = (pool: AuditedPool, { from, to, rate }: ExchangeRate, now: Date): Promise<void> =>
  available(async () => {
    await pool.query(
      `insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ($1, $2, $3, $4)
     on conflict (from_currency, to_currency) do update set rate = excluded.rate, updated_at = excluded.updated_at`,
      [from, to, rate, now],
    )
  })

interface StoredRate extends ExchangeRate {
  readonly updatedAt: Date
}

export const listRates = (pool: Pool): Promise<StoredRate[]> =>
  rowsOf<StoredRate>(
    pool,
    `select from_currency as "from", to_currency as "to", rate::text as rate, updated_at as "updatedAt"
       from exchange_rates order by 1, 2`,
  )
