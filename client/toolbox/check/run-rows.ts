import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type OutgoingRequest, type ReplyOutcome } from '../exchange.ts'
import { inShort } from '../messages.ts'
import { UsageError } from '../usage.ts'
import type { Effects } from './effects.ts'
import { FulfilmentLog } from './fulfilments.ts'
import { judge, takesGoodEvents, type CrashTiming, type Observation, type Outcome } from './judge.ts'
import { isThere, msUntilBack, whyAbsent } from './presence.ts'
import type { RowContext, Order, Row, Stage } from './row.ts'

/** The rows to play, and how. */
export interface Plan {
  readonly rows: readonly Row[]
  /** One per group: the target of its messages. */
  readonly contextOf: (row: Row) => RowContext
  readonly newOrder: (row: Row) => Order
  /** For rows with a `play`. */
  readonly stageOf?: (row: Row, order: Order) => Omit<Stage, 'send'>
  readonly effects: Effects | undefined
  /** Whether the receiver knows a payout under `newOrder`'s reference without an announcement. */
  readonly knowsPayouts: boolean
  readonly timeoutMs: number
  /** Time limit for all rows together, without the time spent waiting for a receiver that died. */
  readonly deadlineMs: number
  /** How long to wait for a receiver that died, each time. */
  readonly returnMs: number
  /** Skips the rows that have not run yet. */
  readonly ended: AbortSignal
}

/** Callbacks for progress while rows run. */
export interface ProgressListener {
  /** A row has its verdict. */
  readonly judged: (outcome: Outcome) => void
  /** A later observation changed the verdict of a row. */
  readonly corrected: (outcome: Outcome) => void
  /** The receiver died on this row. */
  readonly waiting: (row: Row) => void
}

/** Rows skipped at the deadline; that is not the receiver's fault. */
export const TIME_UP = 'the time was up'
/** Neither is this. */
export const STOPPED = 'it was stopped before'

const SLOW_MS = 3_000
/** Slow senders connect before the others. */
const SLOW_LEAD_MS = 300

/**
 * Runs all rows, one after the other.
 * @throws UsageError when nothing listens at one of the URLs at the start
 */
export async function runRows(plan: Plan, listener: ProgressListener): Promise<readonly Outcome[]> {
  await mustBeThere(plan)
  const fulfilments = new FulfilmentLog(plan.effects)
  await fulfilments.begin()
  const run = new Run(plan, listener, fulfilments)
  for (const row of plan.rows) await run.play(row)
  await fulfilments.settle()
  run.judgeAgain()
  return run.outcomes
}

/** Checked before the first row: a report that breaks off in the middle is of no use to anybody. */
async function mustBeThere({ rows, contextOf, timeoutMs }: Plan): Promise<void> {
  const urls = new Map(rows.map((row) => [contextOf(row).url.host, contextOf(row).url]))
  for (const url of urls.values()) {
    const why = await whyAbsent(url, timeoutMs)
    if (why !== undefined) throw new UsageError(`${url.href}: ${why}`)
  }
}

type SkippedOutcome = Outcome & { readonly verdict: 'left_out' }
interface PlayedRow {
  observation: Observation | SkippedOutcome
  outcome: Outcome
}
interface ObservedRow extends PlayedRow {
  observation: Observation
}

class Run {
  readonly #plan: Plan
  readonly #listener: ProgressListener
  readonly #fulfilments: FulfilmentLog
  readonly #played: PlayedRow[] = []
  readonly #startedAt = performance.now()
  #waitedMs = 0
  #takesGoodEvents = false
  /** Hosts that never came back, and the row on which they died. */
  readonly #lost = new Map<string, Row>()

  constructor(plan: Plan, listener: ProgressListener, fulfilments: FulfilmentLog) {
    this.#plan = plan
    this.#listener = listener
    this.#fulfilments = fulfilments
  }

  get outcomes(): readonly Outcome[] {
    return this.#played.map(({ outcome }) => outcome)
  }

  async play(row: Row): Promise<void> {
    const observation = await this.#observe(row)
    if ('replies' in observation) {
      const { order, isKnown, replies, death } = observation
      const comes = row.fulfilled === 1 && isKnown && !death && replies.some(isYes)
      await this.#fulfilments.poll(comes ? order.merchantReference : undefined)
      if (row.id === 'good') this.#takesGoodEvents = takesGoodEvents(observation)
    }
    const outcome = this.#judge(observation)
    this.#played.push({ observation, outcome })
    this.#listener.judged(outcome)
  }

  /** A duplicate effect may have happened after the row was judged. */
  judgeAgain(): void {
    for (const played of this.#played) this.#rejudge(played)
  }

  #rejudge(played: PlayedRow): void {
    const { verdict, did } = played.outcome
    played.outcome = this.#judge(played.observation)
    if (played.outcome.verdict !== verdict || played.outcome.did !== did) this.#listener.corrected(played.outcome)
  }

  #judge(observation: PlayedRow['observation']): Outcome {
    const evidence = { counts: this.#fulfilments.counts, takesGoodEvents: this.#takesGoodEvents }
    return 'replies' in observation ? judge(observation, evidence) : observation
  }

  /** @param isSecondTry after the receiver came back: a failure now is due to this row */
  async #observe(row: Row, isSecondTry = false): Promise<PlayedRow['observation']> {
    const { url } = this.#plan.contextOf(row)
    const skipped = this.#reasonToSkip(url)
    if (skipped !== undefined) return { row, verdict: 'left_out', did: skipped, sent: [] }
    const before = isSecondTry ? undefined : this.#rowBefore(url)
    if (before && !(await this.#isThere(url))) return this.#afterDeathOn(before, row)
    const observation = await send(row, this.#plan)
    if (!('replies' in observation)) return observation
    if (wasNeverReached(observation) && before) return this.#afterDeathOn(before, row)
    if (wasNeverReached(observation) && this.#played.length === 0)
      throw new UsageError(`${url.href}: ${observation.replies[0]?.why}`)
    return (await this.#isThere(url)) ? observation : { ...observation, death: await this.#awaitRestart(row, url) }
  }

  #isThere(url: URL): Promise<boolean> {
    return isThere(url, this.#plan.timeoutMs)
  }

  #rowBefore({ host }: URL): ObservedRow | undefined {
    return this.#played.findLast(
      (played): played is ObservedRow =>
        'replies' in played.observation && this.#plan.contextOf(played.observation.row).url.host === host,
    )
  }

  /** It replied to the previous row and was gone before this row could do anything: it died on the previous row. */
  async #afterDeathOn(before: ObservedRow, row: Row): Promise<PlayedRow['observation']> {
    const { url } = this.#plan.contextOf(row)
    before.observation = { ...before.observation, death: await this.#awaitRestart(before.observation.row, url) }
    this.#rejudge(before)
    return this.#observe(row, true)
  }

  #reasonToSkip({ host }: URL): string | undefined {
    if (this.#plan.ended.aborted) return STOPPED
    const lostOn = this.#lost.get(host)
    if (lostOn) return `not tried: the receiver died on ${lostOn.id} and did not come back`
    const playedMs = performance.now() - this.#startedAt - this.#waitedMs
    return playedMs > this.#plan.deadlineMs ? TIME_UP : undefined
  }

  async #awaitRestart(row: Row, url: URL): Promise<CrashTiming> {
    this.#listener.waiting(row)
    this.#fulfilments.keep()
    const { returnMs, ended } = this.#plan
    const backAfterMs = await msUntilBack(url, returnMs, ended)
    this.#waitedMs += backAfterMs ?? returnMs
    if (backAfterMs === undefined) this.#lost.set(url.host, row)
    return backAfterMs === undefined ? { waitedMs: returnMs } : { waitedMs: returnMs, backAfterMs }
  }
}

const isYes = (reply: ReplyOutcome): boolean => reply.kind === 'answered' && reply.status >= 200 && reply.status < 300

type FailedObservation = Observation & { readonly replies: readonly Exclude<ReplyOutcome, { kind: 'answered' }>[] }
const wasNeverReached = (observation: Observation): observation is FailedObservation =>
  observation.replies.every(({ kind }) => kind === 'absent')

async function send(row: Row, plan: Plan): Promise<Observation | SkippedOutcome> {
  const order = plan.newOrder(row)
  const stage = plan.stageOf?.(row, order)
  const isKnown =
    row.startsOrder ||
    ((await plan.effects?.announce(order)) ?? false) ||
    (row.group === 'handshake' && plan.knowsPayouts)
  if (row.needsKnownReference && !isKnown)
    return {
      row,
      verdict: 'left_out',
      sent: [],
      did: `no known payout: ${row.group === 'handshake' ? 'give --known-reference, or ' : ''}let POST to --effects-url create one`,
    }
  if (row.play && stage) {
    const sent: string[] = []
    const send: Stage['send'] = (message, timeoutMs = plan.timeoutMs) => {
      sent.push(inShort(message))
      return exchange(message, timeoutMs)
    }
    const noting = (action: 'start' | 'catch_up', act: () => Promise<ReplyOutcome>) => () => {
      sent.push(`POST {"action": "${action}"} to its test page`)
      return act()
    }
    const actions = { start: noting('start', stage.start), catchUp: noting('catch_up', stage.catchUp) }
    return { row, order, isKnown, repliesToSlow: [], sent, ...(await row.play({ ...stage, ...actions, send })) }
  }
  const messages = row.messages?.(plan.contextOf(row), order) ?? []
  const slow = messages.filter((message) => message.slow).map((message) => exchange(message, SLOW_MS))
  if (slow.length > 0) await sleep(SLOW_LEAD_MS)
  const replies = await sendAll(
    messages.filter((message) => !message.slow),
    row,
    plan.timeoutMs,
  )
  return { row, order, isKnown, replies, repliesToSlow: await Promise.all(slow), sent: messages.map(inShort) }
}

async function sendAll(
  messages: readonly OutgoingRequest[],
  { together }: Row,
  timeoutMs: number,
): Promise<ReplyOutcome[]> {
  if (together) return Promise.all(messages.map((message) => exchange(message, timeoutMs)))
  const replies: ReplyOutcome[] = []
  for (const message of messages) replies.push(await exchange(message, timeoutMs))
  return replies
}
