import type { Suspension, MerchantRowReads } from '../actions/ports/merchant-rows.ts'
import type { Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

type SuspensionFields = Suspension & { readonly id: bigint }
const SUSPENSION = columns<SuspensionFields>({ id: 'bigint', suspendedAt: 'timestamptz', resumedAt: 'timestamptz' })

export const merchantRowStatements = (client: Queryable): MerchantRowReads => ({
  async suspensions(merchantIds) {
    if (merchantIds.length === 0) return new Map()
    const { rows } = await client.query<Row<SuspensionFields>>({
      name: 'suspensions',
      text: `select ${SUSPENSION.names()} from merchants
             where id = any($1) and (suspended_at is not null or resumed_at is not null)`,
      values: [[...new Set(merchantIds)]],
    })
    return new Map(rows.map(SUSPENSION.toFields).map(({ id, ...suspension }) => [id, suspension]))
  },

  async ownDailyLimit({ merchantId, providerCode, type }) {
    const { rows } = await client.query<{ max_daily_amount_minor: bigint | null }>({
      name: 'own-daily-limit',
      text: `select max_daily_amount_minor from merchant_terms
             where merchant_id = $1 and provider_code = $2 and transaction_type = $3`,
      values: [merchantId, providerCode, type],
    })
    return rows[0]?.max_daily_amount_minor ?? undefined
  },
})
