import { one, REFUSED, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

const VERSIONS = [...'0 2 -1 1.5 0x1 1e0 +1 01 1,1 NaN one ١ 1;2 null [1]'.split(' '), '9'.repeat(400)]

/** Header fields (RFC 9110, section 5; RFC 9112, section 5). */
export function headerCases({ request, collect, collection, host, secretKey, accepted }: RequestWriter): WireCase[] {
  const get = (name: string, headers: readonly string[], allowed: AllowedOutcomes, without: readonly string[] = []) =>
    one(`header: ${name}`, request({ headers, without }), allowed)
  const post = (name: string, headers: readonly string[], allowed: AllowedOutcomes, without: readonly string[] = []) =>
    one(`header: ${name}`, collect(collection(), { headers, without }), allowed)
  const wallets = (name: string, headers: readonly string[], allowed: AllowedOutcomes) =>
    one(`header: ${name}`, request({ target: '/data/wallet-balances', headers }), allowed)
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x-many-${index}: ${index}`)
  return [
    get('no Host', [], REFUSED, ['host']),
    get('an empty Host', ['host:'], [200, ...REFUSED], ['host']),
    get('Host twice', ['host: example.org'], REFUSED),
    get('Host twice, alike', [`host: ${host}`], REFUSED),
    get('a Host of nonsense', ['host: a b/c?d#e@f'], [200, ...REFUSED], ['host']),
    get('a Host of another', ['host: example.org'], [200, 400, 421], ['host']),
    get('no public key', [], [401], ['public-key']),
    get('an empty public key', ['public-key:'], [401], ['public-key']),
    get('a public key twice', ['public-key: pub_other'], [401, 400]),
    get('a public key in capital letters', ['PUBLIC-KEY: pub_other'], [401], ['public-key']),
    get('a public key of 4,000 characters', [`public-key: ${'k'.repeat(4_000)}`], [401], ['public-key']),
    get('a public key of SQL', ["public-key: ' or '1'='1"], [401], ['public-key']),
    get('a public key of bytes beyond ASCII', ['public-key: \xff\xfe\x80'], [401, ...REFUSED], ['public-key']),
    get('a public key called __proto__', ['public-key: __proto__'], [401], ['public-key']),
    get('a public key called constructor', ['public-key: constructor'], [401], ['public-key']),
    wallets('no secret key', [], [401]),
    wallets('a secret key twice, alike', [`secret-key: ${secretKey}`, `secret-key: ${secretKey}`], [401, 400]),
    wallets('a secret key twice, wrong and right', ['secret-key: sec_wrong', `secret-key: ${secretKey}`], [401, 400]),
    wallets('a secret key with spaces around', [`secret-key:   ${secretKey}\t `], [200]),
    wallets('a secret key with a comma behind', [`secret-key: ${secretKey},`], [401]),
    wallets('the secret key in Authorization', [`authorization: Bearer ${secretKey}`], [401]),
    get('no x-api-version', [], [400], ['x-api-version']),
    get('x-api-version twice', ['x-api-version: 1'], [400]),
    ...VERSIONS.map((value) =>
      get(
        `x-api-version ${value.length > 20 ? `of ${value.length} digits` : value}`,
        [`x-api-version: ${Buffer.from(value).toString('latin1')}`],
        value === '01' ? [200] : [400, ...(value === '١' ? REFUSED : [])],
        ['x-api-version'],
      ),
    ),
    get('an unknown Accept-Language', ['accept-language: tlh-x-\x80;q=9'], [200, ...REFUSED]),
    get('an Accept-Language of 4,000 characters', [`accept-language: ${'en,'.repeat(1_300)}en`], [200]),
    get('an Accept that wants XML', ['accept: application/xml'], [200, 406]),
    post('an Idempotency-Key twice', ['idempotency-key: one', 'idempotency-key: two'], [...accepted, 400, 409]),
    post('an empty Idempotency-Key', ['idempotency-key:'], [...accepted, 400]),
    post('an Idempotency-Key of 256 characters', [`idempotency-key: ${'k'.repeat(256)}`], [400]),
    post('an Idempotency-Key with a tab', ['idempotency-key: a\tb'], [400]),
    post('an Idempotency-Key beyond ASCII', ['idempotency-key: cl\xe9'], [400, 'close']),
    post('no content type', [], [415], ['content-type']),
    post('content type text/plain', ['content-type: text/plain'], [415], ['content-type']),
    post('content type twice', ['content-type: text/plain'], [...accepted, 400, 415]),
    post(
      'content type with another character set',
      ['content-type: application/json; charset=latin1'],
      [415],
      ['content-type'],
    ),
    post('content type with UTF-8 in capital letters', ['content-type: APPLICATION/JSON;CHARSET="UTF-8"'], accepted, [
      'content-type',
    ]),
    post('content type of a form', ['content-type: multipart/form-data; boundary=x'], [415], ['content-type']),
    post('two content types in one', ['content-type: application/json, text/plain'], [415], ['content-type']),
    post('content type of nonsense', ['content-type: ;;;=;/'], [415], ['content-type']),
    post(
      'content type with __proto__',
      ['content-type: application/json; __proto__=x'],
      [...accepted, 415],
      ['content-type'],
    ),
    post('a compressed body that is none', ['content-encoding: gzip'], [400, 415]),
    post('a method in another header', ['x-http-method-override: DELETE', 'x-method-override: PUT'], accepted),
    get(
      'a forwarded host',
      ['x-forwarded-host: example.org', 'x-forwarded-proto: javascript', 'forwarded: for="_\\"x"'],
      [200],
    ),
    get('an original URL', ['x-original-url: /data/wallet-balances', 'x-rewrite-url: /data/wallet-balances'], [200]),
    get('a range', ['range: bytes=0-1'], [200]),
    get('conditions', ['if-none-match: *', 'if-modified-since: Sat, 29 Oct 2044 19:43:31 GMT'], [200, 304]),
    get('names that objects have', ['__proto__: 1', 'constructor: 2', 'tostring: 3', 'hasownproperty: 4'], [200]),
    get('a connection that is to be kept and closed', ['connection: keep-alive, close'], [200]),
    get('a connection of nonsense', ['connection: , ,public-key,\t,x'], [200, 400, 401]),
    get(
      'a protocol to change to (websocket)',
      [
        'connection: upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      ],
      [200, 400, 426],
    ),
    get(
      'a protocol to change to (h2c)',
      ['connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQCAAAAAAIAAAAA'],
      [200, 400, 426],
    ),
    get('an expectation without a body', ['expect: 100-continue'], [200, 417]),
    get('an expectation of nonsense', ['expect: 200-ok'], [417]),
    post('an expectation of 100 with the body sent at once', ['expect: 100-continue'], accepted),
    post('an expectation of nonsense with a body', ['expect: nonsense'], [417]),
    get('no colon', ['x-nothing'], REFUSED),
    get('no name', [': value'], REFUSED),
    get('a space before the colon', ['x-name : value'], REFUSED),
    get('a space before the name', [' x-name: value'], [200, ...REFUSED]),
    get('a space within the name', ['x name: value'], REFUSED),
    get('a NUL in the value', ['x-name: a\0b'], REFUSED),
    get('a NUL in the name', ['x\0name: a'], REFUSED),
    get('a control character in the value', ['x-name: a\x01\x1bb'], REFUSED.concat(200)),
    get('a carriage return in the value', ['x-name: a\rX-Injected: 1'], REFUSED),
    get('a line feed in the value', ['x-name: a\nX-Injected: 1'], [200, ...REFUSED]),
    get('a line that goes on (obs-fold)', ['x-name: a\r\n b'], [200, ...REFUSED]),
    get('a key that goes on in the next line', ['public-key:\r\n pub_other'], [401, ...REFUSED], ['public-key']),
    get('a name in UTF-8', ['x-\xc3\xa4: 1'], REFUSED),
    get('a value of 8,000 characters', [`x-name: ${'v'.repeat(8_000)}`], [200, 431]),
    get('a value of 65,536 characters', [`x-name: ${'v'.repeat(65_536)}`], [431, 'close']),
    get('a name of 65,536 characters', [`x-${'n'.repeat(65_534)}: v`], [431, ...REFUSED]),
    get('a cookie of 12,000 characters', [`cookie: ${'a=b; '.repeat(2_400)}`], [200, 431]),
    get('200 fields', many(200), [200, 431]),
    get('900 fields', many(900), [200, 431]),
    get('5,000 fields', many(5_000), [431, 'close']),
  ]
}
