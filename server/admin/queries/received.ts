import type { InboxMessage } from '../../domain/received/message.ts'
import type { Pool } from '../../storage/pool.ts'
import { LIST_BODY_MAX_BYTES, RECEIVED_KEPT_MAX, selectReceived } from '../../storage/received-messages.ts'

/** What the test receiver received for a merchant, newest first. */
export const listReceived = (pool: Pool, merchantId: bigint | undefined, now: Date): Promise<InboxMessage[]> =>
  selectReceived(
    pool,
    'substring(body from 1 for $3)',
    'where ($1::bigint is null or merchant_id = $1) and (expires_at is null or expires_at > $2) order by id desc limit $4',
    [merchantId, now, LIST_BODY_MAX_BYTES, RECEIVED_KEPT_MAX],
  )
