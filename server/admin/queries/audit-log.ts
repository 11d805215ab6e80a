import type pg from 'pg'
import { refusalOf, type Actor } from '../../domain/people/actor.ts'
import { operationNamed } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import { withoutAudit, type AuditedPool } from '../../storage/audited-pool.ts'
import { joinTransaction } from '../../storage/joined-transaction.ts'
import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { AUDIT_COLUMNS, lockAuditChain, nextAuditLink, type AuditRecord } from './audit-chain.ts'
import { firstRowOf, rowsOf } from './rows.ts'

/** Values by name, formatted for people. Never a secret. */
export type DisplayValues = Readonly<Record<string, string>>

/** A change by a person, of money, keys, limits, settings or people; or a look at what is confidential. */
export interface AuditedAction {
  readonly actor: Actor
  /** The operation, in the words of the command line: `wallet deposit`. */
  readonly command: string
  readonly subject: string
  /** Undefined where something was only added, and no reason was given. */
  readonly reason: string | undefined
  readonly reference?: string | undefined
  /** The merchant that it concerns, where the subject does not name it. */
  readonly merchantId?: bigint | undefined
  readonly requestId?: string | undefined
}

/** The actor may not do it (any more): nothing was changed. The message is for people. */
export class ActorRefused extends Error {
  override readonly name = 'ActorRefused'
}

export interface StaffChange<Result> {
  /** Reads the current values of what the change may affect. @param result of `apply`; undefined before it */
  readonly read: (pool: Pool, result?: Result) => Promise<DisplayValues>
  /** @param actionId the audit entry of the change, which is the cause of what it books */
  readonly apply: (pool: AuditedPool, actionId: bigint) => Promise<Result>
  /** What the change does besides the values that differ: shown and stored as new. */
  readonly done?: DisplayValues
}

/** The effect of a change: only values that differ. */
export interface Difference {
  readonly old: DisplayValues
  readonly new: DisplayValues
}

/** Rolls back the transaction of a preview. */
class PreviewRollback extends Error {}

/** Computes the effect of a change and rolls it back. */
export async function previewChange<Result>(pool: Pool, change: StaffChange<Result>): Promise<Difference> {
  let difference: Difference = { old: {}, new: {} }
  await inTransaction(pool, async (client) => {
    ;({ difference } = await changed(client, change, await nextActionId(client)))
    throw new PreviewRollback('a preview')
  }).catch((error: unknown) => {
    if (!(error instanceof PreviewRollback)) throw error
  })
  return difference
}

/**
 * Applies a change and records who made it, why, and the previous values, in one commit.
 * @throws ActorRefused
 */
export const applyChange = <Result>(
  pool: Pool,
  action: AuditedAction,
  change: StaffChange<Result>,
  now: Date,
): Promise<{ readonly result: Result; readonly difference: Difference }> =>
  inTransaction(pool, async (client) => {
    const actionId = await nextActionId(client)
    const changedNow = await changed(client, change, actionId)
    await recordAction(client, action, changedNow.difference, now, actionId)
    return changedNow
  })

/**
 * Records a run of many commits before the first of them, so that a run that stops halfway has its entry too.
 * @param alongside writes in the commit of the entry
 * @returns the pool for what the run writes
 * @throws ActorRefused
 */
export async function beginRun(
  pool: Pool,
  action: AuditedAction,
  values: DisplayValues,
  now: Date,
  alongside: (pool: AuditedPool) => Promise<void>,
): Promise<AuditedPool> {
  await inTransaction(pool, async (client) => {
    await alongside(withoutAudit(joinTransaction(client)))
    await recordAction(client, action, { old: {}, new: values }, now)
  })
  return withoutAudit(pool)
}

async function nextActionId(client: Queryable): Promise<bigint> {
  const { rows } = await client.query<{ id: bigint }>(`select nextval(pg_get_serial_sequence('audit_log', 'id')) as id`)
  return present(rows[0], 'the id of the entry').id
}

async function changed<Result>(
  client: pg.PoolClient,
  { read, apply, done = {} }: StaffChange<Result>,
  actionId: bigint,
): Promise<{ readonly result: Result; readonly difference: Difference }> {
  const pool = withoutAudit(joinTransaction(client))
  const before = await read(pool)
  const result = await apply(pool, actionId)
  const after = await read(pool, result)
  const differs = ([name, value]: [string, string], others: DisplayValues): boolean => others[name] !== value
  const only = (values: DisplayValues, others: DisplayValues): DisplayValues =>
    Object.fromEntries(Object.entries(values).filter((entry) => differs(entry, others)))
  return { result, difference: { old: only(before, after), new: { ...only(after, before), ...done } } }
}

/**
 * Call it as the last statement in the transaction of the change: it takes the lock of the chain, and others wait until
 * the commit.
 * @param id if the bookings already refer to it
 * @throws ActorRefused
 */
export async function recordAction(
  client: Queryable,
  action: AuditedAction,
  difference: Difference,
  now: Date,
  id?: bigint,
): Promise<void> {
  const { actor, command, subject, reason = null, reference = null, requestId = null } = action
  await lockAuditChain(client)
  await confirmActor(client, action)
  const merchantId = action.merchantId ?? (await merchantOf(client, subject))
  if (actor.kind === 'merchant' && merchantId !== actor.merchantId)
    throw new ActorRefused(`${actor.name} may only change their own merchant`)
  const entry = {
    at: now,
    actor_kind: actor.kind,
    actor: actor.name,
    role: actor.role,
    person_id: 'personId' in actor ? actor.personId : null,
    address: actor.address,
    command,
    subject,
    merchant_id: merchantId,
    ...difference,
    reason,
    reference,
    request_id: requestId,
  }
  await appendEntry(client, entry, id)
}

/** Adds an entry for what needs no role, such as signing in, in the transaction of what it records. */
export async function appendEntry(client: Queryable, entry: Omit<AuditRecord, 'id'>, id?: bigint): Promise<void> {
  await lockAuditChain(client)
  const record: AuditRecord = { id: id ?? (await nextActionId(client)), ...entry }
  const { seq, hash } = await nextAuditLink(client, record)
  const values = [...AUDIT_COLUMNS.split(', ').map((name) => record[name as keyof AuditRecord]), seq, hash]
  await client.query(
    `insert into audit_log (${AUDIT_COLUMNS}, seq, hash) overriding system value
     values (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  )
}

/**
 * Reads the actor's person again, under the lock of the chain, without which nobody's role changes: whoever lost the
 * role meanwhile changes nothing.
 */
async function confirmActor(client: Queryable, { actor, command, reason }: AuditedAction): Promise<void> {
  const refuse = (why: string): never => {
    throw new ActorRefused(`${why}.\nNothing was changed.`)
  }
  if ('personId' in actor) {
    const person = await firstRowOf<{ role: string; merchant_id: bigint | null }>(
      client,
      'select role, merchant_id from people where id = $1 and ended_at is null',
      [actor.personId],
    )
    const merchantId = actor.kind === 'merchant' ? actor.merchantId : null
    if (person?.merchant_id !== merchantId) return refuse(`${actor.name} has no access any more`)
    if (person.role !== actor.role) return refuse(`${actor.name} has another role now: ${person.role}`)
  } else if (actor.kind === 'os_user' && operationNamed(command).needs !== 'machine') {
    const { rowCount } = await client.query(`select from database_mode where mode = 'live'`)
    if (rowCount !== 0) return refuse(`${command} needs a login in live mode`)
  } else if (actor.kind === 'break_glass' && reason === undefined) return refuse('breaking the glass needs a reason')
  const refusal = refusalOf(actor, command)
  if (refusal !== undefined) refuse(refusal)
}

/** The merchant that a subject names by its public key, or by the internal reference of a payment. */
async function merchantOf(client: Queryable, subject: string): Promise<bigint | null> {
  const { rows } = await client.query<{ id: bigint }>(
    `select id from merchants where public_key = $1
     union all select merchant_id from transactions where internal_reference = $1 limit 1`,
    [subject],
  )
  return rows[0]?.id ?? null
}

export interface AuditEntry extends AuditRecord {
  /** The place in the hash chain; null for an entry that is older than the chain. */
  readonly seq: bigint | null
}

interface AuditFilter {
  readonly subject?: string | undefined
  readonly actor?: string | undefined
  readonly command?: string | undefined
  /** At this time or later, and before `until`. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Only entries with a smaller id. */
  readonly before?: bigint | undefined
  readonly limit: number
}

/** The newest first. */
export const listAuditLog = (pool: Pool, filter: AuditFilter): Promise<AuditEntry[]> =>
  rowsOf<AuditEntry>(
    pool,
    `select ${AUDIT_COLUMNS}, seq from audit_log
           where ($1::text is null or subject = $1) and ($2::text is null or actor = $2)
             and ($3::bigint is null or id < $3) and ($5::text is null or command = $5)
             and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
           order by id desc limit $4`,
    [filter.subject, filter.actor, filter.before, filter.limit, filter.command, filter.since, filter.until],
  )

/** One entry. */
export const auditEntry = (pool: Pool, id: bigint): Promise<AuditEntry | undefined> =>
  firstRowOf<AuditEntry>(pool, `select ${AUDIT_COLUMNS}, seq from audit_log where id = $1`, [id])
