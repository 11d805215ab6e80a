import type { ReceiverSettings, Target } from '../../harness/part.ts'
import type { Customer } from '../../driver/browser.ts'
import { customerOf, redirectOf, SANDBOX_OTP, walk, WRONG_OTP } from '../../driver/customer.ts'
import type { Fault, Findings } from '../../driver/findings.ts'
import type { PlayedPayment } from './judge.ts'
import type { Fields } from '../../harness/json.ts'
import { OK, type ReceiverReply } from '../../driver/merchant-replies.ts'
import { postRequest, sendRequest, verifyRequest } from '../../driver/requests.ts'
import { curlLine } from '../../harness/curl.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import { reportedStatus, type History } from './schedule.ts'
import type { Scenario } from './scenario.ts'
import { startReceiver, type Arrival, type Message, type Receiver } from '../../driver/merchant-server.ts'
import { ownTimeline, playOut, realTimeline, type Timeline } from './timeline.ts'

/** Longer than the longest wait between two attempts. */
const QUIET_OWN_MS = 30 * 3_600_000
const QUIET_REAL_MS = 7_000
/** No reply, or the statuses of an overloaded server. */
const BUSY = [0, 408, 503, 504]
/** A line waits before it verifies its payment; most have ended by then. Messages go to the URLs of the account. */
const POLL_LATER = '; sleep 3; '
/** Bound for a server that knows every reference. */
const RUNS_MAX = 200

interface Payment {
  readonly scenario: Scenario
  readonly reference: string
  readonly acceptedAt: Date
  readonly curl: string
  visited?: Customer | undefined
}

interface PlayOptions {
  readonly target: Target & { readonly receiver: ReceiverSettings }
  readonly seed: number
  readonly findings: Findings<Scenario>
  /** The payments of a run, by its number. */
  readonly choose: (run: number) => readonly Scenario[]
}

/** Makes the payments, answers messages as their scenarios say, and waits until no more are due. */
export async function play({
  target,
  seed,
  findings,
  choose,
}: PlayOptions): Promise<{ readonly played: readonly PlayedPayment[]; readonly messages: readonly Message[] }> {
  const payments = new Map<string, Payment>()
  const polls = new Map<string, Promise<Fields | undefined>>()
  const { own } = target
  const now = own ? () => own.now() : () => new Date()
  const server = await startReceiver({ port: target.receiver.port, own, decide })
  const timeline = own ? ownTimeline(own) : realTimeline(() => server.messages.length)
  const historyOf = ({ scenario, acceptedAt, reference }: Payment): History => ({
    scenario,
    acceptedAt,
    messages: server.messagesOf(reference),
  })

  async function decide(arrival: Arrival): Promise<ReceiverReply> {
    const payment =
      arrival.webhook === undefined || arrival.reference === undefined ? undefined : payments.get(arrival.reference)
    if (!payment) return OK
    const poll = pollOf(arrival)
    const looking = polls.get(poll) ?? verify(target, payment.reference)
    polls.set(poll, looking)
    await looking
    const before = server.messagesOf(payment.reference).filter((message) => pollOf(message) === poll).length
    const replies = arrival.webhook === HANDSHAKE ? payment.scenario.handshakes : payment.scenario.callbacks
    return replies[before] ?? replies.at(-1) ?? OK
  }

  try {
    const run = await firstUnusedRun(target, seed)
    for (const [index, scenario] of choose(run).entries())
      await pay({ target, findings, now, payments }, scenario, referenceOf(seed, run, index))
    const made = [...payments.values()]
    const overdue = await playOut(() => made.map(historyOf), timeline)
    if (made.length > 0) await quiet(timeline, server, own ? QUIET_OWN_MS : QUIET_REAL_MS)
    const seen = new Map<string, Fields | undefined>()
    for (const [poll, looking] of polls) seen.set(poll, await looking)
    const played: PlayedPayment[] = []
    for (const [index, payment] of made.entries()) {
      const redirect = payment.visited && { address: await redirectOf(payment.visited) }
      const record = await verify(target, payment.reference)
      played.push({
        ...historyOf(payment),
        reference: payment.reference,
        curl: payment.curl,
        overdue: overdue.get(index),
        record,
        verifiedAt: (message) => seen.get(pollOf(message)),
        ...(redirect && { redirect }),
      })
    }
    return { played, messages: server.messages }
  } finally {
    await server.close()
  }
}

interface ReceiverFixture {
  readonly target: Target
  readonly findings: Findings<Scenario>
  readonly now: () => Date
  readonly payments: Map<string, Payment>
}

/** Makes one payment, and does what its customer does. */
async function pay(
  { target, findings, now, payments }: ReceiverFixture,
  scenario: Scenario,
  reference: string,
): Promise<void> {
  const request = postRequest(target, scenario.operation, { ...scenario.body, merchant_reference: reference })
  const curl = [request, verifyRequest(target, reference)].map((each) => curlLine(target, each)).join(POLL_LATER)
  const payment: Payment = { scenario, reference, acceptedAt: now(), curl }
  // Registered before it is accepted: its handshake may arrive before the reply does.
  payments.set(reference, payment)
  const { status, data } = await sendRequest(target.url, request)
  const came = status === 0 ? 'no reply' : `HTTP ${status}`
  const fault: Fault = {
    rule: 'accepted',
    what: `${came} instead of 202`,
    ...(BUSY.includes(status) && { timed: true }),
  }
  findings.hold(scenario.operation, 1, status === 202 ? [] : [fault], `${scenario.name}, ${reference}`, {
    scenario,
    curl,
  })
  if (status !== 202) payments.delete(reference)
  else await act(payment, data, target)
}

/** Follows the customer's plan right after the collection was accepted. */
async function act(payment: Payment, accepted: Fields, target: Target): Promise<void> {
  const { customer: plan, account } = payment.scenario
  if (plan === 'authorizes') {
    const { internal_reference } = accepted
    for (const otp of [WRONG_OTP, SANDBOX_OTP])
      await sendRequest(target.url, postRequest(target, 'authorizeCollection', { internal_reference, otp }))
  } else if (plan !== undefined) {
    payment.visited = customerOf(target, accepted)
    const does = plan === 'cancels' || plan === 'pays' ? plan : 'guesses'
    // A page that does not answer shows in the outcome.
    if (payment.visited && plan !== 'never comes') await walk(does, payment.visited, account).catch(() => undefined)
  }
}

/** Undefined: it is not found. */
async function verify(target: Target, reference: string): Promise<Fields | undefined> {
  const { status, data } = await sendRequest(target.url, verifyRequest(target, reference))
  return status === 200 ? data : undefined
}

/** One verify call for all attempts of a message: the first one is compared with it. */
const pollOf = ({ webhook, reference, json }: Arrival): string =>
  `${reference} ${webhook === HANDSHAKE ? HANDSHAKE : reportedStatus(json)}`

/** No more messages are due, however long one waits. */
async function quiet(timeline: Timeline, { messages }: Receiver, ms: number): Promise<void> {
  const until = timeline.now().getTime() + ms
  for (let count = -1; timeline.now().getTime() < until && messages.length !== count;) {
    count = messages.length
    await timeline.moveTo(until)
  }
}

const referenceOf = (seed: number, run: number, index: number): string =>
  `RECEIVER-${seed % 1_000_000}-${run}-${String(index).padStart(4, '0')}`

/** References can be used once: several runs with one seed against one server each have a number. */
async function firstUnusedRun(target: Target, seed: number): Promise<number> {
  let run = 1
  while (run < RUNS_MAX && (await verify(target, referenceOf(seed, run, 0)))) run += 1
  return run
}
