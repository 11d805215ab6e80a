/** A reply as parsed from the wire. */
export interface BareReply {
  readonly status: number
  /** Lower-case names, in the order of their lines. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

interface ReadReplies {
  /** Without interim replies (1xx). */
  readonly replies: readonly BareReply[]
  /** The fault when the bytes are no complete replies: not HTTP, or cut off. */
  readonly fault?: string
  /** The first bytes that are no reply. */
  readonly bytes?: string
}

/** Parses all bytes of one connection. @param bodiless whether replies come without their body (HEAD) */
export function readReplies(bytes: Buffer, bodiless = false): ReadReplies {
  const replies: BareReply[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) return { replies, fault: 'the server sent bytes that are no HTTP reply', bytes: shown(bytes, at) }
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(statusLine)?.[1])
    const pairs = lines.flatMap(headerIn)
    if (!status || pairs.length < lines.length)
      return { replies, fault: 'the server sent bytes that are no HTTP reply', bytes: shown(bytes, at) }
    at = end + 4
    if (status < 200 && status !== 101) continue
    const body =
      bodiless || status === 204 || status === 304 ? { text: '', next: at } : bodyAt(bytes, at, new Map(pairs))
    if (!body) return { replies, fault: bodyFaultAt(bytes, at, new Map(pairs)) }
    replies.push({ status, headers: pairs, body: body.text })
    at = body.next
  }
  return { replies }
}

function headerIn(line: string): [string, string][] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
  return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
}

export const endsConnection = ({ headers }: BareReply): boolean =>
  headers.some(([name, value]) => name === 'connection' && value.toLowerCase() === 'close')

const SHOWN_MAX = 60
const shown = (bytes: Buffer, from: number): string => JSON.stringify(bytes.toString('latin1', from, from + SHOWN_MAX))

interface Body {
  readonly text: string
  /** Offset of the next reply. */
  readonly next: number
}

/**
 * The body after the headers. Undefined while bytes are missing. Without a length the body ends with the connection.
 */
function bodyAt(bytes: Buffer, from: number, headers: ReadonlyMap<string, string>): Body | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksAt(bytes, from)
  const length = headers.has('content-length') ? Number(headers.get('content-length')) : bytes.length - from
  const next = from + length
  return next <= bytes.length ? { text: bytes.toString('utf8', from, next), next } : undefined
}

/** Why a body could not be read. */
function bodyFaultAt(bytes: Buffer, from: number, headers: ReadonlyMap<string, string>): string {
  if (headers.get('transfer-encoding') !== 'chunked')
    return 'the server sent a body that is shorter than its content-length'
  const isChunked = /^[0-9a-f]+[\r;]|^$/i.test(bytes.toString('latin1', from, from + 20))
  return isChunked
    ? 'the server answered with a chunked body that is cut off before its last chunk'
    : 'the server answered with transfer-encoding: chunked, and a body that is not chunked'
}

function chunksAt(bytes: Buffer, from: number): Body | undefined {
  const chunks: Buffer[] = []
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (!(next <= bytes.length)) return undefined
    if (size === 0) return { text: Buffer.concat(chunks).toString('utf8'), next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}
