import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type OutgoingRequest, type ReplyOutcome } from '../exchange.ts'
import { UsageError } from '../usage.ts'
import type { Effects } from './effects.ts'
import { FulfilmentLog } from './fulfilments.ts'
import { judge, takesGoodEvents, type CrashTiming, type Observation, type Outcome } from './judge.ts'
import { isThere, msUntilBack, whyAbsent } from './presence.ts'
import type { Lab, Order, Row } from './row.ts'

/** Which rows are played, and how. */
export interface Plan {
  readonly rows: readonly Row[]
  /** One per group: where its messages go. */
  readonly labOf: (row: Row) => Lab
  readonly newOrder: (row: Row) => Order
  readonly effects: Effects | undefined
  /** Whether a payout under `newOrder`'s reference is known without being announced. */
  readonly knowsPayouts: boolean
  readonly timeoutMs: number
  /** For all rows together; waiting for a receiver that died does not count. */
  readonly deadlineMs: number
  /** How long a receiver that died is waited for, each time. */
  readonly returnMs: number
  /** Leaves out what has not been tried yet. */
  readonly ended: AbortSignal
}

/** Who looks on while rows are played. */
export interface ProgressListener {
  /** A row has its verdict. */
  readonly judged: (outcome: Outcome) => void
  /** What came later gave a row that was judged another verdict. */
  readonly corrected: (outcome: Outcome) => void
  /** The receiver died on this row. */
  readonly waiting: (row: Row) => void
}

/** What the deadline left out; it is not the receiver's fault. */
export const TIME_UP = 'the time was up'
/** Neither is this. */
export const STOPPED = 'it was stopped before'

const SLOW_MS = 3_000
/** Slow senders are there before the others come. */
const SLOW_LEAD_MS = 300

/** Plays all rows, one after the other. @throws UsageError when nothing listens at one of the URLs to begin with */
export async function runRows(plan: Plan, onlooker: ProgressListener): Promise<readonly Outcome[]> {
  await mustBeThere(plan)
  const fulfilments = new FulfilmentLog(plan.effects)
  await fulfilments.begin()
  const run = new Run(plan, onlooker, fulfilments)
  for (const row of plan.rows) await run.play(row)
  await fulfilments.settle()
  run.judgeAgain()
  return run.outcomes
}

/** Found out before the first row: a report that breaks off in the middle is of no use to anybody. */
async function mustBeThere({ rows, labOf, timeoutMs }: Plan): Promise<void> {
  const urls = new Map(rows.map((row) => [labOf(row).url.host, labOf(row).url]))
  for (const url of urls.values()) {
    const why = await whyAbsent(url, timeoutMs)
    if (why !== undefined) throw new UsageError(`${url.href}: ${why}`)
  }
}

type LeftOut = Outcome & { readonly verdict: 'left_out' }
interface PlayedRow {
  seen: Observation | LeftOut
  outcome: Outcome
}
interface PlayedWhole extends PlayedRow {
  seen: Observation
}

class Run {
  readonly #plan: Plan
  readonly #onlooker: ProgressListener
  readonly #fulfilments: FulfilmentLog
  readonly #played: PlayedRow[] = []
  readonly #startedAt = performance.now()
  #waitedMs = 0
  #takesGoodEvents = false
  /** Hosts that never came back, and the row that they died on. */
  readonly #lost = new Map<string, Row>()

  constructor(plan: Plan, onlooker: ProgressListener, fulfilments: FulfilmentLog) {
    this.#plan = plan
    this.#onlooker = onlooker
    this.#fulfilments = fulfilments
  }

  get outcomes(): readonly Outcome[] {
    return this.#played.map(({ outcome }) => outcome)
  }

  async play(row: Row): Promise<void> {
    const seen = await this.#see(row)
    if ('replies' in seen) {
      const { order, isKnown, replies, death } = seen
      const comes = row.fulfilled === 1 && isKnown && !death && replies.some(isYes)
      await this.#fulfilments.look(comes ? order.merchantReference : undefined)
      if (row.id === 'good') this.#takesGoodEvents = takesGoodEvents(seen)
    }
    const outcome = this.#judge(seen)
    this.#played.push({ seen, outcome })
    this.#onlooker.judged(outcome)
  }

  /** What is done twice may have been done after the row was judged. */
  judgeAgain(): void {
    for (const played of this.#played) this.#judgePlayedAgain(played)
  }

  #judgePlayedAgain(played: PlayedRow): void {
    const { verdict, did } = played.outcome
    played.outcome = this.#judge(played.seen)
    if (played.outcome.verdict !== verdict || played.outcome.did !== did) this.#onlooker.corrected(played.outcome)
  }

  #judge(seen: PlayedRow['seen']): Outcome {
    const evidence = { counts: this.#fulfilments.counts, takesGoodEvents: this.#takesGoodEvents }
    return 'replies' in seen ? judge(seen, evidence) : seen
  }

  /** @param isSecondTry after the receiver came back: what fails then is this row's own */
  async #see(row: Row, isSecondTry = false): Promise<PlayedRow['seen']> {
    const { url } = this.#plan.labOf(row)
    const skipped = this.#reasonToLeaveOut(url)
    if (skipped !== undefined) return { row, verdict: 'left_out', did: skipped }
    const before = isSecondTry ? undefined : this.#rowBefore(url)
    if (before && !(await this.#isThere(url))) return this.#afterDeathOn(before, row)
    const seen = await send(row, this.#plan)
    if (!('replies' in seen)) return seen
    if (wasNeverReached(seen) && before) return this.#afterDeathOn(before, row)
    if (wasNeverReached(seen) && this.#played.length === 0) throw new UsageError(`${url.href}: ${seen.replies[0]?.why}`)
    return (await this.#isThere(url)) ? seen : { ...seen, death: await this.#mourn(row, url) }
  }

  #isThere(url: URL): Promise<boolean> {
    return isThere(url, this.#plan.timeoutMs)
  }

  #rowBefore({ host }: URL): PlayedWhole | undefined {
    return this.#played.findLast(
      (played): played is PlayedWhole =>
        'replies' in played.seen && this.#plan.labOf(played.seen.row).url.host === host,
    )
  }

  /** It answered the row before, and was gone before this one could do anything: it died on the row before. */
  async #afterDeathOn(before: PlayedWhole, row: Row): Promise<PlayedRow['seen']> {
    const { url } = this.#plan.labOf(row)
    before.seen = { ...before.seen, death: await this.#mourn(before.seen.row, url) }
    this.#judgePlayedAgain(before)
    return this.#see(row, true)
  }

  #reasonToLeaveOut({ host }: URL): string | undefined {
    if (this.#plan.ended.aborted) return STOPPED
    const lostOn = this.#lost.get(host)
    if (lostOn) return `not tried: the receiver died on ${lostOn.id} and did not come back`
    const playedMs = performance.now() - this.#startedAt - this.#waitedMs
    return playedMs > this.#plan.deadlineMs ? TIME_UP : undefined
  }

  async #mourn(row: Row, url: URL): Promise<CrashTiming> {
    this.#onlooker.waiting(row)
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
const wasNeverReached = (seen: Observation): seen is FailedObservation =>
  seen.replies.every(({ kind }) => kind === 'absent')

async function send(row: Row, plan: Plan): Promise<Observation | LeftOut> {
  const order = plan.newOrder(row)
  const isKnown = ((await plan.effects?.announce(order)) ?? false) || (row.group === 'handshake' && plan.knowsPayouts)
  if (row.needsKnownReference && !isKnown)
    return {
      row,
      verdict: 'left_out',
      did: `no payout is known here: ${row.group === 'handshake' ? 'give --known-reference, or ' : ''}let POST to --effects-url make one`,
    }
  const messages = row.messages(plan.labOf(row), order)
  const slow = messages.filter((message) => message.slow).map((message) => exchange(message, SLOW_MS))
  if (slow.length > 0) await sleep(SLOW_LEAD_MS)
  const replies = await sendAll(
    messages.filter((message) => !message.slow),
    row,
    plan.timeoutMs,
  )
  return { row, order, isKnown, replies, repliesToSlow: await Promise.all(slow) }
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
