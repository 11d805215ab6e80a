import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

/** Several requests on one connection, bytes in pieces, clients that disconnect. */
export function connectionCases(writer: RequestWriter): WireCase[] {
  const { request, submission, must, may, good } = writer
  const get = request()
  const ok = good()
  const twenty = Array.from({ length: 20 }, () => get)
  return [
    together('two requests at once', [get, get], [ok, [...ok, 'close']]),
    together('twenty requests at once', twenty, [ok, ...twenty.slice(1).map((): AllowedOutcomes => [...ok, 'close'])]),
    // An earlier answer to the lookup does not matter: it may be repeated.
    together('no HTTP behind a good request', [get, Buffer.from('nonsense\r\n\r\n')], [[...ok, 400, 'close'], must()]),
    together(
      'a good request behind one that closes',
      [request({ headers: ['connection: close'] }), get],
      [may([200, 'close'])],
    ),
    together(
      'a good request behind a wrong expectation',
      [request({ headers: ['expect: nonsense'] }), get],
      [may([417]), [...ok, 'close']],
    ),
    together(
      'two methods that are not allowed, then a good one',
      [request({ method: 'PUT' }), request({ method: 'TRACE' }), get],
      [may([405]), may([405]), [...ok, 'close']],
    ),
    inParts('every byte a write of its own', inPieces(get, get.length), [ok]),
    // Slow is not malicious: a phone on a bad line gets its reply.
    inParts('a good lookup in pieces, over a second', inPieces(get, 10), [ok], 100),
    inParts('two requests, the second in pieces', [get, ...inPieces(get, 5)], [ok, [...ok, 'close']], 50),
    { name: 'connection: opened and ended', pieces: [], allowed: [['close', 400, 408]], afterwards: 'end' },
    { name: 'connection: opened and cut', pieces: [], allowed: [['close', 400, 408]], afterwards: 'reset' },
    one('connection: ended behind a good request', get, [...ok, 'close'], { afterwards: 'end' }),
    one('connection: ended within the first line', get.subarray(0, 9), must(), { afterwards: 'end' }),
    one('connection: ended within the header', get.subarray(0, 30), must(), { afterwards: 'end' }),
    one('connection: cut behind a good request', get, [...ok, 'close'], { afterwards: 'reset' }),
    one('connection: cut within the header', get.subarray(0, 30), must(), { afterwards: 'reset' }),
    together(
      'cut behind twenty requests',
      twenty,
      twenty.map(() => [...ok, 'close']),
      { afterwards: 'reset' },
    ),
    ...(submission ? submittedCases(writer, submission, get) : []),
  ]
}

function submittedCases(
  { request, must, may, good, accepted }: RequestWriter,
  { post: send, text }: NonNullable<RequestWriter['submission']>,
  get: Buffer,
): WireCase[] {
  const post = () => send(text())
  const ok: AllowedOutcomes = [...good(), 'close']
  const taken: AllowedOutcomes = [...accepted, 'close']
  return [
    together('lookup, submission, lookup', [get, post(), get], [good(), taken, ok]),
    together(
      'bad JSON between two good requests',
      [post(), send('{'), post()],
      [accepted, [...must([400]), 'close'], taken],
    ),
    // A client that gets 400 assumes that nothing happened: an accepted request must never get it, whatever follows.
    together('no HTTP behind a good submission', [post(), Buffer.from('\0\0\0\0\r\n\r\n')], [taken, must()]),
    together('one bracket more than the length of a submission', [post(), Buffer.from('}')], [taken, must()]),
    together('a line break more than the length of a submission', [post(), Buffer.from('\r\n')], [accepted]),
    together(
      'a header that is too large behind a good submission',
      [post(), request({ headers: [`x-name: ${'v'.repeat(70_000)}`] })],
      [taken, may([431, 400, 'close'])],
    ),
    together(
      'a good request behind a submission that closes',
      [send(text(), { headers: ['connection: close'] }), get],
      [taken],
    ),
    inParts('a body of which every byte is a write of its own', inPieces(post(), Infinity), [accepted]),
    inParts('a good submission in pieces, over a second', inPieces(post(), 10), [accepted], 100),
    inParts(
      'a body after a while, as expected',
      inTwo(send(text(), { headers: ['expect: 100-continue'] })),
      [accepted],
      300,
    ),
    one('connection: ended within the body', post().subarray(0, -20), must(), { afterwards: 'end' }),
    one('connection: cut within the body', post().subarray(0, -20), must(), { afterwards: 'reset' }),
    one('connection: cut within a chunk', send('400\r\n{"merch', { headers: ['transfer-encoding: chunked'] }), must(), {
      afterwards: 'reset',
    }),
  ]
}

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
): WireCase => ({ name: `connection: ${name}`, pieces, allowed, ...(pauseMs !== undefined && { pauseMs }) })

/** At most so many pieces, of one byte at least. */
function inPieces(bytes: Buffer, countMax: number): Buffer[] {
  const count = Math.min(bytes.length, countMax)
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

/** Header and body. */
function inTwo(bytes: Buffer): Buffer[] {
  const end = bytes.indexOf('\r\n\r\n') + 4
  return [bytes.subarray(0, end), bytes.subarray(end)]
}
