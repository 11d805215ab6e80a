import type { operations } from '../../../generated/schema.d.ts'
import type { AuthorizeDeps } from '../../actions/authorize-collection.ts'
import type { CancelPayoutDeps } from '../../actions/cancel-payout.ts'
import type { CreateBatchDeps } from '../../actions/create-payout-batch.ts'
import type { HolderDeps } from '../../actions/find-account-holder.ts'
import type { InitializeCollectionDeps } from '../../actions/initialize-collection.ts'
import type { ListDeps } from '../../actions/list-transactions.ts'
import type { RefundDeps } from '../../actions/refund-collection.ts'
import type { Acknowledgement, IdempotencyClaim } from '../../actions/ports/idempotency.ts'
import type { MessageSigner } from '../../actions/ports/message-signer.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { FittedRow } from '../batch-rows.ts'
import type { Envelope, Reply } from '../envelope.ts'
import type { NumberTexts } from '../body.ts'

/** The input of an operation's handler: everything validated, in the contract's types. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly merchant: Merchant
  /** The right secret key came along; else only the public one. */
  readonly withSecretKey: boolean
  readonly params: Params
  readonly query: Query
  /** Declared fields only; none of them is empty or null. */
  readonly body: Body
  /** The numbers of the body as they were written, by field name. */
  readonly numbers: NumberTexts
  /** Of a batch: every row, faulty ones too. */
  readonly rows?: readonly FittedRow[]
  /** The header `Accept`, as it was sent. */
  readonly accepts?: string | undefined
  readonly idempotency?: IdempotencyClaim
  /** The request's own span, when its trace is sampled: the parent of everything that follows. */
  readonly traceparent?: string | undefined
}

/** Operations that merchants call; the contract's callbacks are excluded. */
export type OperationName = Exclude<
  keyof operations,
  | 'collectionCallback'
  | 'payoutCallback'
  | 'payoutBatchCallback'
  | 'payoutBatchHandshake'
  | 'refundCallback'
  | 'payoutHandshake'
>

type Json<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never
type Part<Name extends OperationName, In extends 'path' | 'query'> = NonNullable<operations[Name]['parameters'][In]>
type Success<Responses> = Json<Responses[keyof Responses & (200 | 202)]> & Envelope

/** An operation in the contract's types: its input, and its reply on success. */
export type Handler<Name extends OperationName> = (
  call: Call<Part<Name, 'path'>, Part<Name, 'query'>, Json<operations[Name]['requestBody']>>,
) => MaybePromise<Reply<Success<operations[Name]['responses']>>>

type MaybePromise<R> = Promise<R> | R

/** An operation of the contract without a handler does not compile. */
export type OperationHandlers = { readonly [Name in OperationName]: Handler<Name> }

export type HandlerDeps = InitializeCollectionDeps &
  AuthorizeDeps &
  CancelPayoutDeps &
  CreateBatchDeps &
  RefundDeps &
  ListDeps &
  HolderDeps & {
    readonly messageSigner: MessageSigner
    readonly paymentUrl: (internalReference: string) => string
  }

/** The references that the reply to every accepted payment has. */
export const referencesOf = ({ internalReference, merchantReference }: Acknowledgement) => ({
  internal_reference: internalReference,
  merchant_reference: merchantReference,
})
