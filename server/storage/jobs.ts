import {
  claimName,
  PAYMENT_JOB_KINDS,
  type AddressedKind,
  type ClaimExclusions,
  type Job,
  type JobKind,
  type JobStore,
  type NewJob,
  type JobWrites,
} from '../actions/ports/jobs.ts'
import type { QueryConfig } from 'pg'
import { optimizerFence, withoutIndex } from './optimizer-fence.ts'
import { claimFairly } from './claim-fairly.ts'
import { dueAt, isFree, RELEASED } from './job-leases.ts'
import { available, runAll, type Pool, type Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

const WORK = columns<Job>({
  id: 'bigint',
  kind: 'text',
  subjectId: 'bigint',
  attempt: 'int',
  token: 'uuid',
  failures: 'int',
  destination: 'text',
})

function toJob(row: Row<Job>): Job {
  const { destination, ...item } = WORK.toFields(row)
  return { ...item, token: row.token.replaceAll('-', ''), ...(destination && { destination }) }
}

/** @param due selects the subjects of due jobs of the kind, by due time */
const claimOf = (name: string, due: string) => ({
  name,
  // skip locked: two workers that poll at the same time take different jobs instead of waiting for each other.
  text: `
    update jobs w set leased_until = $3, attempt = attempt + 1, token = $5
    where ${optimizerFence('w.kind = $1')} and w.subject_id = any(array(${due} limit $4 for update of due skip locked))
    returning ${WORK.names('w')}`,
})
const CLAIM = claimOf(
  'claim-jobs',
  `select subject_id from jobs due where kind = $1 and due_at <= $2 and ${isFree('due', '$2')} order by due_at`,
)
// Each of 10,000 excluded jobs takes microseconds, at every poll: see jobs/worker.ts.
const CLAIM_BESIDE = claimOf(
  'claim-jobs-excluding',
  `select due.subject_id from jobs due where due.kind = $1 and due.due_at <= $2 and ${isFree('due', '$2')} and not exists (
     select from transactions t where t.id = due.subject_id
        and (t.rail_account = any($6) or t.rail_order_id is null and t.provider_code = any($7)))
   order by due.due_at`,
)
const CLAIM_MESSAGES_BESIDE = claimOf(
  'claim-messages-excluding',
  `select due.subject_id from jobs due where due.kind = $1 and due.due_at <= $2 and ${isFree('due', '$2')} and not exists (
     select from rail_callbacks c where c.id = due.subject_id and c.rail_account = any($6))
   order by due.due_at`,
)

const beside = (kind: JobKind, values: readonly unknown[], { railAccounts, providers }: ClaimExclusions) =>
  kind === 'readRailCallback'
    ? { ...CLAIM_MESSAGES_BESIDE, values: [...values, railAccounts] }
    : { ...CLAIM_BESIDE, values: [...values, railAccounts, providers] }

/** Claims and releases jobs, each in one statement. All methods reject with StorageUnavailable. */
export const createJobStore = (pool: Pool): JobStore => ({ ...claiming(pool), ...leasing(pool) })

const claiming = (pool: Pool): Pick<JobStore, 'claim' | 'claimFairly' | 'nextDue' | 'nextDueFor'> => ({
  claim: (kind, { token, now, leaseUntil }, limit, skipped) =>
    available(async () => {
      const values = [kind, now, leaseUntil, limit, token]
      const { rows } = await pool.query<Row<Job>>(skipped ? beside(kind, values, skipped) : { ...CLAIM, values })
      return rows.map(toJob)
    }),

  nextDue: (kinds, now) => available(() => nextDue(pool, kinds, now)),

  nextDueFor: (kind, destinations) => available(() => nextDueFor(pool, kind, destinations)),

  claimFairly: (kind, claim, limit, quota) =>
    available(async () =>
      (await claimFairly(pool, { kind, limit, returned: WORK.names('w') }, claim, quota)).map(toJob),
    ),
})

const leasing = (pool: Pool): Omit<JobStore, keyof ReturnType<typeof claiming>> => ({
  renew: (items, now, leaseUntil) =>
    available(async () => {
      // skip locked: the renewal and a commit that is about to finish the job do not wait for each other.
      await pool.query({
        name: 'renew-leases',
        text: `
        with held_still as materialized (
          select w.kind, w.subject_id from jobs w
           where ${HELD} and w.leased_until > $4 for update of w skip locked)
        update jobs w set leased_until = $5
         where ${BY_SUBJECT} and ${optimizerFence('(w.kind, w.subject_id) in (select * from held_still)')}`,
        values: [...heldValues(items), now, leaseUntil],
      })
    }),

  release: (items, dueAt) =>
    available(async () => {
      await pool.query({
        name: 'release-jobs',
        text: `update jobs w set due_at = $4, ${RELEASED} where ${HELD}`,
        values: [...heldValues(items), dueAt],
      })
    }),

  // Reads all due jobs of the kind: a reply is lost only when a connection is.
  releaseClaim: (kind, { token, now }, dueAt) =>
    available(async () => {
      await pool.query(`update jobs set due_at = $4, ${RELEASED} where kind = $1 and due_at <= $2 and token = $3`, [
        kind,
        now,
        token,
        dueAt,
      ])
    }),

  quarantine: (item, dueAt, reason) =>
    available(async () => {
      await pool.query({
        name: 'quarantine-job',
        text: `update jobs w set due_at = $4, ${RELEASED}, failures = failures + 1, last_error = $5
               where ${HELD}`,
        values: [...heldValues([item]), dueAt, reason],
      })
    }),
})

/** Leased jobs are the first of their kind by due time. Of more than these, the end of a lease may be seen late. */
const LEASES_LOOKED_AT = 1_000

async function nextDue(pool: Pool, kinds: readonly JobKind[], now: Date): Promise<ReadonlyMap<JobKind, Date>> {
  const { rows } = await pool.query<{ kind: JobKind; due_at: Date | null }>({
    name: 'next-due',
    // Two short index scans on (kind, due_at) for each kind.
    text: `select kind, least(
             (select due_at from jobs where jobs.kind = k.kind and leased_until is null order by due_at limit 1),
             (select min(leased_until) from (
               select leased_until from jobs where jobs.kind = k.kind and due_at <= $2
                order by due_at limit ${LEASES_LOOKED_AT}) first)) as due_at
           from unnest($1::text[]) as k(kind)`,
    values: [kinds, now],
  })
  return new Map(rows.flatMap(({ kind, due_at: dueAt }) => (dueAt ? [[kind, dueAt] as const] : [])))
}

async function nextDueFor(pool: Pool, kind: AddressedKind, destinations: readonly string[]): Promise<Date | undefined> {
  const { rows } = await pool.query<{ due_at: Date | null }>({
    name: `next-due-for-${kind}`,
    // As in claim-fairly.ts: the kind is a literal, and one short scan of the partial index finds the first job of each
    // destination.
    text: `select min(first.due_at) as due_at from unnest($1::text[]) as d(destination) cross join lateral (
             select due_at from jobs where kind = '${kind}'
                and (destination, due_at) >= (d.destination, '-infinity')
                and (destination, due_at) <= (d.destination, 'infinity') and leased_until is null
              order by destination, due_at limit 1) first`,
    values: [destinations],
  })
  return rows[0]?.due_at ?? undefined
}

// Lookup by subject, whatever statistics the plan was based on: indexes that begin with the kind would scan the whole
// backlog of that kind. The array, a separate parameter beside the rows, keeps a plan made for an empty table from
// reading the whole table.
const BY_SUBJECT = 'w.subject_id = any($2::bigint[])'
/**
 * The jobs of a claim, which it may have lost: kind and subject identify one row each; the token is the claim's fencing
 * token. Optimizer fence: the rows are compared with one hash table. As a join, a cached plan may loop over them, and
 * sorts the array of subjects again for each of them: 46 µs a job in a batch of 500 instead of 4.
 */
const HELD = `${BY_SUBJECT} and ${optimizerFence(`(w.kind, w.subject_id, w.token) in (
  select * from unnest($1::text[], $2::bigint[], $3::uuid[]))`)}`
/** Lock order for statements that lock several jobs, which is that of the index: prevents deadlocks. */
const IN_ORDER = 'order by w.subject_id, w.kind'

/** The held jobs, each as often as the batch names its claim. */
function asNamed(items: readonly Job[], held: readonly Job[]): Job[] {
  const named = Map.groupBy(items, claimName)
  return held.flatMap((job) => named.get(claimName(job))?.map(() => job) ?? [])
}

/** The first three parameters of a statement with HELD. */
const heldValues = (items: readonly Job[]) => [
  items.map(({ kind }) => kind),
  items.map(({ subjectId }) => subjectId),
  items.map(({ token }) => token),
]

const FINISH_PAYMENT_WORK = `
  delete from jobs w where subject_id = any($1)
     and ${optimizerFence(`kind in (${PAYMENT_JOB_KINDS.map((kind) => `'${kind}'`).join(', ')})`)}`

type JobStatements = JobWrites

export const jobStatements = (client: Queryable): JobStatements => ({
  async holdJobs(items) {
    if (items.length === 0) return []
    const { rows } = await client.query<Row<Job>>({
      name: 'hold-jobs',
      text: `select ${WORK.names('w')} from jobs w where ${HELD} ${IN_ORDER} for update`,
      values: heldValues(items),
    })
    return asNamed(items, rows.map(toJob))
  },

  async finishJobs(items) {
    if (items.length === 0) return
    await client.query({
      name: 'finish-jobs',
      text: `delete from jobs w where ${HELD}`,
      values: heldValues(items),
    })
  },

  replaceJobs: (items, kind, dueAt) => replaceJobs(client, items, kind, dueAt),

  async rescheduleJobs(rescheduled) {
    if (rescheduled.length === 0) return
    await client.query({
      name: 'reschedule-jobs',
      // Jobs stored before destinations were recorded get theirs here.
      text: `update jobs w set due_at = r.due_at, ${RELEASED}, attempt = w.attempt - 1, destination = r.destination
             from unnest($1::text[], $2::bigint[], $3::uuid[], $4::timestamptz[], $5::text[])
                    as r(kind, subject_id, token, due_at, destination)
             where ${BY_SUBJECT} and ${optimizerFence('w.kind = r.kind')}
               and ${withoutIndex('w.subject_id')} = r.subject_id and w.token = r.token`,
      values: [
        ...heldValues(rescheduled.map(({ item }) => item)),
        rescheduled.map(({ dueAt }) => dueAt),
        rescheduled.map(({ item }) => item.destination ?? ''),
      ],
    })
  },

  addJobs: async (work) => void (await runAll(client, jobRows(work))),

  async finishPaymentJobs(transactionIds) {
    if (transactionIds.length === 0) return
    await client.query({
      name: 'finish-jobs-of-payments',
      text: FINISH_PAYMENT_WORK,
      values: [transactionIds],
    })
  },
})

const NEW_WORK = columns<NewJob>({ kind: 'text', subjectId: 'bigint', dueAt: 'timestamptz', destination: 'text' })

/**
 * The statement that adds jobs, if there are any. An existing job of the same kind and subject keeps the earlier of the
 * two due times.
 */
export function jobRows(work: readonly NewJob[]): QueryConfig[] {
  if (work.length === 0) return []
  return [
    {
      name: 'insert-jobs',
      text: `insert into jobs (kind, subject_id, due_at, destination)
             select kind, subject_id, due_at, coalesce(destination, '') from json_to_recordset($1) as r(${NEW_WORK.definition})
             on conflict (kind, subject_id) do update set
               due_at = case when excluded.due_at < ${dueAt('jobs')} then excluded.due_at else jobs.due_at end,
               leased_until = case when excluded.due_at < jobs.leased_until then null else jobs.leased_until end`,
      values: [NEW_WORK.json(work)],
    },
  ]
}

/** How many jobs run now, in any process. */
export const leasedJobs = (pool: Pool, now: Date): Promise<number> =>
  available(async () => {
    const { rowCount } = await pool.query('select from jobs where leased_until > $1', [now])
    return rowCount ?? 0
  })

/** How many jobs of each kind run or are due. */
export const unfinishedJobs = (pool: Pool, now: Date): Promise<Readonly<Record<string, number>>> =>
  available(async () => {
    const { rows } = await pool.query<{ kind: JobKind; count: number }>(
      'select kind, count(*)::int as count from jobs where due_at <= $1 or token is not null group by kind order by kind',
      [now],
    )
    return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
  })

async function replaceJobs(client: Queryable, items: readonly Job[], kind: JobKind, dueAt: Date): Promise<number> {
  if (items.length === 0) return 0
  const { rowCount } = await client.query({
    name: 'replace-jobs',
    text: `update jobs w set kind = $4, due_at = $5, attempt = case when w.kind = $4 then w.attempt else 0 end,
             ${RELEASED}, failures = 0, last_error = null
           where ${HELD}`,
    values: [...heldValues(items), kind, dueAt],
  })
  return rowCount ?? 0
}
