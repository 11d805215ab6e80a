import { OUR_REFERENCE, type RailReference, type Unit } from '../actions/ports/unit.ts'
import type { RailReferences } from '../actions/ports/rail.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

const REFERENCE = columns<RailReference>({
  transactionId: 'bigint',
  installation: 'text',
  name: 'text',
  reference: 'text',
})

/** What an order is called on both sides of an installation. */
export const railReferenceStatements = (client: Queryable): Pick<Unit, 'addRailReferences' | 'railReferences'> => ({
  async addRailReferences(references, now) {
    if (references.length === 0) return
    await client.query({
      name: 'add-rail-references',
      text: `insert into rail_references (${REFERENCE.names()}, recorded_at)
             select ${REFERENCE.names()}, $2 from json_to_recordset($1) as r(${REFERENCE.definition})
             on conflict do nothing`,
      values: [REFERENCE.json(references), now],
    })
  },

  async railReferences(transactionIds) {
    if (transactionIds.length === 0) return new Map()
    const { rows } = await client.query<{ transaction_id: bigint; names: RailReferences; ordered_at: Date | null }>({
      name: 'rail-references',
      text: `select transaction_id, json_object_agg(name, reference order by recorded_at) as names,
               max(recorded_at) filter (where name = '${OUR_REFERENCE}') as ordered_at
             from rail_references where transaction_id = any($1) group by 1`,
      values: [transactionIds],
    })
    return new Map(
      rows.map(({ transaction_id, names: { [OUR_REFERENCE]: _ours, ...theirs }, ordered_at }) => [
        transaction_id,
        { theirs, ...(ordered_at && { orderedAt: ordered_at }) },
      ]),
    )
  },
})
