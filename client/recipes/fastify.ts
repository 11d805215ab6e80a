import fastify from 'fastify'
import { createDuplicateGuard, handshakes, redirects, webhooks, WebhookVerificationError } from '@malipo/client'
import { shop } from './shop.ts'

const guard = createDuplicateGuard()
export const app = fastify()

// The raw bytes: the signature does not cover the object that Fastify's own parser returns.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.post<{ Body: Buffer }>('/callbacks', async (request, reply) => {
  const callback = await webhooks.verify(request.body, request.headers, shop.webhookSecret)
  await guard.once(callback, shop.book)
  return reply.code(204).send()
})

app.get('/handshake', async (request, reply) => {
  const { merchantReference } = await handshakes.verify(request.url, request.headers, shop.webhookSecret)
  return reply.code((await shop.hasPayout(merchantReference)) ? 200 : 404).send()
})

app.get('/paid', async (request) => {
  const { transaction_status } = await redirects.verify(request.url, { signingKeys: shop.signingKey })
  return transaction_status === 'COMPLETED' ? 'Thank you!' : 'The payment did not go through.'
})

app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') return reply.send(error)
  return error.reason === 'unknown_event' ? reply.code(204).send() : reply.code(400).send(error.reason)
})
