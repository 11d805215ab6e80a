import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { createDuplicateGuard, handshakes, redirects, webhooks, WebhookVerificationError } from '@malipo/client'
import { shop } from './shop.ts'

const guard = createDuplicateGuard()
export const app = new Hono()

app.post('/callbacks', bodyLimit({ maxSize: 64 * 1024 }), async (context) => {
  const callback = await webhooks.verify(await context.req.text(), context.req.raw.headers, shop.webhookSecret)
  await guard.once(callback, shop.book)
  return context.body(null, 204)
})

app.get('/handshake', async (context) => {
  const { merchantReference } = await handshakes.verify(context.req.url, context.req.raw.headers, shop.webhookSecret)
  return context.body(null, (await shop.hasPayout(merchantReference)) ? 200 : 404)
})

app.get('/paid', async (context) => {
  const { transaction_status } = await redirects.verify(context.req.url, { signingKeys: shop.signingKey })
  return context.text(transaction_status === 'COMPLETED' ? 'Thank you!' : 'The payment did not go through.')
})

app.onError((error, context) => {
  if (error instanceof WebhookVerificationError && error.reason !== 'wrong_secret_format')
    return error.reason === 'unknown_event' ? context.body(null, 204) : context.text(error.reason, 400)
  return error instanceof HTTPException ? error.getResponse() : context.text('Not handled', 500)
})
