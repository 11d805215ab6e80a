import { webhooks, WebhookVerificationError } from '@malipo/client'
import { settle } from '../../shop/settle.ts'
import { shopParts } from '../parts.ts'
import { readBody } from '../read-body.ts'

/** A callback is smaller than 10 kB. */
const BODY_MAX_BYTES = 64 * 1024

/**
 * Receives the outcome of payments and payouts. Any 2xx acknowledges; a message that does not verify gets 400 and has
 * no effect.
 */
export async function POST(request: Request): Promise<Response> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    return new Response(null, { status: 415 })
  const body = await readBody(request, BODY_MAX_BYTES)
  if (!body) return new Response(null, { status: 413 })
  const { orders, settings } = shopParts()
  try {
    const { payload } = await webhooks.verify(body, request.headers, settings.webhookSecret)
    if (payload.transaction_type !== 'REFUND') settle(orders, payload)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error // replies 500: Malipo sends it again
    if (error.reason === 'unknown_event') return new Response(null, { status: 204 }) // newer than this shop: not paid
    return Response.json({ error: error.message }, { status: 400 })
  }
}
