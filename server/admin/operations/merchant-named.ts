import { findMerchant, type MerchantView } from '../queries/merchants.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'

/** Live mode hides the merchants of the sandbox. */
export const isVisible = ({ mode }: Pick<OperationContext, 'mode'>, merchant: MerchantView): boolean =>
  mode !== 'live' || !merchant.sandbox_only

/** The merchant whose people the actor is one of; undefined for staff. */
export const ownMerchant = ({ actor }: Pick<OperationContext, 'actor'>): bigint | undefined =>
  actor.kind === 'merchant' ? actor.merchantId : undefined

/**
 * Finds a merchant by public key or id; people of a merchant find their own.
 * @throws OperationRefusal when there is none
 */
export async function merchantNamed(
  context: Pick<OperationContext, 'actor' | 'mode' | 'pool'>,
  name: string,
): Promise<MerchantView> {
  const merchant = await findMerchant(context.pool, name)
  const own = ownMerchant(context)
  if (!merchant || !isVisible(context, merchant) || (own !== undefined && own !== merchant.id))
    throw new OperationRefusal('not_found', `there is no merchant ${name}`, 'See them all: malipo merchant list')
  return merchant
}
