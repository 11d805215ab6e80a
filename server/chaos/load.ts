import { present } from '../domain/present.ts'
import { pause, until } from './patience.ts'
import { CURRENCY, DEMO_PUBLIC_KEY } from './operator.ts'

/** A payment that the merchant asks for, under a number of its own. */
export interface Payment {
  readonly reference: string
  readonly path: '/collections/initialize' | '/payout/send-funds'
  readonly body: Readonly<Record<string, unknown>>
  /** Whether its customer types a one-time password. */
  readonly asksForOtp: boolean
}

export interface Load {
  /** Merchant references that the gateway has acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Replies that no merchant should get, and requests that were never answered. */
  readonly complaints: readonly string[]
  /** For a reference that no other payment has. */
  nextNumber(): number
  /** Sends it until it is acknowledged, with the same reference, as a merchant would. */
  send(payment: Payment): Promise<void>
  /** One payout more: a fault that waits for something to happen need not wait for ever. */
  sendOne(): Promise<void>
  /** So many payments of every sort, spread over a time. */
  sendAll(requests: number, lengthMs: number): Promise<void>
}

/** Many, because a call to a process that stands still takes ten seconds. */
const CLIENTS = 32
const ACKNOWLEDGED_MS_MAX = 120_000
const REPLY_MS_MAX = 10_000
const CUSTOMER_TYPES_AFTER_MS = 1_500
const SANDBOX_OTP = 123456
const HEADERS = {
  'public-key': DEMO_PUBLIC_KEY,
  'secret-key': 'sec_sandbox_demo',
  'x-api-version': '1',
  'content-type': 'application/json',
}

/** What a payout of the drill takes from its wallet: amount and charge. */
export const PAYOUT = { amount: 1000, total: 1005 } as const

// Endings in turn: completed, failed, unreachable at first, reported three times, failed and then completed late.
const ENDINGS = ['123', '002', '008', '009', '007'] as const

const body = (reference: string) => ({
  transaction_method: 'MOBILE_MONEY',
  merchant_reference: reference,
  description: 'The fault drill',
})
const account = (prefix: string, n: number, ending: string): string =>
  `${prefix}${String(n % 10_000).padStart(4, '0')}${ending}`
const inUganda = { provider_code: 'mtn_ug', currency: CURRENCY, amount: PAYOUT.amount }

export const payout = (reference: string, n: number, ending: string): Payment => ({
  reference,
  path: '/payout/send-funds',
  asksForOtp: false,
  body: { ...body(reference), ...inUganda, account_number: account('25677', n, ending), customer_name: 'Amina Nakato' },
})
const collection = (reference: string, n: number, ending: string): Payment => ({
  reference,
  path: '/collections/initialize',
  asksForOtp: false,
  body: { ...body(reference), ...inUganda, msisdn: account('25677', n, ending), allow_final_status_change: true },
})
const collectionWithOtp = (reference: string, n: number, ending: string): Payment => ({
  reference,
  path: '/collections/initialize',
  asksForOtp: true,
  body: {
    ...body(reference),
    provider_code: 'mtn_gh',
    currency: 'GHS',
    amount: 10,
    msisdn: account('23324', n, ending),
    allow_final_status_change: true,
  },
})

const endingOf = (n: number): string => present(ENDINGS[n % ENDINGS.length], 'an ending')

/** Every third is a payout, every seventh of the others waits for a one-time password. */
function paymentNumber(n: number): Payment {
  const reference = `DRILL-${String(n).padStart(6, '0')}`
  const ending = endingOf(n)
  if (n % 3 === 0) return payout(reference, n, ending)
  return n % 7 === 1 ? collectionWithOtp(reference, n, ending) : collection(reference, n, ending)
}

interface Answer {
  readonly status: number
  readonly text: string
  /** It was sent before, to a process that did not answer and may have carried it out. */
  readonly isRepeated: boolean
}

async function ask(url: string, request: RequestInit): Promise<Pick<Answer, 'status' | 'text'> | undefined> {
  try {
    const reply = await fetch(url, request)
    return { status: reply.status, text: await reply.text() }
  } catch {
    return undefined
  }
}

export function createLoad(urls: readonly string[]): Load {
  const acknowledged = new Set<string>()
  const complaints: string[] = []
  let calls = 0
  let numbers = 0

  /**
   * Each call goes to the next API process, as a load balancer would have it; one that is not answered is sent once
   * more to the one after. Without that, a customer whose calls are two in a row meets the process that stands still
   * again and again: of two there is nearly always one.
   * @returns undefined when no reply came from any
   */
  async function call(
    method: 'GET' | 'POST',
    path: string,
    content?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer | undefined> {
    const first = calls++
    for (let tried = 0; tried < urls.length; tried += 1) {
      const answer = await ask(present(urls[(first + tried) % urls.length], 'an API process') + path, {
        method,
        headers: { ...HEADERS, ...headers },
        ...(content !== undefined && { body: JSON.stringify(content) }),
        signal: AbortSignal.timeout(REPLY_MS_MAX),
      })
      if (answer) return { ...answer, isRepeated: tried > 0 }
    }
    return undefined
  }

  const nextNumber = () => ++numbers

  async function send(payment: Payment): Promise<void> {
    const { reference, path, asksForOtp } = payment
    // Half of the merchants use the header: then the reply that was lost comes again.
    const headers: Record<string, string> =
      reference.charCodeAt(reference.length - 1) % 2 === 0 ? { 'idempotency-key': `key-${reference}` } : {}
    await until(
      async () => {
        const reply = await call('POST', path, payment.body, headers)
        if (!reply || reply.status === 503) return false
        if (reply.status === 202 || reply.status === 409) acknowledged.add(reference)
        else complaints.push(`${reference} got ${reply.status}: ${reply.text}`)
        return true
      },
      ACKNOWLEDGED_MS_MAX,
      `${reference} is answered`,
    ).catch((error: Error) => complaints.push(error.message))
    if (asksForOtp && acknowledged.has(reference)) await typeOtp(reference)
  }

  /** The customer types the password until the collection goes on. */
  async function typeOtp(reference: string): Promise<void> {
    await pause(CUSTOMER_TYPES_AFTER_MS)
    let mayHaveArrived = false
    // How often what came back: one that never ends says what it met.
    const met = new Map<string, number>()
    const meet = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)
    await until(
      async () => {
        const found = await call('GET', `/data/transaction/verify/${reference}`)
        if (!found || found.status === 503) {
          meet(`verify ${found?.status ?? 'unanswered'}`)
          return false
        }
        if (found.status !== 200) {
          complaints.push(`verify of ${reference} got ${found.status}: ${found.text}`)
          return true
        }
        const { data } = JSON.parse(found.text) as { data: { transaction_status: string; internal_reference: string } }
        if (data.transaction_status !== 'PENDING') return true
        const reply = await call('POST', '/collections/authorize', {
          internal_reference: data.internal_reference,
          otp: SANDBOX_OTP,
        })
        meet(`authorize ${reply?.status ?? 'unanswered'}`)
        // It waits for no password any more: the one whose reply was lost had arrived.
        mayHaveArrived ||= reply?.isRepeated !== false
        if (reply?.status === 409 && mayHaveArrived) return true
        mayHaveArrived ||= reply?.status !== 409
        if (!reply || [409, 503].includes(reply.status)) return false
        if (reply.status !== 202) complaints.push(`authorize of ${reference} got ${reply.status}: ${reply.text}`)
        return true
      },
      ACKNOWLEDGED_MS_MAX,
      `${reference} is authorized`,
    ).catch((error: Error) =>
      complaints.push(`${error.message}; met ${[...met].map(([what, times]) => `${times} × ${what}`).join(', ')}`),
    )
  }

  return {
    acknowledged,
    complaints,
    send,
    nextNumber,
    sendOne() {
      const n = nextNumber()
      return send(payout(`EXTRA-${String(n).padStart(6, '0')}`, n, endingOf(n)))
    },
    async sendAll(requests, lengthMs) {
      const startedAt = performance.now()
      const authorizing: Promise<void>[] = []
      let next = 0
      const client = async () => {
        for (let n = next++; n < requests; n = next++) {
          await pause(Math.max(startedAt + (lengthMs * n) / requests - performance.now(), 0))
          const payment = paymentNumber(n)
          // Its customer holds up nobody else.
          if (payment.asksForOtp) authorizing.push(send(payment))
          else await send(payment)
        }
      }
      await Promise.all(Array.from({ length: CLIENTS }, client))
      await Promise.all(authorizing)
    },
  }
}
