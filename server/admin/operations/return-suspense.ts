import { returnFromSuspense } from '../../actions/return-from-suspense.ts'
import { money, moneyText } from '../../domain/money.ts'
import { paidMinor } from '../../domain/refund.ts'
import { newMerchantReference } from '../../domain/references.ts'
import { auditedAcceptance } from '../../storage/accept-transactions.ts'
import { createLookups } from '../../storage/lookups.ts'
import { auditedStore } from '../../storage/store.ts'
import { listSuspense } from '../queries/suspense.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation } from './operation.ts'
import { refusalOf } from './refund-collection.ts'
import { partyOf } from './run-operation.ts'
import { transactionNamed } from './transaction-named.ts'

interface ReturnInput {
  /** The internal reference of the attempt that has paid. */
  readonly item: string
  readonly reason: string
}

type Returned = { readonly internal_reference: string }

/** Gives money on suspense back to the customer who paid it. No wallet changes, and the merchant is not charged. */
export const returnSuspense: Operation<ReturnInput, Returned> = {
  name: 'suspense return',
  approval: 'manual-resolution',
  async prepare(context, { item, reason }) {
    const attempt = await transactionNamed(context, item, undefined)
    const { id, internalReference, merchantId, providerCode, railAccount } = attempt
    if (!attempt.isAttempt)
      throw new OperationRefusal(
        'conflict',
        `nothing of ${internalReference} is on suspense`,
        'See what is: malipo suspense list',
      )
    const amount = money(paidMinor(attempt), attempt.amount.currency)
    const { clock, random } = context
    const { reference } = await context.settling()
    const refundTraits = await context.rails.refundTraits({ providerCode, ...(railAccount && { railAccount }) })
    const traits = { repeat: 'never', pollAfterMs: () => 0, ...(refundTraits && { refund: refundTraits }) } as const
    return {
      subject: internalReference,
      merchantId,
      amount,
      async read(pool, returned) {
        const [found] = await listSuspense(pool, { id, limit: 1 })
        return displayValues({
          'on suspense': found && moneyText(amount),
          'given back by': returned?.internal_reference ?? found?.returnReference,
        })
      },
      async apply(pool) {
        const deps = {
          reference,
          acceptance: auditedAcceptance(pool),
          lookups: createLookups(pool),
          rail: { traitsOf: () => traits },
          clock,
          random,
        }
        const request = { merchantReference: newMerchantReference(random), reason, maker: partyOf(context.actor) }
        const returned = await returnFromSuspense(deps, attempt, request)
        const [item] = await listSuspense(pool, { id, limit: 1 })
        const event = { kind: 'goes_back', detail: `What ${internalReference} has paid too, as ${returned}` }
        const events = item ? [{ transactionId: item.collectionId, ...event }] : []
        await auditedStore(pool).transaction((unit) => unit.addEvents(events, clock.now()))
        return { internal_reference: returned }
      },
      refusalOf,
    }
  },
}
