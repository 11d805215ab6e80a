import type { Transaction } from '../domain/transaction.ts'
import type { Notices } from './ports/notices.ts'
import type { TransactionWrites } from './ports/transactions.ts'

/** An unmapped result code of the operator about an order. */
export interface UnmappedResult {
  readonly transaction: Transaction
  readonly code: string
}

/** The kind of their events: `transaction list --stuck` and doctor find the orders by it. */
const KIND = 'unmapped_result'
/** Limit of codes per order: a hostile operator may invent a new one for every answer. */
const CODES_MAX = 20
const CODE = /^[\w.-]{1,32}$/

/**
 * Writes each code into the history of its order, once. The order stays open and is polled like any other, but a
 * person can read the operator's table of codes sooner than a poll resolves it.
 * @param found about transactions that are locked
 * @returns what is new: see notifyUnmapped
 */
export async function recordUnmapped(
  unit: Pick<TransactionWrites, 'addEvents' | 'eventDetails'>,
  found: readonly UnmappedResult[],
  now: Date,
): Promise<readonly UnmappedResult[]> {
  const open = found.filter(({ transaction }) => transaction.status === 'PROCESSING')
  if (open.length === 0) return []
  const ids = [...new Set(open.map(({ transaction }) => transaction.id))]
  const known = await unit.eventDetails(KIND, ids)
  const added: UnmappedResult[] = []
  for (const { transaction, code: given } of open) {
    const code = CODE.test(given) ? given : 'unreadable'
    const details = known.get(transaction.id) ?? []
    const isNew = !details.includes(detailOf(code)) && !added.some((one) => isSame(one, { transaction, code }))
    if (isNew && details.length < CODES_MAX) added.push({ transaction, code })
  }
  await unit.addEvents(
    added.map(({ transaction, code }) => ({ transactionId: transaction.id, kind: KIND, detail: detailOf(code) })),
    now,
  )
  return added
}

/** Call it after the commit. */
export function notifyUnmapped(notices: Notices, unmapped: readonly UnmappedResult[]): void {
  for (const { transaction, code } of unmapped) notices.unmappedResult(transaction, code)
}

const detailOf = (code: string): string => `The operator answers with result code ${code}, which no table explains`

const isSame = (one: UnmappedResult, other: UnmappedResult): boolean =>
  one.transaction.id === other.transaction.id && one.code === other.code
