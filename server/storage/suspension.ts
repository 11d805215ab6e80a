import type { Suspension, SuspensionReads } from '../actions/ports/suspension.ts'
import type { Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

type SuspensionFields = Suspension & { readonly id: bigint }
const SUSPENSION = columns<SuspensionFields>({ id: 'bigint', suspendedAt: 'timestamptz', resumedAt: 'timestamptz' })

export const suspensionStatements = (client: Queryable): SuspensionReads => ({
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
})
