import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { KeyRing } from './key-ring.ts'
import type { BeforeRequest } from './options.ts'

/** The request that hooks.py posts just before it sends it. */
interface BridgeRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

interface BridgeOptions {
  readonly ring: KeyRing
  readonly beforeRequest: BeforeRequest | undefined
  /** Called when a hook fails, which makes the run pointless. */
  readonly onFault: (error: unknown) => void
}

/**
 * Lets TypeScript hooks change requests that Python sends: over the loopback interface, protected by a secret of this
 * run.
 */
export async function openBridge({ ring, beforeRequest, onFault }: BridgeOptions) {
  const secret = randomBytes(16).toString('hex')
  async function answer(requested: BridgeRequest): Promise<string> {
    const renew = await ring.renewed()
    const url = renew(requested.url)
    const headers = Object.fromEntries(Object.entries(requested.headers).map(([name, value]) => [name, renew(value)]))
    const { method, body } = requested
    const more = await beforeRequest?.({
      method,
      url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(body !== null && { body: Buffer.from(body, 'base64') }),
    })
    return JSON.stringify({ url, headers: { ...headers, ...more } })
  }
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${secret}`) return void response.writeHead(403).end()
    json(request)
      .then((requested) => answer(requested as BridgeRequest))
      .then(
        (text) => response.end(text),
        (error: unknown) => {
          response.writeHead(500).end()
          onFault(error)
        },
      )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    /** `port:secret`. */
    address: `${address.port}:${secret}`,
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
