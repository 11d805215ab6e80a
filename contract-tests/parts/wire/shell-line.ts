import type { WireCase } from './wire-case.ts'

/** Longer ones do not fit into a report. */
const BYTES_MAX = 1_500
const WAIT_S = 5

/** A line for `sh` that sends the bytes again: curl would put them right. @param secrets variables by their text */
export function shellLine(
  url: URL,
  { pieces }: WireCase,
  secrets: Readonly<Record<string, string>>,
): string | undefined {
  const bytes = Buffer.concat(pieces)
  if (bytes.length === 0 || bytes.length > BYTES_MAX || url.protocol !== 'http:') return undefined
  const escaped = [...bytes].map(escapedByte).join('')
  const hidden = Object.entries(secrets).reduce(
    (text, [secret, variable]) =>
      text.replaceAll([...Buffer.from(secret)].map(escapedByte).join(''), `'"$${variable}"'`),
    escaped,
  )
  return `printf '${hidden}' | nc -w ${WAIT_S} ${url.hostname} ${url.port || 80}`
}

function escapedByte(byte: number): string {
  if (byte === 0x0d) return '\\r'
  if (byte === 0x0a) return '\\n'
  if (byte === 0x25) return '%%'
  return byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
    ? String.fromCharCode(byte)
    : `\\${byte.toString(8).padStart(3, '0')}`
}
