import { faultsOf, type Plant } from './fault.ts'

const replies = (change: (text: string) => string): Plant => ({ bytes: { fromServer: change } })
const requests = (change: (text: string) => string): Plant => ({ bytes: { fromClient: change } })
const PLAIN = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'
const replaced = (from: string | RegExp, to: string) => (): Plant => replies((text) => text.replace(from, to))
/** Changes the reply to a request that expects nonsense. */
const unexpected = (change: (text: string) => string) => (): Plant =>
  replies((text) => (text.includes('HTTP/1.1 417') ? change(text) : text))
const closes = (text: string): boolean => /^HTTP\/1\.1 400 [\s\S]*?\r\nconnection: close\r\n/i.test(text)

/** Faults in reading bytes: no HTTP client can send what shows them. */
export const byteFaults = faultsOf('bytes', {
  'bad-request-plain': {
    what: 'answers malformed HTTP without the envelope',
    plant: () => replies((text) => (closes(text) ? PLAIN : text)),
  },
  'bad-request-500': {
    what: 'breaks on malformed HTTP',
    plant: () =>
      replies((text) =>
        closes(text)
          ? text
              .replace('HTTP/1.1 400 Bad Request', 'HTTP/1.1 500 Internal Server Error')
              .replace('"code":400', '"code":500')
          : text,
      ),
  },
  'bad-request-unanswered': {
    what: 'ends the connection on malformed HTTP without an answer',
    plant: () => replies((text) => (closes(text) ? '' : text)),
  },
  'header-too-large-500': {
    what: 'breaks on headers that are too large',
    plant: replaced(/^HTTP\/1\.1 431 [^\r]*/, 'HTTP/1.1 500 Internal Server Error'),
  },
  'secret-in-reply': {
    what: 'puts the secret key in a header of refusals',
    plant: replaced(/^(HTTP\/1\.1 4\d\d [^\r]*\r\n)/, '$1x-debug: sec_sandbox_demo\r\n'),
  },
  'stack-in-refusal': {
    what: 'puts a stack trace in refusals of malformed HTTP',
    plant: () =>
      replies((text) =>
        closes(text) ? text.replace(/"message":"[^"]{24}/, '"message":"at parse (/app/a.js:1:2)') : text,
      ),
  },
  'two-lengths-taken': {
    what: 'takes a request with content-length and transfer-encoding',
    plant: () =>
      requests((text) =>
        /\r\ntransfer-encoding:/i.test(text) ? text.replace(/\r\ncontent-length:[^\r]*/gi, '') : text,
      ),
  },
  'two-hosts-taken': {
    what: 'takes a request with two Host headers',
    plant: () =>
      requests((text) => text.replace(/(\r\nhost:[^\r]*)((?:\r\n(?!\r\n)[^\r]*)*?)\r\nhost:[^\r]*/i, '$1$2')),
  },
  'charset-missing': {
    what: 'does not say that JSON is UTF-8',
    plant: replaced('json; charset=utf-8', 'json'),
  },
  'no-media-type': { what: 'does not say what a reply is', plant: replaced(/content-type: [^\r]*\r\n/, '') },
  'envelope-of-another-code': { what: 'says 5xx in the envelope of refusals', plant: replaced('"code":4', '"code":5') },
  'data-as-list': { what: 'says a list as data of refusals', plant: replaced('"data":{}', '"data":[]') },
  'keys-not-named': {
    what: 'answers 401 without WWW-Authenticate, over bare sockets as well',
    plant: replaced(/www-authenticate: [^\r]*\r\n/, ''),
  },
  'stack-in-header': {
    what: 'puts a line of a stack trace in a header',
    plant: replaced('\r\n\r\n', '\r\nx-debug: TypeError node:internal\r\n\r\n'),
  },
  'media-type-500': { what: 'breaks on another media type', plant: replaced('HTTP/1.1 415', 'HTTP/1.1 500') },
  'expectation-200': {
    what: 'says 200 to an expectation of nonsense',
    plant: replaced('HTTP/1.1 417', 'HTTP/1.1 200'),
  },
  'reply-twice': { what: 'sends a reply twice', plant: unexpected((text) => text + text) },
  'reply-cut': { what: 'leaves out the last byte of a reply', plant: unexpected((text) => text.slice(0, -1)) },
  'bytes-behind-reply': { what: 'sends bytes after a reply', plant: unexpected((text) => `${text}more`) },
  'connection-closed-on-good': {
    what: 'closes the connection instead of answering every tenth request',
    plant: () => {
      let count = 0
      return replies((text) => (text.startsWith('HTTP/1.1 2') && (count += 1) % 10 === 0 ? 'HTTP/1.1 ' : text))
    },
  },
})
