// Generates the load of one run in a process of its own, so that neither the server nor the bench pays for it. Started
// by load.ts, which explains why this is not a library.
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { requestFactory, type RequestsOptions } from './requests.ts'

export interface LoadOrder extends RequestsOptions {
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
  readonly expectedStatus: number
  /** Requests that start per second. Absent: each connection sends its next request as soon as it has its reply. */
  readonly pacePerSecond?: number
}

/** How far a run is, ten times a second. */
export interface LoadProgress {
  /** Requests that had the expected status so far, those of the warm-up included. */
  readonly accepted: number
}

export interface LoadResult {
  readonly answered: number
  /** The same, with those of the warm-up. */
  readonly accepted: number
  /** Replies 429 and 503: the server says that it cannot carry more. */
  readonly refused: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Replies with any other status and broken connections, including those of the warm-up. */
  readonly failed: number
  readonly firstFailure?: string
  readonly cpuShare: number
}

const SAMPLES_MAX = 4_000_000
const REPLY_MAX_BYTES = 1_000_000
const PROGRESS_EVERY_MS = 100
const REFUSALS = new Set([429, 503])

process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result, () => process.disconnect()))
})
// The bench process has exited: exit too.
process.on('disconnect', () => process.exit())

/** State shared by the connections of one run. */
interface Run {
  readonly order: LoadOrder
  readonly nextRequest: () => string
  readonly untilTurn: (send: () => void) => void
  readonly latencies: Float64Array
  answered: number
  accepted: number
  refused: number
  failed: number
  firstFailure: string | undefined
  phase: 'warming up' | 'measuring' | 'stopped'
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const running: Run = {
    order,
    nextRequest: requestFactory(order),
    untilTurn: pacer(order.pacePerSecond),
    latencies: new Float64Array(SAMPLES_MAX),
    answered: 0,
    accepted: 0,
    refused: 0,
    failed: 0,
    firstFailure: undefined,
    phase: 'warming up',
  }
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => connected(order.port)))
  for (const socket of sockets) sendAgainAndAgain(socket, running)
  const progress = setInterval(
    () => process.send?.({ accepted: running.accepted } satisfies LoadProgress),
    PROGRESS_EVERY_MS,
  )
  await pause(order.warmUpMs)
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  running.phase = 'measuring'
  await pause(order.measureMs)
  running.phase = 'stopped'
  clearInterval(progress)
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  await pause(200)
  sockets.forEach((socket) => socket.destroy())
  return resultOf(running, seconds, (cpu.user + cpu.system) / 1e6 / seconds)
}

/** One connection: sends the next request when the previous reply is complete. */
function sendAgainAndAgain(socket: Socket, running: Run): void {
  const { order, nextRequest, untilTurn, latencies } = running
  let pending = ''
  let sentAt = 0
  const fail = (text: string) => {
    running.failed += 1
    running.firstFailure ??= text.slice(0, 500)
  }
  const count = (status: number) => {
    if (status !== order.expectedStatus) return void (REFUSALS.has(status) ? (running.refused += 1) : fail(pending))
    running.accepted += 1
    if (running.phase === 'measuring') latencies[running.answered++] = performance.now() - sentAt
  }
  const send = () =>
    untilTurn(() => {
      if (running.phase === 'stopped') return void socket.end()
      sentAt = performance.now()
      socket.write(nextRequest(), 'latin1')
    })
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    pending = pending === '' ? chunk : pending + chunk
    const end = replyEnd(pending)
    if (end === undefined) return
    if (end !== pending.length || pending.length > REPLY_MAX_BYTES) fail(`not one reply: ${pending}`)
    else count(Number(pending.slice(9, 12)))
    pending = ''
    send()
  })
  socket.on('error', (error) => fail(error.message))
  socket.on('close', () => {
    if (running.phase !== 'stopped') fail('the server closed the connection')
  })
  send()
}

function resultOf(running: Run, seconds: number, cpuShare: number): LoadResult {
  const { latencies, answered, accepted, refused, failed, firstFailure } = running
  const sorted = latencies.subarray(0, answered).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    answered,
    accepted,
    refused,
    perSecond: answered / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    failed,
    ...(firstFailure !== undefined && { firstFailure }),
    cpuShare,
  }
}

/**
 * Spreads requests evenly over time. Late requests start at once, but the generator never makes up for more than a
 * tenth of a second in one burst.
 */
function pacer(perSecond: number | undefined): (send: () => void) => void {
  if (perSecond === undefined) return (send) => send()
  let next = performance.now()
  return (send) => {
    const now = performance.now()
    next = Math.max(next + 1000 / perSecond, now - 100)
    if (next <= now) send()
    else setTimeout(send, next - now)
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/**
 * Where the first reply ends, or undefined while it is incomplete. Every server here sends either a Content-Length or
 * chunks.
 */
function replyEnd(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))
  if (length) {
    const end = head + 4 + Number(length[1])
    return text.length < end ? undefined : end
  }
  const last = text.indexOf('\r\n0\r\n\r\n', head)
  return last < 0 ? undefined : last + 7
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
