import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface MetricsServerOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly scrape: () => Promise<string>
  /** Resolves when the database answers. */
  readonly isReady: () => Promise<string | undefined>
  /** What does not work although this process is ready. */
  readonly degraded?: () => string | undefined
  readonly onError: (error: unknown) => void
  /**
   * Whether a request with this Host header, which arrived at this address, is meant for us: a foreign page can point
   * its own host name at our address (DNS rebinding).
   */
  readonly isOwnHost: (host: string | undefined, localAddress: string | undefined) => boolean
}

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string
  stop(): Promise<void>
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const REQUEST_TIMEOUT_MS = 5_000
const READY_TIMEOUT_MS = 2_000
const SOCKET_TIMEOUT_MS = 10_000
const CONNECTIONS_MAX = 16
const HEADERS_MAX_BYTES = 8 * 1024
const STOP_GRACE_MS = 1_000

/**
 * Serves GET and HEAD of /metrics, /health/live and /health/ready, on a separate address: it requires no key, so it
 * must not be reachable where merchants connect. A worker has no other HTTP server, so its health is served here.
 * @throws the listener's error (EADDRINUSE)
 */
export async function serveMetrics({ host, port, onError, ...reported }: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: HEADERS_MAX_BYTES,
    },
    (request, response) => {
      void answer(request, response, reported).catch((error: unknown) => {
        onError(error)
        end(response, 500, 'The metrics could not be collected\n')
      })
    },
  )
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
      await new Promise((resolve) => server.close(resolve)) // closes idle connections too
      clearTimeout(cut)
    },
  }
}

async function answer(
  { method, url, headers, socket }: IncomingMessage,
  response: ServerResponse,
  reported: ServerState,
): Promise<void> {
  if (!reported.isOwnHost(headers.host, socket.localAddress)) return end(response, 421, FOREIGN)
  const path = url?.split('?', 1)[0] ?? ''
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined
  if (!page) return end(response, 404, `There is only ${Object.keys(PAGES).join(', ')} here\n`)
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'Use GET or HEAD\n', { allow: 'GET, HEAD' })
  const { status = 200, type, text } = await page(reported)
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': '1' }),
    })
    .end(text)
}

type ServerState = Pick<MetricsServerOptions, 'scrape' | 'isReady' | 'degraded' | 'isOwnHost'>

const FOREIGN =
  'Nothing here answers to that name: ask an address of this machine, or put it into MALIPO_ALLOWED_HOSTS\n'

const health = (status: string, degraded?: string) => ({
  type: 'application/json; charset=utf-8',
  text: JSON.stringify({ status, degraded }),
})

const PAGES: Readonly<
  Record<
    string,
    (reported: ServerState) => Promise<{ readonly status?: number; readonly type: string; readonly text: string }>
  >
> = {
  '/metrics': async ({ scrape }) => ({ type: METRICS_TYPE, text: await scrape() }),
  // The same replies as on the port of the API.
  '/health/live': async () => health('live'),
  '/health/ready': ({ isReady, degraded }) =>
    Promise.race([isReady(), late()])
      .catch(() => 'database unavailable')
      .then((missing) => ({
        ...health(missing ?? 'ready', degraded?.()),
        ...(missing !== undefined && { status: 503 }),
      })),
}

/** A database that hangs is not ready either; the caller waits only some seconds. */
const late = (): Promise<never> =>
  new Promise((_resolve, reject) => setTimeout(reject, READY_TIMEOUT_MS, new Error('no answer')).unref())

/** Refusals close the connection: a body that may follow is not read. */
function end(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy()
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
      ...headers,
    })
    .end(text)
}
