import { one, REFUSED, type RequestWriter, type WireCase } from '../wire-case.ts'

/** Several requests on one connection, bytes in pieces, clients that leave. */
export function connectionCases({ request, collect, collection, accepted }: RequestWriter): WireCase[] {
  const get = request()
  const post = () => collect(collection())
  const twenty = Array.from({ length: 20 }, () => get)
  return [
    { name: 'connection: two requests at once', pieces: [Buffer.concat([get, get])], allowed: [[200], [200]] },
    { name: 'connection: twenty requests at once', pieces: [Buffer.concat(twenty)], allowed: twenty.map(() => [200]) },
    {
      name: 'connection: lookup, collection, lookup',
      pieces: [Buffer.concat([get, post(), get])],
      allowed: [[200], accepted, [200]],
    },
    {
      name: 'connection: a refused request between two good ones',
      pieces: [Buffer.concat([get, request({ without: ['public-key'] }), get])],
      allowed: [[200], [401], [200]],
    },
    {
      name: 'connection: bad JSON between two good requests',
      pieces: [Buffer.concat([post(), collect('{'), post()])],
      allowed: [accepted, [400], accepted],
    },
    {
      name: 'connection: no HTTP behind a good request',
      pieces: [Buffer.concat([get, Buffer.from('nonsense\r\n\r\n')])],
      allowed: [[200, 'close'], REFUSED],
    },
    // Who is told 400 believes that nothing happened: what was accepted must never be answered so, whatever follows it.
    {
      name: 'connection: no HTTP behind a good collection',
      pieces: [Buffer.concat([post(), Buffer.from('\0\0\0\0\r\n\r\n')])],
      allowed: [[...accepted, 'close'], REFUSED],
    },
    {
      name: 'connection: one bracket more than the length of a good collection',
      pieces: [Buffer.concat([post(), Buffer.from('}')])],
      allowed: [[...accepted, 'close'], REFUSED],
    },
    {
      name: 'connection: a line break more than the length of a good collection',
      pieces: [Buffer.concat([post(), Buffer.from('\r\n')])],
      allowed: [accepted],
    },
    {
      name: 'connection: a header that is too large behind a good collection',
      pieces: [Buffer.concat([post(), request({ headers: [`x-name: ${'v'.repeat(70_000)}`] })])],
      allowed: [
        [...accepted, 'close'],
        [431, 400, 'close'],
      ],
    },
    {
      name: 'connection: a good request behind one that closes',
      pieces: [Buffer.concat([request({ headers: ['connection: close'] }), get])],
      allowed: [[200, 'close']],
    },
    {
      name: 'connection: a good request behind a collection that closes',
      pieces: [Buffer.concat([collect(collection(), { headers: ['connection: close'] }), get])],
      allowed: [[...accepted, 'close']],
    },
    {
      name: 'connection: a good request behind one that is too large',
      pieces: [Buffer.concat([collect(Buffer.alloc(70_000, 32)), get])],
      allowed: [[413, 'close']],
    },
    {
      name: 'connection: a good request behind a wrong expectation',
      pieces: [Buffer.concat([request({ headers: ['expect: nonsense'] }), get])],
      allowed: [[417], [200, 'close']],
    },
    {
      name: 'connection: two methods that are not allowed, then a good one',
      pieces: [Buffer.concat([request({ method: 'PUT' }), request({ method: 'TRACE' }), get])],
      allowed: [[405], [405], [200]],
    },
    {
      name: 'connection: every byte a write of its own',
      pieces: [...get].map((byte) => Buffer.from([byte])),
      allowed: [[200]],
    },
    {
      name: 'connection: a body of which every byte is a write of its own',
      pieces: [...post()].map((byte) => Buffer.from([byte])),
      allowed: [accepted],
    },
    // Slow is not rude: a phone on a bad line gets its answer.
    {
      name: 'connection: a good collection in pieces, over a second',
      pieces: inPieces(post(), 10),
      pauseMs: 100,
      allowed: [accepted],
    },
    {
      name: 'connection: a good lookup in pieces, over a second',
      pieces: inPieces(get, 10),
      pauseMs: 100,
      allowed: [[200]],
    },
    {
      name: 'connection: two requests, the second in pieces',
      pieces: [get, ...inPieces(get, 5)],
      pauseMs: 50,
      allowed: [[200], [200]],
    },
    {
      name: 'connection: a body after a while, as expected',
      pieces: inTwo(collect(collection(), { headers: ['expect: 100-continue'] })),
      pauseMs: 300,
      allowed: [accepted],
    },
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
    {
      name: 'connection: cut behind twenty requests',
      pieces: [Buffer.concat(twenty)],
      allowed: twenty.map(() => [200, 'close']),
      afterwards: 'reset',
    },
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
