import type { RailRoute, RailTraits } from '../../actions/ports/rail.ts'
import type { RailAccount } from '../../domain/rail-account.ts'
import type { StatementLine } from '../../domain/statement-line.ts'
import type { Adapter, RailKind } from '../../rails/rail-kind.ts'
import type { RailAccountRow } from '../../storage/rail-accounts.ts'

/** What operations need of operators. */
export interface OperatorAccess {
  /** Connects an account as a server would, which sends no request. @returns why it could not, for people */
  faultOf(kind: RailKind, railAccount: RailAccount): Promise<string | undefined>
  /** How collections that went this way are refunded; undefined: their rail has no refunds. */
  refundTraits(route: Pick<RailRoute, 'providerCode' | 'railAccount'>): Promise<RailTraits['refund']>
  /**
   * The operator's bookings in a period.
   * @returns undefined where its API offers none
   * @throws NoAnswer, NotSent (rails/operator-errors.ts); RangeError for more lines than are read at once
   */
  statement(
    account: { readonly railAccount: RailAccountRow; readonly kind: RailKind },
    from: Date,
    until: Date,
  ): Promise<readonly StatementLine[] | undefined>
}

/** No call to an operator runs inside the transaction that stores the lines: they wait here, but not without end. */
const LINES_MAX = 500_000

/** Reads an operator's statement to its end; see `OperatorAccess.statement`. */
export async function statementLines(
  adapter: Pick<Adapter, 'statement'>,
  from: Date,
  until: Date,
): Promise<readonly StatementLine[] | undefined> {
  const stream = adapter.statement?.(from, until)
  if (!stream) return undefined
  const lines: StatementLine[] = []
  for await (const line of stream) {
    if (lines.length === LINES_MAX)
      throw new RangeError(`the operator lists more than ${LINES_MAX} movements: ask for a shorter period`)
    lines.push(line)
  }
  return lines
}
