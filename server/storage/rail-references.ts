import {
  OUR_REFERENCE,
  QUESTION_REFERENCE,
  QUESTIONS_MAX,
  type OrderNames,
  type RailReference,
  type ReferenceOrigin,
  type RailReferenceWrites,
} from '../actions/ports/rail-references.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

const REFERENCE = columns<RailReference>({
  transactionId: 'bigint',
  railAccount: 'text',
  name: 'text',
  reference: 'text',
  origin: 'text',
})

interface NamesRow {
  readonly transaction_id: bigint
  readonly names: Readonly<Record<string, readonly [reference: string, origin: ReferenceOrigin | null]>>
  readonly questions: readonly string[]
  readonly ordered_at: Date | null
}

/**
 * A rail account is removed only when no order is open on it. A process that has not seen the removal yet must not
 * hand it an order, because nobody could query that order. The row is locked until commit, so either the removal sees
 * the order, or the handover sees the removal.
 * @throws RailAccountRemoved
 */
async function holdRailAccounts(client: Queryable, references: readonly RailReference[]): Promise<void> {
  const wanted = new Set(references.filter(({ name }) => name === OUR_REFERENCE).map(({ railAccount }) => railAccount))
  if (wanted.size === 0) return
  const { rows } = await client.query<{ name: string; removed_at: Date | null }>({
    name: 'hold-rail-accounts',
    text: `select name, removed_at from rail_accounts where name = any($1) order by name for key share`,
    values: [[...wanted]],
  })
  const removed = rows.find(({ removed_at }) => removed_at !== null)
  if (removed) throw new RailAccountRemoved(removed.name)
}

class RailAccountRemoved extends Error {
  override readonly name = 'RailAccountRemoved'

  constructor(railAccount: string) {
    super(`the rail account ${railAccount} is removed`)
  }
}

/** The ids of an order on both sides of a rail account: ours and the external ones. */
export const railReferenceStatements = (client: Queryable): RailReferenceWrites => ({
  async addRailReferences(references, now) {
    if (references.length === 0) return
    await holdRailAccounts(client, references)
    await client.query({
      name: 'add-rail-references',
      // An upsert may not touch a row twice: of equal references in one batch, the confirmed one wins.
      text: `insert into rail_references as known (${REFERENCE.names()}, recorded_at)
             select distinct on (transaction_id, name, reference) ${REFERENCE.names()}, $2::timestamptz
             from json_to_recordset($1) as r(${REFERENCE.definition})
             order by transaction_id, name, reference, origin is not distinct from 'message'
             on conflict (transaction_id, name, reference) do update set origin = excluded.origin
             where excluded.origin <> 'message' and coalesce(known.origin, 'message') = 'message'`,
      values: [REFERENCE.json(references), now],
    })
    const queried = references.filter(({ name }) => name === QUESTION_REFERENCE)
    if (queried.length > 0) await forgetOldQuestions(client, [...new Set(queried.map((one) => one.transactionId))])
  },

  async railReferences(transactionIds) {
    if (transactionIds.length === 0) return new Map()
    const { rows } = await client.query<NamesRow>({
      name: 'rail-references',
      text: `select transaction_id,
               coalesce(json_object_agg(name, json_build_array(reference, origin)
                 order by origin is not distinct from 'call', recorded_at)
                 filter (where name not in ('${OUR_REFERENCE}', '${QUESTION_REFERENCE}')), '{}') as names,
               coalesce(json_agg(reference) filter (where name = '${QUESTION_REFERENCE}'), '[]') as questions,
               max(recorded_at) filter (where name = '${OUR_REFERENCE}') as ordered_at
             from rail_references where transaction_id = any($1) group by 1`,
      values: [transactionIds],
    })
    return new Map(rows.map((row) => [row.transaction_id, toNames(row)]))
  },
})

function toNames({ names, questions, ordered_at }: NamesRow): OrderNames {
  const all = Object.entries(names)
  const origins = all.flatMap(([name, [, origin]]) => (origin === null ? [] : [[name, origin] as const]))
  return {
    externalIds: Object.fromEntries(all.map(([name, [reference]]) => [name, reference])),
    ...(origins.length > 0 && { origins: Object.fromEntries(origins) }),
    ...(questions.length > 0 && { questions }),
    ...(ordered_at && { orderedAt: ordered_at }),
  }
}

const forgetOldQuestions = (client: Queryable, transactionIds: readonly bigint[]): Promise<unknown> =>
  client.query({
    name: 'forget-old-questions',
    text: `delete from rail_references r using (
             select transaction_id, reference,
               row_number() over (partition by transaction_id order by recorded_at desc, reference desc) as place
             from rail_references where transaction_id = any($1) and name = '${QUESTION_REFERENCE}') q
           where q.place > ${QUESTIONS_MAX} and r.transaction_id = q.transaction_id
             and r.name = '${QUESTION_REFERENCE}' and r.reference = q.reference`,
    values: [transactionIds],
  })
