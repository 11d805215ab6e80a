import { fromUnits, toUnits } from './decimal.ts'
import type { Order } from './order.ts'
import type { Booking } from './statement.ts'

const DAY_MS = 86_400_000

/**
 * The operator's statement lines for an order: one per movement, unless a scenario planted a difference. The money
 * always moved as ordered; only the statement is wrong.
 */
export function bookingsOf(order: Order, balance: string): readonly Booking[] {
  const { receipts, settledAt, id: orderId, externalId, kind, direction, account, msisdn, amount, currency } = order
  if (settledAt === undefined) return []
  const plants = order.effects.filter((effect) => effect.do === 'plant')
  return receipts.flatMap((receipt) => {
    const booking: Booking = {
      receipt,
      orderId,
      externalId,
      kind,
      direction,
      account,
      msisdn,
      amount,
      fee: '0',
      currency,
      bookedAt: settledAt,
      balance,
    }
    return plants.reduce<readonly Booking[]>((lines, plant) => lines.flatMap((line) => planted(line, plant)), [booking])
  })
}

function planted(line: Booking, plant: Extract<Order['effects'][number], { do: 'plant' }>): readonly Booking[] {
  switch (plant.difference) {
    case 'missing':
      return []
    case 'doubled':
      return [line, { ...line, planted: 'doubled' }]
    case 'amount':
      return [{ ...line, amount: plant.value ?? oneMore(line.amount), planted: 'amount' }]
    case 'fee':
      return [{ ...line, fee: plant.value ?? oneMore(line.fee), planted: 'fee' }]
    case 'late':
      return [{ ...line, bookedAt: new Date(line.bookedAt.getTime() + (plant.late_ms ?? DAY_MS)), planted: 'late' }]
  }
}

const oneMore = (amount: string): string => fromUnits(toUnits(amount) + toUnits('1'))
