import type { NewOrder, Order } from '../../../../openapi/operators/simulator/world/order.ts'
import type { OperatorState } from '../../../../openapi/operators/simulator/world/world.ts'
import type { RailOrder, RefundOrder } from '../../../actions/ports/rail.ts'
import { amountToWire } from '../../../domain/money.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { WiredKind } from './wired-kinds.ts'

/** Relates the operator's orders to the payments that they are for. The operator knows nothing of those. */
export class Book {
  /** References of orders that it rejected once: a call in flight may still submit them. */
  readonly refused = new Set<string>()
  /** References of orders that it reported as failed, whatever happened to them later. */
  readonly failed = new Set<string>()
  /** References of orders with a forged message that they were paid. */
  readonly forgedAsPaid = new Set<string>()
  /** References of orders whose failure was reported to the gateway, so that it knows. */
  readonly reported = new Set<string>()
  /** Orders that our adapters were given to send, by the field that the operator stores with them. */
  private readonly announced = new Map<string, RailOrder | RefundOrder>()
  private readonly world: Pick<OperatorState, 'orders' | 'clock'>
  private readonly wired: WiredKind

  constructor(world: Pick<OperatorState, 'orders' | 'clock'>, wired: WiredKind) {
    this.world = world
    this.wired = wired
  }

  /** The field by which an order of the operator is that of a payment. */
  readonly referenceIn = (order: Pick<NewOrder, 'kind' | 'externalId' | 'details'>): string =>
    this.wired.referenceIn?.(order) ?? order.externalId

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
    const refused = [...this.refused].some((reference) => this.isOf(internalReference, reference))
    const isFailed = (order: Order): boolean => order.state === 'failed' || this.failed.has(this.referenceIn(order))
    return refused || this.ordersOf(internalReference).some(isFailed)
  }

  isForgedAsPaid(internalReference: string): boolean {
    return [...this.forgedAsPaid].some((reference) => this.isOf(internalReference, reference))
  }

  hasReported(internalReference: string): boolean {
    return [...this.reported].some((reference) => this.isOf(internalReference, reference))
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
      const sent = this.announced.get(this.referenceIn(order))
      if (!sent || !references.has(sent.internalReference))
        return [`the operator has an order that is no payment's: ${order.kind} ${order.externalId}`]
      const amount = String(amountToWire(sent.amount.amountMinor, sent.amount.currency))
      return order.amount === amount && order.currency === sent.amount.currency && order.msisdn === sent.account
        ? []
        : [
            `the operator has ${order.currency} ${order.amount} of ${order.msisdn}, ordered were ${amount} of ${sent.account}`,
          ]
    })
  }

  private isOf(internalReference: string, reference: string): boolean {
    return this.announced.get(reference)?.internalReference === internalReference
  }

  private ordersOf(internalReference: string): readonly Order[] {
    return this.orders().filter((order) => this.isOf(internalReference, this.referenceIn(order)))
  }
}
