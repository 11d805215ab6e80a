import type { TransactionEvent, TransactionWrites } from '../actions/ports/transactions.ts'
import type { Transaction } from '../domain/transaction.ts'
import { withoutIndex } from './optimizer-fence.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'
import { timeOfReference } from '../domain/references.ts'
import { idBound, LAST_TIME } from './time-ids.ts'
import { TRANSACTION, toTransaction, type TransactionRow } from './transaction-row.ts'

type TransactionStatements = TransactionWrites

/** Reads and writes transactions in a unit of work; locked rows stay locked until it commits. */
export const transactionStatements = (client: Queryable): TransactionStatements => ({
  async lockTransactions(by) {
    if (!('ids' in by)) return lockByReferences(client, by.internalReferences)
    if (by.ids.length === 0) return []
    const { rows } = await client.query<TransactionRow>({
      name: 'lock-transactions-by-id',
      text: `select ${TRANSACTION.names('t')} from transactions t where id = any($1) order by id for update`,
      values: [by.ids],
    })
    return rows.map(toTransaction)
  },

  async saveStates(transactions) {
    if (transactions.length === 0) return
    await client.query({
      name: 'save-states',
      text: `
        update transactions t set status = r.status, status_message = r.status_message,
          failure_code = r.failure_code, final_at = r.final_at, rail_paid_at = r.rail_paid_at,
          rail_order_id = r.rail_order_id, rail_account = r.rail_account
        from json_to_recordset($1) as r(${STATE.definition})
        where ${withoutIndex('t.id')} = r.id and t.id = any($2::bigint[])`,
      // The ids are a separate parameter beside the rows, so that the planner can prune partitions.
      values: [STATE.json(transactions), transactions.map(({ id }) => id)],
    })
  },

  async saveAccount({ id, account, institutionName, providerCode, chargeMinor, totalMinor, request, amount }) {
    await client.query(
      `with again as (insert into search_again values ($1) on conflict do nothing)
       update transactions set account = $2, institution_name = $3, provider_code = $4, charge_minor = $5,
         total_minor = $6, request_amount_minor = $7, amount_minor = $8 where id = $1`,
      [id, account, institutionName, providerCode, chargeMinor, totalMinor, request.amountMinor, amount.amountMinor],
    )
  },

  refundsOf: (collectionIds) => refundsOf(client, collectionIds),

  addEvents: (events, now) => insertEvents(client, events, now),

  async eventDetails(kind, transactionIds) {
    if (transactionIds.length === 0) return new Map()
    const { rows } = await client.query<{ transaction_id: bigint; details: readonly string[] }>({
      name: 'event-details',
      text: `select transaction_id, array_agg(detail order by id) as details
             from transaction_events where transaction_id = any($1) and kind = $2 group by 1`,
      values: [transactionIds, kind],
    })
    return new Map(rows.map(({ transaction_id, details }) => [transaction_id, details]))
  },
})

async function refundsOf(
  client: Queryable,
  collectionIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly Transaction[]>> {
  if (collectionIds.length === 0) return new Map()
  const { rows } = await client.query<TransactionRow & { readonly collection_id: bigint }>({
    name: 'refunds-of',
    text: `select r.collection_id, ${TRANSACTION.names('t')}
           from refunds r join transactions t on t.id = r.transaction_id
           where r.collection_id = any($1) order by t.id`,
    values: [collectionIds],
  })
  const groups = Map.groupBy(rows, ({ collection_id }) => collection_id)
  return new Map([...groups].map(([id, refunds]) => [id, refunds.map(toTransaction)]))
}

/**
 * Searches the partitions of the time in each reference first. A reference from an older version encodes no time, and
 * is searched everywhere.
 */
async function lockByReferences(client: Queryable, references: readonly string[]): Promise<Transaction[]> {
  if (references.length === 0) return []
  const { rows } = await client.query<TransactionRow>({
    name: 'lock-transactions-by-reference',
    text: `select ${TRANSACTION.names('t')}
           from unnest($1::text[], $2::bigint[], $3::bigint[]) as k(internal_reference, from_id, until_id)
             join transactions t on t.internal_reference = k.internal_reference and t.id >= from_id and t.id < until_id
           order by t.id for update of t`,
    values: referenceColumns([...new Set(references)]),
  })
  const found = new Set(rows.map(({ internal_reference }) => internal_reference))
  const missing = references.filter((reference) => !found.has(reference))
  if (missing.length === 0) return rows.map(toTransaction)
  const { rows: others } = await client.query<TransactionRow>({
    name: 'lock-transactions-by-reference-anywhere',
    text: `select ${TRANSACTION.names('t')} from transactions t where internal_reference = any($1) order by id for update`,
    values: [missing],
  })
  return [...others, ...rows].toSorted((a, b) => Number(a.id - b.id)).map(toTransaction)
}

/** A payment may be accepted shortly before or after its reference was created. */
const SLACK_MS = 60_000
const NOWHERE = { fromId: 0n, untilId: 0n }

/** The range of ids in which the transaction of this reference lies, if the reference encodes its time. */
export function idsOfReference(reference: string): { readonly fromId: bigint; readonly untilId: bigint } {
  const time = timeOfReference(reference)
  if (!time) return NOWHERE
  const until = Math.min(time.until.getTime() + SLACK_MS, LAST_TIME.getTime())
  return { fromId: idBound(new Date(time.from.getTime() - SLACK_MS)), untilId: idBound(new Date(until)) }
}

function referenceColumns(references: readonly string[]): readonly [readonly string[], bigint[], bigint[]] {
  const ids = references.map(idsOfReference)
  return [references, ids.map(({ fromId }) => fromId), ids.map(({ untilId }) => untilId)]
}

type State = Pick<
  Transaction,
  'id' | 'status' | 'statusMessage' | 'failureCode' | 'finalAt' | 'railPaidAt' | 'railOrderId' | 'railAccount'
>
const STATE = columns<State>({
  id: 'bigint',
  status: 'text',
  statusMessage: 'text',
  failureCode: 'text',
  finalAt: 'timestamptz',
  railPaidAt: 'timestamptz',
  railOrderId: 'text',
  railAccount: 'text',
})
const EVENT = columns<TransactionEvent>({ transactionId: 'bigint', kind: 'text', detail: 'text' })

/** Appends events to the history, in the given order. */
export async function insertEvents(client: Queryable, events: readonly TransactionEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  await client.query({
    name: 'insert-events',
    text: `insert into transaction_events (transaction_id, at, kind, detail)
           select transaction_id, $2, kind, detail from json_to_recordset($1) as r(${EVENT.definition})`,
    values: [EVENT.json(events), now],
  })
}
