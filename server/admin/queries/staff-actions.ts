import { available, inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { present } from '../../domain/present.ts'
import { joinTransaction } from '../../storage/joined-transaction.ts'

/** Values by name, formatted for people. Never a secret. */
export type DisplayValues = Readonly<Record<string, string>>

/** A change of money, keys, limits or settings by a person. */
export interface StaffAction {
  readonly osUser: string
  /** `wallet deposit` */
  readonly command: string
  readonly subject: string
  /** Undefined where something was only added, and no reason was given. */
  readonly reason: string | undefined
  readonly reference: string | undefined
}

export interface StaffChange<Result> {
  /** Reads the current values of what the change may affect. @param result of `apply`; undefined before it */
  readonly read: (pool: Pool, result?: Result) => Promise<DisplayValues>
  /** @param actionId the audit entry of the change, which is the cause of what it books */
  readonly apply: (pool: Pool, actionId: bigint) => Promise<Result>
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
    ;({ difference } = await changed(joinTransaction(client), change, await nextActionId(client)))
    throw new PreviewRollback('a preview')
  }).catch((error: unknown) => {
    if (!(error instanceof PreviewRollback)) throw error
  })
  return difference
}

/** Applies a change and records who made it, why, and the previous values, in one commit. */
export const applyChange = <Result>(
  pool: Pool,
  action: StaffAction,
  change: StaffChange<Result>,
  now: Date,
): Promise<{ readonly result: Result; readonly difference: Difference }> =>
  inTransaction(pool, async (client) => {
    const actionId = await nextActionId(client)
    const changedNow = await changed(joinTransaction(client), change, actionId)
    await recordAction(client, action, changedNow.difference, now, actionId)
    return changedNow
  })

async function nextActionId(client: Queryable): Promise<bigint> {
  const { rows } = await client.query<{ id: bigint }>(
    `select nextval(pg_get_serial_sequence('staff_actions', 'id')) as id`,
  )
  return present(rows[0], 'the id of the entry').id
}

async function changed<Result>(
  pool: Pool,
  { read, apply, done = {} }: StaffChange<Result>,
  actionId: bigint,
): Promise<{ readonly result: Result; readonly difference: Difference }> {
  const before = await read(pool)
  const result = await apply(pool, actionId)
  const after = await read(pool, result)
  const differs = ([name, value]: [string, string], others: DisplayValues): boolean => others[name] !== value
  const only = (values: DisplayValues, others: DisplayValues): DisplayValues =>
    Object.fromEntries(Object.entries(values).filter((entry) => differs(entry, others)))
  return { result, difference: { old: only(before, after), new: { ...only(after, before), ...done } } }
}

/** Call it in the transaction of the change. @param id if the bookings already refer to it */
export async function recordAction(
  client: Queryable,
  { osUser, command, subject, reason, reference }: StaffAction,
  difference: Difference,
  now: Date,
  id?: bigint,
): Promise<void> {
  await client.query(
    `insert into staff_actions (id, at, os_user, command, subject, old, new, reason, reference)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id ?? (await nextActionId(client)),
      now,
      osUser,
      command,
      subject,
      difference.old,
      difference.new,
      reason,
      reference,
    ],
  )
}

export interface StoredAction extends StaffAction, Difference {
  readonly id: bigint
  readonly at: Date
}

type StoredRow = Omit<StoredAction, 'reason' | 'reference'> & {
  readonly reason: string | null
  readonly reference: string | null
}

/** The newest first. @param before only entries with a smaller id */
export const listStaffActions = (
  pool: Pool,
  { subject, before, limit }: { readonly subject?: string; readonly before?: bigint; readonly limit: number },
): Promise<StoredAction[]> =>
  available(async () => {
    const { rows } = await pool.query<StoredRow>(
      `select id, at, os_user as "osUser", command, subject, old, new, reason, reference from staff_actions
       where ($1::text is null or subject = $1) and ($2::bigint is null or id < $2) order by id desc limit $3`,
      [subject, before, limit],
    )
    return rows.map(({ reason, reference, ...row }) => ({
      ...row,
      reason: reason ?? undefined,
      reference: reference ?? undefined,
    }))
  })
