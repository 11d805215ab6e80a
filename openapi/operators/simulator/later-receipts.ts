import type { Operator } from './operator.ts'

const FIRST_RECEIPT_MS = Date.UTC(2026, 0, 1)
const RECEIPTS_PER_SECOND = 20

/**
 * What it forgets when it stops others remember: receipts begin where an earlier run cannot have come to, or a payment
 * would have the name of another one.
 */
export function withReceiptsOf(startedAt: Date, operator: Operator): Operator {
  const first = Math.floor(((startedAt.getTime() - FIRST_RECEIPT_MS) / 1000) * RECEIPTS_PER_SECOND)
  return { ...operator, receipt: (sequence) => operator.receipt(first + sequence) }
}
