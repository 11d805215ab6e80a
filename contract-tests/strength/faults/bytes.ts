import { edited, type FaultRows } from './fault.ts'
import type { ByteHooks } from './byte-proxy.ts'

const CLOSING = /^HTTP\/1\.1 400 [\s\S]*?\r\nconnection: close\r\n/i

type Change = (text: string) => string
const planted = (does: string, bytes: ByteHooks) => ({ does, plant: () => ({ bytes }) })
const inRequests = (does: string, change: Change) => planted(does, { fromClient: change })
const inReplies = (does: string, change: Change) => planted(does, { fromServer: change })
const replaced = (does: string, from: string | RegExp, to: string) => inReplies(does, (text) => text.replace(from, to))
/** Changes the reply to invalid HTTP. */
const toNonsense = (does: string, change: Change) =>
  inReplies(does, (text) => (CLOSING.test(text) ? change(text) : text))
/** Changes the reply to a request with a nonsensical Expect header. */
const unexpected = (does: string, change: Change) =>
  inReplies(does, (text) => (text.includes('HTTP/1.1 417') ? change(text) : text))

/** Faults in reading bytes: no HTTP client can send what shows them. */
export const byteRows: FaultRows = {
  'chunks-uncounted': edited('reads a body of any size that comes in chunks', [
    'http/body.ts',
    'if (size > bytesMax) {',
    'if (size > 100 * bytesMax) {',
  ]),
  'bad-request-unanswered': toNonsense('ends the connection on malformed HTTP without an answer', () => ''),
  'two-lengths-taken': inRequests('accepts a request with content-length and transfer-encoding', (text) =>
    /\r\ntransfer-encoding:/i.test(text) ? text.replace(/\r\ncontent-length:[^\r]*/gi, '') : text,
  ),
  'two-hosts-taken': inRequests('accepts a request with two Host headers', (text) =>
    text.replace(/(\r\nhost:[^\r]*)((?:\r\n(?!\r\n)[^\r]*)*?)\r\nhost:[^\r]*/i, '$1$2'),
  ),
  'no-media-type': replaced('does not say what a reply is', /content-type: [^\r]*\r\n/, ''),
  'stack-in-header': replaced(
    'puts a line of a stack trace in a header',
    '\r\n\r\n',
    '\r\nx-debug: TypeError node:internal\r\n\r\n',
  ),
  'expectation-200': replaced('says 200 to an expectation of nonsense', 'HTTP/1.1 417', 'HTTP/1.1 200'),
  'reply-twice': unexpected('sends a reply twice', (text) => text + text),
  'reply-cut': unexpected('omits the last byte of a reply', (text) => text.slice(0, -1)),
  'connection-closed-on-good': {
    does: 'closes the connection instead of answering every tenth request',
    plant: () => {
      let count = 0
      const cut: Change = (text) => (text.startsWith('HTTP/1.1 2') && (count += 1) % 10 === 0 ? 'HTTP/1.1 ' : text)
      return { bytes: { fromServer: cut } }
    },
  },
}
