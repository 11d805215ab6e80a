import type { Gateway } from '../../../server/main.ts'

/** A payment of an archived month: only its reference is left. */
export const ARCHIVED = 'ORDER-2025-0001'

/** Reference data of the extreme sizes that the contract allows; the sandbox's own names and codes stay. */
export async function stretchReferenceData(
  { pool, refresh }: Pick<Gateway, 'pool' | 'refresh'>,
  merchantUrl: string,
): Promise<void> {
  await pool.query(
    `update merchants set collection_callback_url = $1 || '/callbacks/collection', payout_callback_url = $1 || '/callbacks/payout', verification_url = $1 || '/handshake'`,
    [merchantUrl],
  )
  await pool.query(PROVIDERS)
  await pool.query(`insert into payment_options (provider_code, transaction_type, min_amount_minor, max_amount_minor, max_daily_amount_minor, charge_bps, charge_flat_minor, is_active)
    select code, 'COLLECTION', case when code = 'xx' then 100000000000000 else 50 end, case when code = 'xx' then 100000000000000 else 25050 end,
           case when code = 'xx' then 100000000000000 else 25075 end, 100, 0, code <> 'xx_1' from providers where currency = 'EUR'`)
  await pool.query(
    `insert into merchant_options select id, code, 'COLLECTION' from merchants, providers where currency = 'EUR'`,
  )
  await pool.query(`update payment_options set is_active = false where provider_code = 'airtel_zm'`)
  await pool.query(`delete from merchant_options where provider_code = 'mtn_zm'`)
  await pool.query(BANKS)
  await pool.query(
    `insert into banks values ('bank_ng', 'one_ng', 'N', true), ('bank_ng', 'long_ng', repeat('Long Name ', 9) || 'of a Bank.', true), ('bank_ng', 'closed_ng', 'Closed Bank', false)`,
  )
  await pool.query(WALLETS)
  await pool.query(
    `insert into transaction_references (merchant_id, merchant_reference, transaction_id) select min(id), $1, 1 from merchants`,
    [ARCHIVED],
  )
  await refresh()
}

/** Two secrets are valid at once during a rotation: callbacks have two signatures then. */
export async function keepOldWebhookSecret({ pool, refresh }: Pick<Gateway, 'pool' | 'refresh'>): Promise<void> {
  await pool.query(
    `insert into merchant_keys (merchant_id, kind, sealed, created_at) select merchant_id, kind, sealed, created_at from merchant_keys where kind = 'webhook_secret'`,
  )
  await refresh()
}

/** 500 in one currency: the longest list of providers. */
const PROVIDERS = `
  insert into providers (code, name, method, currency, calling_code, prefixes)
  select case n when 1 then 'xx' when 2 then repeat('x', 64) else 'xx_' || (n - 2) end,
         case n when 1 then 'X' when 2 then repeat('Long Name ', 9) || 'of someone' else 'Provider ' || n end,
         'MOBILE_MONEY', 'EUR', '33',
         case n when 1 then array(select case when p = 1 then '6' when p = 2 then '678901' else (600 + p)::text end from generate_series(1, 100) p) else array['6'] end
  from generate_series(1, 500) n`

/** 2,000 at one provider: the longest list of banks. */
const BANKS = `
  insert into banks (provider_code, bank_code, bank_name, is_active)
  select 'bank_za', case n when 1 then 'Z' when 2 then repeat('z', 64) else 'bank_' || n end, case n when 1 then 'Z' when 2 then repeat('Long Name ', 9) || 'of a Bank.' else 'Bank ' || n end, n <> 3
  from generate_series(1, 2000 - (select count(*)::integer from banks where provider_code = 'bank_za')) n`

/** 500 wallets of the merchant, one of them with the largest balance. */
const WALLETS = `
  insert into accounts (kind, currency, merchant_id, balance_minor)
  select kind, currency, merchant_id, case when kind = 'payout_available' and n = 1 then 90000000000000 * case when currency = 'XAF' then 1 else 100 end else 0 end
  from (select 1 as n, 'XAF' as currency union all
        select n, 'Y' || chr(65 + n / 26) || chr(65 + n % 26) from generate_series(2, 250 - (select count(distinct currency)::integer from accounts where merchant_id <> 0)) n) currencies,
       unnest(array['collection_available', 'collection_uncleared', 'collection_reserve', 'payout_available']) kind,
       (select min(id) as merchant_id from merchants) demo`
