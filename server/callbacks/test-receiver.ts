import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DueCallback } from '../actions/ports/callbacks.ts'
import { SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { createSender, type SenderOptions } from './sender.ts'

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly requestLine: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly latencyMs: number
}

export const TEST_PATH = '/callbacks'
const TIMEOUT_MS = 5_000

/**
 * Sends a callback as it would go to a merchant, signed now and over HTTP, to a server of our own that lives for this
 * one request: what it received is what a merchant's server would receive. No URL of anybody is called, so the rules
 * for outgoing URLs do not concern it.
 * @throws Error when the machine does not let us listen or call ourselves
 */
export async function sendToTestReceiver(
  callback: DueCallback,
  options: Pick<SenderOptions, 'reference' | 'clock'>,
): Promise<ArrivedRequest> {
  let arrived: Omit<ArrivedRequest, 'latencyMs'> | undefined
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    void read(request).then((body) => {
      const { method, url, httpVersion } = request
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      arrived = {
        requestLine: `${method} ${url} HTTP/${httpVersion}`,
        headers: Object.fromEntries(headers) as Record<string, string>,
        body,
      }
      response.setHeader('connection', 'close').end()
    })
  })
  const sender = createSender({ ...options, policy: SANDBOX_POLICY, timeoutMs: TIMEOUT_MS })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    const { durationMs, error } = await sender.send({ ...callback, url: `http://127.0.0.1:${port}${TEST_PATH}` })
    if (!arrived) throw new Error(`the test receiver was not reached: ${error ?? 'no request'}`)
    return { ...arrived, latencyMs: durationMs }
  } finally {
    await sender.close()
    server.close()
    server.closeAllConnections()
  }
}

/** Bounded by what we send. */
async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
