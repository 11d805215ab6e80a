import type { Message } from '../../../../openapi/operators/simulator/callbacks.ts'
import type { ContractRequest } from '../../../../openapi/operators/simulator/contract/backend.ts'
import type { OperatorReply } from '../../../../openapi/operators/simulator/operator.ts'
import type { OrderEffect } from '../../../../openapi/operators/simulator/scenarios/effects.ts'
import type { NewOrder, Order } from '../../../../openapi/operators/simulator/world/order.ts'
import type { Rail, RailOrder, RefundOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { Choices } from '../choices.ts'
import type { Market } from '../market.ts'
import type { ConnectingProcess, OperatorSide, Receivers } from '../operator-side.ts'
import type { Scheduler } from '../scheduler.ts'
import { HOUR, MINUTE, SECOND } from '../spans.ts'
import { Book } from './book.ts'
import { callsInSteps } from './call-in-steps.ts'
import { createEngine, type Engine } from './engine.ts'
import { forgery } from './forgeries.ts'
import { installedRail } from './installed.ts'
import { Messages } from './messages.ts'
import { operatorClock } from './operator-clock.ts'
import { drawPlan, paid, VERDICT_MAX_MS } from './order-plans.ts'
import { drawWay, WRONG_CALLS } from './ways-of-calls.ts'
import { HONEST, type CallFault } from './ways.ts'
import { WIRED_KINDS, type WiredKind } from './wired-kinds.ts'
import { WiredUnrequested } from './wired-unrequested.ts'

/** An order must be this old before the adapter concludes from "not found" that it never arrived. */
const NOT_VISIBLE_MAX_MS = 4 * MINUTE

/**
 * The simulator of an operator behind the real adapter. It knows nothing of the port: it receives requests, replies
 * according to its contract and reports the outcome of orders. Faults on the way are drawn, call by call.
 */
export class WiredOperator implements OperatorSide {
  readonly market: Market
  readonly hasBanks = false
  hasForged = false
  readonly unrequested?: WiredUnrequested
  private readonly scheduler: Scheduler
  private readonly choices: Choices
  private readonly wired: WiredKind
  private readonly engine: Engine
  private readonly book: Book
  private readonly messages: Messages
  private readonly receivers: Receivers
  private readonly settings: Readonly<Record<string, string>>
  private readonly wrongCalls: number
  private readonly hasPromptRules: boolean
  /** Whether failures carry an invalid receipt, the same for all of them. */
  private readonly hasPlaceholders: boolean
  private readonly forged = new WeakSet<object>()

  constructor(scheduler: Scheduler, choices: Choices, receivers: Receivers) {
    this.scheduler = scheduler
    this.choices = choices
    this.receivers = receivers
    this.wired = choices.of(...WIRED_KINDS)
    this.market = this.wired.market
    this.wrongCalls = choices.of<number>(...WRONG_CALLS)
    this.hasPromptRules = choices.rarely(0.2) === 1
    this.hasPlaceholders = choices.rarely(0.3) === 1
    this.messages = new Messages(this.wired, {
      scheduler,
      choices,
      receivers,
      onReported: (message) => this.onMessage(message),
    })
    this.engine = createEngine(this.wired.simulated(choices), {
      clock: operatorClock(scheduler, choices.rarelyOf(0.3, [0, -2 * MINUTE, 3 * SECOND, 20 * MINUTE, -20 * MINUTE])),
      seed: choices.among(1_000_000),
      deliver: (message) => this.messages.deliver(this.written(message)),
      planFor: (order) => this.planFor(order),
      onTaken: (order) => this.onTaken(order),
      quirk: (name, _operation, params) => this.isOdd(name, params),
    })
    this.book = new Book(this.engine.world, this.wired)
    const { wired, market, engine } = this
    if (wired.unrequested)
      this.unrequested = new WiredUnrequested({ scheduler, choices, market, engine, of: wired.unrequested })
    const hasPull = choices.rarely(0.3) === 0
    this.settings = { ...this.engine.open.railSettings, ...(!hasPull && this.wired.withoutPull) }
  }

  connectionOf(process: ConnectingProcess): Rail {
    const rail = installedRail(process, {
      kind: this.wired.kind,
      currency: this.market.currency,
      settings: this.settings,
      clock: this.scheduler.clock,
      dispatcher: callsInSteps(process.member, this.scheduler, this),
      onFault: this.receivers.onFault,
    })
    const submit = (orders: readonly RailOrder[]) => {
      for (const order of orders) this.book.announce(order)
      return rail.submit(orders)
    }
    const refund = async (orders: readonly RefundOrder[]) => {
      for (const order of orders) this.book.announce(order)
      return present(rail.refund, 'refunds')(orders)
    }
    return { ...rail, submit, refund }
  }

  transfers(internalReference: string): number {
    return this.book.transfers(internalReference)
  }

  reportedFailed(internalReference: string): boolean {
    return this.book.reportedFailed(internalReference)
  }

  isUntold({ internalReference, type, refund }: Transaction, isNamed: boolean): boolean {
    const isPaid = this.transfers(internalReference) > 0
    return this.wired.isUntold({
      type: refund?.way === 'payout' ? 'PAYOUT' : type,
      isPaid,
      isReported: this.book.reported.has(internalReference),
      isNamed,
      hasPull: this.settings['pull'] === 'yes',
    })
  }

  isForgedAsPaid(internalReference: string): boolean {
    return this.book.forgedAsPaid.has(internalReference)
  }

  isLate(internalReference: string): boolean {
    const sinceMs = this.engine.world.clock.now().getTime() - 2 * HOUR
    return this.book.isOpenSince(internalReference, sinceMs) || this.book.isRefundUnsent(internalReference)
  }

  differences(transactions: readonly Transaction[]): readonly string[] {
    return this.book.differences(transactions)
  }

  /** The fate of a call that is sent now. */
  wayOf(queried: ContractRequest): CallFault {
    if (!this.scheduler.hostile) return HONEST
    const operation = this.engine.operationOf(queried) ?? ''
    const reference = this.wired.referenceInCall(queried)
    const way = drawWay(this.choices, this.wrongCalls, this.wired, {
      operation,
      isNew: reference !== undefined && !this.book.has(reference),
      refusal: (code) => this.engine.operator.refusal(code),
      unauthorized: () => this.engine.operator.problem({ problem: 'unauthorized', operation, scheme: 'accessToken' }),
    })
    if (way.isRefusal && reference !== undefined) this.book.refused.add(this.book.paymentAt(reference))
    return way
  }

  answer(queried: ContractRequest): Promise<OperatorReply> {
    return this.engine.answer(queried)
  }

  /**
   * It reports an order that it accepts after a rejection: nobody polls an order that was rejected. About a refund of
   * nobody's payment it says what it says.
   */
  private planFor(order: NewOrder): readonly OrderEffect[] {
    if (this.book.isOfNobody(order)) return []
    const orders = present(this.wired.orders[order.kind], 'a kind of order')
    const isSure = !this.scheduler.hostile || this.book.refused.has(this.book.paymentOf(order))
    return isSure ? paid(orders) : drawPlan(this.choices, this.wired, orders)
  }

  private onTaken(order: Order): void {
    this.book.take(order)
    if (this.book.refused.has(this.book.paymentOf(order))) this.beSure(order)
    if (!this.scheduler.hostile) return
    if (this.choices.rarely(0.1) === 1) {
      const afterMs = this.choices.of(SECOND, 0, 40 * SECOND, 5 * MINUTE)
      this.scheduler.after(afterMs, () => this.forge(order))
    }
    if (this.choices.rarely(0.05) === 1) {
      const afterMs = this.choices.of(12 * MINUTE, 3 * HOUR)
      this.scheduler.after(afterMs, () => this.payAfterAll(order))
    }
  }

  private forge(order: Order): void {
    const orders = present(this.wired.orders[order.kind], 'a kind of order')
    const { operator, world, callbacks } = this.engine
    const forged =
      this.scheduler.hostile && forgery(this.choices, operator, orders, this.wired.forgeries, order, world.orders.all())
    if (!forged) return
    this.scheduler.note(`somebody forges a message about ${order.externalId}`)
    this.hasForged = true
    this.forged.add(forged.text.body)
    if (forged.claims === 'paid') {
      this.book.forgedAsPaid.add(this.book.paymentOf(order))
      // A forgery suppresses a true report that arrives late, if one arrives at all.
      if (this.choices.rarely(0.3) === 1) this.scheduler.after(3 * HOUR, () => this.payAfterAll(order))
    }
    if (forged.claims === 'failed') this.undoLater(order)
    callbacks.send(forged.text)
  }

  /** A forged failure is believed, and only the operator's own report undoes it: that arrives in the end. */
  private undoLater(order: Order): void {
    this.book.failed.add(this.book.paymentOf(order))
    this.beSure(order)
    this.scheduler.after(VERDICT_MAX_MS + MINUTE, () => {
      if (order.state === 'succeeded') this.engine.callbacks.report({ ...order, effects: [] })
    })
  }

  private written(message: Message): Message {
    const isGenuine = !this.forged.has(message.body)
    const { oddBody } = this.wired
    return isGenuine && this.hasPlaceholders && oddBody ? { ...message, body: oddBody(message.body) } : message
  }

  /** The gateway has accepted a message. */
  private onMessage({ url, body }: Message): void {
    if (this.unrequested?.takes(url, body)) return
    const { world, operator } = this.engine
    const order = world.orders.all().find((each) => operator.callbacksOf(each).some((text) => text.url === url))
    if (!order || this.forged.has(body)) return
    const { certainFailures } = present(this.wired.orders[order.kind], 'a kind of order')
    if (order.state === 'failed' && order.code !== undefined && certainFailures.includes(order.code))
      this.book.reported.add(this.book.paymentOf(order))
  }

  /** It failed but is paid all the same, which the operator reports. */
  private payAfterAll(order: Order): void {
    const { world, operator, callbacks } = this.engine
    if (order.state !== 'failed' || operator.callbacksOf(order).length === 0) return
    this.book.failed.add(this.book.paymentOf(order))
    order.state = 'succeeded'
    order.code = undefined
    order.settledAt = world.clock.now()
    order.moved += 1
    order.receipts.push(operator.receipt(900_000 + this.book.failed.size))
    this.scheduler.note(`the operator has paid ${order.externalId} after all`)
    this.beSure(order)
    callbacks.report({ ...order, effects: [] })
  }

  private beSure(order: Order): void {
    for (const text of this.engine.operator.callbacksOf(order)) this.messages.beSure(text)
  }

  private isOdd(name: string, { referenceId, id = '' }: Readonly<Record<string, string>>): boolean {
    if (name === 'without_prompt_rules') return !this.hasPromptRules
    if (!this.scheduler.hostile) return false
    if (name === 'not_visible')
      return this.book.ageMs(referenceId ?? id) < NOT_VISIBLE_MAX_MS && this.choices.rarely(0.3) === 1
    // Seldom reached, only by a refund that goes out twice.
    return this.choices.rarely(name === 'refund_again' ? 0.8 : 0.1) === 1
  }
}
