import type { Clock } from '../actions/ports/clock.ts'
import { findCallback, resendCallbacks } from '../storage/operators/callbacks.ts'
import type { Pool } from '../storage/pool.ts'
import { tellOfWork } from '../storage/work-notices.ts'
import type { InboxMessage } from './inbox-message.ts'
import type { Fault } from './inbox-reply.ts'

/**
 * Lets Malipo send the callback of this message again, as an operator does: under its webhook-id, to the URL that the
 * merchant has now.
 * @returns why it cannot be
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
      why: 'Malipo knows no callback of this webhook-id: the message is a handshake, or somebody else sent it',
    }
  if (callback.url === '')
    return {
      status: 409,
      title: 'There is nowhere to send it',
      why: 'The merchant has no callback URL now: set one with malipo merchant set',
    }
  const now = clock.now()
  await resendCallbacks(pool, [callback.id], now, now)
  // Whoever works looks by itself too, a moment later.
  await tellOfWork(pool)
  return undefined
}
