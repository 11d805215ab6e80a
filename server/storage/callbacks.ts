import type {
  AddressedCallback,
  CallbackStore,
  DeliveryRecord,
  DueCallback,
  NewCallback,
  CallbackWrites,
} from '../actions/ports/callbacks.ts'
import { claimName, type Job, type RescheduledJob } from '../actions/ports/jobs.ts'
import { statusReported, type CallbackEvent } from '../domain/callback.ts'
import { urlKnownAt, WITHHELD_STATUS, withheldEvent } from '../domain/deliveries.ts'
import { present } from '../domain/present.ts'
import type { Transaction } from '../domain/transaction.ts'
import { coalesce } from './coalesce.ts'
import { lockCallbacks, WORK_OF_CALLBACKS } from './delivery-locks.ts'
import { RELEASED } from './job-leases.ts'
import { optimizerFence } from './optimizer-fence.ts'
import { packBody, unpackBody } from './packed-body.ts'
import { available, inTransaction, type Connections, type Queryable } from './pool.ts'
import { recordDeliveries } from './record-deliveries.ts'
import { columns, type ColumnTypes, type Row } from './rows.ts'
import { callbackIdOf } from './time-ids.ts'
import { insertEvents } from './transactions.ts'
import { jobStatements } from './jobs.ts'

export const callbackStatements = (client: Queryable): CallbackWrites => ({
  async addCallbacks(callbacks, now) {
    if (callbacks.length === 0) return []
    const { rows } = await client.query<{ transaction_id: bigint; event: CallbackEvent }>({
      name: 'add-callbacks',
      text: ADD_CALLBACKS,
      values: [ADDRESSED.json(callbacks.map(toAdded)), now],
    })
    return rows.map(toCallbackOfTransaction)
  },
})

const toCallbackOfTransaction = (row: { readonly transaction_id: bigint; readonly event: CallbackEvent }) => ({
  transactionId: row.transaction_id,
  event: row.event,
})

/** SQL for the callback URL of the merchant of `row`, for transactions of this type; null if it has none. */
const urlOfMerchant = (row: string, type: string) =>
  `(select case ${type} when 'COLLECTION' then collection_callback_url when 'REFUND' then refund_callback_url
      else payout_callback_url end
    from merchants where id = ${row}.merchant_id)`

const NEW_CALLBACK: ColumnTypes<Omit<NewCallback, 'url' | 'body'>> = {
  webhookId: 'text',
  transactionId: 'bigint',
  merchantId: 'bigint',
  event: 'text',
}
interface PackedCallback {
  readonly packedBody: Uint8Array
  /** The state that the body reports. */
  readonly told?: string
}
const PACKED: ColumnTypes<PackedCallback> = { packedBody: 'bytea', told: 'text' }
const WITHOUT_URL = columns<Omit<NewCallback, 'url' | 'body'> & PackedCallback>({ ...NEW_CALLBACK, ...PACKED })
interface AddedCallback extends Omit<AddressedCallback, 'body'>, PackedCallback {
  readonly id?: bigint
}
const ADDRESSED = columns<AddedCallback>({
  ...NEW_CALLBACK,
  ...PACKED,
  type: 'text',
  id: 'bigint',
  destination: 'text',
})

// The merchant's row decides, not what this process has cached of it: a URL that is set counts from its commit on.
const ADD_CALLBACKS = `
  with r as materialized (
    select a.*, ${urlOfMerchant('a', 'a.type')} as url from json_to_recordset($1) as a(${ADDRESSED.definition})
  ), stored as (
    insert into callbacks (id, ${WITHOUT_URL.names()}, url, status, created_at, finished_at)
    select coalesce(r.id, nextval('callback_ids')), ${WITHOUT_URL.names('r')}, coalesce(url, ''),
      case when url is null then '${WITHHELD_STATUS}' else 'PENDING' end, $2::timestamptz,
      case when url is null then $2::timestamptz end
    from r
    returning id, webhook_id, transaction_id, event, status
  ), due as (
    insert into jobs (kind, subject_id, due_at, destination)
    select 'deliverCallback', stored.id, $2::timestamptz, r.destination from stored join r using (webhook_id)
    where stored.status = 'PENDING'
  )
  select transaction_id, event from stored where status = '${WITHHELD_STATUS}'`

function toAdded({ body, ...callback }: AddressedCallback): AddedCallback {
  const id = callbackIdOf(callback.transactionId, callback.event)
  const reported = /"transaction_status":"([A-Z]+)"/.exec(body)?.[1]
  return {
    ...callback,
    packedBody: packBody(body),
    ...(reported !== undefined && { told: reported }),
    ...(id !== undefined && { id }),
  }
}

const CALLBACK = columns<Omit<DueCallback, 'hadUrl' | 'signed' | 'account' | 'traceparent' | 'body'>>({
  ...NEW_CALLBACK,
  url: 'text',
  id: 'bigint',
  attempts: 'int',
  attemptsBefore: 'int',
  resends: 'int',
  status: 'text',
  createdAt: 'timestamptz',
})
const SIGNED = columns<Omit<DueCallback['signed'], 'status'>>({
  merchantReference: 'text',
  internalReference: 'text',
  type: 'text',
})
type CallbackRow = Row<Omit<DueCallback, 'hadUrl' | 'signed' | 'account' | 'traceparent' | 'body'>> &
  Row<Omit<DueCallback['signed'], 'status'>> & {
    readonly account: string
    readonly traceparent: string | null
    readonly transaction_status: Transaction['status']
    /** The body in the format used before bodies were packed. */
    readonly body: string | null
    readonly packed_body: Uint8Array | null
  }

/**
 * Loads due callbacks and stores their attempts; concurrent calls share one commit. Rejects with StorageUnavailable.
 */
export function createCallbackStore(pool: Connections): CallbackStore {
  const record = coalesce<DeliveryRecord, void>({
    batchMax: 64,
    runsMax: 2,
    everyMs: 40,
    run: async (deliveries) => {
      await inTransaction(pool, (client) => recordDeliveries(client, deliveries))
      return deliveries.map(() => undefined)
    },
  })
  const reschedule = coalesce<RescheduledJob, void>({
    batchMax: 256,
    runsMax: 1,
    run: (items) =>
      available(async () => {
        await jobStatements(pool).rescheduleJobs(items)
        return items.map(() => undefined)
      }),
  })
  const withhold = coalesce<PausedCallback, void>({
    batchMax: 256,
    runsMax: 1,
    run: async (items) => {
      await inTransaction(pool, (client) => withholdAll(client, items))
      return items.map(() => undefined)
    },
  })
  return {
    record,
    withhold: (item, callback, now) => withhold({ item, callback, now }),
    load: (items) => available(() => loadDue(pool, items)),
    reschedule: (item, dueAt) => reschedule({ item, dueAt }),
  }
}

interface PausedCallback {
  readonly item: Job
  readonly callback: DueCallback
  readonly now: Date
}

const selectCallbacks = async (pool: Pick<Connections, 'query'>, ids: readonly bigint[]): Promise<CallbackRow[]> =>
  (
    await pool.query<CallbackRow>({
      name: 'load-callbacks',
      text: `select ${CALLBACK.names('c')}, ${SIGNED.names('t')}, t.account, t.traceparent, t.status as transaction_status,
             c.body, c.packed_body
           from callbacks c join transactions t on t.id = c.transaction_id where c.id = any($1)`,
      values: [ids],
    })
  ).rows

/** A callback in any state, to be sent to somebody who looks at it. */
export const callbackToSend = (pool: Pick<Connections, 'query'>, id: bigint): Promise<DueCallback | undefined> =>
  available(async () => (await selectCallbacks(pool, [id])).map(toDueCallback)[0])

async function loadDue(pool: Connections, items: readonly Job[]): Promise<DueCallback[]> {
  const rows = await selectCallbacks(
    pool,
    items.map(({ subjectId }) => subjectId),
  )
  const ended = new Set(rows.filter(({ status }) => status !== 'PENDING').map(({ id }) => id))
  await jobStatements(pool).finishJobs(items.filter(({ subjectId }) => ended.has(subjectId)))
  return rows.filter(({ status }) => status === 'PENDING').map(toDueCallback)
}

const toDueCallback = (row: CallbackRow): DueCallback => ({
  ...CALLBACK.toFields(row),
  body: row.packed_body ? unpackBody(row.packed_body) : (row.body ?? ''),
  hadUrl: row.url !== '',
  signed: {
    ...SIGNED.toFields(row),
    status: statusReported(row.event, { status: row.transaction_status }),
  },
  account: row.account,
  ...(row.traceparent !== null && { traceparent: row.traceparent }),
})

async function withholdAll(client: Queryable, withheld: readonly PausedCallback[]): Promise<void> {
  const { now } = present(withheld[0], 'a callback to withhold')
  const held = new Set((await jobStatements(client).holdJobs(withheld.map(({ item }) => item))).map(claimName))
  const heldCallbacks = withheld.filter(({ item }) => held.has(claimName(item)))
  await lockCallbacks(
    client,
    heldCallbacks.map(({ callback }) => callback.id),
  )
  const { rows } = await client.query<{ transaction_id: bigint; event: CallbackEvent }>({
    name: 'withhold-callbacks',
    text: WITHHOLD_CALLBACKS,
    values: [heldCallbacks.map(({ callback }) => callback.id), now, urlKnownAt(now), WITHHELD_STATUS],
  })
  await insertEvents(client, rows.map(toCallbackOfTransaction).map(withheldEvent), now)
}

const WITHHOLD_CALLBACKS = `
  with r as materialized (
    select c.id, ${urlOfMerchant('c', 't.type')} as url
    from callbacks c join transactions t on t.id = c.transaction_id where c.id = any($1)
  ), later as (
    update jobs w set due_at = $3, ${RELEASED}
    where ${WORK_OF_CALLBACKS('$1')} and ${optimizerFence('w.subject_id in (select id from r where url is not null)')}
  ), done as (
    delete from jobs w
    where ${WORK_OF_CALLBACKS('$1')} and ${optimizerFence('w.subject_id in (select id from r where url is null)')}
  )
  update callbacks c set status = $4, finished_at = $2
  where c.id = any($1) and ${optimizerFence('c.id in (select id from r where url is null)')}
  returning c.transaction_id, c.event`
