import { handshakes, WebhookVerificationError } from '@malipo/client'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OrderBook } from '../shop/orders.ts'

/** A batch has a sum for each currency. */
const BODY_MAX_BYTES = 64 * 1024

/** Malipo asks before money leaves the wallet: 200 only for a payout, or a batch, that is in our own records. */
export function serveHandshake(
  app: FastifyInstance,
  { orders, webhookSecret }: { readonly orders: OrderBook; readonly webhookSecret: string },
): void {
  const answer = async (reply: FastifyReply, isOurs: () => Promise<boolean>): Promise<FastifyReply> => {
    try {
      return await reply.code((await isOurs()) ? 200 : 404).send()
    } catch (error) {
      // replies 500: Malipo asks again
      if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') throw error
      return reply.code(400).send({ error: error.message })
    }
  }
  app.get('/handshake', (request, reply) =>
    answer(reply, async () => {
      const { merchantReference } = await handshakes.verify(request.url, request.headers, webhookSecret)
      return orders.knowsPayout(merchantReference)
    }),
  )
  // One handshake for a whole batch. In a scope of its own: the signature covers bytes.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post<{ Body: Buffer }>('/handshake', { bodyLimit: BODY_MAX_BYTES }, (request, reply) =>
      answer(reply, async () => {
        const asked = await handshakes.verifyBatch(request.body, request.headers, webhookSecret)
        return orders.knowsBatch(asked.batch_reference, asked.payouts)
      }),
    )
  })
}
