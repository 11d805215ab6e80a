import type { Statements } from '../../../actions/ports/statements.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { linesToReport, markReported, matchLines, type StatementNames } from './matching.ts'
import { reconcileRailAccount, type ReconcileRequest } from './reconcile.ts'

/** The statements of a rail account. */
export const createStatements = (
  pool: AuditedPool,
  request: ReconcileRequest,
  names: StatementNames,
  clock: { now(): Date },
): Statements => ({
  railAccount: request.railAccount,
  matchLines: () => matchLines(pool, request.railAccount, names, clock.now()),
  linesToReport: (limit) => linesToReport(pool, request.railAccount, limit),
  markReported: async (lines) => void (await markReported(pool, lines, clock.now())),
  receiptName: (type) => names.receipt[type === 'COLLECTION' ? type : 'PAYOUT'],
  judge: () => reconcileRailAccount(pool, request, clock.now()),
})
