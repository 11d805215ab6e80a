// A merchant's server in a process of its own: answers callbacks and handshakes with 200 or lets them hang, and
// verifies every signature.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceiverOrder {
  /** `whsec_…` of the merchant. Absent: no signature is verified. */
  readonly webhookSecret?: string
  readonly hangs: boolean
}

export interface ReceiverReport {
  readonly port: number
  readonly received: number
  readonly wrongSignatures: number
}

process.once('message', (order: ReceiverOrder) => void receive(order))
// The bench process has exited: exit too.
process.on('disconnect', () => process.exit())

async function receive({ webhookSecret, hangs }: ReceiverOrder): Promise<void> {
  const key = webhookSecret === undefined ? undefined : Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  let received = 0
  let wrongSignatures = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received += 1
      if (key && !isSigned(request, Buffer.concat(chunks), key)) wrongSignatures += 1
      if (!hangs) response.writeHead(200, { 'content-length': 0 }).end()
    })
  })
  // A sender reuses its connections; a server that closes them first loses requests in flight.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve))
  const report = () =>
    process.send?.({ port: (server.address() as AddressInfo).port, received, wrongSignatures } satisfies ReceiverReport)
  process.on('message', report)
  report()
}

function isSigned({ headers, method }: IncomingMessage, body: Buffer, key: Buffer): boolean {
  if (method !== 'POST') return true
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key)
      .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`)
      .update(body)
      .digest('base64')}`,
  )
  const given = Buffer.from(String(headers['webhook-signature']))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
