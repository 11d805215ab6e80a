import { createServer } from 'node:http'
import { fieldsOf } from '../../harness/json.ts'
import { listen } from '../../harness/listen.ts'
import type { ReceiverSettings } from '../../harness/part.ts'
import { headerOf } from '../../driver/message-fields.ts'
import { OK, status, statusOf } from '../../driver/merchant-replies.ts'
import { startReceiver, type Message } from '../../driver/merchant-server.ts'
import { isWebhookSigned } from '../../rules/signatures/digests.ts'

/**
 * The merchant's server for the target's callbacks; it serves what arrived on another port, where the workflows query
 * it (receiver.openapi.yaml).
 */
export async function startWorkflowReceiver({ port, webhookSecret }: ReceiverSettings) {
  const merchant = await startReceiver({
    port,
    decide: ({ method, reference }) => (method === 'GET' && reference?.endsWith('-REFUSE') ? status(404) : OK),
  })
  const reported = (message: Message) => {
    const { event, payload } = fieldsOf(message.json)
    const { transaction_status, internal_reference } = fieldsOf(payload)
    const [id, timestamp, signature] = [
      headerOf(message, 'webhook-id'),
      headerOf(message, 'webhook-timestamp'),
      headerOf(message, 'webhook-signature'),
    ]
    const signature_valid = isWebhookSigned({ id, timestamp, signature, body: message.body }, webhookSecret)
    return message.method === 'GET'
      ? { answered: statusOf(message.reply), signature_valid }
      : { event, transaction_status, internal_reference, signature_valid }
  }
  const inbox = await listen(
    createServer((request, response) => {
      const messages = merchant.messagesOf(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
      const [handshakes = [], callbacks = []] = [true, false].map((requests) =>
        messages.filter(({ method }) => (method === 'GET') === requests).map(reported),
      )
      response
        .writeHead(callbacks.length > 0 ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify({ callbacks, handshakes }))
    }),
  )
  return {
    url: inbox.url,
    close: async () => void (await Promise.all([merchant.close(), inbox.close()])),
  }
}
