import { refundCollection as refund } from '../../actions/refund-collection.ts'
import { moneyText } from '../../domain/money.ts'
import { present } from '../../domain/present.ts'
import { MERCHANT_REFERENCE, newMerchantReference } from '../../domain/references.ts'
import { Refusal } from '../../domain/refusal.ts'
import { auditedAcceptance } from '../../storage/accept-transactions.ts'
import { createIdempotencyStore } from '../../storage/idempotency.ts'
import { createLookups } from '../../storage/lookups.ts'
import { refundStanding } from '../queries/refunds.ts'
import { minorOrUndefined } from './amount.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation } from './operation.ts'
import { partyOf } from './run-operation.ts'
import { transactionNamed } from './transaction-named.ts'

interface RefundInput {
  /** Any reference of the collection, or its id. */
  readonly transaction: string
  readonly merchant?: string | undefined
  /** In major units of its request currency, as text; absent: all that is left. */
  readonly amount?: string | undefined
  /** The merchant's own reference of the refund; absent: one is made. */
  readonly reference?: string | undefined
  /** The merchant gets it with the refund. */
  readonly reason: string
}

type Refunded = { readonly internal_reference: string; readonly merchant_reference: string }

/** The contract's bound of a refund's reason. */
export const REFUND_REASON_MAX = 100

/**
 * Gives money of a collection back to whoever paid it, as the merchant's own request would. A rule on refunds makes it
 * wait for the merchant's approver, whoever makes it.
 */
export const refundCollection: Operation<RefundInput, Refunded> = {
  name: 'transaction refund',
  async prepare(context, { transaction: name, merchant, amount, reference, reason }) {
    if (reason.length > REFUND_REASON_MAX)
      throw new OperationRefusal('invalid', `reason must have at most ${REFUND_REASON_MAX} characters`)
    const collection = await transactionNamed(context, name, merchant)
    const { id, internalReference, merchantId, providerCode, railAccount, request } = collection
    if (reference !== undefined && !MERCHANT_REFERENCE.pattern.test(reference))
      throw new OperationRefusal('invalid', `reference ${MERCHANT_REFERENCE.message}`)
    // The action takes what a JSON text can hold; people write other things.
    minorOrUndefined(amount, request.currency)
    const { clock, random } = context
    const { reference: referenceData } = await context.settling()
    const owner = present(await referenceData.merchantById(merchantId), 'the merchant of a payment')
    const refundTraits = await context.rails.refundTraits({ providerCode, ...(railAccount && { railAccount }) })
    const traits = { repeat: 'never', pollAfterMs: () => 0, ...(refundTraits && { refund: refundTraits }) } as const
    return {
      subject: internalReference,
      merchantId,
      async read(pool, refunded) {
        const { left } = await refundStanding(pool, { id, request })
        return displayValues({ 'left to refund': moneyText(left), refund: refunded?.merchant_reference })
      },
      async apply(pool) {
        const accepted = await refund(
          {
            reference: referenceData,
            acceptance: auditedAcceptance(pool),
            idempotency: createIdempotencyStore(pool),
            lookups: createLookups(pool),
            rail: { traitsOf: () => traits },
            clock,
            random,
          },
          owner,
          {
            merchantReference: reference ?? newMerchantReference(random),
            collectionReference: internalReference,
            ...(amount !== undefined && { amount }),
            reason,
            maker: partyOf(context.actor),
          },
        )
        return { internal_reference: accepted.internalReference, merchant_reference: accepted.merchantReference }
      },
      refusalOf,
    }
  },
}

/** What the action refuses, for people. */
export function refusalOf(error: unknown): OperationRefusal | undefined {
  if (!(error instanceof Refusal)) return undefined
  const { code, message } = error
  if (code === 'unknown_reference') return new OperationRefusal('not_found', message)
  return new OperationRefusal(code === 'invalid_amount' || code === 'invalid_field' ? 'invalid' : 'conflict', message)
}
