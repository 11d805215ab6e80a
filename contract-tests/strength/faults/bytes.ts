import { faultsOf, type Plant } from './fault.ts'

const replies = (change: (text: string) => string): Plant => ({ bytes: { fromServer: change } })
const requests = (change: (text: string) => string): Plant => ({ bytes: { fromClient: change } })
const PLAIN = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'
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
    plant: () => replies((text) => text.replace(/^HTTP\/1\.1 431 [^\r]*/, 'HTTP/1.1 500 Internal Server Error')),
  },
  'secret-in-reply': {
    what: 'puts the secret key in a header of refusals',
    plant: () => replies((text) => text.replace(/^(HTTP\/1\.1 4\d\d [^\r]*\r\n)/, '$1x-debug: sec_sandbox_demo\r\n')),
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
  'connection-closed-on-good': {
    what: 'closes the connection instead of answering every tenth request',
    plant: () => {
      let count = 0
      return replies((text) => (text.startsWith('HTTP/1.1 2') && (count += 1) % 10 === 0 ? 'HTTP/1.1 ' : text))
    },
  },
})
