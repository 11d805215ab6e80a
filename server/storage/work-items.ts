import type { NewWork, Unit, WorkItem, WorkKind, WorkQueue } from '../actions/ports.ts'
import { available, type Pool, type Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'

interface WorkRow {
  readonly id: bigint
  readonly kind: WorkKind
  readonly subject_id: bigint
  readonly attempt: number
}

const toWorkItem = ({ id, kind, subject_id, attempt }: WorkRow): WorkItem => ({ id, kind, subjectId: subject_id, attempt })

export const createWorkQueue = (pool: Pool): WorkQueue => ({
  claim: (kind, now, leaseUntil, limit) => available(async () => {
    // skip locked: two workers that look at the same moment take different items instead of waiting for each other.
    const { rows } = await pool.query<WorkRow>({
      name: 'claim-work',
      text: `
        update work set due_at = $3, attempt = attempt + 1
        where id = any(array(select id from work where kind = $1 and due_at <= $2 order by due_at limit $4 for update skip locked))
        returning id, kind, subject_id, attempt`,
      values: [kind, now, leaseUntil, limit],
    })
    return rows.map(toWorkItem)
  }),

  release: (items, dueAt) => available(async () => {
    await pool.query({
      name: 'release-work',
      text: 'update work set due_at = $3 from unnest($1::bigint[], $2::int[]) as r(id, attempt) where work.id = r.id and work.attempt = r.attempt',
      values: [items.map(({ id }) => id), items.map(({ attempt }) => attempt), dueAt],
    })
  }),

  // Another claim of the same kind in the same millisecond would be given back too: then its holder's token no longer matches, as after a lease that has ended.
  releaseClaim: (kind, leaseUntil, dueAt) => available(async () => {
    await pool.query('update work set due_at = $3 where kind = $1 and due_at = $2', [kind, leaseUntil, dueAt])
  }),
})

type WorkStatements = Pick<Unit, 'holdWork' | 'finishWork' | 'replaceWork' | 'addWork' | 'finishPaymentWork'>

export const workStatements = (client: Queryable): WorkStatements => ({
  async holdWork(items) {
    if (items.length === 0) return []
    const { rows } = await client.query<WorkRow>({
      name: 'hold-work',
      text: `select w.id, w.kind, w.subject_id, w.attempt from work w
             join unnest($1::bigint[], $2::int[]) as r(id, attempt) on w.id = r.id and w.attempt = r.attempt order by w.id for update of w`,
      values: [items.map(({ id }) => id), items.map(({ attempt }) => attempt)],
    })
    return rows.map(toWorkItem)
  },

  async finishWork(items) {
    if (items.length === 0) return
    await client.query({
      name: 'finish-work',
      text: 'delete from work using unnest($1::bigint[], $2::int[]) as r(id, attempt) where work.id = r.id and work.attempt = r.attempt',
      values: [items.map(({ id }) => id), items.map(({ attempt }) => attempt)],
    })
  },

  async replaceWork(items, kind, dueAt) {
    if (items.length === 0) return
    await client.query({
      name: 'replace-work',
      text: `update work set kind = $3, due_at = $4, attempt = case when kind = $3 then work.attempt else 0 end
             from unnest($1::bigint[], $2::int[]) as r(id, attempt) where work.id = r.id and work.attempt = r.attempt`,
      values: [items.map(({ id }) => id), items.map(({ attempt }) => attempt), kind, dueAt],
    })
  },

  addWork: (work) => insertWork(client, work),

  async finishPaymentWork(transactionIds) {
    if (transactionIds.length === 0) return
    await client.query({
      name: 'finish-payment-work',
      text: `delete from work where kind in ('verifyPayout', 'holdFunds', 'submitToRail', 'askRail', 'expirePage', 'sendOtp') and subject_id = any($1)`,
      values: [transactionIds],
    })
  },
})

export async function insertWork(client: Queryable, work: readonly NewWork[]): Promise<void> {
  if (work.length === 0) return
  await client.query({
    name: 'insert-work',
    text: `insert into work (kind, subject_id, due_at) select kind, subject_id, due_at from json_to_recordset($1) as r(kind text, subject_id bigint, due_at timestamptz)
           on conflict (kind, subject_id) do update set due_at = least(work.due_at, excluded.due_at)`,
    values: [jsonRows(work.map(({ kind, subjectId, dueAt }) => ({ kind, subject_id: subjectId, due_at: dueAt })))],
  })
}
