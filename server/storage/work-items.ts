import type { Unit } from '../actions/ports/unit.ts'
import type { LeftOut, NewWork, WorkItem, WorkKind, WorkQueue } from '../actions/ports/work.ts'
import { beyondIndexes } from './beyond-indexes.ts'
import { claimFairly } from './claim-fairly.ts'
import { available, type Pool, type Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

const WORK = columns<WorkItem>({
  id: 'bigint',
  kind: 'text',
  subjectId: 'bigint',
  attempt: 'int',
  token: 'uuid',
  failures: 'int',
  addressee: 'text',
})

function toWorkItem(row: Row<WorkItem>): WorkItem {
  const { addressee, ...item } = WORK.toFields(row)
  return { ...item, token: row.token.replaceAll('-', ''), ...(addressee && { addressee }) }
}

/** @param due subjects of what is due of the kind, in the order of the times */
const claimOf = (name: string, due: string) => ({
  name,
  // skip locked: two workers that look at the same moment take different items instead of waiting for each other.
  text: `
    update work w set due_at = $3, attempt = attempt + 1, token = $5
    where ${beyondIndexes('w.kind = $1')} and w.subject_id = any(array(${due} limit $4 for update of due skip locked))
    returning ${WORK.names('w')}`,
})
const CLAIM = claimOf('claim-work', 'select subject_id from work due where kind = $1 and due_at <= $2 order by due_at')
// Of 10,000 that are left out each takes microseconds, at every look: see looks.ts.
const CLAIM_BESIDE = claimOf(
  'claim-work-beside',
  `select due.subject_id from work due where due.kind = $1 and due.due_at <= $2 and not exists (
     select from transactions t where t.id = due.subject_id
        and (t.rail_installation = any($6) or t.rail_order_id is null and t.provider_code = any($7)))
   order by due.due_at`,
)
const CLAIM_MESSAGES_BESIDE = claimOf(
  'claim-messages-beside',
  `select due.subject_id from work due where due.kind = $1 and due.due_at <= $2 and not exists (
     select from rail_callbacks c where c.id = due.subject_id and c.installation = any($6))
   order by due.due_at`,
)

const beside = (kind: WorkKind, values: readonly unknown[], { installations, providers }: LeftOut) =>
  kind === 'readRailCallback'
    ? { ...CLAIM_MESSAGES_BESIDE, values: [...values, installations] }
    : { ...CLAIM_BESIDE, values: [...values, installations, providers] }

/** Claims and gives back, each in a statement of its own. All reject with StorageUnavailable. */
export const createWorkQueue = (pool: Pool): WorkQueue => ({
  claim: (kind, { token, now, leaseUntil }, limit, leftOut) =>
    available(async () => {
      const values = [kind, now, leaseUntil, limit, token]
      const { rows } = await pool.query<Row<WorkItem>>(leftOut ? beside(kind, values, leftOut) : { ...CLAIM, values })
      return rows.map(toWorkItem)
    }),

  nextDue: (kinds) => available(() => nextDue(pool, kinds)),

  claimFairly: (kind, claim, limit, rooms) =>
    available(async () =>
      (await claimFairly(pool, { kind, limit, returned: WORK.names('w') }, claim, rooms)).map(toWorkItem),
    ),

  renew: (items, now, leaseUntil) =>
    available(async () => {
      // skip locked: a commit that is about to end it waits for nobody, and nobody for it.
      await pool.query({
        name: 'renew-work',
        text: `
        with held_still as materialized (
          select w.kind, w.subject_id from work w join ${HELD} on ${HELD_MATCHES}
           where ${beyondIndexes('w.due_at > $4')} ${IN_ORDER} for update of w skip locked)
        update work w set due_at = $5 from held_still h
         where ${BY_SUBJECT} and ${beyondIndexes('w.kind = h.kind')} and w.subject_id = h.subject_id`,
        values: [...heldValues(items), now, leaseUntil],
      })
    }),

  release: (items, dueAt) =>
    available(async () => {
      await pool.query({
        name: 'release-work',
        text: `update work w set due_at = $4, token = null from ${HELD} where ${HELD_MATCHES}`,
        values: [...heldValues(items), dueAt],
      })
    }),

  // The end of the lease is asked for because there is an index for it.
  releaseClaim: (kind, { token, leaseUntil }, dueAt) =>
    available(async () => {
      await pool.query('update work set due_at = $4, token = null where kind = $1 and due_at = $2 and token = $3', [
        kind,
        leaseUntil,
        token,
        dueAt,
      ])
    }),

  putAside: (item, dueAt, reason) =>
    available(async () => {
      await pool.query({
        name: 'put-aside',
        text: `update work w set due_at = $4, token = null, failures = failures + 1, last_error = $5
               from ${HELD} where ${HELD_MATCHES}`,
        values: [...heldValues([item]), dueAt, reason],
      })
    }),
})

async function nextDue(pool: Pool, kinds: readonly WorkKind[]): Promise<ReadonlyMap<WorkKind, Date>> {
  const { rows } = await pool.query<{ kind: WorkKind; due_at: Date | null }>({
    name: 'next-due',
    // One short walk along the index (kind, due_at) for each kind.
    text: `select kind, (select due_at from work where work.kind = k.kind order by due_at limit 1)
           from unnest($1::text[]) as k(kind)`,
    values: [kinds],
  })
  return new Map(rows.flatMap(({ kind, due_at: dueAt }) => (dueAt ? [[kind, dueAt] as const] : [])))
}

// What a claim took and still holds: what it is for, of which there is one row, and the token of the claim.
const HELD = 'unnest($1::text[], $2::bigint[], $3::uuid[]) as held(kind, subject_id, token)'
// Found by its subject whatever the plan was made for: indexes that begin with the kind lead through all that waits of it,
// and without the array, which stands beside the rows for that, a plan of an empty table reads the table whole.
const BY_SUBJECT = 'w.subject_id = any($2::bigint[])'
const HELD_MATCHES = `${BY_SUBJECT} and ${beyondIndexes('w.kind = held.kind')}
  and w.subject_id = held.subject_id and w.token = held.token`
/** Whoever locks several rows of work takes them so: nobody waits for each other in a circle. */
const IN_ORDER = 'order by w.kind, w.subject_id'

/** What need not have been held before is locked in the order in which whoever ends it does. */
const bySubject = (one: WorkItem, other: WorkItem): number => Number(one.subjectId - other.subjectId)

/** The first three parameters of a statement with HELD. */
const heldValues = (items: readonly WorkItem[]) => [
  items.map(({ kind }) => kind),
  items.map(({ subjectId }) => subjectId),
  items.map(({ token }) => token),
]

const PAYMENT_KINDS = ['verifyPayout', 'holdFunds', 'submitToRail', 'askRail', 'findOrder', 'expirePage', 'sendOtp']
const FINISH_PAYMENT_WORK = `
  delete from work w where subject_id = any($1)
     and ${beyondIndexes(`kind in (${PAYMENT_KINDS.map((kind) => `'${kind}'`).join(', ')})`)}`

type WorkStatements = Pick<
  Unit,
  'holdWork' | 'finishWork' | 'replaceWork' | 'postponeWork' | 'addWork' | 'finishPaymentWork'
>

export const workStatements = (client: Queryable): WorkStatements => ({
  async holdWork(items) {
    if (items.length === 0) return []
    const { rows } = await client.query<Row<WorkItem>>({
      name: 'hold-work',
      text: `select ${WORK.names('w')} from work w join ${HELD} on ${HELD_MATCHES} ${IN_ORDER} for update of w`,
      values: heldValues(items),
    })
    return rows.map(toWorkItem)
  },

  async finishWork(items) {
    if (items.length === 0) return
    await client.query({
      name: 'finish-work',
      text: `delete from work w using ${HELD} where ${HELD_MATCHES}`,
      values: heldValues(items),
    })
  },

  async replaceWork(items, kind, dueAt) {
    if (items.length === 0) return
    await client.query({
      name: 'replace-work',
      text: `update work w set kind = $4, due_at = $5, attempt = case when w.kind = $4 then w.attempt else 0 end,
               token = null, failures = 0, last_error = null
             from ${HELD} where ${HELD_MATCHES}`,
      values: [...heldValues(items.toSorted(bySubject)), kind, dueAt],
    })
  },

  async postponeWork(postponed) {
    if (postponed.length === 0) return
    await client.query({
      name: 'postpone-work',
      // What was stored before addressees were noted gets its own here.
      text: `update work w set due_at = r.due_at, token = null, attempt = w.attempt - 1, addressee = r.addressee
             from unnest($1::text[], $2::bigint[], $3::uuid[], $4::timestamptz[], $5::text[])
                    as r(kind, subject_id, token, due_at, addressee)
             where ${BY_SUBJECT} and ${beyondIndexes('w.kind = r.kind')}
               and w.subject_id = r.subject_id and w.token = r.token`,
      values: [
        ...heldValues(postponed.map(({ item }) => item)),
        postponed.map(({ dueAt }) => dueAt),
        postponed.map(({ item }) => item.addressee ?? ''),
      ],
    })
  },

  addWork: (work) => insertWork(client, work),

  async finishPaymentWork(transactionIds) {
    if (transactionIds.length === 0) return
    await client.query({
      name: 'finish-payment-work',
      text: FINISH_PAYMENT_WORK,
      values: [transactionIds],
    })
  },
})

const NEW_WORK = columns<NewWork>({ kind: 'text', subjectId: 'bigint', dueAt: 'timestamptz', addressee: 'text' })

/** Adds work; what is there already of the same kind and subject is left to the earlier of both dates. */
export async function insertWork(client: Queryable, work: readonly NewWork[]): Promise<void> {
  if (work.length === 0) return
  await client.query({
    name: 'insert-work',
    text: `insert into work (${NEW_WORK.names()})
           select kind, subject_id, due_at, coalesce(addressee, '') from json_to_recordset($1) as r(${NEW_WORK.definition})
           on conflict (kind, subject_id) do update set due_at = least(work.due_at, excluded.due_at)`,
    values: [NEW_WORK.json(work)],
  })
}
