import { findStatementMonth } from '../queries/reports.ts'
import { merchantNamed } from './merchant-named.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'

/**
 * A merchant and a month of which it can have a statement.
 * @throws OperationRefusal
 */
export async function monthNamed(
  context: Pick<OperationContext, 'actor' | 'mode' | 'pool'>,
  name: string,
  text: string,
) {
  const merchant = await merchantNamed(context, name)
  const month = await findStatementMonth(context.pool, text)
  if (!month) throw new OperationRefusal('invalid', `${text} is no month: write it like 2026-11`)
  if (month === 'archived')
    throw new OperationRefusal(
      'not_found',
      `payments of ${text} or of a later month are archived`,
      'Read them: malipo archive show --help',
    )
  return { merchant, month }
}
