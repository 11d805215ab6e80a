import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MetricsServerOptions {
  readonly host: string
  /** 0 picks one. */
  readonly port: number
  readonly scrape: () => Promise<string>
  readonly onError: (error: unknown) => void
}

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string
  stop(): Promise<void>
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const REQUEST_TIMEOUT_MS = 5_000
const SOCKET_TIMEOUT_MS = 10_000
const CONNECTIONS_MAX = 16
const HEADERS_MAX_BYTES = 8 * 1024
const STOP_GRACE_MS = 1_000

/** Serves GET and HEAD /metrics, on an address of its own: it asks for no key, so it must not be where merchants come in. @throws the listener's error (EADDRINUSE) */
export async function serveMetrics({ host, port, scrape, onError }: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 1_000, maxHeaderSize: HEADERS_MAX_BYTES }, (request, response) => {
    void answer(request, response, scrape).catch((error: unknown) => {
      onError(error)
      end(response, 500, 'The metrics could not be collected\n')
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  server.timeout = SOCKET_TIMEOUT_MS
  server.listen({ host, port })
  await once(server, 'listening')
  server.on('error', onError)
  const { address, family, port: listening } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${listening}/metrics`,
    async stop() {
      const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
      await new Promise((resolve) => server.close(resolve)) // ends idle connections too
      clearTimeout(cut)
    },
  }
}

async function answer({ method, url }: IncomingMessage, response: ServerResponse, scrape: () => Promise<string>): Promise<void> {
  if (url?.split('?', 1)[0] !== '/metrics') return end(response, 404, 'There is only /metrics here\n')
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'Use GET or HEAD\n', { allow: 'GET, HEAD' })
  const text = await scrape()
  response.writeHead(200, { 'content-type': CONTENT_TYPE, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' }).end(text)
}

/** Refusals end the connection: whatever body may follow is not read. */
function end(response: ServerResponse, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text), connection: 'close', ...headers }).end(text)
}
