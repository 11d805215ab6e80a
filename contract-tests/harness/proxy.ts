import { createServer, request as sendHttp, type Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as sendHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { listen, type ListeningServer } from './listen.ts'

/** One request and its reply as they went over the wire; bodies as bytes. */
export interface Exchange {
  readonly at: Date
  readonly request: WireRequest
  readonly reply: WireReply
}

/** Lower-case names; each line of a header that came several times is kept. */
export type WireHeaders = Readonly<NodeJS.Dict<string[]>>

export interface WireRequest {
  readonly method: string
  /** With the query string. */
  readonly path: string
  readonly headers: WireHeaders
  readonly body: Buffer
}

/** A request as a program writes it. @param body undefined: none; a text or bytes as they are, anything else as JSON */
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
  /** Where requests go: `http://127.0.0.1:8080`, `https://gateway.example/api`. */
  readonly to: string
  /** Where it listens; absent: any free port of the loopback interface. */
  readonly port?: number
  readonly host?: string
  /** As the option of `passOn`. */
  readonly resends?: true
  /** Sees every exchange after its reply was sent. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Changes a request on its way, or answers it itself. For planted faults. */
  readonly onRequest?: (
    request: WireRequest,
  ) => WireRequest | { readonly answer: WireReply } | Promise<WireRequest | { readonly answer: WireReply }>
  /** Changes a reply on its way. For planted faults. */
  readonly onReply?: (reply: WireReply, request: WireRequest) => WireReply | Promise<WireReply>
}

export type Proxy = ListeningServer

const TIME_LIMIT_MS = 30_000
/** Belong to one connection, not to the message (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'te'])

/** Stands between a client and a server and passes on everything as it is: for recording and planting faults. */
export async function startProxy({
  to,
  port = 0,
  host = '127.0.0.1',
  resends,
  onExchange,
  onRequest = (request) => request,
  onReply = (reply) => reply,
}: ProxyOptions): Promise<Proxy> {
  const target = new URL(to)
  const passing: PassingOn = { ...(resends && { resends }) }
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const original: WireRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '/',
      headers: incoming.headersDistinct,
      body: await buffer(incoming),
    }
    const changed = await onRequest(original)
    const request = 'answer' in changed ? original : changed
    const reply = await onReply('answer' in changed ? changed.answer : await passOn(target, changed, passing), request)
    outgoing.writeHead(reply.status, { ...reply.headers }).end(request.method === 'HEAD' ? undefined : reply.body)
    onExchange?.({ at: new Date(), request, reply })
  }

  // A client may use a connection again after any time: a recorder that hangs up on it would look like the server.
  server.keepAliveTimeout = 0
  return listen(server, port, host)
}

export interface PassingOn {
  readonly agent?: Agent
  readonly timeoutMs?: number
  /** Whether a connection that was cut as it was used again gets another try. Not where a merchant cuts it on purpose. */
  readonly resends?: true
}

/** Sends one message as it is. @param agent of connections that stay @throws Error when no reply comes in time */
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
    // A server of many names needs its own; on this machine the name is passed on as it came. Node takes no list here.
    const named = { ...framed(headers, body), host: protocol === 'https:' ? host : (headers.host?.[0] ?? host) }
    const address = { hostname, port, method, path: base + path, headers: named, ...(agent && { agent }) }
    const outgoing = send(address, (reply) => {
      buffer(reply).then(
        (bytes) =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: method === 'HEAD' ? endToEnd(reply.headersDistinct) : framed(reply.headersDistinct, bytes),
            body: bytes,
          }),
        reject,
      )
    })
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no reply within ${timeoutMs / 1000} s`)))
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server may have ended a connection that was idle, while this was on its way (RFC 9112, section 9.3.1). An
      // agent gives each connection away once only, so that this ends with a new one.
      if (options.resends && outgoing.reusedSocket && error.code === 'ECONNRESET')
        passOn(to, { method, path, headers, body }, options).then(resolve, reject)
      else reject(error)
    })
    outgoing.end(body)
  })
}

const endToEnd = (headers: WireHeaders): NodeJS.Dict<string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))

/** What came in chunks goes on with its length. */
const framed = (headers: WireHeaders, body: Buffer): NodeJS.Dict<string[]> => ({
  ...endToEnd(headers),
  ...(headers['transfer-encoding'] && { 'content-length': [String(body.length)] }),
})
