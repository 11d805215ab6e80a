import type { IncomingMessage } from 'node:http'

/** A fault in the form of an HTTP message, detected before its target is read. */
export interface FormFault {
  readonly message: string
  /** The end of such a message is ambiguous: nothing behind it on the connection is read. */
  readonly endsConnection: boolean
}

/**
 * Rejects messages that Node accepts in its own way: a proxy in front may have read the same bytes as another request
 * (request smuggling).
 */
export function formFaultOf(message: IncomingMessage): FormFault | undefined {
  const { httpVersion, headers } = message
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return { message: `HTTP/${httpVersion} is not understood here: use HTTP/1.1`, endsConnection: true }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && httpVersion === '1.0')
    return { message: 'Transfer-Encoding needs HTTP/1.1', endsConnection: true }
  // Node reads the last coding and passes on what the others have made of the body (RFC 9112, section 6.1).
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return { message: 'Transfer-Encoding must be chunked and nothing else', endsConnection: true }
  // Node would reply itself, without the envelope (RFC 9112, section 3.2).
  if (httpVersion === '1.1' && headers.host === undefined)
    return { message: 'The Host header is required', endsConnection: false }
  if (hostsIn(message) > 1) return { message: 'The Host header must be given once', endsConnection: false }
  return undefined
}

/**
 * Counts Host headers. Node silently keeps the first of several, while a proxy in front may have used another (RFC
 * 9112, section 3.2).
 */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
