import type { operations } from '../../../generated/schema.d.ts'
import type { AuthorizeDeps } from '../../actions/authorize-collection.ts'
import type { InitializeCollectionDeps } from '../../actions/initialize-collection.ts'
import type { IdempotencyClaim } from '../../actions/ports/idempotency.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Reply } from '../envelope.ts'
import type { NumberTexts } from '../json-text.ts'

/** What a handler of an operation gets: everything checked, in the contract's types. */
export interface Call {
  readonly merchant: Merchant
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Declared fields only; none of them is empty or null. */
  readonly body: unknown
  /** The numbers of the body as they were written, by the name of their field. */
  readonly numbers: NumberTexts
  readonly idempotency?: IdempotencyClaim
}

type CalledOperation = Exclude<
  keyof operations,
  'collectionCallback' | 'payoutCallback' | 'payoutHandshake' | 'customerRedirect'
>
export type OperationHandler = (call: Call) => Promise<Reply> | Reply

/** An operation of the contract without a handler does not compile. */
export type OperationHandlers = Readonly<Record<CalledOperation, OperationHandler>>

export type HandlerDeps = InitializeCollectionDeps &
  AuthorizeDeps & {
    /** Address of the hosted payment page of a collection. */
    readonly paymentUrl: (internalReference: string) => string
  }
