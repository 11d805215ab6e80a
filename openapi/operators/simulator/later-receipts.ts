import type { Operator } from './operator.ts'

const FIRST_RECEIPT_MS = Date.UTC(2026, 0, 1)
const RECEIPTS_PER_SECOND = 20

/**
 * A restarted simulator forgets its receipts, but others keep them: numbering starts beyond the reach of an earlier
 * run, so that no payment gets another one's receipt.
 */
export function withReceiptsOf(startedAt: Date, operator: Operator): Operator {
  const first = Math.floor(((startedAt.getTime() - FIRST_RECEIPT_MS) / 1000) * RECEIPTS_PER_SECOND)
  return { ...operator, receipt: (sequence) => operator.receipt(first + sequence) }
}
