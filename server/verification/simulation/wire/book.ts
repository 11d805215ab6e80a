import type { NewOrder, Order } from '../../../../openapi/operators/simulator/world/order.ts'
import type { OperatorState } from '../../../../openapi/operators/simulator/world/world.ts'
import type { RailOrder, RefundOrder } from '../../../actions/ports/rail.ts'
import { amountToWire } from '../../../domain/money.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { WiredKind } from './wired-kinds.ts'

type OrderFields = Parameters<NonNullable<WiredKind['referenceIn']>>[0]

/** Relates the operator's orders to the payments that they are for. The operator knows nothing of those. */
export class Book {
  /** Payments whose order it rejected once: a call in flight may still submit it. */
  readonly refused = new Set<string>()
  /** Payments that it reported as failed, whatever happened to them later. */
  readonly failed = new Set<string>()
  /** Payments with a forged message that they were paid. */
  readonly forgedAsPaid = new Set<string>()
  /** Payments whose failure was reported to the gateway, so that it knows. */
  readonly reported = new Set<string>()
  /** Orders that our adapters were given to send, by the field that the operator stores with them: the last of each. */
  private readonly announced = new Map<string, RailOrder | RefundOrder>()
  /** What we ordered, by the operator's id: two refunds may have one receipt, if the first was rejected. */
  private readonly owners = new Map<string, RailOrder | RefundOrder>()
  private readonly world: Pick<OperatorState, 'orders' | 'clock'>
  private readonly wired: WiredKind

  constructor(world: Pick<OperatorState, 'orders' | 'clock'>, wired: WiredKind) {
    this.world = world
    this.wired = wired
  }

  /** The field by which an order of the operator is that of a payment. */
  private readonly referenceIn = (order: OrderFields): string => this.wired.referenceIn?.(order) ?? order.externalId

  /** The payment that an order of the operator is for; empty if it is none's. */
  paymentOf(order: OrderFields): string {
    return (this.owners.get(order.id) ?? this.announced.get(this.referenceIn(order)))?.internalReference ?? ''
  }

  /** The payment whose order has this reference now. */
  paymentAt(reference: string): string {
    return this.announced.get(reference)?.internalReference ?? ''
  }

  /** A refund by a receipt that the operator never gave: a forged message did. */
  isOfNobody({ details: { receipt } }: Pick<NewOrder, 'details'>): boolean {
    return typeof receipt === 'string' && !this.world.orders.all().some(({ receipts }) => receipts.includes(receipt))
  }

  take(order: Order): void {
    const owner = this.announced.get(this.referenceIn(order))
    if (owner) this.owners.set(order.id, owner)
  }

  announce(order: RailOrder | RefundOrder): void {
    this.announced.set(this.wired.referenceOf(order), order)
  }

  /** What we ordered: not what customers pay without being asked. */
  private orders(): readonly Order[] {
    return this.world.orders.all().filter(({ isUnrequested }) => !isUnrequested)
  }

  has(reference: string): boolean {
    return this.orders().some((order) => this.referenceIn(order) === reference)
  }

  transfers(internalReference: string): number {
    return this.ordersOf(internalReference).reduce((sum, { moved }) => sum + moved, 0)
  }

  reportedFailed(internalReference: string): boolean {
    return (
      this.refused.has(internalReference) ||
      this.failed.has(internalReference) ||
      this.ordersOf(internalReference).some(({ state }) => state === 'failed')
    )
  }

  /** Whether an order has no verdict, or got it only after that time. */
  isOpenSince(internalReference: string, sinceMs: number): boolean {
    return this.ordersOf(internalReference).some(
      ({ settledAt }) => settledAt === undefined || settledAt.getTime() > sinceMs,
    )
  }

  /** Whether a refund has not arrived: it waits for the receipt of its collection, which a message may have lost. */
  isRefundUnsent(internalReference: string): boolean {
    const isRefund = [...this.announced.values()].some(
      (order) => order.internalReference === internalReference && 'collection' in order,
    )
    return isRefund && this.ordersOf(internalReference).length === 0
  }

  /** How long ago the operator accepted an order; Infinity if there is none. */
  ageMs(reference: string): number {
    const order = this.orders().find(({ id }) => id.toLowerCase() === reference.toLowerCase())
    return order ? this.world.clock.now().getTime() - order.acceptedAt.getTime() : Infinity
  }

  /** Every order belongs to a payment, with its number and its exact amount. */
  differences(transactions: readonly Transaction[]): readonly string[] {
    const references = new Set(transactions.map(({ internalReference }) => internalReference))
    return this.orders().flatMap((order) => {
      const sent = this.owners.get(order.id)
      if (!sent || !references.has(sent.internalReference))
        return [`the operator has an order that is no payment's: ${order.kind} ${order.externalId}`]
      const amount = String(amountToWire(sent.amount.amountMinor, sent.amount.currency))
      const isOurs = order.msisdn === sent.account || this.isOfNobody(order)
      return order.amount === amount && order.currency === sent.amount.currency && isOurs
        ? []
        : [
            `the operator has ${order.currency} ${order.amount} of ${order.msisdn}, ordered were ${amount} of ${sent.account}`,
          ]
    })
  }

  private ordersOf(internalReference: string): readonly Order[] {
    return this.orders().filter(({ id }) => this.owners.get(id)?.internalReference === internalReference)
  }
}
