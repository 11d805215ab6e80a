import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fieldsOf, jsonOf } from '../../harness/json.ts'
import type { ReceiverSettings } from '../../harness/part.ts'

export interface WorkflowReceiver {
  /** Where the workflows ask what arrived (receiver.openapi.yaml). */
  readonly url: string
  close(): Promise<void>
}

interface ReceivedCallback {
  readonly event: unknown
  readonly transaction_status: unknown
  readonly internal_reference: unknown
  readonly signature_valid: boolean
}

interface ReceivedHandshake {
  readonly answered: number
  readonly signature_valid: boolean
}

interface Received {
  readonly callbacks: ReceivedCallback[]
  readonly handshakes: ReceivedHandshake[]
}

/**
 * Stands for the merchant on the port that the target's callbacks and handshakes lead to, and tells on another one what
 * arrived.
 */
export async function startWorkflowReceiver({ port, webhookSecret }: ReceiverSettings): Promise<WorkflowReceiver> {
  const byReference = new Map<string, Received>()
  const of = (reference: string): Received => {
    const received = byReference.get(reference) ?? { callbacks: [], handshakes: [] }
    byReference.set(reference, received)
    return received
  }

  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const signature_valid = isSigned(request, body, webhookSecret)
    if (request.method === 'GET') {
      const reference = new URL(request.url ?? '/', 'http://merchant').searchParams.get('reference') ?? ''
      const answered = reference.endsWith('-REFUSE') ? 404 : 200
      of(reference).handshakes.push({ answered, signature_valid })
      response.writeHead(answered).end()
      return
    }
    // What is about no reference: the workflow that waits for it fails.
    const { event, payload } = fieldsOf(jsonOf(body))
    const state = fieldsOf(payload)
    of(String(state.merchant_reference)).callbacks.push({
      event,
      transaction_status: state.transaction_status,
      internal_reference: state.internal_reference,
      signature_valid,
    })
    response.writeHead(200).end()
  }
  const merchant = createServer((request, response) => void hear(request, response))
  const teller = createServer((request, response) => {
    const reference = request.url?.split('/').at(-1) ?? ''
    const received = of(decodeURIComponent(reference))
    response
      .writeHead(received.callbacks.length > 0 ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(received))
  })
  await listen(merchant, port)
  await listen(teller, 0)
  return {
    url: `http://127.0.0.1:${(teller.address() as AddressInfo).port}`,
    close: async () => void (await Promise.all([merchant, teller].map(closed))),
  }
}

/** Standard Webhooks: over the id, the time and the body; a handshake's body is empty. */
function isSigned({ headers }: IncomingMessage, body: string, webhookSecret: string): boolean {
  const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
    .digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`)
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
