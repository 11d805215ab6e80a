import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { handshakes, WebhookVerificationError } from '@malipo/client'

const secret = process.env.MALIPO_WEBHOOK_SECRET ?? 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
// Your own records: write a reference here before you send its payout.
const sentPayouts = new Set(['PAYOUT-2026-0001'])
// Batches with the number of their payouts, where one handshake per batch is switched on.
const sentBatches = new Map([['SALARIES-2026-03', 2]])

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method === 'POST') {
      const asked = await handshakes.verifyBatch(await buffer(request), request.headers, secret)
      response.writeHead(sentBatches.get(asked.batch_reference) === asked.payouts ? 200 : 404).end()
      return
    }
    const { merchantReference } = await handshakes.verify(request.url ?? '', request.headers, secret)
    // The signature does not cover the reference: only your own records can say yes.
    response.writeHead(sentPayouts.has(merchantReference) ? 200 : 404).end()
  } catch (error) {
    // A 4xx rejects the payout for good. A problem on this side, such as a malformed secret, gets 500: then Malipo asks
    // again.
    const isOthers = error instanceof WebhookVerificationError && error.reason !== 'wrong_secret_format'
    response.writeHead(isOthers ? 404 : 500).end()
  }
}

createServer((request, response) => void answer(request, response)).listen(3000, '127.0.0.1')
