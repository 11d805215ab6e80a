interface Body {
  readonly text: string
  /** Offset of the next reply. */
  readonly next: number
}

/**
 * The body after the headers. Undefined while bytes are missing. Without a length the body ends with the connection.
 */
export function bodyAt(bytes: Buffer, from: number, headers: ReadonlyMap<string, string>): Body | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksAt(bytes, from)
  const length = headers.has('content-length') ? Number(headers.get('content-length')) : bytes.length - from
  const next = from + length
  return next <= bytes.length ? { text: bytes.toString('utf8', from, next), next } : undefined
}

/** Why a body could not be read. */
export function bodyFaultAt(bytes: Buffer, from: number, headers: ReadonlyMap<string, string>): string {
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
