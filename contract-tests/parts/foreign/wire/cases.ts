import type { WireRequest } from '../../../harness/proxy.ts'
import { one, type AllowedOutcomes, type WireCase } from '../../wire/wire-case.ts'
import type { GoodRequests } from './good-request.ts'

/** Expected for invalid HTTP: a client error, an unknown method or version, or a closed connection. */
const CLIENT_ERRORS = [
  400, 401, 403, 404, 405, 406, 408, 409, 411, 412, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431,
]
const REFUSED: AllowedOutcomes = [...CLIENT_ERRORS, 501, 505, 'close']
const SUCCESS = [200, 201, 202, 203, 204, 206]
/** Accepted or refused: both are valid HTTP; a failure is not. */
const EITHER: AllowedOutcomes = [...SUCCESS, 301, 302, 303, 304, 307, 308, ...REFUSED]
const ANSWERED: AllowedOutcomes = EITHER.filter((each) => each !== 'close')
const CHUNKED = 'transfer-encoding: chunked'
const DEPTH = 5_000

/** Writes a request as bytes, with changes. */
interface Parts {
  readonly first?: string
  readonly headers?: readonly string[]
  readonly without?: readonly string[]
  readonly body?: string | Buffer
}

function written({ method, path, headers, body }: WireRequest, host: string, parts: Parts = {}): Buffer {
  const bytes = parts.body === undefined ? body : Buffer.from(parts.body)
  const framed = (parts.headers ?? []).some((line) => /^(content-length|transfer-encoding)/i.test(line))
  const own = Object.entries({ host: [host], ...headers })
    .filter(([name]) => !(parts.without ?? []).includes(name) && name !== 'content-length')
    .flatMap(([name, values]) => values.map((value) => `${name}: ${value}`))
  const lines = [
    parts.first ?? `${method} ${path} HTTP/1.1`,
    ...own,
    ...(parts.headers ?? []),
    ...(bytes.length > 0 && !framed ? [`content-length: ${bytes.length}`] : []),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

/**
 * Requirements of RFC 9110 and RFC 9112 on any server: an invalid request is not taken for a valid one, ambiguous
 * framing is refused, and no input makes the server fail or disclose internals.
 * @param host of the server, as its Host header names it
 */
export function foreignCases({ lookup, submission }: GoodRequests, host: string): WireCase[] {
  const get = (parts: Parts = {}): Buffer => written(lookup.request, host, parts)
  return [
    ...requestLines(lookup.request.path, get),
    ...headerLines(get),
    ...connections(get),
    ...(submission ? bodies((parts) => written(submission.request, host, parts), submission.request, get, host) : []),
  ]
}

type Write = (parts?: Parts) => Buffer

function requestLines(path: string, get: Write): WireCase[] {
  const line = (name: string, first: string, allowed = REFUSED): WireCase =>
    one(`first line: ${name}`, get({ first }), allowed)
  const raw = (name: string, text: string): WireCase => one(`first line: ${name}`, Buffer.from(text, 'latin1'), REFUSED)
  const plain = path.split('?')[0] ?? path
  return [
    line('no target', 'GET HTTP/1.1'),
    line('tabs for spaces', `GET\t${path}\tHTTP/1.1`),
    line('a space within the target', `GET ${plain}/a b HTTP/1.1`),
    line('a NUL within the target', `GET ${plain}\0 HTTP/1.1`),
    line('a method of 10,000 letters', `${'X'.repeat(10_000)} ${path} HTTP/1.1`),
    line('an unknown method', `NONSENSE ${path} HTTP/1.1`),
    line('a method with a NUL', `G\0T ${path} HTTP/1.1`),
    line('a version that does not exist', `GET ${path} HTTP/9.9`),
    line('a version that is none', `GET ${path} nonsense`),
    line('a tunnel (CONNECT)', `CONNECT ${host(get)} HTTP/1.1`),
    line('a percent sign alone', `GET ${plain}/% HTTP/1.1`, EITHER),
    line('letters that are no percent encoding', `GET ${plain}/%zz HTTP/1.1`, EITHER),
    line('an encoded NUL', `GET ${plain}/%00 HTTP/1.1`, EITHER),
    line('an encoded byte that is no UTF-8', `GET ${plain}/%ff%fe HTTP/1.1`, EITHER),
    line('an encoded line break that would be a header', `GET ${plain}/%0d%0aX-Injected:%201 HTTP/1.1`, EITHER),
    line('an encoded way up', `GET ${plain}/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1`, EITHER),
    line('a way up out of the root', 'GET /../../../../etc/passwd HTTP/1.1'),
    line('quotes and SQL', `GET ${plain}/%27%20or%201=1-- HTTP/1.1`, EITHER),
    line('8,000 characters', `GET /${'a'.repeat(8_000)} HTTP/1.1`),
    line('1,000,000 characters', `GET /${'a'.repeat(1_000_000)} HTTP/1.1`),
    line('a query with names that objects have', `GET ${plain}?__proto__=1&constructor[prototype]=2 HTTP/1.1`, EITHER),
    line('a query of 2,000 parameters', `GET ${plain}?${'p=1&'.repeat(2_000)} HTTP/1.1`, EITHER),
    raw('a TLS greeting', `\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03${'\x2a'.repeat(160)}`),
    raw('the greeting of SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
    raw('a reply instead of a request', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    raw('zeros', '\0'.repeat(512)),
  ]
}

const host = (get: Write): string => /\r\nhost: ([^\r]+)/.exec(get().toString('latin1'))?.[1] ?? ''

function headerLines(get: Write): WireCase[] {
  const header = (
    name: string,
    headers: readonly string[],
    allowed: AllowedOutcomes,
    without: readonly string[] = [],
  ) => one(`header: ${name}`, get({ headers, without }), allowed)
  return [
    header('no Host', [], REFUSED, ['host']),
    header('no colon', ['x-nothing'], REFUSED),
    header('no name', [': value'], REFUSED),
    header('a space before the colon', ['x-name : value'], REFUSED),
    header('a NUL in the value', ['x-name: a\0b'], REFUSED),
    header('a carriage return in the value', ['x-name: a\rX-Injected: 1'], REFUSED),
    header('a name in UTF-8', ['x-\xc3\xa4: 1'], REFUSED),
    header('names that objects have', ['__proto__: 1', 'constructor: 2', 'tostring: 3'], ANSWERED),
    header('a value of 65,536 characters', [`x-name: ${'v'.repeat(65_536)}`], EITHER),
    header(
      '5,000 fields',
      Array.from({ length: 5_000 }, (_, index) => `x-many-${index}: ${index}`),
      EITHER,
    ),
    header('an unknown media type in Accept', ['accept: image/x-nothing'], ANSWERED, ['accept']),
    header('another method in a header', ['x-http-method-override: DELETE', 'x-method-override: DELETE'], ANSWERED),
    header('an expectation of nonsense', ['expect: nonsense'], EITHER),
    header('a range', ['range: bytes=0-1'], [...ANSWERED, 416]),
    header('two lengths, unlike', ['content-length: 0', 'content-length: 5'], REFUSED),
    header('a length that is negative', ['content-length: -1'], REFUSED),
    header('a length that is no number', ['content-length: many'], REFUSED),
    header('a coding that is near', ['transfer-encoding: xchunked'], REFUSED),
  ]
}

function connections(get: Write): WireCase[] {
  const parts = (
    name: string,
    pieces: readonly Buffer[],
    allowed: readonly AllowedOutcomes[],
    more: Partial<WireCase> = {},
  ) => ({
    name: `connection: ${name}`,
    pieces,
    allowed,
    ...more,
  })
  const [request, success] = [get(), [...SUCCESS]]
  return [
    parts('one good request', [request], [success]),
    parts('two good requests at once', [Buffer.concat([request, request])], [success, [...success, 'close']]),
    parts('a good request in pieces', pieces(request, 10), [success], { pauseMs: 50 }),
    parts(
      // An earlier answer to the lookup does not matter: it may be repeated.
      'no HTTP behind a good request',
      [request, Buffer.from('nonsense\r\n\r\n')],
      [[...success, 400, 'close'], REFUSED],
    ),
    parts('ended within the header', [request.subarray(0, 30)], [REFUSED], { afterwards: 'end' }),
    parts('cut within the header', [request.subarray(0, 30)], [REFUSED], { afterwards: 'reset' }),
    parts('opened and ended', [], [['close', ...CLIENT_ERRORS]], { afterwards: 'end' }),
    {
      ...parts(
        'HEAD',
        [get({ first: request.toString('latin1').split('\r\n', 1)[0]?.replace(/^GET/, 'HEAD') ?? '' })],
        [ANSWERED],
      ),
      bodiless: true,
    },
  ]
}

function pieces(bytes: Buffer, count: number): Buffer[] {
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

function bodies(post: Write, { body }: WireRequest, get: Write, name: string): WireCase[] {
  const text = body.toString('utf8')
  const chunk = (content: string): string => `${Buffer.byteLength(content).toString(16)}\r\n${content}\r\n`
  const json = (what: string, content: string | Buffer, allowed = REFUSED): WireCase =>
    one(`body: ${what}`, post({ body: content }), allowed)
  const framing = (
    what: string,
    headers: readonly string[],
    content: string,
    allowed: AllowedOutcomes,
    more = {},
  ): WireCase => one(`framing: ${what}`, post({ headers, body: content }), allowed, more)
  const smuggled = get()
    .toString('latin1')
    .replace(/\r\n[^]*$/, `\r\nhost: ${name}\r\n\r\n`)
  const nested = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
  return [
    json('cut off', text.slice(0, -1)),
    json('a bracket too many', `${text}}`),
    json('a byte that is in no UTF-8', Buffer.concat([Buffer.from('{"\xff'), Buffer.from([0xff, 0xc0, 0xaf])])),
    json('UTF-16', Buffer.from(text, 'utf16le')),
    json('only null', 'null', EITHER),
    json('only 1e400', '1e400', EITHER),
    json('lists within each other, 5,000 deep', nested),
    json('objects within each other, 5,000 deep', '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH), EITHER),
    json('a field called __proto__', text.replace(/\}\s*$/, ',"__proto__":{"polluted":true}}'), EITHER),
    json('an escaped NUL in a name', text.replace(/\}\s*$/, ',"a\\u0000b":1}'), EITHER),
    json('an escaped surrogate alone', text.replace(/\}\s*$/, ',"\\ud800":1}'), EITHER),
    json('XML with an entity', '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'),
    framing(
      'length and chunks',
      [`content-length: ${chunk(text).length + 5}`, CHUNKED],
      `${chunk(text)}0\r\n\r\n`,
      REFUSED,
    ),
    framing('a request behind the last chunk', ['content-length: 6', CHUNKED], `0\r\n\r\n${smuggled}`, REFUSED),
    framing('two lengths', ['content-length: 0', `content-length: ${smuggled.length}`], smuggled, REFUSED),
    framing('a chunk size that is no number', [CHUNKED], 'zz\r\nhello\r\n0\r\n\r\n', REFUSED),
    framing('a negative chunk size', [CHUNKED], '-5\r\nhello\r\n0\r\n\r\n', REFUSED),
    framing('a chunk longer than its size', [CHUNKED], '3\r\nhello\r\n0\r\n\r\n', REFUSED),
    framing('chunks', [CHUNKED], `${chunk(text.slice(0, 10))}${chunk(text.slice(10))}0\r\n\r\n`, ANSWERED),
    framing('ended within the body', [`content-length: ${body.length + 500}`], text, REFUSED, { afterwards: 'end' }),
    framing('a body announced as 10 GB', ['content-length: 10000000000'], '', REFUSED, { afterwards: 'end' }),
  ]
}
