import type { WorkItem } from '../actions/ports/work.ts'
import type { CallbackState } from '../domain/deliveries.ts'
import { beyondIndexes } from './beyond-indexes.ts'
import type { Queryable } from './pool.ts'

/** Found by its subjects alone (work-items.ts): these stand beside the rows, so that no plan goes through all that waits. */
export const WORK_OF_CALLBACKS = (ids: string) =>
  `w.subject_id = any(${ids}::bigint[]) and ${beyondIndexes("w.kind = 'deliverCallback'")}`

/**
 * Not the row alone: an attempt made after a lost lease may be stored together with one of the holder, of the same row.
 */
export const claimOf = ({ id, token }: Pick<WorkItem, 'id' | 'token'>): string => `${id}:${token}`

export interface DeliveryWork {
  readonly id: bigint
  readonly subjectId: bigint
  /** Of the claim that holds it. */
  readonly token: string | null
}

/** Whoever holds it. */
export async function lockDeliveryWork(client: Queryable, ids: readonly bigint[]): Promise<readonly DeliveryWork[]> {
  const { rows } = await client.query<DeliveryWork>({
    name: 'lock-delivery-work',
    text: `select id, subject_id as "subjectId", replace(token::text, '-', '') as token from work w
           where ${WORK_OF_CALLBACKS('$1')} order by subject_id for update`,
    values: [ids],
  })
  return rows
}

/**
 * How often each was tried. Whoever changes a callback takes its work first: those whose work we have are ours, the others
 * are locked themselves. Asked when the work is locked: what was waited for is seen.
 */
export async function callbackStates(
  client: Queryable,
  ids: readonly bigint[],
  work: readonly DeliveryWork[],
): Promise<ReadonlyMap<bigint, CallbackRowState>> {
  const ours = new Set(work.map(({ subjectId }) => subjectId))
  const others = ids.filter((id) => !ours.has(id))
  const locked = others.length > 0 ? await lockCallbacks(client, others) : []
  const { rows } = await client.query<CallbackRowState>({
    name: 'callback-states',
    text: 'select id, attempts, resends, url from callbacks where id = any($1)',
    values: [[...ours]],
  })
  return new Map([...locked, ...rows.map((row) => [row.id, row] as const)])
}

export interface CallbackRowState extends CallbackState {
  readonly id: bigint
  readonly url: string
}

export async function lockCallbacks(
  client: Queryable,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, CallbackRowState>> {
  const { rows } = await client.query<CallbackRowState>({
    name: 'lock-callbacks',
    text: 'select id, attempts, resends, url from callbacks where id = any($1) order by id for update',
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}
