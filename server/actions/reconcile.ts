import type { ReconciliationResult, Statements, StatementSettlement } from './ports/statements.ts'
import { takeStatedPayments } from './expected-payments.ts'
import { settleResults, type SettleDeps } from './settle-results.ts'

const BATCH = 200

export interface Reconciliation extends ReconciliationResult {
  /** Orders without a result that were completed by a line of a statement. */
  readonly completedOrders: number
}

/**
 * Compares a rail account's statements with the ledger. An order without a result whose money the operator has moved
 * as ordered completes first, like by any other result: that resolves a lost prompt. What then still differs becomes
 * an exception.
 * @returns undefined if no statement was imported yet
 */
export async function reconcile(deps: SettleDeps, statements: Statements): Promise<Reconciliation | undefined> {
  await statements.matchLines()
  let completedOrders = 0
  for (;;) {
    const lines = await statements.linesToReport(BATCH)
    if (lines.length === 0) break
    await takeStatedPayments(
      deps,
      lines.flatMap(({ received, ...line }) =>
        received ? [{ ...line, ...received, paidTo: statements.railAccount, reportedBy: placeOf(line) }] : [],
      ),
    )
    await settleResults(
      deps,
      lines
        .filter(({ received }) => !received)
        .map((line) => ({
          internalReference: line.internalReference,
          outcome: { status: 'COMPLETED' as const },
          receipts: { [statements.receiptName(line.type)]: line.receipt },
          reportedBy: placeOf(line),
        })),
    )
    // After the commit: after a crash in between the line is reported again, which has no effect.
    await statements.markReported(lines)
    completedOrders += lines.filter(({ isOpen }) => isOpen).length
  }
  const judged = await statements.judge()
  return judged && { ...judged, completedOrders }
}

/** Where staff finds the line: `malipo statement list` shows the import. */
const placeOf = ({ receipt, lineNumber, statement, importId }: StatementSettlement): string =>
  `by the operator's statement: ${receipt}, line ${lineNumber} of ${statement}, import ${importId}`
