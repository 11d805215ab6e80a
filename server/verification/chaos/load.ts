import { createCall } from './calls.ts'
import { typeOtp } from './customer.ts'
import { pause, until } from './patience.ts'
import { endingOf, paymentNumber, payout, type Payment } from './payments.ts'

export interface Load {
  /** Merchant references that the gateway has acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Replies that no merchant should get, and requests that never got a reply. */
  readonly complaints: readonly string[]
  /** A number for a reference that no other payment has. */
  nextNumber(): number
  /** Sends it until it is acknowledged, with the same reference, as a merchant would. */
  send(payment: Payment): Promise<void>
  /** Sends one more payout, so that a fault that waits for something to happen does not wait for ever. */
  sendOne(): Promise<void>
  /** Sends this many payments of every kind, spread over a time. */
  sendAll(requests: number, lengthMs: number): Promise<void>
  /** Sends this many per second until then; resolves when all have a reply. */
  sendUntil(end: AbortSignal, perSecond: number): Promise<void>
}

/** Many, because a call to a paused process takes ten seconds. */
const CLIENTS = 32
const ACKNOWLEDGED_MS_MAX = 120_000

/**
 * A merchant's load on a fleet.
 * @param urls of its API processes
 * @param onAccepted called for every 202 at the moment it arrives
 */
export function createLoad(urls: readonly string[], onAccepted: () => void = () => undefined): Load {
  const acknowledged = new Set<string>()
  const complaints: string[] = []
  const complain = (what: string): void => void complaints.push(what)
  const call = createCall(urls)
  let numbers = 0

  async function send({ reference, path, body, requiresOtp }: Payment): Promise<void> {
    // Half of the merchants use the Idempotency-Key header: then the gateway replays the lost reply.
    const headers: Record<string, string> =
      reference.charCodeAt(reference.length - 1) % 2 === 0 ? { 'idempotency-key': `key-${reference}` } : {}
    await until(
      async () => {
        const reply = await call('POST', path, body, headers)
        if (!reply || reply.status === 503) return false
        if (reply.status === 202) onAccepted()
        if (reply.status === 202 || reply.status === 409) acknowledged.add(reference)
        else complain(`${reference} got ${reply.status}: ${reply.text}`)
        return true
      },
      ACKNOWLEDGED_MS_MAX,
      `${reference} is answered`,
    ).catch((error: Error) => complain(error.message))
    if (requiresOtp && acknowledged.has(reference)) await typeOtp(call, reference, ACKNOWLEDGED_MS_MAX, complain)
  }

  const nextNumber = () => ++numbers
  return {
    acknowledged,
    complaints,
    send,
    nextNumber,
    sendOne() {
      const n = nextNumber()
      return send(payout(`EXTRA-${String(n).padStart(6, '0')}`, n, endingOf(n)))
    },
    sendAll: (requests, lengthMs) => sendPaced(send, lengthMs / requests, (n) => n >= requests),
    sendUntil: (end, perSecond) => sendPaced(send, 1_000 / perSecond, () => end.aborted),
  }
}

async function sendPaced(send: Load['send'], everyMs: number, isOver: (n: number) => boolean): Promise<void> {
  const startedAt = performance.now()
  const authorizing: Promise<void>[] = []
  let next = 0
  const client = async () => {
    for (let n = next++; !isOver(n); n = next++) {
      await pause(Math.max(startedAt + everyMs * n - performance.now(), 0))
      const payment = paymentNumber(n)
      // A waiting customer does not hold up other payments.
      if (payment.requiresOtp) authorizing.push(send(payment))
      else await send(payment)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await Promise.all(authorizing)
}
