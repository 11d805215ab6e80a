import { available, inTransaction, type Pool, type Queryable } from '../pool.ts'
import { present } from '../../domain/present.ts'
import { joinTransaction } from '../joined-transaction.ts'

/** Values by name, as people read them. Never a secret. */
export type ShownValues = Readonly<Record<string, string>>

/** A change of money, keys, limits or settings by a person. */
export interface StaffAction {
  readonly osUser: string
  /** `wallet deposit` */
  readonly command: string
  readonly subject: string
  /** Absent where something was only added, and nobody said why. */
  readonly reason: string | undefined
  readonly reference: string | undefined
}

export interface StaffChange<Result> {
  /** What the change may change, as it is now. @param result what `apply` has returned; before it, absent */
  readonly read: (pool: Pool, result?: Result) => Promise<ShownValues>
  /** @param actionId of the entry that is kept with the change: the cause of what it books */
  readonly apply: (pool: Pool, actionId: bigint) => Promise<Result>
  /** What it does by itself, beside the values that differ: shown and kept as new. */
  readonly done?: ShownValues
}

/** What a change came to: only values that differ. */
export interface Difference {
  readonly old: ShownValues
  readonly new: ShownValues
}

/** Ends the transaction of a preview. */
class Previewed extends Error {}

/** What the change would come to; nothing of it is kept. */
export async function previewChange<Result>(pool: Pool, change: StaffChange<Result>): Promise<Difference> {
  let difference: Difference = { old: {}, new: {} }
  await inTransaction(pool, async (client) => {
    ;({ difference } = await changed(joinTransaction(client), change, await nextActionId(client)))
    throw new Previewed('a preview')
  }).catch((error: unknown) => {
    if (!(error instanceof Previewed)) throw error
  })
  return difference
}

/** Changes something and keeps who did it, why, and what it was before, in one commit. */
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
  const differs = ([name, value]: [string, string], others: ShownValues): boolean => others[name] !== value
  const only = (values: ShownValues, others: ShownValues): ShownValues =>
    Object.fromEntries(Object.entries(values).filter((entry) => differs(entry, others)))
  return { result, difference: { old: only(before, after), new: { ...only(after, before), ...done } } }
}

/** In the transaction that changes it. @param id where what it books names it already */
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

/** The newest first. @param before only those with a smaller id */
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
