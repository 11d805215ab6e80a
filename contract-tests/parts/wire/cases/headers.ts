import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

/** Header fields (RFC 9110, section 5; RFC 9112, section 5). */
export function headerCases({ request, host, submission, must, may, good, accepted }: RequestWriter): WireCase[] {
  const get = (name: string, headers: readonly string[], allowed: AllowedOutcomes, without: readonly string[] = []) =>
    one(`header: ${name}`, request({ headers, without }), allowed)
  const post = (name: string, headers: readonly string[], allowed: AllowedOutcomes, without: readonly string[] = []) =>
    submission ? [one(`header: ${name}`, submission.post(submission.text(), { headers, without }), allowed)] : []
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x-many-${index}: ${index}`)
  const upgrade = (name: string, lines: readonly string[]) => get(name, lines, may([200, 400, 426]))
  const type = ['content-type']
  const lenient = may([200, 400, 'close'])
  return [
    get('no Host', [], must(), ['host']),
    get('an empty Host', ['host:'], lenient, ['host']),
    // RFC 9112, section 3.2, has 400, and Node's own server takes the first one.
    get('Host twice', ['host: example.org'], may([400, 'close'])),
    get('Host twice, alike', [`host: ${host}`], may([400, 'close'])),
    get('a Host of nonsense', ['host: a b/c?d#e@f'], lenient, ['host']),
    get('a Host of another', ['host: example.org'], may([200, 400, 421]), ['host']),
    ...post('no content type', [], may([415]), type),
    ...post('content type text/plain', ['content-type: text/plain'], may([415]), type),
    ...post('content type twice', ['content-type: text/plain'], may([...accepted, 400, 415])),
    ...post(
      'content type with another character set',
      ['content-type: application/json; charset=latin1'],
      may([415]),
      type,
    ),
    ...post('content type of nonsense', ['content-type: ;;;=;/'], may([415]), type),
    ...post(
      'content type with __proto__',
      ['content-type: application/json; __proto__=x'],
      may([...accepted, 415]),
      type,
    ),
    ...post('two content types in one', ['content-type: application/json, text/plain'], may([415]), type),
    ...post('a compressed body that is none', ['content-encoding: gzip'], may([400, 415])),
    ...post('a method in another header', ['x-http-method-override: DELETE', 'x-method-override: PUT'], accepted),
    ...post('an Idempotency-Key beyond ASCII', ['idempotency-key: cl\xe9'], may([400, 'close'])),
    get('an Accept-Language beyond ASCII', ['accept-language: tlh-x-\x80;q=9'], lenient),
    get(
      'a forwarded host',
      ['x-forwarded-host: example.org', 'x-forwarded-proto: javascript', 'forwarded: for="_\\"x"'],
      may([200]),
    ),
    get('an original URL', ['x-original-url: /nowhere', 'x-rewrite-url: /nowhere'], may([200])),
    get('a range', ['range: bytes=0-1'], may([200])),
    get('conditions', ['if-none-match: *', 'if-modified-since: Sat, 29 Oct 2044 19:43:31 GMT'], may([200, 304])),
    get('names that objects have', ['__proto__: 1', 'constructor: 2', 'tostring: 3', 'hasownproperty: 4'], good()),
    get('a connection that is to be kept and closed', ['connection: keep-alive, close'], may([200])),
    get('a connection of nonsense', ['connection: , ,public-key,\t,x'], may([200, 400, 401])),
    upgrade('a protocol to change to (websocket)', [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ]),
    upgrade('a protocol to change to (h2c)', [
      'connection: upgrade, http2-settings',
      'upgrade: h2c',
      'http2-settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ]),
    get('an expectation without a body', ['expect: 100-continue'], may([200, 417])),
    get('an expectation of nonsense', ['expect: 200-ok'], may([417])),
    ...post('an expectation of 100 with the body sent at once', ['expect: 100-continue'], accepted),
    ...post('an expectation of nonsense with a body', ['expect: nonsense'], may([417])),
    get('no colon', ['x-nothing'], must()),
    get('no name', [': value'], must()),
    get('a space before the colon', ['x-name : value'], must()),
    get('a space before the name', [' x-name: value'], lenient),
    get('a space within the name', ['x name: value'], must()),
    get('a NUL in the value', ['x-name: a\0b'], must()),
    get('a NUL in the name', ['x\0name: a'], must()),
    get('a control character in the value', ['x-name: a\x01\x1bb'], lenient),
    get('a carriage return in the value', ['x-name: a\rX-Injected: 1'], must()),
    get('a line feed in the value', ['x-name: a\nX-Injected: 1'], lenient),
    get('a line that goes on (obs-fold)', ['x-name: a\r\n b'], lenient),
    get('a name in UTF-8', ['x-\xc3\xa4: 1'], must()),
    get('a value of 8,000 characters', [`x-name: ${'v'.repeat(8_000)}`], may([200, 431])),
    get('a value of 65,536 characters', [`x-name: ${'v'.repeat(65_536)}`], may([431, 'close'])),
    get('a name of 65,536 characters', [`x-${'n'.repeat(65_534)}: v`], may([431, 400, 'close'])),
    get('a cookie of 12,000 characters', [`cookie: ${'a=b; '.repeat(2_400)}`], may([200, 431])),
    get('900 fields', many(900), may([200, 431])),
    get('5,000 fields', many(5_000), may([431, 'close'])),
    get('two lengths, unlike', ['content-length: 0', 'content-length: 5'], must()),
    get('a coding that is near', ['transfer-encoding: xchunked'], must([501, 400, 'close'])),
  ]
}
