import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

const CHUNKED = 'transfer-encoding: chunked'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const ended = (text: string) => `${chunk(text)}0\r\n\r\n`

/** Lengths that are none (RFC 9110, section 8.6). */
const NO_LENGTHS = ['-1', 'many', '+5', '0x10', '10.0', '5, 5', '5 5', '', '9'.repeat(30), '18446744073709551616']
/** Sizes of chunks that are none, or not those of the chunk. */
const NO_SIZES = ['zz', '-5', '0x5', '5 ', '10000000000000000', '', '3']

/**
 * Where a body ends (RFC 9112, sections 6 and 7): framing that two programs read differently allows request smuggling.
 */
export function framingCases(writer: RequestWriter): WireCase[] {
  const { request, host, target, submission, may, must } = writer
  const smuggled = `GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  return [
    one('framing: a body on GET', request({ body: 'some text' }), may([200, 400])),
    one('framing: chunks on GET', request({ headers: [CHUNKED], body: '5\r\nhello\r\n0\r\n\r\n' }), may([200, 400])),
    one('framing: a body on GET that looks like a request', request({ body: smuggled }), may([200, 400])),
    ...(submission ? submittedCases(writer, submission, smuggled) : []),
    one('framing: a length on GET that is none', request({ headers: ['content-length: many'] }), must()),
  ]
}

function submittedCases(
  { must, may, accepted }: RequestWriter,
  { text: good, post: send }: NonNullable<RequestWriter['submission']>,
  smuggled: string,
): WireCase[] {
  const post = (name: string, headers: string[], body: string, allowed: AllowedOutcomes, more?: Partial<WireCase>) =>
    one(`framing: ${name}`, send(body, { headers }), allowed, more)
  const chunked = (name: string, body: string, allowed: AllowedOutcomes = must(), more?: Partial<WireCase>) =>
    post(name, [CHUNKED], body, allowed, more)
  const unknown = must([501, 400, 'close'])
  const coding = (name: string, line: string, allowed: AllowedOutcomes = unknown) =>
    post(`transfer-encoding ${name}`, [line], ended(good()), allowed)
  const [text, other] = [good(), good()]
  const size = Buffer.byteLength(text)
  const length = `content-length: ${size}`
  const either = may([...accepted, 400])
  const tooMuch = may([413, 431, 400, 'close'])
  return [
    ...NO_LENGTHS.map((value) =>
      post(`content-length ${JSON.stringify(value)}`, [`content-length: ${value}`], text, must()),
    ),
    post('content-length twice, unlike', [length, 'content-length: 0'], text, must()),
    post('content-length twice, alike', [length, length], text, may([400, 'close'])),
    post('content-length too long, and the client ends', [`content-length: ${size + 500}`], text, must(), {
      afterwards: 'end',
    }),
    post('a body announced as 10 GB', ['content-length: 10000000000'], '{', may([413, 400, 'close']), {
      afterwards: 'end',
    }),
    {
      ...post('content-length too short', [`content-length: ${size - 5}`], text, []),
      allowed: [must([400]), must()],
    },
    chunked('chunks', `${chunk(text.slice(0, 10))}${chunk(text.slice(10))}0\r\n\r\n`, accepted),
    chunked('chunks of one byte each', `${[...good()].map(chunk).join('')}0\r\n\r\n`, accepted),
    chunked(
      'sizes in capital letters with zeros in front',
      `000000${Buffer.byteLength(other).toString(16).toUpperCase()}\r\n${other}\r\n0000\r\n\r\n`,
      either,
    ),
    chunked('an extension of a chunk', `${size.toString(16)};name="a;b"\r\n${text}\r\n0;last\r\n\r\n`, either),
    chunked('an extension with a line feed', `5;x\nhello\r\n0\r\n\r\n`),
    chunked('an extension of 20,000 characters', `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, tooMuch),
    chunked(
      '2,000 chunks with extensions',
      `${'1;name=some-value-of-a-name\r\n \r\n'.repeat(2_000)}${ended(good())}`,
      may([...accepted, 413, 431, 400, 'close']),
    ),
    ...NO_SIZES.map((value) =>
      chunked(`hello in a chunk of the size ${JSON.stringify(value)}`, `${value}\r\nhello\r\n0\r\n\r\n`),
    ),
    chunked('a size of 2^63 - 1', `7fffffffffffffff\r\nhello`, must([400, 413, 'close']), { afterwards: 'end' }),
    chunked('a chunk ended by a line feed', `5\nhello\n0\n\n`, must()),
    chunked('no last chunk, and the client ends', chunk(good()), must(), { afterwards: 'end' }),
    chunked('only the last chunk', '0\r\n\r\n', must([400])),
    chunked('trailers', `${chunk(good())}0\r\nx-checksum: abc\r\n\r\n`, accepted),
    chunked(
      'trailers that are keys and lengths',
      `${chunk(good())}0\r\ncontent-length: 5\r\npublic-key: pub_other\r\nhost: example.org\r\n\r\n`,
      may([...accepted, 400, 'close']),
    ),
    chunked('a trailer that is none', `${chunk(good())}0\r\nno colon here\r\n\r\n`, may([400, 'close'])),
    chunked('a trailer of 70,000 characters', `${chunk(good())}0\r\nx: ${'t'.repeat(70_000)}\r\n\r\n`, tooMuch),
    coding('of a name that is near', 'transfer-encoding: xchunked'),
    coding('identity', 'transfer-encoding: identity'),
    // The last coding frames the body; refusing the first is only recommended (RFC 9112, section 6.1).
    coding('gzip, chunked', 'transfer-encoding: gzip, chunked', may([...accepted, 415, 501, 400, 'close'])),
    coding('chunked, gzip', 'transfer-encoding: chunked, gzip'),
    coding('chunked, chunked', 'transfer-encoding: chunked, chunked'),
    coding('in quotes', 'transfer-encoding: "chunked"'),
    coding('with a space before the colon', 'transfer-encoding : chunked'),
    coding('with a control character before it', 'transfer-encoding: \x0bchunked'),
    coding('that goes on in the next line', 'transfer-encoding:\r\n chunked', may([...accepted, 501, 400, 'close'])),
    coding('that is empty', 'transfer-encoding:'),
    post('smuggling: length and chunks', [`content-length: ${ended(text).length}`, CHUNKED], ended(text), must()),
    post('smuggling: chunks and length', [CHUNKED, 'content-length: 4'], ended(text), must()),
    post('smuggling: a request behind the last chunk', ['content-length: 6', CHUNKED], `0\r\n\r\n${smuggled}`, must()),
    post(
      'smuggling: a request within the length',
      [CHUNKED, `content-length: ${smuggled.length + 5}`],
      `0\r\n\r\n${smuggled}`,
      must(),
    ),
    post('smuggling: two codings', [CHUNKED, 'transfer-encoding: identity'], `0\r\n\r\n${smuggled}`, unknown),
    post('smuggling: two lengths', ['content-length: 0', `content-length: ${smuggled.length}`], smuggled, must()),
    post(
      'smuggling: a length behind a line feed',
      [`x: y\ncontent-length: ${size}`, length],
      text,
      may([400, 'close']),
    ),
  ]
}
