import { resolveTransaction as resolve, type Resolution } from '../../actions/resolve-transaction.ts'
import type { FailureCode } from '../../domain/failure-code.ts'
import { auditedStore } from '../../storage/store.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation } from './operation.ts'
import { transactionNamed } from './transaction-named.ts'

interface ResolveInput {
  /** Any reference of the transaction, or its id. */
  readonly transaction: string
  readonly merchant?: string | undefined
  /** What the operator says, for what it did not report. */
  readonly outcome: { readonly status: 'COMPLETED' } | FailedOutcome
}

interface FailedOutcome {
  readonly status: 'FAILED'
  /** For the merchant. */
  readonly message: string
  readonly code?: FailureCode | undefined
}

/** `never_paid`: the rail never paid it, and its merchant was notified before. */
type Resolved = { readonly internal_reference: string; readonly resolution: 'resolved' | 'never_paid' }

/** Staff record an outcome that the rail does not report, or end a payout that waits. */
export const resolveTransaction: Operation<ResolveInput, Resolved> = {
  name: 'transaction resolve',
  approval: 'manual-resolution',
  async prepare(context, { transaction: reference, merchant, outcome }) {
    const { internalReference, merchantId, amount } = await transactionNamed(context, reference, merchant)
    return {
      subject: internalReference,
      merchantId,
      amount,
      async read(pool) {
        const now = await transactionNamed({ ...context, pool }, internalReference, undefined)
        return displayValues({ status: now.status, message: now.statusMessage, 'failure code': now.failureCode })
      },
      async apply(pool) {
        const deps = { ...(await context.settling()), store: auditedStore(pool) }
        const resolution = await resolve(deps, internalReference, railOutcome(outcome))
        return { internal_reference: internalReference, resolution: decided(reference, resolution) }
      },
    }
  },
}

const railOutcome = (outcome: ResolveInput['outcome']) =>
  outcome.status === 'COMPLETED'
    ? outcome
    : { status: outcome.status, reason: outcome.message, ...(outcome.code !== undefined && { code: outcome.code }) }

/** @throws OperationRefusal if nothing was decided */
function decided(reference: string, resolution: Resolution): 'resolved' | 'never_paid' {
  if (resolution.result === 'state')
    throw new OperationRefusal(
      'conflict',
      `${reference} is ${resolution.status}: only what is PROCESSING, or paid by the rail and not booked, can be resolved; a payout that is PENDING can be ended as FAILED`,
    )
  if (resolution.result === 'uncovered')
    throw new OperationRefusal(
      'conflict',
      `the wallet does not hold what ${reference} cost: deposit or transfer first, then resolve it`,
      'malipo wallet --help',
    )
  if (resolution.result === 'over_collection')
    throw new OperationRefusal(
      'conflict',
      `other refunds have taken what ${reference} gave back: booked too, they would be more than their collection`,
    )
  return resolution.result
}
