import { one, REFUSED, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

/** Several requests on one connection, bytes in pieces, clients that disconnect. */
export function connectionCases({ request, collect, collection, accepted }: RequestWriter): WireCase[] {
  const get = request()
  const post = () => collect(collection())
  const twenty = Array.from({ length: 20 }, () => get)
  /** Several requests in one write. */
  const together = (
    name: string,
    requests: readonly Buffer[],
    allowed: readonly AllowedOutcomes[],
    more: Partial<WireCase> = {},
  ): WireCase => ({ name: `connection: ${name}`, pieces: [Buffer.concat(requests)], allowed, ...more })
  const inParts = (
    name: string,
    pieces: readonly Buffer[],
    allowed: readonly AllowedOutcomes[],
    pauseMs?: number,
  ): WireCase => ({
    name: `connection: ${name}`,
    pieces,
    allowed,
    ...(pauseMs !== undefined && { pauseMs }),
  })
  return [
    together('two requests at once', [get, get], [[200], [200]]),
    together(
      'twenty requests at once',
      twenty,
      twenty.map(() => [200]),
    ),
    together('lookup, collection, lookup', [get, post(), get], [[200], accepted, [200]]),
    together(
      'a refused request between two good ones',
      [get, request({ without: ['public-key'] }), get],
      [[200], [401], [200]],
    ),
    together('bad JSON between two good requests', [post(), collect('{'), post()], [accepted, [400], accepted]),
    together('no HTTP behind a good request', [get, Buffer.from('nonsense\r\n\r\n')], [[200, 'close'], REFUSED]),
    // A client that gets 400 assumes that nothing happened: an accepted request must never get it, whatever follows.
    together(
      'no HTTP behind a good collection',
      [post(), Buffer.from('\0\0\0\0\r\n\r\n')],
      [[...accepted, 'close'], REFUSED],
    ),
    together(
      'one bracket more than the length of a good collection',
      [post(), Buffer.from('}')],
      [[...accepted, 'close'], REFUSED],
    ),
    together('a line break more than the length of a good collection', [post(), Buffer.from('\r\n')], [accepted]),
    together(
      'a header that is too large behind a good collection',
      [post(), request({ headers: [`x-name: ${'v'.repeat(70_000)}`] })],
      [
        [...accepted, 'close'],
        [431, 400, 'close'],
      ],
    ),
    together(
      'a good request behind one that closes',
      [request({ headers: ['connection: close'] }), get],
      [[200, 'close']],
    ),
    together(
      'a good request behind a collection that closes',
      [collect(collection(), { headers: ['connection: close'] }), get],
      [[...accepted, 'close']],
    ),
    together('a good request behind one that is too large', [collect(Buffer.alloc(70_000, 32)), get], [[413, 'close']]),
    together(
      'a good request behind a wrong expectation',
      [request({ headers: ['expect: nonsense'] }), get],
      [[417], [200, 'close']],
    ),
    together(
      'two methods that are not allowed, then a good one',
      [request({ method: 'PUT' }), request({ method: 'TRACE' }), get],
      [[405], [405], [200]],
    ),
    inParts(
      'every byte a write of its own',
      [...get].map((byte) => Buffer.from([byte])),
      [[200]],
    ),
    inParts(
      'a body of which every byte is a write of its own',
      [...post()].map((byte) => Buffer.from([byte])),
      [accepted],
    ),
    // Slow is not malicious: a phone on a bad line gets its reply.
    inParts('a good collection in pieces, over a second', inPieces(post(), 10), [accepted], 100),
    inParts('a good lookup in pieces, over a second', inPieces(get, 10), [[200]], 100),
    inParts('two requests, the second in pieces', [get, ...inPieces(get, 5)], [[200], [200]], 50),
    inParts(
      'a body after a while, as expected',
      inTwo(collect(collection(), { headers: ['expect: 100-continue'] })),
      [accepted],
      300,
    ),
    { name: 'connection: opened and ended', pieces: [], allowed: [['close', 400]], afterwards: 'end' },
    { name: 'connection: opened and cut', pieces: [], allowed: [['close']], afterwards: 'reset' },
    one('connection: ended behind a good request', get, [200, 'close'], { afterwards: 'end' }),
    one('connection: ended within the first line', get.subarray(0, 9), REFUSED, { afterwards: 'end' }),
    one('connection: ended within the header', get.subarray(0, 100), REFUSED, { afterwards: 'end' }),
    one('connection: ended within the body', post().subarray(0, -20), REFUSED, { afterwards: 'end' }),
    one('connection: cut behind a good request', get, [200, 'close'], { afterwards: 'reset' }),
    one('connection: cut within the header', get.subarray(0, 100), REFUSED, { afterwards: 'reset' }),
    one('connection: cut within the body', post().subarray(0, -20), REFUSED, { afterwards: 'reset' }),
    one(
      'connection: cut within a chunk',
      collect('400\r\n{"merch', { headers: ['transfer-encoding: chunked'] }),
      REFUSED,
      { afterwards: 'reset' },
    ),
    together(
      'cut behind twenty requests',
      twenty,
      twenty.map(() => [200, 'close']),
      { afterwards: 'reset' },
    ),
  ]
}

function inPieces(bytes: Buffer, count: number): Buffer[] {
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

/** Header and body. */
function inTwo(bytes: Buffer): Buffer[] {
  const end = bytes.indexOf('\r\n\r\n') + 4
  return [bytes.subarray(0, end), bytes.subarray(end)]
}
