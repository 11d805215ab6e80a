import type { Reconciled, Statements, ToldByLine } from './ports/statements.ts'
import { settleResults, type SettleDeps } from './settle-results.ts'

const BATCH = 200

export interface Reconciliation extends Reconciled {
  /** Orders without a result that their line has ended. */
  readonly completedOrders: number
}

/**
 * Holds an installation's statements against the book. An order that hangs, and whose money the operator has moved as it
 * was ordered, ends first, as by any other result: that is how a lost prompt ends. What then differs becomes an
 * exception.
 * @returns undefined where no statement was imported yet
 */
export async function reconcile(deps: SettleDeps, statements: Statements): Promise<Reconciliation | undefined> {
  await statements.matchLines()
  let completedOrders = 0
  for (;;) {
    const lines = await statements.linesToTell(BATCH)
    if (lines.length === 0) break
    await settleResults(
      deps,
      lines.map((line) => ({
        internalReference: line.internalReference,
        outcome: { status: 'COMPLETED' as const },
        receipts: { [statements.receiptName(line.type)]: line.receipt },
        toldBy: placeOf(line),
      })),
    )
    // After the commit: one that fails in between is told again, which changes nothing.
    await statements.markTold(lines)
    completedOrders += lines.filter(({ isOpen }) => isOpen).length
  }
  const judged = await statements.judge()
  return judged && { ...judged, completedOrders }
}

/** Where a person finds the line again: `malipo statement list` has the import. */
const placeOf = ({ receipt, lineNumber, statement, importId }: ToldByLine): string =>
  `by the operator's statement: ${receipt}, line ${lineNumber} of ${statement}, import ${importId}`
