import { isObject } from '../../../openapi/reading/json.ts'
import { statusOf, type ReceiverReply } from '../../driver/merchant-replies.ts'
import { HANDSHAKE, LONGER_MAX, WAITS_MS } from '../../driver/webhooks.ts'
import type { Scenario } from './scenario.ts'
import type { Message } from '../../driver/merchant-server.ts'

// The contract's description of attempts: when the next one comes, and when there is none.

const SECOND_MS = 1_000
const TIME_LIMITS_MS = { callback: 15 * SECOND_MS, handshake: 5 * SECOND_MS }
export const SCHEDULE_ATTEMPTS = WAITS_MS.callback.length + 1
/** The longest wait that a merchant can request (page "Verifying callbacks"). */
const REQUESTED_MAX_MS = 24 * 3_600 * SECOND_MS
/** A window is divided into so many parts. */
const PARTS = 4
/** Time limit of a first message, from the moment of its cause. */
const FIRST_WITHIN_MS = 20 * SECOND_MS

/** The window of an expected message. */
export interface DueMessage {
  readonly what: string
  readonly from: number
  readonly to: number
  /** Polling interval meanwhile: how exactly it is known when it came. */
  readonly stepMs: number
}

export interface History {
  readonly scenario: Scenario
  readonly acceptedAt: Date
  readonly messages: readonly Message[]
}

type Effect = 'ends' | 'again'

/** Any 2xx acknowledges a callback, 410 stops it. */
export const callbackEffect = (reply: ReceiverReply): Effect => {
  const code = statusOf(reply)
  return code !== undefined && ((code >= 200 && code < 300) || code === 410) ? 'ends' : 'again'
}

/** Any 2xx confirms a payout; 4xx rejects it, except those that say "not now". */
export const handshakeEffect = (reply: ReceiverReply): Effect => {
  const code = statusOf(reply)
  return code !== undefined && (confirms(code) || (code >= 400 && code < 500 && ![408, 425, 429].includes(code)))
    ? 'ends'
    : 'again'
}

const confirms = (code: number | undefined): boolean => code !== undefined && code >= 200 && code < 300
export const isConfirmed = ({ messages }: History): boolean =>
  handshakesOf(messages).some(({ reply }) => confirms(statusOf(reply)))
export const handshakesOf = (messages: readonly Message[]): readonly Message[] =>
  messages.filter(({ webhook, method }) => webhook === HANDSHAKE || (webhook !== undefined && method === 'GET'))

export const reportedStatus = (json: unknown): string =>
  String(isObject(json) && isObject(json.payload) ? json.payload.transaction_status : undefined)

/** The attempts of one message, in the order of arrival. */
export type Attempts = readonly [Message, ...Message[]]
export const lastOf = ([first, ...others]: Attempts): Message => others.at(-1) ?? first

/** The attempts of each callback: the reported final state distinguishes them. */
export function deliveriesOf(messages: readonly Message[]): readonly Attempts[] {
  const groups = new Map<string, Attempts>()
  const requested = new Set(handshakesOf(messages))
  for (const message of messages.filter((one) => one.webhook !== undefined && !requested.has(one))) {
    const state = reportedStatus(message.json)
    const before = groups.get(state)
    groups.set(state, before ? [...before, message] : [message])
  }
  return [...groups.values()]
}

/** When the attempt after the n-th one comes; undefined when there is none. */
export function retryDue(what: 'callback' | 'handshake', attempts: Attempts): DueMessage | undefined {
  const last = lastOf(attempts)
  const waitMs = WAITS_MS[what][attempts.length - 1]
  if (waitMs === undefined || (what === 'callback' ? callbackEffect : handshakeEffect)(last.reply) === 'ends')
    return undefined
  const [leastMs, mostMs] = (what === 'callback' && 'status' in last.reply && last.reply.asksForMs) || [0, 0]
  const longer = (requestedMs: number): number => Math.max(waitMs, Math.min(requestedMs, REQUESTED_MAX_MS))
  const from = last.at.getTime() + longer(leastMs)
  // The wait begins when the server has the reply, or has given up.
  const takesMs =
    'broken' in last.reply && last.reply.broken === 'hang' ? TIME_LIMITS_MS[what] : (last.reply.afterMs ?? 0)
  const to = last.at.getTime() + longer(mostMs) * (1 + LONGER_MAX) + takesMs
  return {
    what: `${what} ${attempts.length + 1} after ${last.reply.name}`,
    from,
    to,
    stepMs: (to - from) / PARTS,
  }
}

/** The next expected message of a payment; undefined when everything has come. */
export function nextDue({ scenario, acceptedAt, messages }: History): DueMessage | undefined {
  const [question, ...polledAgain] = handshakesOf(messages)
  const first = (what: string, after: number): DueMessage => ({
    what,
    from: after,
    to: after + FIRST_WITHIN_MS,
    stepMs: SECOND_MS,
  })
  if (scenario.operation === 'sendFunds') {
    if (!question) return first('handshake', acceptedAt.getTime())
    const retry = retryDue('handshake', [question, ...polledAgain])
    if (retry) return retry
  }
  const deliveries = deliveriesOf(messages)
  const retries = deliveries.map((attempts) => retryDue('callback', attempts)).filter((due) => due !== undefined)
  if (retries.length > 0) return retries.reduce((one, other) => (other.from < one.from ? other : one))
  const outcome = scenario.outcomes[deliveries.length]
  if (!outcome) return undefined
  const latest = Math.max(acceptedAt.getTime() + scenario.finalAfterMs, ...messages.map(({ at }) => at.getTime()))
  return first(`callback of ${outcome.status}`, latest)
}
