import { ENVELOPE_HEADERS, failure } from './envelope.ts'

/**
 * A failure in the envelope, as the raw bytes of a reply that closes its connection: used where there is no request to
 * reply to.
 */
export const rawReply = (status: number, text: string, message: string, headers = ''): string =>
  rawText(`${status} ${text}`, ENVELOPE_HEADERS, JSON.stringify(failure(status, message).body), headers)

/** The same with any body. */
export function rawText(status: string, always: Readonly<Record<string, string>>, body: string, headers = ''): string {
  const lines = Object.entries(always).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n${headers}connection: close\r\n\r\n${body}`
}
