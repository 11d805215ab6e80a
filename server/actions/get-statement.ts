import type { Merchant } from '../domain/merchant.ts'
import { Refusal } from '../domain/refusal.ts'
import { refuseArchived, type ListDeps } from './list-transactions.ts'
import type { Statement, StatementQuery } from './ports/merchant-lists.ts'

const PERIOD_MAX_MS = 31 * 24 * 3_600_000

/**
 * What moved in a wallet of the merchant within a period.
 * @throws Refusal `invalid_period`, `archived`, or `statement_too_long` when it has more entries than `entriesMax`
 */
export async function getStatement(
  { lists }: ListDeps,
  merchant: Pick<Merchant, 'id'>,
  query: StatementQuery,
): Promise<Statement> {
  const length = query.to.getTime() - query.from.getTime()
  if (length <= 0 || length > PERIOD_MAX_MS)
    throw new Refusal('invalid_period', 'to must be after from and at most 31 days later')
  await refuseArchived(lists, query.from)
  const statement = await lists.statement(merchant.id, query)
  if (statement !== 'too_long') return statement
  const more = `The statement has more than ${query.entriesMax} entries`
  throw new Refusal('statement_too_long', `${more}: take a shorter period, or a file`)
}
