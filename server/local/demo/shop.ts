import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A delivery that the shop got. */
export interface Delivery {
  readonly webhookId: string
  readonly isSigned: boolean
  readonly event: string
  /** What the shop answered. */
  readonly status: number
}

export interface Shop {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** Resolves with the nth delivery, from 1. */
  delivery(n: number): Promise<Delivery>
  close(): void
}

/** A merchant's server: it answers the first callback with 500, as if its own database were away. */
export async function startShop(webhookSecret: string): Promise<Shop> {
  const deliveries: Delivery[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const status = deliveries.length === 0 ? 500 : 204
      deliveries.push({ ...readCallback(request.headers, body, webhookSecret), status })
      response.writeHead(status).end()
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    deliveries,
    delivery: (n) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = deliveries[n - 1]
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    close: () => void server.close(),
  }
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body. */
function readCallback(headers: IncomingHttpHeaders, body: Buffer, secret: string): Omit<Delivery, 'status'> {
  const [webhookId = '', at = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  )
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${webhookId}.${at}.`).update(body).digest('base64')
  const { event } = JSON.parse(body.toString('utf8')) as { readonly event: string }
  return { webhookId, isSigned: signature.split(' ').includes(`v1,${expected}`), event }
}
