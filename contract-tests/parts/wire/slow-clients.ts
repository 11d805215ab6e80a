import { converse, open, type Line, type RawExchange } from './connection.ts'
import type { RequestWriter, WireCase } from './wire-case.ts'

interface SlowOptions {
  readonly url: URL
  readonly writer: RequestWriter
  /** Connections that begin a header and never end it. */
  readonly halfOpen: number
  /** Connections of every other slow kind. */
  readonly ofEachKind: number
  /** How long a server may keep each of them; absent: until `reset`. */
  readonly patienceMs?: number | undefined
  /** Whether the server, within a time limit, answers a good request on a connection that comes after the others. */
  readonly answers: () => Promise<boolean>
}

/**
 * More at once overflow the queue of a listener (511 by default), which a busy server may not have emptied when the next
 * ones come: the system then forgets some of those that look open here, and resets them half a minute later.
 */
const OPENED_AT_ONCE = 100
/** Prefix of the name of each case. */
export const SLOW = 'slow: '

interface SlowKind {
  readonly wireCase: WireCase
  readonly count: number
  /** Sent byte by byte, repeatedly; absent: nothing more. */
  readonly drip?: string
}

interface SlowOutcome {
  readonly wireCase: WireCase
  readonly conversation: RawExchange
}

/** Clients that take their time: all of them must get 408 or be disconnected. */
export function startSlowClients({ url, writer, halfOpen, ofEachKind, patienceMs, answers }: SlowOptions) {
  const clients = slowKinds(writer, halfOpen, ofEachKind).flatMap((kind) =>
    Array.from({ length: kind.count }, () => kind),
  )
  const outcomes: Promise<SlowOutcome>[] = []
  const lines: Line[] = []
  const openOne = async ({ wireCase, drip }: SlowKind): Promise<void> => {
    const line = open(url)
    const { socket } = line
    lines.push(line)
    outcomes.push(
      converse(url, wireCase, patienceMs, { ...line, drip }).then((conversation) => ({ wireCase, conversation })),
    )
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  }
  const openAll = async (): Promise<void> => {
    // A server that does not answer in time is a finding of the client beside them; it is not waited for again.
    for (let [first, isAnswering] = [0, true]; first < clients.length; first += OPENED_AT_ONCE) {
      await Promise.all(clients.slice(first, first + OPENED_AT_ONCE).map(openOne))
      isAnswering &&= await answers()
    }
  }
  const opened = openAll()
  return {
    /** Resolves when all are connected and none has been closed, unless the server is quick. */
    opened,
    outcomes: opened.then(() => Promise.all(outcomes)),
    /** Ends all of them. */
    reset(): readonly SlowOutcome[] {
      for (const line of lines) line.reset()
      return []
    },
  }
}

function slowKinds(writer: RequestWriter, halfOpen: number, ofEachKind: number): readonly SlowKind[] {
  const slow = (name: string, bytes: Buffer, count: number, drip?: string): SlowKind => ({
    wireCase: { name: `${SLOW}${name}`, pieces: [bytes], allowed: [[408, 400, 'close']] },
    count,
    ...(drip !== undefined && { drip }),
  })
  const { submission } = writer
  const halfAHeader = slow('half a header', writer.request().subarray(0, 60), halfOpen)
  if (ofEachKind === 0 || !submission) return [halfAHeader]
  const { post } = submission
  return [
    slow('a connection without a byte', Buffer.alloc(0), ofEachKind),
    slow('a header that goes on, byte by byte', writer.request().subarray(0, -2), ofEachKind, 'x-slow: 1\r\n'),
    slow('a body that never comes', post('', { headers: ['content-length: 200'] }), ofEachKind),
    slow('a body that goes on, byte by byte', post('{', { headers: ['content-length: 5000'] }), ofEachKind, ' '),
    slow(
      'a chunk that goes on, byte by byte',
      post('1000\r\n', { headers: ['transfer-encoding: chunked'] }),
      ofEachKind,
      ' ',
    ),
    halfAHeader,
  ]
}
