import { setTimeout as delay } from 'node:timers/promises'
import { collect, send, verify, type RawReply } from './requests.ts'

export interface PaymentLoad {
  /**
   * The merchant references that the gateway has acknowledged, each with the internal reference from the reply (none if
   * a 409 was the acknowledgement).
   */
  readonly acknowledged: ReadonlyMap<string, string | undefined>
  /** What no client may ever see, in words: a 500, a dropped connection, a reply that never arrived. */
  readonly faults: readonly string[]
  readonly figures: LoadFigures
  /** Starts no new payment; those in progress are resent until they are acknowledged. */
  stop(): Promise<void>
}

interface LoadFigures {
  requests: number
  unavailable: number
  replayed: number
  slowestReplyMs: number
}

/** Without a reply in this time a merchant would consider the request hung. */
const REPLY_MS_MAX = 10_000
/** Sooner than `Retry-After`: an impatient client must do no harm. */
const AGAIN_AFTER_MS = 150
const ACKNOWLEDGED_MS_MAX = 30_000
/** Leaves some of two cores to the workers that process the payments meanwhile. */
const BETWEEN_PAYMENTS_MS = 25

let loads = 0

/** The results of a load so far, and its targets. */
interface Progress {
  readonly load: number
  readonly url: string
  readonly acknowledged: Map<string, string | undefined>
  readonly faults: string[]
  readonly figures: LoadFigures
}

/**
 * Merchants that pay without a pause and resend whatever was not acknowledged: every second one with an
 * Idempotency-Key. In between they look their payments up. Every reply is checked against the contract's promises for a
 * database outage.
 */
export function startLoad({ url, clients }: { readonly url: string; readonly clients: number }): PaymentLoad {
  const progress: Progress = {
    load: ++loads,
    url,
    acknowledged: new Map(),
    faults: [],
    figures: { requests: 0, unavailable: 0, replayed: 0, slowestReplyMs: 0 },
  }
  let stopped = false
  let payments = 0
  async function merchant(): Promise<void> {
    while (!stopped) {
      await pay(progress, ++payments)
      await lookUp(progress)
      await delay(BETWEEN_PAYMENTS_MS)
    }
  }
  const merchants = Promise.all(Array.from({ length: clients }, merchant))
  const { acknowledged, faults, figures } = progress
  return {
    acknowledged,
    faults,
    figures,
    async stop() {
      stopped = true
      await merchants
    },
  }
}

/** @returns the reply, or nothing when it was a declared 503 or a fault */
async function sendRequest(
  { faults, figures }: Progress,
  what: string,
  request: () => Promise<RawReply>,
): Promise<RawReply | undefined> {
  const sentAt = performance.now()
  figures.requests += 1
  try {
    const reply = await Promise.race([request(), delay(REPLY_MS_MAX, undefined, { ref: false })])
    if (!reply) throw new Error(`no reply within ${REPLY_MS_MAX} ms`)
    figures.slowestReplyMs = Math.max(figures.slowestReplyMs, Math.round(performance.now() - sentAt))
    if (reply.status !== 503) return reply
    figures.unavailable += 1
    const fault = faultOfUnavailable(reply)
    if (fault) faults.push(`${what}: ${fault}`)
  } catch (error) {
    faults.push(`${what}: ${(error as Error).message} ${((error as Error).cause as Error | undefined)?.message ?? ''}`)
  }
  return undefined
}

async function pay(progress: Progress, n: number): Promise<void> {
  const { load, url, acknowledged, faults, figures } = progress
  const reference = `LOAD-${load}-${String(n).padStart(6, '0')}`
  const body = {
    merchant_reference: reference,
    msisdn: `25677${String((load * 3_000 + n) % 10_000).padStart(4, '0')}123`,
    amount: 500,
  }
  const withKey = n % 2 === 0
  const deadline = performance.now() + ACKNOWLEDGED_MS_MAX
  for (let tries = 1; ; tries++) {
    const reply = await sendRequest(progress, reference, () =>
      collect(url, body, withKey ? { 'idempotency-key': reference } : {}),
    )
    if (reply?.headers.has('idempotency-replayed')) figures.replayed += 1
    if (reply?.status === 202) return void acknowledged.set(reference, String(reply.body.data.internal_reference))
    // The previous request was carried out and its reply was lost. With a key the first reply would have been replayed.
    if (reply?.status === 409 && tries > 1 && !withKey) return void acknowledged.set(reference, undefined)
    if (reply) return void faults.push(`${reference}: HTTP ${reply.status} ${reply.body.message} at try ${tries}`)
    if (performance.now() > deadline)
      return void faults.push(`${reference}: not acknowledged within ${ACKNOWLEDGED_MS_MAX} ms`)
    await delay(AGAIN_AFTER_MS)
  }
}

async function lookUp(progress: Progress): Promise<void> {
  const { url, acknowledged, faults } = progress
  const [reference] = [...acknowledged.keys()].slice(-1)
  if (reference === undefined) return
  const reply = await sendRequest(progress, `verify ${reference}`, () => verify(url, reference))
  if (reply && reply.status !== 200) faults.push(`verify ${reference}: HTTP ${reply.status} ${reply.body.message}`)
  const live = await sendRequest(progress, 'health', () => send(url, 'GET', '/health/live'))
  if (live?.status !== 200) faults.push(`/health/live: HTTP ${live?.status}`)
}

/** What a 503 lacks compared with the contract's `Unavailable`. */
function faultOfUnavailable({ headers, body }: RawReply): string | undefined {
  const expected = {
    code: 503,
    status: 'error',
    message: 'The service is temporarily unavailable: try again shortly',
    reason: 'unavailable',
    data: {},
  }
  if (JSON.stringify(body) !== JSON.stringify(expected)) return `a 503 with the body ${JSON.stringify(body)}`
  if (!/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) return 'a 503 without Retry-After'
  return headers.get('content-type') === 'application/json; charset=utf-8' ? undefined : 'a 503 of another media type'
}
