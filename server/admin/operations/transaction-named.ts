import { findTransactions, type StaffTransaction } from '../queries/transactions.ts'
import { merchantNamed, ownMerchant } from './merchant-named.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'

/**
 * Finds exactly one transaction, by any of its references or its id; people of a merchant find those of their own.
 * @throws OperationRefusal when there is none, or when several merchants use the reference
 */
export async function transactionNamed(
  context: Pick<OperationContext, 'actor' | 'mode' | 'pool'>,
  reference: string,
  merchant: string | undefined,
): Promise<StaffTransaction> {
  const merchantId = merchant === undefined ? ownMerchant(context) : (await merchantNamed(context, merchant)).id
  const all = await findTransactions(context.pool, reference, merchantId)
  // A refund may have the reference of a payment, which is meant then.
  const payments = all.filter(({ type }) => type !== 'REFUND')
  const [found, ...others] = payments.length > 0 ? payments : all
  if (!found)
    throw new OperationRefusal(
      'not_found',
      `there is no transaction ${reference}${merchant === undefined ? '' : ` of merchant ${merchant}`}`,
      'See the latest: malipo transaction list',
    )
  if (others.length > 0) {
    const owners = [found, ...others].map(({ merchantPublicKey, id }) => `${merchantPublicKey} (id ${id})`).join(', ')
    throw new OperationRefusal(
      'invalid',
      `${others.length + 1} transactions have the reference ${reference}: ${owners}`,
      'Say which one with --merchant, or give its id.',
    )
  }
  return found
}
