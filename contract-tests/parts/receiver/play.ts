import { RECEIVER_PATHS } from '../../harness/own-merchants.ts'
import type { ReceiverSettings, Target } from '../../harness/part.ts'
import type { Customer } from './customer.ts'
import { act, openPage } from './customer-plans.ts'
import type { Findings } from './findings.ts'
import type { PlayedPayment } from './judge-payment.ts'
import type { Fields } from './message-fields.ts'
import { OK, type ReceiverReply } from './replies.ts'
import { createRequests, curlOf } from './requests.ts'
import { HANDSHAKE, reportedStatus, type History } from './schedule.ts'
import type { Scenario } from './scenario.ts'
import { startReceiver, type Arrival, type Message, type Receiver } from './server.ts'
import { ownTimeline, playOut, realTimeline, type Timeline } from './timeline.ts'
import type { Fault } from './webhook-check.ts'

/** Paths that the merchant's URLs must have, by the names of the contract's webhooks. */
export const WEBHOOK_PATHS = {
  collectionCallback: RECEIVER_PATHS.collectionCallback,
  payoutCallback: RECEIVER_PATHS.payoutCallback,
  [HANDSHAKE]: RECEIVER_PATHS.handshake,
}

/** Longer than the longest wait between two attempts. */
const QUIET_OWN_MS = 30 * 3_600_000
const QUIET_REAL_MS = 7_000
const PATHS = { initializeCollection: '/collections/initialize', sendFunds: '/payout/send-funds' } as const
/** No reply, or the statuses of an overloaded server. */
const BUSY = [0, 408, 503, 504]
/** Bound for a server that knows every reference. */
const RUNS_MAX = 200

type Api = ReturnType<typeof createRequests>

interface Payment {
  readonly scenario: Scenario
  readonly reference: string
  readonly acceptedAt: Date
  readonly curl: string
  visited?: Customer
}

interface PlayOptions {
  readonly target: Target & { readonly receiver: ReceiverSettings }
  readonly seed: number
  readonly findings: Findings
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
  const api = createRequests(target)
  const payments = new Map<string, Payment>()
  const polls = new Map<string, Promise<Fields | undefined>>()
  const { own } = target
  const now = own ? () => own.now() : () => new Date()
  const server = await startReceiver({ port: target.receiver.port, paths: WEBHOOK_PATHS, now, decide })
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
    const looking = polls.get(poll) ?? api.verify(payment.reference)
    polls.set(poll, looking)
    await looking
    const before = server.messagesOf(payment.reference).filter((message) => pollOf(message) === poll).length
    const replies = arrival.webhook === HANDSHAKE ? payment.scenario.handshakes : payment.scenario.callbacks
    return replies[before] ?? replies.at(-1) ?? OK
  }

  try {
    const run = await firstUnusedRun(api, seed)
    for (const [index, scenario] of choose(run).entries())
      await pay({ target, api, findings, now, payments }, scenario, referenceOf(seed, run, index))
    const made = [...payments.values()]
    const overdue = await playOut(() => made.map(historyOf), timeline)
    if (made.length > 0) await quiet(timeline, server, own ? QUIET_OWN_MS : QUIET_REAL_MS)
    const seen = new Map<string, Fields | undefined>()
    for (const [poll, looking] of polls) seen.set(poll, await looking)
    const played: PlayedPayment[] = []
    for (const [index, payment] of made.entries()) {
      const redirect = payment.visited && { address: await openPage(payment.visited), at: now() }
      const record = await api.verify(payment.reference)
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
  readonly api: Api
  readonly findings: Findings
  readonly now: () => Date
  readonly payments: Map<string, Payment>
}

/** Makes one payment, and does what its customer does. */
async function pay(
  { target, api, findings, now, payments }: ReceiverFixture,
  scenario: Scenario,
  reference: string,
): Promise<void> {
  const path = PATHS[scenario.operation]
  const body = { ...scenario.body, merchant_reference: reference }
  const withSecret = scenario.operation === 'sendFunds'
  const curl = curlOf(target, path, body, withSecret)
  const payment: Payment = { scenario, reference, acceptedAt: now(), curl }
  // Registered before it is accepted: its handshake may arrive before the reply does.
  payments.set(reference, payment)
  const { status, data } = await api.post(path, body, withSecret)
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
  else if (scenario.customer) {
    const visited = await act(scenario, data, { target, api, findings, curl })
    if (visited) payment.visited = visited
  }
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
async function firstUnusedRun(api: Api, seed: number): Promise<number> {
  let run = 1
  while (run < RUNS_MAX && (await api.verify(referenceOf(seed, run, 0)))) run += 1
  return run
}
