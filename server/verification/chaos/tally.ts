/** What became of the acknowledged payments, counted on both sides. */
interface Reconciliation {
  /** Acknowledged, but not in the database. */
  readonly lost: readonly string[]
  /** Acknowledged once, but more than once in the database. */
  readonly doubled: readonly string[]
  /** The merchant was notified of a final state that the database does not have. */
  readonly forgotten: readonly string[]
}

/** A payment as stored in the database. */
export interface StoredTransaction {
  readonly merchant_reference: string
  readonly status: string
}

interface ReconciliationInput {
  readonly acknowledged: Iterable<string>
  /** By merchant reference: the final states that the merchant was notified of. */
  readonly received: Iterable<readonly [string, ReadonlyMap<string, unknown>]>
  readonly stored: readonly StoredTransaction[]
}

const OPEN = ['PENDING', 'PROCESSING']

/** @param sides the merchant's side, read first: whatever happens in between is only in the database */
export function tally({ acknowledged, received: reported, stored }: ReconciliationInput): Reconciliation {
  const found = Map.groupBy(stored, ({ merchant_reference }) => merchant_reference)
  const timesOf = (reference: string) => found.get(reference)?.length ?? 0
  const references = [...acknowledged]
  const isForgotten = (reference: string) => found.get(reference)?.every(({ status }) => OPEN.includes(status)) ?? true
  return {
    lost: references.filter((reference) => timesOf(reference) === 0),
    doubled: references.filter((reference) => timesOf(reference) > 1),
    forgotten: [...reported].filter(([reference]) => isForgotten(reference)).map(([reference]) => reference),
  }
}
