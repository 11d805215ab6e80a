import { handshakes, WebhookVerificationError } from '@malipo/client'
import { shopParts } from '../parts.ts'
import { readBody } from '../read-body.ts'

/** A batch has a sum for each currency. */
const BODY_MAX_BYTES = 64 * 1024

/** Malipo asks before money leaves the wallet: 200 only for a payout that is in our own records. */
export const GET = (request: Request): Promise<Response> =>
  answer(async () => {
    const { orders, settings } = shopParts()
    const { merchantReference } = await handshakes.verify(request.url, request.headers, settings.webhookSecret)
    return orders.knowsPayout(merchantReference)
  })

/** One handshake for a whole batch. */
export const POST = (request: Request): Promise<Response> =>
  answer(async () => {
    const { orders, settings } = shopParts()
    const body = (await readBody(request, BODY_MAX_BYTES)) ?? new Uint8Array()
    const asked = await handshakes.verifyBatch(body, request.headers, settings.webhookSecret)
    return orders.knowsBatch(asked.batch_reference, asked.payouts)
  })

async function answer(isOurs: () => Promise<boolean>): Promise<Response> {
  try {
    return new Response(null, { status: (await isOurs()) ? 200 : 404 })
  } catch (error) {
    // replies 500: Malipo asks again
    if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') throw error
    return Response.json({ error: error.message }, { status: 400 })
  }
}
