import { cancelPayout as cancel } from '../../actions/cancel-payout.ts'
import { createIdempotencyStore } from '../../storage/idempotency.ts'
import { createLookups } from '../../storage/lookups.ts'
import { auditedStore } from '../../storage/store.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation } from './operation.ts'
import { refusalOf } from './refund-collection.ts'
import { transactionNamed } from './transaction-named.ts'

interface CancelInput {
  /** Any reference of the payout, or its id. */
  readonly transaction: string
  readonly merchant?: string | undefined
}

/** Cancels a payout that was not handed over, as its merchant's own request would: for the merchant, or by it. */
export const cancelPayout: Operation<CancelInput, { readonly internal_reference: string }> = {
  name: 'transaction cancel',
  async prepare(context, { transaction, merchant }) {
    const named = await transactionNamed(context, transaction, merchant)
    const { internalReference, merchantId, merchantReference, type } = named
    if (type !== 'PAYOUT')
      throw new OperationRefusal('conflict', `${transaction} is a ${type.toLowerCase()}: only payouts can be cancelled`)
    return {
      subject: internalReference,
      merchantId,
      async read(pool) {
        const { status, statusMessage } = await transactionNamed({ ...context, pool }, internalReference, undefined)
        return displayValues({ status, message: statusMessage })
      },
      async apply(pool) {
        const deps = {
          ...(await context.settling()),
          store: auditedStore(pool),
          lookups: createLookups(pool),
          idempotency: createIdempotencyStore(pool),
        }
        await cancel(deps, { id: merchantId }, merchantReference)
        return { internal_reference: internalReference }
      },
      refusalOf,
    }
  },
}
