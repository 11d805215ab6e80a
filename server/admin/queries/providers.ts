import type { PaymentOption, PrefixRule } from '../../domain/provider.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, inTransaction } from '../../storage/pool.ts'

/** The banks that payouts can go to: the name of each by its code. */
export type BankNames = Readonly<Record<string, string>>

/** A provider with its options; amounts in minor units of its currency. */
export interface NewProvider {
  readonly code: string
  readonly name: string
  readonly currency: string
  readonly callingCode: string
  readonly prefixes: readonly string[]
  readonly prefixRule: PrefixRule
  readonly railAccount: string | undefined
  /** Absent: it is a provider of mobile money. */
  readonly banks?: BankNames | undefined
  readonly options: readonly Pick<
    PaymentOption,
    'type' | 'minAmountMinor' | 'maxAmountMinor' | 'maxDailyAmountMinor' | 'chargeBps' | 'isActive'
  >[]
}

/** @returns false when the code is in use already */
export const addProvider = (pool: AuditedPool, provider: NewProvider): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const { code, name, currency, callingCode, prefixes, prefixRule, railAccount, banks, options } = provider
    const { rowCount } = await client.query(
      `insert into providers (code, name, method, currency, calling_code, prefixes, prefix_rule, rail_account)
       values ($1, $2, $8, $3, $4, $5, $6, $7) on conflict do nothing`,
      [code, name, currency, callingCode, prefixes, prefixRule, railAccount, banks ? 'BANK' : 'MOBILE_MONEY'],
    )
    if (rowCount === 0) return false
    for (const { type, minAmountMinor, maxAmountMinor, maxDailyAmountMinor, chargeBps, isActive } of options)
      await client.query(
        `insert into payment_options (provider_code, transaction_type, min_amount_minor, max_amount_minor,
           max_daily_amount_minor, charge_bps, charge_flat_minor, is_active) values ($1, $2, $3, $4, $5, $6, 0, $7)`,
        [code, type, minAmountMinor, maxAmountMinor, maxDailyAmountMinor, chargeBps, isActive],
      )
    if (banks) await saveBanks(client, code, banks)
    return true
  })

/** Adds banks to a provider, or renames them. */
export async function saveBanks(pool: Pick<AuditedPool, 'query'>, code: string, banks: BankNames): Promise<void> {
  await pool.query(
    `insert into banks (provider_code, bank_code, bank_name) select $1, b.key, b.value from json_each_text($2) b
     on conflict (provider_code, bank_code) do update set bank_name = excluded.bank_name`,
    [code, JSON.stringify(banks)],
  )
}

/** Routes a provider's new orders to a rail account, or to none. @returns false when there is no such provider */
export const leadProvider = (pool: AuditedPool, code: string, railAccount: string | undefined): Promise<boolean> =>
  available(async () => {
    const { rowCount } = await pool.query('update providers set rail_account = $2 where code = $1', [code, railAccount])
    return rowCount === 1
  })
