import type { ReplyOutcome } from '../exchange.ts'
import { printable } from '../paint.ts'
import type { RowAnswer, Order, PlayedLife, Row } from './row.ts'

/** `unseen`: from outside, neither a fault nor correct behaviour is visible. */
export type Verdict = 'ok' | 'wrong' | 'warning' | 'unseen' | 'left_out'

/** The verdict of one row. */
export interface Outcome {
  readonly row: Row
  readonly verdict: Verdict
  /** What this receiver did. */
  readonly did: string
  /** It died on this row. */
  readonly death?: CrashTiming
  /** The messages, in short. */
  readonly sent: readonly string[]
}

/** What was observed in one row. */
export interface Observation extends PlayedLife {
  readonly row: Row
  readonly order: Order
  /** Whether the receiver confirmed that it knows the order. */
  readonly isKnown: boolean
  readonly sent: readonly string[]
  /** Replies to messages that were never completed. */
  readonly repliesToSlow: readonly ReplyOutcome[]
  /** The receiver was gone after this row. */
  readonly death?: CrashTiming
}

/** A receiver that refused connections after a row. */
export interface CrashTiming {
  /** How long the check waited for it. */
  readonly waitedMs: number
  /** Absent: it did not come back. */
  readonly backAfterMs?: number
}

/** What all rows together have shown. */
interface Evidence {
  /** Absent without `--effects-url`. */
  readonly counts: ReadonlyMap<string, number> | undefined
  /** Whether the good event was accepted. A receiver that rejects everything proves nothing by rejecting. */
  readonly takesGoodEvents: boolean
}

const ACCEPTS: Readonly<Record<RowAnswer, (reply: ReplyOutcome) => boolean>> = {
  acknowledged: (reply) => within(reply, 200, 299),
  // A callback that is in progress may be rejected with a status after which Malipo sends it again.
  acknowledged_by_one: (reply) =>
    within(reply, 200, 299) ||
    within(reply, 409, 409) ||
    within(reply, 425, 425) ||
    within(reply, 429, 429) ||
    within(reply, 500, 599),
  refused: (reply) => within(reply, 400, 499),
  refused_or_cut: (reply) => within(reply, 400, 499) || reply.kind === 'cut',
  no_crash: (reply) => within(reply, 200, 499),
  confirmed: (reply) => within(reply, 200, 299),
  // Request Timeout, Too Early, Too Many Requests: Malipo asks again, as after 5xx.
  rejected: (reply) => within(reply, 400, 499) && ![408, 425, 429].some((status) => within(reply, status, status)),
  shown: (reply) => within(reply, 200, 399),
}
const within = (reply: ReplyOutcome, min: number, max: number): boolean =>
  reply.kind === 'answered' && reply.status >= min && reply.status <= max

/** Compares the observations with what a correct receiver does. */
export function judge(observation: Observation, evidence: Evidence): Outcome {
  const { row, replies, repliesToSlow, calls } = observation
  const called = calls && `called Malipo: ${calls.length > 0 ? [...new Set(calls)].join(', ') : 'not at all'}`
  const answered = [...describe(replies), ...describeSlow(repliesToSlow), ...(called ? [called] : [])].join('; ')
  const outcome = (verdict: Verdict, more?: string): Outcome => ({
    row,
    verdict,
    did: [answered, more].filter(Boolean).join('; '),
    sent: observation.sent,
  })

  const { death } = observation
  if (death) return { ...outcome('wrong', describeDeath(death)), death }
  if (observation.fault !== undefined) return outcome('wrong', observation.fault)
  const effect = effectOf(observation, evidence)
  if (effect.verdict === 'wrong') return outcome('wrong', effect.did)
  if (repliesToSlow.some(ACCEPTS.acknowledged)) return outcome('wrong', 'it acknowledged half a message')
  const { forbiddenInReply } = row
  if (
    forbiddenInReply !== undefined &&
    replies.some((reply) => reply.kind === 'answered' && isHtml(reply) && reply.body.includes(forbiddenInReply))
  ) {
    return outcome('wrong', 'its page contains the script as a script')
  }
  const isAnsweredRightly =
    replies.every(ACCEPTS[row.answer]) && (row.answer !== 'acknowledged_by_one' || replies.some(ACCEPTS.acknowledged))
  if (!isAnsweredRightly)
    return outcome(row.weight === 'must' || replies.some(isCrash) ? 'wrong' : 'warning', effect.did)
  const isRefusal = row.answer === 'refused' || row.answer === 'refused_or_cut'
  if (isRefusal && row.group === 'callback' && !evidence.takesGoodEvents)
    return outcome('unseen', 'but it refuses good events too: is --secret the secret of this receiver?')
  return outcome(effect.verdict, effect.did)
}

/** Whether the receiver accepted the good event: judged by its reply alone. */
export const takesGoodEvents = (good: Observation): boolean =>
  judge(good, { counts: undefined, takesGoodEvents: true }).verdict === 'ok'

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const describeDeath = ({ waitedMs, backAfterMs }: CrashTiming): string =>
  `then it died: nothing listens there any more; ${
    backAfterMs === undefined
      ? `it did not come back within ${inSeconds(waitedMs)}`
      : `back after ${inSeconds(backAfterMs)}`
  }`

const isCrash = (reply: ReplyOutcome): boolean => reply.kind !== 'answered' || reply.status >= 500
const isHtml = ({ headers }: Extract<ReplyOutcome, { kind: 'answered' }>): boolean =>
  /html|xml/.test(headers['content-type'] ?? 'text/html')

type Effect = { readonly verdict: 'ok' | 'wrong' | 'unseen'; readonly did?: string }

function effectOf(observation: Observation, { counts }: Evidence): Effect {
  const {
    row: { fulfilled, isAboutEffect },
    order,
    isKnown,
    also = [],
  } = observation
  if (fulfilled === undefined) return { verdict: 'ok' }
  if (counts === undefined)
    return isAboutEffect
      ? { verdict: 'unseen', did: 'what it did with the order cannot be seen from outside: offer --effects-url' }
      : { verdict: 'ok' }
  const each = [order.merchantReference, ...also].map((reference) => counts.get(reference) ?? 0)
  const count = each.find((number) => number !== fulfilled) ?? fulfilled
  if (count > fulfilled) return { verdict: 'wrong', did: `it fulfilled the order ${times(count)}` }
  if (isKnown) return { verdict: count === fulfilled ? 'ok' : 'wrong', did: `it fulfilled the order ${times(count)}` }
  // No receiver fulfils an order that does not exist, so nothing was tested.
  return isAboutEffect
    ? { verdict: 'unseen', did: 'it does not know the order: let POST to --effects-url create it' }
    : { verdict: 'ok' }
}

const times = (count: number): string => ['not at all', 'once'][count] ?? `${count} times`

/** Lists equal replies once. */
function describe(replies: readonly ReplyOutcome[]): string[] {
  const texts = replies.map((reply) => (reply.kind === 'answered' ? `answered ${reply.status}` : reply.why))
  return [...new Set(texts)].map((text) => {
    const count = texts.filter((other) => other === text).length
    const first = replies[texts.indexOf(text)]
    const body =
      first?.kind === 'answered' && first.body !== '' && replies.length === 1 && !isHtml(first)
        ? ` ${printable(first.body, 120)}`
        : ''
    return `${text}${count > 1 ? ` (${count} times)` : ''}${body}`
  })
}

function describeSlow(replies: readonly ReplyOutcome[]): string[] {
  if (replies.length === 0) return []
  const open = replies.filter(({ kind }) => kind === 'silent').length
  return [
    open === 0
      ? `ended all ${replies.length} slow connections`
      : `${open} of ${replies.length} slow connections still open after 3 s: make sure that a time-out ends them`,
  ]
}
