import type { Clock } from '../../actions/ports/clock.ts'
import { findCallback, resendCallbacks } from '../../admin/queries/callbacks.ts'
import { withoutAudit } from '../../storage/audited-pool.ts'
import type { Pool } from '../../storage/pool.ts'
import { notifyOfJobs } from '../../storage/job-notices.ts'
import type { InboxMessage } from '../../domain/received/message.ts'
import type { Fault } from './inbox-http.ts'

/**
 * Resends the callback of this message, as a staff member does: with its webhook-id, to the merchant's current URL.
 * @returns why it cannot be resent
 */
export async function sendAgain(
  { kind, webhookId }: InboxMessage,
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
): Promise<Fault | undefined> {
  const callback = kind === 'callback' && webhookId !== undefined ? await findCallback(pool, webhookId) : undefined
  if (!callback)
    return {
      status: 404,
      title: 'This is no callback of Malipo',
      why: 'Malipo has no callback with this webhook-id: the message is a handshake, or another sender sent it',
    }
  if (callback.url === '')
    return {
      status: 409,
      title: 'There is nowhere to send it',
      why: 'The merchant has no callback URL now: set one with malipo merchant set',
    }
  const now = clock.now()
  await resendCallbacks(withoutAudit(pool), [callback.id], now, now)
  // Workers also poll, so without this notification they only start a moment later.
  await notifyOfJobs(pool)
  return undefined
}
