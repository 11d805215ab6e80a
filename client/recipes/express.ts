import express, { type NextFunction, type Request, type Response } from 'express'
import { createDuplicateGuard, handshakes, redirects, webhooks, WebhookVerificationError } from '@malipo/client'
import { shop } from './shop.ts'

const guard = createDuplicateGuard()
export const app = express()

// The raw bytes: the signature does not cover the object that express.json() returns.
app.post('/callbacks', express.raw({ type: 'application/json' }), async (request, response) => {
  const callback = await webhooks.verify(request.body as Buffer, request.headers, shop.webhookSecret)
  await guard.once(callback, shop.book)
  response.sendStatus(204)
})

app.get('/handshake', async (request, response) => {
  const { merchantReference } = await handshakes.verify(request.url, request.headers, shop.webhookSecret)
  response.sendStatus((await shop.hasPayout(merchantReference)) ? 200 : 404)
})

app.get('/paid', async (request, response) => {
  const { transaction_status } = await redirects.verify(request.url, { signingKeys: shop.signingKey })
  response.type('text').send(transaction_status === 'COMPLETED' ? 'Thank you!' : 'The payment did not go through.')
})

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (!(error instanceof WebhookVerificationError) || error.reason === 'wrong_secret_format') next(error)
  else if (error.reason === 'unknown_event') response.sendStatus(204)
  else response.status(400).send(error.reason)
})
