import type { Rail, RailAnswer, RailKnowledge, RailOrder, Repeat } from '../../actions/ports/rail.ts'
import { POLL_RAIL_AFTER_MS, type RailOutcome } from '../../domain/transaction.ts'
import type { Choices } from './choices.ts'
import { SimulatedFloat } from './operator-float.ts'
import { UGANDA } from './market.ts'
import type { ConnectingProcess, DueReport, OperatorSide, Reports } from './operator-side.ts'
import type { Scheduler } from './scheduler.ts'
import { SimulatedUnrequested } from './operator-unrequested.ts'
import { OTP_PROVIDER } from './reference.ts'

export const railAccountOf = (providerCode: string): string => `with ${providerCode}`

interface Order {
  readonly order: RailOrder
  /** How often its money moved: more than once is a bug of ours. */
  transfers: number
  outcome: RailOutcome | undefined
  /** Whether it ever reports that the order failed, or rejected it once before accepting it from another process. */
  reportedFailed: boolean
}

const COMPLETED: RailOutcome = { status: 'COMPLETED' }
const FAILED: RailOutcome = { status: 'FAILED', reason: 'declined (simulated)', code: 'declined' }
const HOUR_MS = 60 * 60_000

/**
 * An operator with records of its own, which no crash of ours affects: slow, repeating itself, silent, late, and
 * disconnected at the worst moment. An operator that must not get an order twice does not deduplicate it, and can be
 * polled only about orders whose acceptance has reached us.
 */
export class SimulatedRail implements OperatorSide, Reports {
  readonly market = UGANDA
  readonly hasBanks = true
  readonly reports: Reports = this
  readonly float = new SimulatedFloat()
  readonly unrequested: SimulatedUnrequested
  private readonly book = new Map<string, Order>()
  private readonly due: DueReport[] = []
  /** A rejected order is not remembered: a paused process that sends it again may get it accepted. */
  private readonly refused = new Set<string>()
  /** A report is due now. */
  onDue: () => void = () => undefined
  /** Orders that it has accepted, and whose acceptance has reached us. */
  private readonly answeredFor = new Set<string>()
  private readonly repeat: Repeat
  /** Whether it refunds: all of a collection, or also parts; 0: it has no refunds. */
  private readonly refunds: number
  private readonly scheduler: Scheduler
  private readonly choices: Choices

  constructor(scheduler: Scheduler, choices: Choices) {
    this.scheduler = scheduler
    this.choices = choices
    this.unrequested = new SimulatedUnrequested(scheduler)
    this.repeat = choices.rarelyOf(0.3, ['safe', 'never'])
    this.refunds = choices.rarelyOf(0.3, [2, 1, 0])
  }

  connectionOf({ member }: ConnectingProcess): Rail {
    const traits = { repeat: this.repeat, pollAfterMs: () => POLL_RAIL_AFTER_MS }
    const refund = { ...traits, partial: this.refunds === 2 }
    const rail: Rail = {
      ...this.unrequested.connectionOf(member, () => this.scheduler.hostile && this.choices.rarely(0.3) === 1),
      railAccountOf: (providerCode) => (providerCode === OTP_PROVIDER ? undefined : railAccountOf(providerCode)),
      payoutTerms: (providerCode) => this.float.termsAt(railAccountOf(providerCode)),
      traitsOf: ({ type }) =>
        type === 'COLLECTION'
          ? { ...traits, unrequested: { receiptName: 'receipt' }, ...(this.refunds > 0 && { refund }) }
          : traits,
      submit: async (orders) => {
        await this.scheduler.step(member, 'network', `submits ${orders.length} orders to the rail`)
        const answers = orders.map((order) => this.take(order))
        await this.scheduler.step(member, 'network', 'receives replies of the rail')
        orders.forEach(({ internalReference }, index) => {
          if (answers[index]?.answer === 'accepted') this.answeredFor.add(internalReference)
        })
        return answers
      },
      query: async (orders) => {
        await this.scheduler.step(member, 'network', `polls the rail about ${orders.length} orders`)
        const known = orders.map(({ internalReference }) => this.knowledgeOf(internalReference))
        await this.scheduler.step(member, 'network', 'receives what the rail knows')
        return known
      },
      refund: (orders) => rail.submit(orders.map((order) => ({ ...order, type: 'PAYOUT' }))),
      queryRefund: (orders) => rail.query(orders.map((order) => ({ ...order, type: 'PAYOUT' }))),
    }
    return rail
  }

  transfers(internalReference: string): number {
    return this.book.get(internalReference)?.transfers ?? 0
  }

  reportedFailed(internalReference: string): boolean {
    return this.refused.has(internalReference) || this.book.get(internalReference)?.reportedFailed === true
  }

  isUntold(): boolean {
    return this.repeat === 'never'
  }

  takeDue(): DueReport[] {
    const due = this.due.filter(({ atMs }) => atMs <= this.scheduler.nowMs)
    for (const one of due) this.due.splice(this.due.indexOf(one), 1)
    return due
  }

  giveBack(reports: readonly DueReport[]): void {
    this.due.push(...reports.map(({ report }) => ({ report, atMs: this.scheduler.nowMs + 1_000 })))
    this.scheduler.after(1_000, () => this.onDue())
  }

  /** The same order sent twice moves money once, if its id is an idempotency key. */
  private take(order: RailOrder): RailAnswer {
    const { hostile } = this.scheduler
    const known = this.book.get(order.internalReference)
    if (this.float.isAway) return { answer: 'not_sent', error: 'the operator is away (simulated)' }
    const lost = hostile ? this.choices.rarely(0.15, 4) : 0
    // It accepted the order and crashed before writing that down.
    if (lost === 3) return { answer: 'accepted' }
    if (lost === 1)
      return { answer: this.choices.of('unreachable', 'not_sent'), error: 'connection refused (simulated)' }
    if (known && (this.repeat === 'never' || known.order.orderId !== order.orderId)) known.transfers += 1
    if (!known) {
      if (hostile && this.choices.rarely(0.05) === 1) {
        this.refused.add(order.internalReference)
        return { answer: 'refused', reason: 'refused (simulated)', code: 'not_allowed' }
      }
      if (!this.float.pay(order, this.scheduler.nowMs)) {
        this.refused.add(order.internalReference)
        return { answer: 'refused', reason: 'no float (simulated)', code: 'operator_error' }
      }
      this.begin(order)
    }
    return lost === 2 ? { answer: 'unreachable', error: 'no answer (simulated)' } : { answer: 'accepted' }
  }

  private begin(order: RailOrder): void {
    const entry: Order = {
      order,
      transfers: 0,
      outcome: undefined,
      reportedFailed: this.refused.has(order.internalReference),
    }
    this.book.set(order.internalReference, entry)
    const finish = (afterMs: number, outcome: RailOutcome, times = 1): void => {
      if (outcome.status === 'FAILED') entry.reportedFailed = true
      const end = (): void => {
        if (outcome.status === 'COMPLETED' && entry.outcome?.status !== 'COMPLETED') entry.transfers += 1
        entry.outcome = outcome
      }
      if (afterMs === 0) end()
      else this.scheduler.after(afterMs, end)
      for (let n = 0; n < times; n += 1) this.report(order, outcome, afterMs + n * 10)
    }
    const plan = this.scheduler.hostile ? this.choices.rarely(0.7, 8) : 0
    const soon = this.scheduler.hostile ? this.choices.of(1_000, 0, 31_000, 11 * 60_000) : 1_000
    if (plan === 0) return finish(soon, COMPLETED)
    if (plan === 1) return finish(soon, FAILED)
    if (plan === 2) return finish(soon, COMPLETED, 3)
    if (plan === 3) return finish(soon, FAILED, 2)
    if (plan === 4) return finishLate(1_000)
    if (plan === 5) return finishLate(71 * HOUR_MS)
    if (plan === 6) return finishLate(80 * HOUR_MS)
    // It reports an order accepted after a rejection: nobody polls an order that was rejected.
    if (entry.reportedFailed) return finish(soon, COMPLETED)
    // Never reports by itself; a poll gets the result.
    return void this.scheduler.after(soon, () => {
      entry.outcome = COMPLETED
      entry.transfers += 1
    })

    function finishLate(laterMs: number): void {
      finish(soon, FAILED)
      finish(soon + laterMs, COMPLETED)
    }
  }

  private report({ internalReference }: RailOrder, outcome: RailOutcome, afterMs: number): void {
    this.due.push({ atMs: this.scheduler.nowMs + afterMs, report: { internalReference, outcome } })
    this.scheduler.after(afterMs, () => this.onDue())
  }

  private knowledgeOf(internalReference: string): RailKnowledge {
    if (this.float.isAway || (this.scheduler.hostile && this.choices.rarely(0.1) === 1))
      return { knows: 'unreachable', error: 'no answer (simulated)' }
    if (this.repeat === 'never' && !this.answeredFor.has(internalReference))
      return { knows: 'unreachable', error: 'it has no number of this order (simulated)' }
    const entry = this.book.get(internalReference)
    if (!entry) return { knows: 'nothing_moved' }
    return entry.outcome ? { knows: 'outcome', outcome: entry.outcome } : { knows: 'in_progress' }
  }
}
