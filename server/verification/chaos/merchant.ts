import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { listening } from '../testing/listening.ts'
import { patiently, pause } from './patience.ts'

export type Message = 'callback' | 'handshake'

/** How the merchant's server handles a message instead of replying a plain "ok". */
interface Disturbance {
  readonly to: Message
  /** `cut before the reply`: the server has not recorded the message; in all other cases it has. */
  readonly how: 'reply stalled' | 'cut before the reply' | 'cut instead of the reply' | 'cut within the reply'
  /** How long a stalled reply takes. */
  readonly ms: number
}

const URLS_KNOWN_MS = 1_000

/** The merchant's side: accepts every handshake and records what it receives. */
export interface Merchant {
  readonly url: string
  /** By merchant reference and status: the webhook-ids of the callbacks received. */
  readonly received: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>
  /** Payouts whose handshake it accepted. */
  readonly confirmed: ReadonlySet<string>
  /**
   * Plans the behaviour for this many of the next messages, each message at most once: a gateway is patient, but a
   * drill has an end.
   * @returns how many are still to come
   */
  disturb(disturbance: Disturbance, messages: number): () => number
  calm(): void
  /** For this long, every message is accepted but answered only at the end. */
  holdReplies(ms: number): void
  close(): Promise<void>
}

interface Plans extends Pick<Merchant, 'disturb' | 'calm'> {
  /** The planned behaviour for this message, if any. */
  planFor(to: Message, id: string): Disturbance | undefined
}

function createPlans(): Plans {
  const disturbed = new Set<string>()
  let plans: { readonly disturbance: Disturbance; left: number }[] = []
  return {
    planFor(to, id) {
      const plan = plans.find(({ disturbance, left }) => disturbance.to === to && left > 0)
      if (!plan || disturbed.has(id)) return undefined
      disturbed.add(id)
      plan.left -= 1
      return plan.disturbance
    },
    disturb(disturbance, messages) {
      const plan = { disturbance, left: messages }
      plans = [...plans.filter(({ left }) => left > 0), plan]
      return () => plan.left
    },
    calm() {
      plans = []
    },
  }
}

interface Notes extends Pick<Merchant, 'received' | 'confirmed'> {
  takeNotice(to: Message, request: IncomingMessage, body: string): void
}

function createNotes(): Notes {
  const reported = new Map<string, Map<string, Set<string>>>()
  const confirmed = new Set<string>()
  return {
    received: reported,
    confirmed,
    takeNotice(to, request, body) {
      if (to === 'handshake') return void confirmed.add(referenceIn(request))
      const { payload } = JSON.parse(body) as { payload: { merchant_reference: string; transaction_status: string } }
      const statuses = reported.get(payload.merchant_reference) ?? new Map<string, Set<string>>()
      statuses.set(
        payload.transaction_status,
        (statuses.get(payload.transaction_status) ?? new Set()).add(String(request.headers['webhook-id'])),
      )
      reported.set(payload.merchant_reference, statuses)
    },
  }
}

/** On a free port of the loopback interface. */
export async function startMerchant(): Promise<Merchant> {
  const { planFor, disturb, calm } = createPlans()
  const { received: reported, confirmed, takeNotice } = createNotes()
  let heldUntil = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const to: Message = request.method === 'POST' ? 'callback' : 'handshake'
    const disturbance = planFor(to, to === 'callback' ? String(request.headers['webhook-id']) : referenceIn(request))
    if (disturbance?.how === 'cut before the reply') return void request.socket.resetAndDestroy()
    takeNotice(to, request, await text(request))
    if (disturbance?.how === 'cut instead of the reply') return void request.socket.resetAndDestroy()
    if (disturbance?.how === 'cut within the reply') {
      response.writeHead(200, { 'content-length': '1000' }).write('half a rep')
      await pause(20)
      return void request.socket.resetAndDestroy()
    }
    await pause(Math.max(disturbance?.ms ?? 0, heldUntil - performance.now(), 0))
    response.end('ok')
  }

  const server = createServer((request, response) => {
    request.on('error', () => undefined)
    answer(request, response).catch(() => request.socket.destroy())
  })
  const { url, close } = await listening(server)
  return {
    url: `${url}/`,
    received: reported,
    confirmed,
    disturb,
    calm,
    holdReplies: (ms) => {
      heldUntil = performance.now() + ms
    },
    close,
  }
}

/** From now on all callbacks and handshakes go to this server, and every process knows. */
export async function leadTo({ url }: Pick<Merchant, 'url'>, pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await patiently(() =>
    pool.query('update merchants set collection_callback_url = $1, payout_callback_url = $1, verification_url = $1', [
      url,
    ]),
  )
  await pause(URLS_KNOWN_MS)
}

const referenceIn = ({ url = '' }: IncomingMessage): string =>
  new URL(url, 'http://merchant').searchParams.get('reference') ?? ''
