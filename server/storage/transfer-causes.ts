import type { Queryable } from './pool.ts'

/**
 * Why money moved, where no payment, and no statement line or exception, explains it: a staff member's entry in
 * `audit_log`, or the initial balance of a sandbox's demo merchant. Transfers that carry an archived month forward
 * are referenced by `history_months`.
 */
type TransferCause =
  { readonly kind: 'staff_action'; readonly staffActionId: bigint } | { readonly kind: 'demo_balance' }

/** Stores the cause of transfers, in the commit that books them. */
export async function storeCause(
  client: Queryable,
  transferIds: readonly bigint[],
  cause: TransferCause,
): Promise<void> {
  if (transferIds.length === 0) return
  await client.query(
    `insert into transfer_causes (transfer_id, kind, staff_action_id) select id, $2, $3 from unnest($1::bigint[]) as id`,
    [transferIds, cause.kind, cause.kind === 'staff_action' ? cause.staffActionId : undefined],
  )
}
