import { handshakes, WebhookVerificationError } from '@malipo/client'
import { shopParts } from '../parts.ts'

/** Malipo asks before money leaves the wallet: 200 only for a payout that is in our own records. */
export async function GET(request: Request): Promise<Response> {
  const { orders, settings } = shopParts()
  try {
    const { merchantReference } = await handshakes.verify(request.url, request.headers, settings.webhookSecret)
    return new Response(null, { status: orders.knowsPayout(merchantReference) ? 200 : 404 })
  } catch (error) {
    // replies 500: Malipo asks again
    if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') throw error
    return Response.json({ error: error.message }, { status: 400 })
  }
}
