import {
  INITIALIZE,
  LOOKUP,
  one,
  REFUSED,
  type AllowedOutcomes,
  type RequestWriter,
  type WireCase,
} from '../wire-case.ts'

const CHUNKED = 'transfer-encoding: chunked'
const TOO_MUCH: AllowedOutcomes = [413, 431, ...REFUSED]
const UNKNOWN: AllowedOutcomes = [501, ...REFUSED]
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/**
 * Where a body ends (RFC 9112, sections 6 and 7): framing that two programs read differently allows request smuggling.
 */
export function framingCases({ request, collect, collection, accepted, host }: RequestWriter): WireCase[] {
  const good = () => JSON.stringify(collection())
  const either = [...accepted, 400]
  const post = (name: string, headers: string[], body: string, allowed: AllowedOutcomes, more?: Partial<WireCase>) =>
    one(`framing: ${name}`, collect(body, { headers }), allowed, more)
  const chunked = (name: string, body: string, allowed: AllowedOutcomes, more?: Partial<WireCase>) =>
    post(name, [CHUNKED], body, allowed, more)
  const length = (name: string, value: string, allowed: AllowedOutcomes = REFUSED) =>
    post(`content-length ${name}`, [`content-length: ${value}`], good(), allowed)
  const coding = (name: string, value: string, allowed: AllowedOutcomes = REFUSED) =>
    post(`transfer-encoding ${name}`, [value], `${chunk(good())}0\r\n\r\n`, allowed)
  const smuggled = `GET ${LOOKUP} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  const [text, other] = [good(), good()]
  return [
    length('that is negative', '-1'),
    length('that is no number', 'many'),
    length('with a plus sign', '+5'),
    length('in hexadecimal digits', '0x10'),
    length('with a fraction', '10.0'),
    length('of two numbers', '5, 5'),
    length('of two numbers without a comma', '5 5'),
    length('that is empty', ''),
    length('of 30 digits', '9'.repeat(30)),
    length('of 2^64', '18446744073709551616'),
    post('content-length twice, unlike', [`content-length: ${text.length}`, 'content-length: 0'], text, REFUSED),
    post(
      'content-length twice, alike',
      [`content-length: ${text.length}`, `content-length: ${text.length}`],
      text,
      REFUSED,
    ),
    post('no content-length and no body', ['content-length: 0'], '', [400]),
    one(
      'framing: neither length nor coding',
      request({ method: 'POST', target: INITIALIZE, headers: ['content-type: application/json'] }),
      [400, 411],
    ),
    {
      name: 'framing: content-length too short',
      pieces: [collect(text, { headers: [`content-length: ${text.length - 5}`] })],
      allowed: [[400], REFUSED],
    },
    post('content-length too long, and the client ends', [`content-length: ${text.length + 500}`], text, REFUSED, {
      afterwards: 'end',
    }),
    one('framing: a body on GET', request({ body: 'some text' }), [200, 400]),
    one('framing: chunks on GET', request({ headers: [CHUNKED], body: '5\r\nhello\r\n0\r\n\r\n' }), [200, 400]),
    one('framing: a body on GET that looks like a request', request({ body: smuggled }), [200, 400]),

    chunked('chunks', `${chunk(text.slice(0, 40))}${chunk(text.slice(40))}0\r\n\r\n`, accepted),
    chunked('chunks of one byte each', `${[...good()].map(chunk).join('')}0\r\n\r\n`, accepted),
    chunked(
      'sizes in capital letters with zeros in front',
      `000000${Buffer.byteLength(other).toString(16).toUpperCase()}\r\n${other}\r\n0000\r\n\r\n`,
      either,
    ),
    chunked(
      'an extension of a chunk',
      `${other.length.toString(16)};name=value\r\n${good()}\r\n0;last\r\n\r\n`,
      either,
    ),
    chunked('an extension in quotes', `${other.length.toString(16)};name="a;b\\"c"\r\n${good()}\r\n0\r\n\r\n`, either),
    chunked('an extension with a line feed', `5;x\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('an extension of 20,000 characters', `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, TOO_MUCH),
    chunked(
      '2,000 chunks with extensions',
      `${Array.from({ length: 2_000 }, () => '1;name=some-value-of-a-name\r\n \r\n').join('')}${chunk(good())}0\r\n\r\n`,
      [...accepted, 413, 431, ...REFUSED],
    ),
    chunked('a size that is no number', `zz\r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a negative size', `-5\r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a size with 0x in front', `0x5\r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a size with a space behind', `5 \r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a size of 2^64', `10000000000000000\r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a size of 2^63 - 1', `7fffffffffffffff\r\nhello`, [400, 413, 'close'], { afterwards: 'end' }),
    chunked('an empty size', `\r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a chunk longer than its size', `3\r\nhello\r\n0\r\n\r\n`, REFUSED),
    chunked('a chunk ended by a line feed', `5\nhello\n0\n\n`, REFUSED),
    chunked('no last chunk, and the client ends', chunk(good()), REFUSED, { afterwards: 'end' }),
    chunked('only the last chunk', '0\r\n\r\n', [400]),
    chunked('trailers', `${chunk(good())}0\r\nx-checksum: abc\r\n\r\n`, accepted),
    chunked(
      'trailers that are keys and lengths',
      `${chunk(good())}0\r\ncontent-length: 5\r\npublic-key: pub_other\r\nhost: example.org\r\n\r\n`,
      [...accepted, ...REFUSED],
    ),
    chunked('a trailer that is none', `${chunk(good())}0\r\nno colon here\r\n\r\n`, REFUSED),
    chunked('a trailer of 70,000 characters', `${chunk(good())}0\r\nx: ${'t'.repeat(70_000)}\r\n\r\n`, TOO_MUCH),

    coding('of a name that is near', 'transfer-encoding: xchunked', UNKNOWN),
    coding('identity', 'transfer-encoding: identity', UNKNOWN),
    // The last coding frames the body; refusing the first is only recommended (RFC 9112, section 6.1).
    coding('gzip, chunked', 'transfer-encoding: gzip, chunked', [...accepted, 415, 501, ...REFUSED]),
    coding('chunked, gzip', 'transfer-encoding: chunked, gzip', UNKNOWN),
    coding('chunked, chunked', 'transfer-encoding: chunked, chunked', UNKNOWN),
    coding('in quotes', 'transfer-encoding: "chunked"', UNKNOWN),
    coding('with a space before the colon', 'transfer-encoding : chunked', UNKNOWN),
    coding('with a control character before it', 'transfer-encoding: \x0bchunked', UNKNOWN),
    coding('that goes on in the next line', 'transfer-encoding:\r\n chunked', [...accepted, 501, ...REFUSED]),
    coding('that is empty', 'transfer-encoding:', UNKNOWN),
    one(
      'framing: chunks in HTTP/1.0',
      collect(`${chunk(good())}0\r\n\r\n`, { version: 'HTTP/1.0', headers: [CHUNKED] }),
      [...accepted, 501, ...REFUSED],
    ),

    post(
      'smuggling: length and chunks',
      [`content-length: ${chunk(text).length + 5}`, CHUNKED],
      `${chunk(text)}0\r\n\r\n`,
      REFUSED,
    ),
    post('smuggling: chunks and length', [CHUNKED, 'content-length: 4'], `${chunk(text)}0\r\n\r\n`, REFUSED),
    post(
      'smuggling: a request behind the last chunk (length first)',
      ['content-length: 6', CHUNKED],
      `0\r\n\r\n${smuggled}`,
      REFUSED,
    ),
    post(
      'smuggling: a request within the length (chunks first)',
      [CHUNKED, `content-length: ${smuggled.length + 5}`],
      `0\r\n\r\n${smuggled}`,
      REFUSED,
    ),
    post('smuggling: two codings', [CHUNKED, 'transfer-encoding: identity'], `0\r\n\r\n${smuggled}`, UNKNOWN),
    post('smuggling: two lengths', ['content-length: 0', `content-length: ${smuggled.length}`], smuggled, REFUSED),
    post(
      'smuggling: a length behind a line feed',
      [`x: y\ncontent-length: ${text.length}`, `content-length: ${text.length}`],
      text,
      REFUSED,
    ),
  ]
}
