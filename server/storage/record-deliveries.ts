import type { CallbackAttempt, DeliveryRecord } from '../actions/ports/callbacks.ts'
import {
  deliveryEvent,
  deliveryState,
  numberDeliveries,
  type CallbackStatus,
  type NumberedDelivery,
} from '../domain/deliveries.ts'
import { isHeldBy } from '../actions/ports/jobs.ts'
import { present } from '../domain/present.ts'
import { callbackStates, lockDeliveryJobs, WORK_OF_CALLBACKS, type CallbackRowState } from './delivery-locks.ts'
import { RELEASED } from './job-leases.ts'
import { optimizerFence, withoutIndex } from './optimizer-fence.ts'
import type { Queryable } from './pool.ts'
import { columns, type ColumnTypes } from './rows.ts'
import { insertEvents } from './transactions.ts'

/** Stores attempts, and the resulting states of their callbacks and jobs. Runs within the caller's transaction. */
export async function recordDeliveries(client: Queryable, deliveries: readonly DeliveryRecord[]): Promise<void> {
  const ids = deliveries.map(({ callback }) => callback.id)
  const work = await lockDeliveryJobs(client, ids)
  const states = await callbackStates(client, ids, work)
  const jobs = new Map(work.map((job) => [job.subjectId, job]))
  const isHeld = ({ item }: DeliveryRecord): boolean => {
    const job = jobs.get(item.subjectId)
    return job !== undefined && isHeldBy(job, item)
  }
  const numbered = numberDeliveries(deliveries, isHeld, states)
  const rows = numbered.map((delivery) => toDelivered(delivery, states.get(delivery.callback.id)))
  const nextAt = rows.flatMap((row) => (row.decides && row.nextAt ? [[String(row.callbackId), row.nextAt]] : []))
  await client.query({
    name: 'record-deliveries',
    text: RECORD_DELIVERIES,
    // The ids are a separate parameter beside the rows, so that the planner can prune partitions.
    values: [DELIVERED.json(rows), ids, JSON.stringify(Object.fromEntries(nextAt))],
  })
  const { attempt } = present(numbered[0], 'a delivery to record')
  await insertEvents(client, numbered.map(deliveryEvent), attempt.at)
}

/** Stored for an attempt that went to the URL of its callback, so that the URL is not repeated for each attempt. */
export const OWN_URL = ''

interface DeliveryRow extends CallbackAttempt {
  readonly callbackId: bigint
  readonly attempt: number
  readonly decides: boolean
  readonly status: CallbackStatus
  readonly nextAt?: Date
}

function toDelivered(
  { callback, attempt, next, number, decides }: NumberedDelivery<DeliveryRecord>,
  stored: CallbackRowState | undefined,
): DeliveryRow {
  const url = attempt.url === stored?.url ? OWN_URL : attempt.url
  const stateAfter = deliveryState(attempt, next)
  return { ...attempt, ...stateAfter, url, callbackId: callback.id, attempt: number, decides }
}

const ATTEMPT: ColumnTypes<Omit<DeliveryRow, 'decides' | 'status' | 'nextAt'>> = {
  callbackId: 'bigint',
  attempt: 'int',
  at: 'timestamptz',
  url: 'text',
  durationMs: 'int',
  httpStatus: 'int',
  error: 'text',
  replyExcerpt: 'text',
}
const ATTEMPTED = columns<Omit<DeliveryRow, 'decides' | 'status' | 'nextAt'>>(ATTEMPT)
const DELIVERED = columns<DeliveryRow>({ ...ATTEMPT, decides: 'boolean', status: 'text', nextAt: 'timestamptz' })

// When the next attempt of a job is due, looked up in an object: no join, which for an empty table would be planned as a
// loop over all deliveries.
const NEXT_AT = '($3::jsonb ->> w.subject_id::text)'

// A finished delivery deletes its job; a retry gets a new due time; an attempt that does not decide leaves both to the
// holder of the job.
const RECORD_DELIVERIES = `
  with r as materialized (
    select * from json_to_recordset($1) as r(${DELIVERED.definition})
  ), attempts as (
    insert into callback_attempts (${ATTEMPTED.names()}) select ${ATTEMPTED.names()} from r
  ), done as (
    delete from jobs w
    where ${WORK_OF_CALLBACKS('$2')}
      and ${optimizerFence('w.subject_id in (select callback_id from r where decides and next_at is null)')}
  ), again as (
    update jobs w set due_at = ${NEXT_AT}::timestamptz, ${RELEASED}, failures = 0, last_error = null
    where ${WORK_OF_CALLBACKS('$2')} and ${NEXT_AT} is not null
  ), latest as (
    select callback_id, max(attempt) as attempt, bool_or(decides) as is_decided,
      max(status) filter (where decides) as status, max(at) filter (where decides and next_at is null) as finished_at
    from r group by callback_id
  )
  update callbacks c set attempts = l.attempt, status = coalesce(l.status, c.status),
    finished_at = case when l.is_decided then l.finished_at else c.finished_at end
  from latest l where ${withoutIndex('c.id')} = l.callback_id and c.id = any($2::bigint[])`
