import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createDuplicateGuard, webhooks, WebhookVerificationError } from '@malipo/client'

const secret = process.env.MALIPO_WEBHOOK_SECRET ?? 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const BODY_BYTES_MAX = 65_536
// In production with a store that outlives the process: a unique index in
// your database, written together with what you book.
const guard = createDuplicateGuard()

/** The body as it arrived, byte for byte. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) throw new Error('this body is too large for a callback')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const callback = await webhooks.verifyEvent(await bytesOf(request), request.headers, secret)
    // At the end of a batch each of its payouts has reported itself.
    if (callback.event !== 'payout_batch.completed')
      await guard.once(callback, ({ payload }) => {
        const total = payload.transaction_type === 'COLLECTION' ? payload.total_credit : payload.total_debit
        console.log(payload.merchant_reference, payload.transaction_status, total, payload.transaction_currency)
      })
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
  }
}

createServer((request, response) => void answer(request, response)).listen(3000, '127.0.0.1')
