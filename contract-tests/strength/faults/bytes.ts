import { faultsOf } from './fault.ts'
import type { ByteHooks } from './byte-proxy.ts'

const CLOSING = /^HTTP\/1\.1 400 [\s\S]*?\r\nconnection: close\r\n/i
const PLAIN = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

type Change = (text: string) => string
const planted = (what: string, bytes: ByteHooks) => ({ what, plant: () => ({ bytes }) })
const inRequests = (what: string, change: Change) => planted(what, { fromClient: change })
const inReplies = (what: string, change: Change) => planted(what, { fromServer: change })
const replaced = (what: string, from: string | RegExp, to: string) => inReplies(what, (text) => text.replace(from, to))
/** Changes the reply to invalid HTTP. */
const toNonsense = (what: string, change: Change) =>
  inReplies(what, (text) => (CLOSING.test(text) ? change(text) : text))
/** Changes the reply to a request with a nonsensical Expect header. */
const unexpected = (what: string, change: Change) =>
  inReplies(what, (text) => (text.includes('HTTP/1.1 417') ? change(text) : text))

/** Faults in reading bytes: no HTTP client can send what shows them. */
export const byteFaults = faultsOf('bytes', {
  'bad-request-plain': toNonsense('answers malformed HTTP without the envelope', () => PLAIN),
  'bad-request-500': toNonsense('breaks on malformed HTTP', (text) =>
    text.replace('HTTP/1.1 400 Bad Request', 'HTTP/1.1 500 Internal Server Error').replace('"code":400', '"code":500'),
  ),
  'bad-request-unanswered': toNonsense('ends the connection on malformed HTTP without an answer', () => ''),
  'header-too-large-500': replaced(
    'breaks on headers that are too large',
    /^HTTP\/1\.1 431 [^\r]*/,
    'HTTP/1.1 500 Internal Server Error',
  ),
  'secret-in-reply': replaced(
    'puts the secret key in a header of refusals',
    /^(HTTP\/1\.1 4\d\d [^\r]*\r\n)/,
    '$1x-debug: sec_sandbox_demo\r\n',
  ),
  'stack-in-refusal': toNonsense('puts a stack trace in refusals of malformed HTTP', (text) =>
    text.replace(/"message":"[^"]{24}/, '"message":"at parse (/app/a.js:1:2)'),
  ),
  'two-lengths-taken': inRequests('accepts a request with content-length and transfer-encoding', (text) =>
    /\r\ntransfer-encoding:/i.test(text) ? text.replace(/\r\ncontent-length:[^\r]*/gi, '') : text,
  ),
  'two-hosts-taken': inRequests('accepts a request with two Host headers', (text) =>
    text.replace(/(\r\nhost:[^\r]*)((?:\r\n(?!\r\n)[^\r]*)*?)\r\nhost:[^\r]*/i, '$1$2'),
  ),
  'charset-missing': replaced('does not say that JSON is UTF-8', 'json; charset=utf-8', 'json'),
  'no-media-type': replaced('does not say what a reply is', /content-type: [^\r]*\r\n/, ''),
  'envelope-of-another-code': replaced('says 5xx in the envelope of refusals', '"code":4', '"code":5'),
  'data-as-list': replaced('says a list as data of refusals', '"data":{}', '"data":[]'),
  'keys-not-named': replaced(
    'answers 401 without WWW-Authenticate, over bare sockets as well',
    /www-authenticate: [^\r]*\r\n/,
    '',
  ),
  'stack-in-header': replaced(
    'puts a line of a stack trace in a header',
    '\r\n\r\n',
    '\r\nx-debug: TypeError node:internal\r\n\r\n',
  ),
  'media-type-500': replaced('breaks on another media type', 'HTTP/1.1 415', 'HTTP/1.1 500'),
  'expectation-200': replaced('says 200 to an expectation of nonsense', 'HTTP/1.1 417', 'HTTP/1.1 200'),
  'reply-twice': unexpected('sends a reply twice', (text) => text + text),
  'reply-cut': unexpected('omits the last byte of a reply', (text) => text.slice(0, -1)),
  'bytes-behind-reply': unexpected('sends bytes after a reply', (text) => `${text}more`),
  'connection-closed-on-good': {
    what: 'closes the connection instead of answering every tenth request',
    plant: () => {
      let count = 0
      const cut: Change = (text) => (text.startsWith('HTTP/1.1 2') && (count += 1) % 10 === 0 ? 'HTTP/1.1 ' : text)
      return { bytes: { fromServer: cut } }
    },
  },
})
