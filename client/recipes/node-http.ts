import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createDuplicateGuard, handshakes, redirects, webhooks, WebhookVerificationError } from '@malipo/client'
import { shop } from './shop.ts'

const guard = createDuplicateGuard()
const BODY_BYTES_MAX = 64 * 1024

/** Status and text of the reply. */
type ReplyTuple = readonly [status: number, text?: string]

async function replyTo(request: IncomingMessage): Promise<ReplyTuple> {
  const url = request.url ?? '/'
  switch (`${request.method} ${url.split('?')[0]}`) {
    case 'POST /callbacks': {
      const callback = await webhooks.verify(await bodyOf(request), request.headers, shop.webhookSecret)
      await guard.once(callback, shop.book)
      return [204]
    }
    case 'GET /handshake': {
      const { merchantReference } = await handshakes.verify(url, request.headers, shop.webhookSecret)
      return [(await shop.hasPayout(merchantReference)) ? 200 : 404]
    }
    case 'GET /paid': {
      const { transaction_status } = await redirects.verify(url, { signingKeys: shop.signingKey })
      return [200, transaction_status === 'COMPLETED' ? 'Thank you!' : 'The payment did not go through.']
    }
    default:
      return [404]
  }
}

/** The raw bytes, up to the size limit of a callback. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Not destroyed when we stop reading: the reply still has to be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new WebhookVerificationError('malformed', 'The body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A fault on our side, such as a missing secret, is no refusal: a 4xx would reject payouts for good. */
const isTheirs = (error: unknown): error is WebhookVerificationError =>
  error instanceof WebhookVerificationError && error.reason !== 'wrong_secret_format'

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, text] = await replyTo(request).catch((error): ReplyTuple => {
    if (!isTheirs(error)) return [500]
    return error.reason === 'unknown_event' ? [204] : [400, error.reason]
  })
  // After a refusal the rest of a body may still arrive: this connection cannot be reused.
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...(status === 400 && { connection: 'close' }) })
    .end(text)
}

export const server = createServer((request, response) => void answer(request, response))
