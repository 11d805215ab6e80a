import { webhooks, WebhookVerificationError } from '@malipo/client'
import type { FastifyInstance } from 'fastify'
import type { OrderBook } from '../shop/orders.ts'
import { settle } from '../shop/settle.ts'

/** A callback has less than 10 kB. */
const BODY_MAX_BYTES = 64 * 1024

/**
 * Where Malipo tells the outcome of payments and payouts. Any 2xx acknowledges; whatever is not believed gets 400 and
 * does nothing.
 */
export async function serveCallbacks(
  app: FastifyInstance,
  { orders, webhookSecret }: { readonly orders: OrderBook; readonly webhookSecret: string },
): Promise<void> {
  // In a scope of its own: here the bytes stay as they came, because the signature covers bytes. All other media types
  // are refused with 415.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post<{ Body: Buffer }>('/callbacks', { bodyLimit: BODY_MAX_BYTES }, async (request, reply) => {
      try {
        const { payload } = await webhooks.verify(request.body, request.headers, webhookSecret)
        settle(orders, payload)
        return reply.code(204).send()
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error // answers 500: Malipo sends it again
        request.log.warn({ reason: error.reason }, error.message)
        return reply.code(400).send({ error: error.message })
      }
    })
  })
}
