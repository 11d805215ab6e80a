import type { ExceptionKind } from '../../../../domain/reconciliation.ts'
import { seededWords } from '../../../../verification/testing/seeded.ts'
import type { OrderFixture } from './installed.ts'

/** A line in the format of the simulator's MTN statement. */
interface FileLine {
  readonly at: Date
  readonly receipt: string
  readonly externalId: string
  readonly direction: 'IN' | 'OUT'
  readonly amountMinor: bigint
  readonly feeMinor: bigint
}

/** A statement with its orders, and every difference that was planted. */
interface PlantedStatement {
  readonly orders: readonly OrderFixture[]
  readonly lines: readonly FileLine[]
  /** `kind order-1` or `kind receipt`: what must be found, sorted. */
  readonly planted: readonly string[]
  /** Orders without a result that their line completes. */
  readonly hanging: number
}

const HOUR_MS = 3_600_000
/** The operator's fee for each movement: 1 %, rounded half up. */
export const FEE = '1%'
const feeOf = (amountMinor: bigint): bigint => (amountMinor + 50n) / 100n

/** The differences to plant, in turn. */
const PLANTS = [
  'missing_at_operator',
  'missing_with_us',
  'failed_here',
  'amount_differs',
  'fee_differs',
  'same_line_twice',
  'paid_twice',
  'late',
] as const

/**
 * Days of payments and the operator's statement of them, with `plants` differences of all kinds in equal parts. The
 * rest includes everything that looks like a difference and is none: a line booked a day later, a line without a
 * reference of ours, an order without a result, a third party's payment of a minute ago.
 */
export function plantedStatement(seed: number, size: number, plants: number, start: Date): PlantedStatement {
  const draft = createDraft(seed, start)
  const { lines, below, hex, lineOf, newOrder } = draft
  for (let n = 0; n < plants; n += 1) plantOne(draft, PLANTS[n % PLANTS.length] ?? 'late')

  let hanging = 0
  // The first and the last line determine the period of the statement.
  for (const at of [start, new Date(start.getTime() + SPAN_MS + 51 * HOUR_MS)])
    lines.push(lineOf(newOrder({ at }), { at }))
  while (lines.length < size) {
    const kind = below(100)
    if (kind === 0) {
      hanging += 1
      lines.push(lineOf(newOrder({ status: 'PROCESSING', type: 'COLLECTION' })))
    } else if (kind < 6) {
      const order = newOrder({ receipt: hex(12) })
      lines.push(lineOf(order, { externalId: '' }))
    } else if (kind < 10) {
      const order = newOrder()
      lines.push(lineOf(order, { at: new Date(order.at.getTime() + below(24 * HOUR_MS)) }))
    } else lines.push(lineOf(newOrder()))
  }
  lines.sort((one, other) => one.at.getTime() - other.at.getTime() || (one.receipt < other.receipt ? -1 : 1))
  return { orders: draft.orders, lines, planted: draft.planted.sort(), hanging }
}

const SPAN_MS = 3 * 24 * HOUR_MS

/**
 * A statement under construction: each call consumes the next words of the seed, so the order of calls affects the
 * result.
 */
function createDraft(seed: number, start: Date) {
  const word = seededWords(seed)
  const below = (bound: number): number => word() % bound
  const hex = (digits: number): string =>
    Array.from({ length: Math.ceil(digits / 8) }, () => word().toString(16).padStart(8, '0'))
      .join('')
      .slice(0, digits)
  const orders: OrderFixture[] = []
  const planted: string[] = []
  return {
    orders,
    lines: [] as FileLine[],
    planted,
    below,
    hex,
    lineOf: (order: OrderFixture, changes: Partial<FileLine> = {}): FileLine => ({
      at: new Date(order.at.getTime() - below(60_000)),
      receipt: order.receipt ?? hex(12),
      externalId: order.orderId,
      direction: order.type === 'COLLECTION' ? 'IN' : 'OUT',
      amountMinor: order.amountMinor,
      feeMinor: feeOf(order.amountMinor),
      ...changes,
    }),
    newOrder(changes: Partial<OrderFixture> = {}): OrderFixture {
      const order: OrderFixture = {
        id: BigInt(orders.length + 1),
        orderId: `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
        type: below(4) === 0 ? 'PAYOUT' : 'COLLECTION',
        status: 'COMPLETED',
        amountMinor: BigInt(500 + below(2_000_000)),
        // Neither at the beginning nor at the end: payments there are too recent, or too old, to be judged.
        at: new Date(start.getTime() + 25 * HOUR_MS + below(SPAN_MS)),
        ...changes,
      }
      orders.push(order)
      return order
    },
    plant: (kind: ExceptionKind, name: string): void => void planted.push(`${kind} ${name}`),
  }
}

function plantOne(draft: ReturnType<typeof createDraft>, what: (typeof PLANTS)[number]): void {
  const { orders, lines, below, hex, lineOf, newOrder, plant } = draft
  const order = newOrder(what === 'failed_here' ? { status: 'FAILED' } : {})
  const named = `order-${order.id}`
  const line = lineOf(order)
  switch (what) {
    case 'missing_at_operator':
      return plant(what, named)
    case 'missing_with_us':
      orders.pop()
      lines.push(line)
      return plant(what, line.receipt)
    case 'failed_here':
      lines.push(line)
      return plant('missing_with_us', named)
    case 'amount_differs': {
      const amountMinor = order.amountMinor + (below(2) === 0 ? 1n : -1n)
      lines.push({ ...line, amountMinor, feeMinor: feeOf(amountMinor) })
      return plant(what, named)
    }
    case 'fee_differs':
      lines.push({ ...line, feeMinor: line.feeMinor + 1n })
      return plant(what, named)
    case 'same_line_twice':
      lines.push(line, line)
      return plant('duplicate', named)
    case 'paid_twice':
      lines.push(line, lineOf(order, { receipt: hex(12), at: new Date(order.at.getTime() + below(HOUR_MS)) }))
      return plant('duplicate', named)
    case 'late':
      lines.push({ ...line, at: new Date(order.at.getTime() + 24 * HOUR_MS + 1 + below(HOUR_MS)) })
      return plant(what, named)
  }
}

/** In the format of the MTN simulator. */
export function* csvOf(lines: readonly FileLine[]): Generator<string> {
  yield 'Date,Financial Transaction Id,External Id,Reference Id,Type,Direction,MSISDN,Amount,Fee,Currency,Balance\r\n'
  for (const { at, receipt, externalId, direction, amountMinor, feeMinor } of lines)
    yield `${at.toISOString()},${receipt},${externalId},,,${direction},256772000123,${amountMinor},${feeMinor},UGX,\r\n`
}
