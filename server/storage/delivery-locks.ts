import type { JobKind } from '../actions/ports/jobs.ts'
import type { CallbackState } from '../domain/deliveries.ts'
import { optimizerFence } from './optimizer-fence.ts'
import type { Queryable } from './pool.ts'

/**
 * Looks jobs up by their subjects alone (see `BY_SUBJECT` in jobs.ts). The ids are a separate parameter beside the
 * rows, so that no plan scans the backlog.
 */
export const WORK_OF_CALLBACKS = (ids: string) =>
  `w.subject_id = any(${ids}::bigint[]) and ${optimizerFence("w.kind = 'deliverCallback'")}`

interface DeliveryJob {
  readonly kind: JobKind
  readonly subjectId: bigint
  /** The token of the claim that holds the job. */
  readonly token: string | undefined
}

/** Locks the jobs of these callbacks, whoever holds them. */
export async function lockDeliveryJobs(client: Queryable, ids: readonly bigint[]): Promise<readonly DeliveryJob[]> {
  const { rows } = await client.query<{ kind: JobKind; subject_id: bigint; token: string | null }>({
    name: 'lock-deliveries',
    text: `select kind, subject_id, replace(token::text, '-', '') as token from jobs w
           where ${WORK_OF_CALLBACKS('$1')} order by subject_id for update`,
    values: [ids],
  })
  return rows.map(({ kind, subject_id: subjectId, token }) => ({ kind, subjectId, token: token ?? undefined }))
}

/**
 * The attempts so far of each callback. Lock order: whoever changes a callback locks its job first, so callbacks whose
 * jobs we have locked are safe; the others are locked here. Queried only once the jobs are locked, so that it sees
 * what committed during the wait.
 */
export async function callbackStates(
  client: Queryable,
  ids: readonly bigint[],
  work: readonly DeliveryJob[],
): Promise<ReadonlyMap<bigint, CallbackRowState>> {
  const subjects = new Set(work.map(({ subjectId }) => subjectId))
  const others = ids.filter((id) => !subjects.has(id))
  const locked = others.length > 0 ? await lockCallbacks(client, others) : []
  const { rows } = await client.query<CallbackRowState>({
    name: 'callback-states',
    text: 'select id, attempts, resends, url from callbacks where id = any($1)',
    values: [[...subjects]],
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
