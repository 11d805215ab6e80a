import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

/** One request as sent, byte for byte. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Sends the body byte by byte and never ends it. */
  readonly slow?: true
}

/** The reply, if there was one. */
export type ReplyOutcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      readonly durationMs: number
    }
  /** `cut`: the connection was made and ended without a reply; `absent`: there was none. */
  | { readonly kind: 'cut' | 'absent' | 'silent'; readonly why: string; readonly durationMs: number }

const REPLY_MAX_BYTES = 64 * 1024
const DROP_MS = 250

/** Malipo waits this long for the reply to a callback. */
export const TIMEOUT_MS = 15_000

/**
 * Sends it on a connection of its own and resolves to the reply; never rejects. Does not follow redirects, as Malipo
 * does not.
 */
export function exchange(
  outgoing: OutgoingRequest,
  timeoutMs: number = TIMEOUT_MS,
  replyMaxBytes: number = REPLY_MAX_BYTES,
): Promise<ReplyOutcome> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  return new Promise((resolve) => {
    const { method, url, headers, body = new Uint8Array() } = outgoing
    const length = outgoing.slow ? Math.max(body.length, 1) : body.length
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      agent: false,
      headers: { ...headers, ...(method === 'POST' && { 'content-length': String(length) }) },
    })
    let connected = false
    const end = (reply: ReplyOutcome) => {
      clearTimeout(timer)
      clearInterval(drops)
      resolve(reply)
      request.destroy()
    }
    const timer = setTimeout(
      () => end({ kind: 'silent', why: `no complete reply within ${timeoutMs} ms`, durationMs: durationMs() }),
      timeoutMs,
    )
    let drops: NodeJS.Timeout | undefined
    // An untrusted certificate counts as no connection: no request was sent.
    request.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
      }),
    )
    request.on(
      'response',
      (response) =>
        void readReply(response, replyMaxBytes).then((text) =>
          end({
            kind: 'answered',
            status: response.statusCode ?? 0,
            headers: headersOf(response),
            body: text,
            durationMs: durationMs(),
          }),
        ),
    )
    // Many servers reject a large body before it has arrived: their reply counts, not the broken pipe.
    request.on('error', (error) =>
      setTimeout(
        () => end({ kind: connected ? 'cut' : 'absent', why: reasonOf(error), durationMs: durationMs() }),
        connected ? 100 : 0,
      ),
    )
    if (outgoing.slow) drops = drip(request, body)
    else request.end(body)
  })
}

/** One byte at intervals; the last one is held back, so that the request is never complete. */
function drip(request: ClientRequest, body: Uint8Array): NodeJS.Timeout {
  let sent = 0
  request.flushHeaders()
  return setInterval(() => {
    if (sent < body.length - 1) request.write(body.subarray(sent, ++sent))
  }, DROP_MS)
}

async function readReply(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) break
    }
  } catch {
    // The status has arrived: it is the reply, whatever happens to the rest.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** Why there was no reply, in words. */
export function reasonOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === 'ECONNREFUSED') return 'nothing listens there (ECONNREFUSED)'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name of the host was not found (${code})`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the connection was closed without a reply (${code})`
  return code === undefined ? error.message || 'the connection failed' : `the connection failed (${code})`
}
