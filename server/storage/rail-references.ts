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

/**
 * An installation is removed when nothing waits for it any more; a process that has not heard of that yet must not hand
 * it an order, which nobody could ask about. Locked until commit, so that either the removal sees the order or the order
 * the removal.
 * @throws InstallationRemoved
 */
async function holdInstallations(client: Queryable, references: readonly RailReference[]): Promise<void> {
  const wanted = new Set(
    references.filter(({ name }) => name === OUR_REFERENCE).map(({ installation }) => installation),
  )
  if (wanted.size === 0) return
  const { rows } = await client.query<{ name: string; removed_at: Date | null }>({
    name: 'hold-installations',
    text: `select name, removed_at from rail_installations where name = any($1) order by name for key share`,
    values: [[...wanted]],
  })
  const removed = rows.find(({ removed_at }) => removed_at !== null)
  if (removed) throw new InstallationRemoved(removed.name)
}

class InstallationRemoved extends Error {
  override readonly name = 'InstallationRemoved'

  constructor(installation: string) {
    super(`the rail installation ${installation} is removed`)
  }
}

/** What an order is called on both sides of an installation. */
export const railReferenceStatements = (client: Queryable): Pick<Unit, 'addRailReferences' | 'railReferences'> => ({
  async addRailReferences(references, now) {
    if (references.length === 0) return
    await holdInstallations(client, references)
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
