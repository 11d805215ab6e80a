import type { Operator } from '../operator.ts'
import type { OrderEffect } from '../scenarios/effects.ts'
import { bookingsOf } from './bookings.ts'
import type { Entry } from './journal.ts'
import type { NewOrder, Order } from './order.ts'
import type { OperatorState } from './world.ts'

export type SettledEntry = Extract<Entry, { entry: 'settled' }>

/** The effects of orders on the operator's books: the same now, and when a journal is read again. */
export interface OrderBook {
  take(taken: NewOrder, effects: readonly OrderEffect[], at: Date): Order
  /** Enters a verdict. Whether money may move was checked before. */
  settle(order: Order, settled: SettledEntry): void
  /** The number of the next movement of money. */
  nextMovement(): number
  /** Enters the journal's entries. @returns the orders whose verdict was not reported */
  restore(): ReadonlySet<Order>
}

export function createOrderBook(operator: Operator, world: OperatorState): OrderBook {
  const { orders, accounts, statement, phones, journal } = world
  let movements = 0

  const book: OrderBook = {
    nextMovement: () => movements + 1,
    take(taken, effects, at) {
      const order = newOrder(operator, taken, effects, at)
      orders.add(order)
      return order
    },
    settle(order, { at, movement, code }) {
      const settledAt = new Date(at)
      order.settledAt = settledAt
      order.code = code
      order.state = movement === undefined ? 'failed' : 'succeeded'
      if (movement !== undefined) {
        movements = Math.max(movements, movement)
        order.moved += 1
        order.receipts.push(operator.receipt(movement))
      }
      const text = movement === undefined ? `failed: ${code}` : `money moved, receipt ${order.receipts.at(-1)}`
      order.history.push({ at: settledAt, text })
      for (const booking of bookingsOf(order, accounts.balanceOf(order.account))) statement.book(booking)
      phones.send(order.msisdn, { at: settledAt, text: operator.message(order) })
    },
    restore() {
      const unreported = new Set<Order>()
      for (const entry of journal.entries) {
        if (entry.entry === 'taken') {
          const { effects, ...taken } = entry.order
          book.take(taken, effects, new Date(entry.at))
          continue
        }
        if (entry.entry === 'carried') {
          movements = Math.max(movements, entry.movement)
          for (const [account, change] of Object.entries(entry.changes)) accounts.change(account, change)
          continue
        }
        const order = orders.find(entry.kind, entry.id)
        if (!order) continue
        if (entry.entry === 'told') {
          unreported.delete(order)
          continue
        }
        if (entry.movement !== undefined) accounts.move(order)
        book.settle(order, entry)
        unreported.add(order)
      }
      return unreported
    },
  }
  return book
}

function newOrder(operator: Operator, taken: NewOrder, effects: readonly OrderEffect[], acceptedAt: Date): Order {
  return {
    ...taken,
    acceptedAt,
    expiresAt: new Date(acceptedAt.getTime() + operator.windowMs),
    effects,
    state: 'waiting',
    code: undefined,
    settledAt: undefined,
    moved: 0,
    receipts: [],
    wrongPins: 0,
    history: [{ at: acceptedAt, text: 'taken' }],
  }
}
