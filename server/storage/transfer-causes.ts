import type { Queryable } from './pool.ts'

/**
 * Why money moved where no payment, line or exception of a statement says it: a person's entry in `staff_actions`, the
 * first balance of a sandbox's demo merchant, or a month that went into files.
 */
export type TransferCause =
  | { readonly kind: 'staff_action'; readonly staffActionId: bigint }
  | { readonly kind: 'demo_balance' }
  | { readonly kind: 'archive'; readonly month: string }

/** Keeps the cause of transfers, in the commit that books them. */
export async function storeCause(
  client: Queryable,
  transferIds: readonly bigint[],
  cause: TransferCause,
): Promise<void> {
  if (transferIds.length === 0) return
  await client.query(
    `insert into transfer_causes (transfer_id, kind, staff_action_id, month)
     select id, $2, $3, $4 from unnest($1::bigint[]) as id`,
    [
      transferIds,
      cause.kind,
      cause.kind === 'staff_action' ? cause.staffActionId : undefined,
      cause.kind === 'archive' ? cause.month : undefined,
    ],
  )
}
