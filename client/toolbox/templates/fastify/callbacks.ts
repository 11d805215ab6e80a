import { webhooks, WebhookVerificationError } from '@malipo/client'
import type { FastifyInstance } from 'fastify'
import type { OrderBook } from '../shop/orders.ts'
import { settle } from '../shop/settle.ts'

/** A callback is smaller than 10 kB. */
const BODY_MAX_BYTES = 64 * 1024

/**
 * Receives the outcome of payments and payouts. Any 2xx acknowledges; a message that does not verify gets 400 and has
 * no effect.
 */
export async function serveCallbacks(
  app: FastifyInstance,
  { orders, webhookSecret }: { readonly orders: OrderBook; readonly webhookSecret: string },
): Promise<void> {
  // In a scope of its own: here the body stays raw, because the signature covers bytes. All other media types are
  // rejected with 415.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post<{ Body: Buffer }>('/callbacks', { bodyLimit: BODY_MAX_BYTES }, async (request, reply) => {
      try {
        const { payload } = await webhooks.verify(request.body, request.headers, webhookSecret)
        if (payload.transaction_type !== 'REFUND') settle(orders, payload)
        return reply.code(204).send()
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error // replies 500: Malipo sends it again
        if (error.reason === 'unknown_event') return reply.code(204).send() // newer than this shop: not paid
        request.log.warn({ reason: error.reason }, error.message)
        return reply.code(400).send({ error: error.message })
      }
    })
  })
}
