import { present } from '../../harness/part.ts'
import type { Fault, Findings } from '../../driver/findings.ts'
import type { Fields } from '../../harness/json.ts'
import { headerOf, isFinal, payloadOf } from '../../driver/message-fields.ts'
import {
  callbackEffect,
  deliveriesOf,
  handshakesOf,
  handshakeEffect,
  isConfirmed,
  lastOf,
  retryDue,
  type Attempts,
  type DueMessage,
} from './schedule.ts'
import type { Scenario } from './scenario.ts'
import type { Message } from '../../driver/merchant-server.ts'
import { TRAP_PATH } from '../../driver/merchant-replies.ts'
import { slackMs } from './timeline.ts'

/** Everything that happened to one payment. */
export interface PlayedPayment {
  readonly scenario: Scenario
  readonly acceptedAt: Date
  readonly reference: string
  readonly curl: string
  readonly messages: readonly Message[]
  /** The verify reply while a message waited for its answer. */
  readonly verifiedAt: (message: Message) => Fields | undefined
  /** The last verify reply. */
  readonly record: Fields | undefined
  /** A message that should have come and did not. */
  readonly overdue: DueMessage | undefined
  /** The payment page's final redirect; address undefined: none; absent: there was no page. */
  readonly redirect?: { readonly address: string | undefined }
}

/** Tolerance for two clocks, or one that is read twice. */
const EARLY_MS = 250
/** Of so many jittered waits, four fifths differ by more than this share of the largest jitter. */
const [WAITS_MIN, SPREAD_MIN] = [10, 0.4]
/** Step of a moved clock. */
const STEP_MS = 1_000

const faultIf = (isWrong: boolean, rule: string, what: string): readonly Fault[] => (isWrong ? [{ rule, what }] : [])

/** What came for whom, then each payment. The rules over all traffic compare each message with the contract. */
export function judge(
  played: readonly PlayedPayment[],
  messages: readonly Message[],
  findings: Findings<Scenario>,
): void {
  for (const message of messages)
    findings.hold(message.webhook ?? 'retries', 1, addressFaults(message), `${message.method} ${message.path}`)
  for (const payment of played) judgePayment(payment, slackMs(played.length), findings)
  const shares = played
    .flatMap(({ messages: own }) => deliveriesOf(own).flatMap(sharesOf))
    .toSorted((one, other) => one - other)
  const at = (part: number): number => shares[Math.floor(shares.length * part)] ?? 0
  const what = `each wait is a little longer by chance (page "Verifying callbacks"), ${shares.length} waits were all equally long`
  const isFixed = shares.length >= WAITS_MIN && at(0.9) - at(0.1) < SPREAD_MIN
  findings.hold('retries', 1, faultIf(isFixed, 'by chance', what), 'waits')
}
/** Which part of its window each wait of a callback took; the first are so short that other messages delay it. */
const sharesOf = ([first, ...others]: Attempts): readonly number[] =>
  others.flatMap(({ at }, index) => {
    const before: Attempts = [first, ...others.slice(0, index)]
    const due = retryDue('callback', before)
    return due && index > 0 && !('asksForMs' in lastOf(before).reply)
      ? [(at.getTime() - due.from) / (due.to - due.from)]
      : []
  })

/** A message comes to the URL of its webhook, and names its payment. */
function addressFaults({ webhook, path, reference, json }: Message): readonly Fault[] {
  if (path.startsWith(TRAP_PATH)) return faultIf(true, 'redirect', 'a redirect was followed')
  const { transaction_type: type } = payloadOf({ json })
  const claimed = type === 'PAYOUT' ? 'payoutCallback' : 'collectionCallback'
  return [
    ...faultIf(webhook === undefined, 'url', "a request came to a URL that is not the merchant's"),
    ...faultIf(
      webhook !== undefined && type !== undefined && webhook !== claimed,
      `is ${claimed}`,
      `a ${claimed} came to the URL of ${webhook}`,
    ),
    ...faultIf(webhook !== undefined && reference === undefined, 'names nothing', 'a message names no payment'),
  ]
}

/** Judges one payment: messages, times, attempts. @param slackMs tolerated lateness */
function judgePayment(payment: PlayedPayment, slackMs: number, findings: Findings<Scenario>): void {
  const { scenario, reference, messages } = payment
  const subject = `${scenario.name}, ${reference}`
  /** An overloaded machine can distort state and timing of a payment: it is played again. */
  const hold = (about: string, rules: number, faults: readonly Fault[]) =>
    findings.hold(
      about,
      rules,
      faults.map((fault) => ({ ...fault, timed: true })),
      subject,
      payment,
    )
  const [question, ...polledAgain] = handshakesOf(messages)
  const deliveries = deliveriesOf(messages)
  const overdue = payment.overdue?.what ?? ''
  hold(
    'retries',
    1,
    faultIf(overdue !== '', `no ${overdue.replace(/\d+ after .*/, 'retry')}`, `${overdue} did not come`),
  )
  const sent: readonly (readonly ['handshake' | 'callback', Attempts])[] = [
    ...(question ? [['handshake', [question, ...polledAgain]] as const] : []),
    ...deliveries.map((attempts) => ['callback', attempts] as const),
  ]
  for (const [kind, attempts] of sent) {
    hold('webhook-timestamp', attempts.length - 1, staleFaults(attempts))
    hold('retries', attempts.length, timingFaults(kind, attempts, slackMs))
  }
  for (const [first] of deliveries) hold('verify', 1, verifyFaults(payment.verifiedAt(first)))
  if (question) hold('handshake', 1, handshakeFaults(payment.verifiedAt(question)))
  if (question && deliveries.some(([first]) => payloadOf(first).transaction_status === 'COMPLETED')) {
    const unconfirmed = 'the payout completed although the merchant did not confirm it'
    hold('handshake', 1, faultIf(!isConfirmed(payment), 'unconfirmed', unconfirmed))
  }
  hold('outcome', 2, outcomeFaults(payment, deliveries))
  hold('state', 1, stateFaults(payment, deliveries))
  if (payment.redirect && payment.record && isFinal(payment.record)) {
    const isLost = payment.redirect.address === undefined
    hold('customerRedirect', 1, faultIf(isLost, 'address', 'the page of a final payment leads nowhere'))
  }
}

function staleFaults([first, ...others]: Attempts): readonly Fault[] {
  const timestampOf = (message: Message): number => Number(headerOf(message, 'webhook-timestamp'))
  let before = first
  for (const attempt of others) {
    if (attempt.at.getTime() - before.at.getTime() > 2_000 && timestampOf(attempt) <= timestampOf(before))
      return faultIf(true, 'stale', 'a retry carries the time of the attempt before')
    before = attempt
  }
  return []
}

function timingFaults(kind: 'callback' | 'handshake', attempts: Attempts, slackMs: number): readonly Fault[] {
  const effect = kind === 'callback' ? callbackEffect : handshakeEffect
  const [first, ...others] = attempts
  return others.flatMap(({ at }, index) => {
    const before: Attempts = [first, ...others.slice(0, index)]
    const { reply, at: lastAt } = lastOf(before)
    const due = retryDue(kind, before)
    const gap = `${Math.round((at.getTime() - lastAt.getTime()) / 1000)} s after ${reply.name}`
    if (!due)
      return effect(reply) === 'ends'
        ? faultIf(true, `${kind} again`, `a ${kind} came again after ${reply.name}`)
        : faultIf(true, `${kind} too often`, `a ${kind} came ${attempts.length} times`)
    const isLate = at.getTime() > due.to + slackMs + STEP_MS
    return [
      ...faultIf(at.getTime() < due.from - EARLY_MS, `${kind} early`, `${kind} ${index + 2} came ${gap}, too early`),
      ...faultIf(isLate, `${kind} late`, `${kind} ${index + 2} came ${gap}, too late`),
    ]
  })
}

/** The rules over all traffic compare the fields; only here it is known that verify was asked while a callback waited. */
function verifyFaults(seen: Fields | undefined): readonly Fault[] {
  if (!seen) return faultIf(true, 'unknown', 'verify did not know the transaction when its callback came')
  const what = `a callback came while verify said ${String(seen.transaction_status)}`
  return faultIf(!isFinal(seen), 'early', what)
}

const handshakeFaults = ({ transaction_status: status = 'nothing' }: Fields = {}): readonly Fault[] =>
  faultIf(status !== 'PENDING', 'late', `a handshake came while verify said ${String(status)}`)

function outcomeFaults(
  { scenario: { outcomes, name, finalAfterMs }, acceptedAt, overdue }: PlayedPayment,
  deliveries: readonly Attempts[],
): readonly Fault[] {
  const [[first] = []] = deliveries
  const isEarly = first !== undefined && first.at.getTime() < acceptedAt.getTime() + finalAfterMs - EARLY_MS
  if (isEarly) return faultIf(true, 'before its time', `it ended before ${finalAfterMs / 1_000} s`)
  const came = deliveries.map(([first]) => payloadOf(first))
  if (came.length > outcomes.length) {
    const reported = came.map(({ transaction_status }) => String(transaction_status)).join(' and ')
    const expected = outcomes.map(({ status }) => status).join(' and ') || 'none'
    return faultIf(true, 'unexplained', `callbacks of ${reported} came, expected ${expected}`)
  }
  if (came.length < outcomes.length)
    return faultIf(!overdue, 'missing', `only ${came.length} of ${outcomes.length} callbacks came`)
  return came.flatMap(({ transaction_status, status_message }, index) => {
    const { status, message = status_message } = present(outcomes[index], 'documented outcome')
    return faultIf(
      transaction_status !== status || status_message !== message,
      `of ${name}`,
      `the outcome is ${String(transaction_status)} "${String(status_message)}", documented is ${status} "${String(message)}"`,
    )
  })
}

function stateFaults({ record, scenario }: PlayedPayment, deliveries: readonly Attempts[]): readonly Fault[] {
  if (!record) return faultIf(true, 'unknown', 'verify does not know the transaction')
  return faultIf(
    deliveries.length === 0 && scenario.outcomes.length === 0 && isFinal(record),
    'silent',
    `verify says ${String(record.transaction_status)}, and no callback came`,
  )
}
