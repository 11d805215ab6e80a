import { createServer, request as sendHttp, type Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as sendHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { listen, type ListeningServer } from './listen.ts'

/** One request and its reply on the wire; bodies as bytes. */
export interface Exchange {
  /** When the request arrived; absent: unknown. Of two exchanges, only those apart in time have an order. */
  readonly startedAt?: Date
  /** When the reply was passed on. */
  readonly at: Date
  /** When the request came, by the server's clock; absent: that is the recorder's. */
  readonly serverTime?: Date
  readonly request: WireRequest
  readonly reply: WireReply
}

/** Lower-case names; repeated headers keep each of their lines. */
export type WireHeaders = Readonly<NodeJS.Dict<string[]>>

export interface WireRequest {
  readonly method: string
  /** With the query string. */
  readonly path: string
  readonly headers: WireHeaders
  readonly body: Buffer
}

/** A request as a program writes it. @param body undefined: none; text and bytes as they are, anything else as JSON */
export function wireRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  body?: unknown,
): WireRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    method,
    path,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), [value]]])),
    ),
    body: Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : text),
  }
}

export interface WireReply {
  readonly status: number
  readonly headers: WireHeaders
  readonly body: Buffer
}

export interface ProxyOptions {
  /** Upstream address: `http://127.0.0.1:8080`, `https://gateway.example/api`. */
  readonly to: string
  /** Listening port; absent: any free port of the loopback interface. */
  readonly port?: number
  readonly host?: string
  /** See the option of `passOn`. */
  readonly resends?: true
  /** The clock of the server, where it is not that of this machine. */
  readonly serverTime?: (() => Date) | undefined
  /** Time limit of a whole reply. */
  readonly timeoutMs?: number | ((request: WireRequest) => number)
  /** Called when no whole reply came within the time limit; the client's connection is cut then. */
  readonly onUnanswered?: (request: WireRequest) => void
  /** Called with every exchange after its reply was sent. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Changes a request in transit, or answers it. For planted faults. */
  readonly onRequest?: (
    request: WireRequest,
  ) => WireRequest | { readonly answer: WireReply } | Promise<WireRequest | { readonly answer: WireReply }>
  /** Changes a reply in transit. For planted faults. */
  readonly onReply?: (reply: WireReply, request: WireRequest) => WireReply | Promise<WireReply>
}

export type Proxy = ListeningServer

/** A server that does not answer one request must not hold up the others. */
export const TIME_LIMIT_MS = 10_000

/** No whole reply came in time. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError'
}

/** Hop-by-hop headers: they belong to one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'te'])

/** A transparent proxy between a client and a server, for recording and for planting faults. */
export async function startProxy({
  to,
  port = 0,
  host = '127.0.0.1',
  resends,
  serverTime,
  timeoutMs = TIME_LIMIT_MS,
  onUnanswered,
  onExchange,
  onRequest = (request) => request,
  onReply = (reply) => reply,
}: ProxyOptions): Promise<Proxy> {
  const target = new URL(to)
  const passing = (request: WireRequest): PassingOn => ({
    timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : timeoutMs(request),
    ...(resends && { resends }),
  })
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedAt = new Date()
    const cameAt = serverTime?.()
    const original: WireRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '/',
      headers: incoming.headersDistinct,
      body: await buffer(incoming),
    }
    const changed = await onRequest(original)
    const request = 'answer' in changed ? original : changed
    const reply = await onReply('answer' in changed ? changed.answer : await passedOn(changed), request)
    outgoing.writeHead(reply.status, { ...reply.headers }).end(request.method === 'HEAD' ? undefined : reply.body)
    onExchange?.({ startedAt, at: new Date(), ...(cameAt && { serverTime: cameAt }), request, reply })
  }

  async function passedOn(request: WireRequest): Promise<WireReply> {
    try {
      return await passOn(target, request, passing(request))
    } catch (error) {
      if (error instanceof NoReplyError) onUnanswered?.(request)
      throw error
    }
  }

  // Keep-alive without a time limit: a recorder that closes idle connections would look like the server.
  server.keepAliveTimeout = 0
  return listen(server, port, host)
}

interface PassingOn {
  readonly agent?: Agent
  readonly timeoutMs?: number
  /**
   * Whether a request on a reused connection that was cut is retried. Not where a merchant cuts connections on
   * purpose.
   */
  readonly resends?: true
}

/** Sends one message unchanged. @param agent of persistent connections @throws Error when no reply comes in time */
export function passOn(
  to: URL,
  { method, path, headers, body }: WireRequest,
  options: PassingOn = {},
): Promise<WireReply> {
  const { protocol, hostname, host, port, pathname } = to
  const { agent, timeoutMs = TIME_LIMIT_MS } = options
  const base = pathname.replace(/\/$/, '')
  return new Promise((resolve, reject) => {
    const send = protocol === 'https:' ? sendHttps : sendHttp
    // A server with virtual hosts needs its own name; on this machine the original Host is passed on. Node takes no
    // list here.
    const named = { ...framed(headers, body), host: protocol === 'https:' ? host : (headers.host?.[0] ?? host) }
    const address = { hostname, port, method, path: base + path, headers: named, ...(agent && { agent }) }
    const outgoing = send(address, (reply) => {
      buffer(reply).then(
        (bytes) => {
          clearTimeout(late)
          resolve({
            status: reply.statusCode ?? 0,
            headers: method === 'HEAD' ? endToEnd(reply.headersDistinct) : framed(reply.headersDistinct, bytes),
            body: bytes,
          })
        },
        (error: unknown) => {
          clearTimeout(late)
          reject(noReply ?? error)
        },
      )
    })
    // For the whole reply: a server may send a byte now and then for ever.
    let noReply: NoReplyError | undefined
    const late = setTimeout(() => {
      noReply = new NoReplyError(`no reply within ${timeoutMs / 1000} s`)
      outgoing.destroy(noReply)
    }, timeoutMs)
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late)
      // The server may have closed an idle connection while this request was in transit (RFC 9112, section 9.3.1). An
      // agent hands out each connection only once, so the retries end with a new one.
      if (options.resends && outgoing.reusedSocket && error.code === 'ECONNRESET')
        passOn(to, { method, path, headers, body }, options).then(resolve, reject)
      else reject(error)
    })
    outgoing.end(body)
  })
}

const endToEnd = (headers: WireHeaders): NodeJS.Dict<string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))

/** A chunked body is passed on with a content length. */
const framed = (headers: WireHeaders, body: Buffer): NodeJS.Dict<string[]> => ({
  ...endToEnd(headers),
  ...(headers['transfer-encoding'] && { 'content-length': [String(body.length)] }),
})
