import { handshakes, WebhookVerificationError } from '@malipo/client'
import type { FastifyInstance } from 'fastify'
import type { OrderBook } from '../shop/orders.ts'

/** Malipo asks before money leaves the wallet: 200 only for a payout that is in our own records. */
export function serveHandshake(
  app: FastifyInstance,
  { orders, webhookSecret }: { readonly orders: OrderBook; readonly webhookSecret: string },
): void {
  app.get('/handshake', async (request, reply) => {
    try {
      const { merchantReference } = await handshakes.verify(request.url, request.headers, webhookSecret)
      return reply.code(orders.knowsPayout(merchantReference) ? 200 : 404).send()
    } catch (error) {
      // replies 500: Malipo asks again
      if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') throw error
      return reply.code(400).send({ error: error.message })
    }
  })
}
