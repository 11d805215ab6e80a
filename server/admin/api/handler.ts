import type { operations } from '../../../generated/admin.d.ts'
import { accepted, success, type Envelope, type Reply } from '../../http/envelope.ts'
import type { Operation, OperationContext, OperationResult } from '../operations/operation.ts'
import { runOperation, type OperationOutcome } from '../operations/run-operation.ts'
import type { RequestClaim } from '../queries/admin-requests.ts'

/** The input of an operation's handler: validated, in the contract's types, by somebody whose role may use it. */
export interface AdminCall<Params = unknown, Query = unknown, Body = unknown> {
  /** Who calls, and what operations need. */
  readonly context: OperationContext
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Of the request's Idempotency-Key. */
  readonly claim: RequestClaim | undefined
}

/** An export, which is sent while it is read: its size has no bound, and memory holds one part of it. */
export interface StreamReply {
  readonly status: 200
  readonly stream: AsyncIterable<string>
  readonly headers: Readonly<Record<string, string>>
}

export type AdminReply<Body extends Envelope = Envelope> = Reply<Body> | StreamReply

export type AdminOperationName = keyof operations

type Json<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never
export type AdminPart<Name extends AdminOperationName, In extends 'path' | 'query'> = NonNullable<
  operations[Name]['parameters'][In]
>
export type AdminBody<Name extends AdminOperationName> = Json<NonNullable<operations[Name]['requestBody']>>
type Success<Responses> = Json<Responses[keyof Responses & (200 | 202)]> & Envelope

/** The data of a reply to an operation that shows something. */
export type AdminData<Name extends AdminOperationName> =
  Json<operations[Name]['responses'][keyof operations[Name]['responses'] & 200]> extends { data: infer Data }
    ? Data
    : never

/** An operation in the contract's types: its input, and its reply on success. @throws OperationRefusal, ActorRefused */
export type AdminHandler<Name extends AdminOperationName> = (
  call: AdminCall<AdminPart<Name, 'path'>, AdminPart<Name, 'query'>, AdminBody<Name>>,
) => Promise<AdminReply<Success<operations[Name]['responses']>>>

/** An operation of the contract without a handler does not compile. */
export type AdminHandlers = { readonly [Name in AdminOperationName]: AdminHandler<Name> }

/** The input of an operation that takes the names of the path and the fields of the body. */
export const inputOf = <Params extends object, Body extends object>({
  params,
  body,
}: AdminCall<Params, unknown, Body>): Params & Body => ({ ...params, ...body })

/**
 * Changes something by an operation.
 * @returns 200 with its result, or 202 when a second person must approve it
 */
export const changed = async <Input, Result extends OperationResult>(
  { context, claim, body }: AdminCall<unknown, unknown, { readonly reason?: string }>,
  operation: Operation<Input, Result>,
  input: Input,
): Promise<AdminReply<never>> =>
  outcomeReply(await runOperation(context, operation, input, { reason: body.reason, claim }))

export const outcomeReply = (outcome: OperationOutcome<OperationResult>): AdminReply<never> =>
  (outcome.kind === 'waits'
    ? accepted(`It waits for approval ${outcome.approvalId}`, { approval_id: outcome.approvalId })
    : success('Done', outcome.result)) as AdminReply<never>
