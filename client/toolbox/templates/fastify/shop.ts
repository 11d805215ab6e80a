import { createMalipo } from '@malipo/client'
import Fastify, { type FastifyInstance } from 'fastify'
import { OrderBook } from '../shop/orders.ts'
import type { Settings } from '../shop/settings.ts'
import { serveCallbacks } from './callbacks.ts'
import { serveCheckout } from './checkout.ts'
import { serveDevelopment } from './development.ts'
import { serveHandshake } from './handshake.ts'
import { servePaid } from './paid.ts'

/** The whole shop, not listening yet. */
export async function buildShop({
  gatewayUrl,
  publicKey,
  secretKey,
  signingKey,
  webhookSecret,
  shopUrl,
  ordersFile,
  isDevelopment,
}: Settings): Promise<FastifyInstance> {
  const malipo = createMalipo({ baseUrl: gatewayUrl, publicKey, secretKey, timeoutMs: 10_000 })
  const orders = new OrderBook(ordersFile)
  // Slow senders are disconnected after ten seconds.
  const app = Fastify({ logger: { level: 'warn' }, bodyLimit: 16 * 1024, requestTimeout: 10_000 })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(body.toString())),
  )
  app.addHook('onClose', async () => orders.close())

  const redirectUrl = new URL('/paid', shopUrl).href
  serveCheckout(app, { malipo, orders, redirectUrl })
  servePaid(app, { malipo, orders, signingKey })
  serveHandshake(app, { orders, webhookSecret })
  await serveCallbacks(app, { orders, webhookSecret })
  if (isDevelopment) serveDevelopment(app, { malipo, orders, redirectUrl, webhookSecret })
  return app
}
