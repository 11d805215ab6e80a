import {
  APPROVAL_TTL_MS,
  DECISION_REFUSALS,
  isCovered,
  type ApprovalOperation,
  type DecisionRefusal,
  type Party,
} from '../../domain/approvals.ts'
import { holdsSecrets } from '../../domain/masking/mask-text.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { approvalRules } from '../../storage/approvals.ts'
import { available } from '../../storage/pool.ts'
import { applyChange, previewChange, type AuditedAction, type Difference } from '../queries/audit-log.ts'
import { decideChange, requestApproval } from '../queries/approvals.ts'
import { claimRequest, findOutcome, storeOutcome, type RequestClaim } from '../queries/admin-requests.ts'
import {
  OperationRefusal,
  type Operation,
  type OperationContext,
  type OperationResult,
  type PreparedChange,
} from './operation.ts'
import { inputDigest, storedInput } from './secret-input.ts'

/** A stored request that a second person executes. */
export interface ApprovedRequest {
  readonly id: bigint
  readonly maker: Party
  /** Of the request that the approver has read. */
  readonly digestSeen: string
  /** Why the approver agrees. */
  readonly because: string
}

export interface HowToRun {
  /** Why, for the audit log. */
  readonly reason: string | undefined
  /** Makes the second of two equal requests return the outcome of the first. */
  readonly claim?: RequestClaim | undefined
  readonly approved?: ApprovedRequest
  /** Shows the effect to the person, who may stop it by throwing. */
  readonly confirm?: (what: string, preview: () => Promise<Difference>) => Promise<void>
}

export type OperationOutcome<Result> =
  | { readonly kind: 'done'; readonly what: string; readonly result: Result; readonly difference: Difference }
  /** Stored as a request: a second person must approve it. */
  | { readonly kind: 'waits'; readonly approvalId: string; readonly what: string }

/** As stored for whoever sends the request again. */
type StoredOutcome = { readonly done: OperationResult } | { readonly waits: string }

/**
 * Runs an operation: one commit holds its change, its audit entry, the decision of its approver and the outcome for
 * whoever sends the request again. What a four-eyes rule covers is stored as a request instead.
 * @throws OperationRefusal, ActorRefused (queries/audit-log.ts); nothing was changed then
 */
export async function runOperation<Input, Result extends OperationResult>(
  context: OperationContext,
  operation: Operation<Input, Result>,
  input: Input,
  how: HowToRun,
): Promise<OperationOutcome<Result>> {
  const fault = how.reason === undefined ? undefined : reasonFault(how.reason)
  if (fault !== undefined) throw new OperationRefusal('invalid', fault)
  const { claim } = how
  const replay = claim && (await replayOf(context, operation, claim))
  if (replay) return replay as OperationOutcome<Result>
  const prepared = await operation.prepare(context, input)
  const what = `${operation.name} ${prepared.subject}`
  const { approved } = how
  const change = approved
    ? withDecision(context, prepared, what, { ...approved, input: await inputDigest(context, operation, input) })
    : prepared
  const waits = approved === undefined && (await isToBeApproved(context, operation.approval, prepared))
  const action = actionOf(context, operation.name, prepared, how.reason)
  try {
    if (waits) return await storeRequest(context, { operation, input, prepared, action, claim })
    await how.confirm?.(what, () => previewChange(context.pool, change))
    const claimed = claim ? withClaim(change, claim, operation, context) : change
    return { kind: 'done', what, ...(await applyChange(context.pool, action, claimed, context.clock.now())) }
  } catch (error) {
    const first = claim && error instanceof SentBefore && (await replayOf(context, operation, claim))
    if (first) return first as OperationOutcome<Result>
    throw (await prepared.refusalOf?.(error)) ?? error
  }
}

const actionOf = (
  { actor, requestId }: OperationContext,
  command: string,
  { subject, merchantId, reference }: Pick<PreparedChange<never>, 'subject' | 'merchantId' | 'reference'>,
  reason: string | undefined,
): AuditedAction => ({ actor, command, subject, reason, reference, merchantId, requestId })

const REASON = { min: 3, max: 500 }

/** Why a reason cannot be stored for good; undefined if it can. */
export function reasonFault(reason: string): string | undefined {
  if (reason.length < REASON.min || reason.length > REASON.max || /[\p{Cc}\p{Cf}]/u.test(reason))
    return `reason must have ${REASON.min} to ${REASON.max} characters on one line`
  // The audit log is append-only: nobody could remove a secret from it.
  return holdsSecrets(reason)
    ? 'reason must hold no password, no token and no phone number with a plus sign: it is stored for good'
    : undefined
}

async function isToBeApproved(
  { pool }: OperationContext,
  approval: ApprovalOperation | undefined,
  { merchantId, amount }: Pick<PreparedChange<never>, 'merchantId' | 'amount'>,
): Promise<boolean> {
  if (approval === undefined) return false
  const rules = await available(() => approvalRules(pool, approval))
  return isCovered(rules, { operation: approval, merchantId, amount })
}

interface ToBeApproved<Input, Result extends OperationResult> {
  readonly operation: Operation<Input, Result>
  readonly input: Input
  readonly prepared: PreparedChange<Result>
  readonly action: AuditedAction
  readonly claim: RequestClaim | undefined
}

async function storeRequest<Input, Result extends OperationResult>(
  context: OperationContext,
  { operation, input, prepared, action, claim }: ToBeApproved<Input, Result>,
): Promise<OperationOutcome<Result>> {
  const { actor, pool, clock } = context
  const { name, approval } = operation
  if (approval === undefined) throw new Error(`no rule covers ${name}`)
  const difference = await previewChange(pool, prepared)
  const now = clock.now()
  const { subject, merchantId } = prepared
  const { digest, ...stored } = await storedInput(context, operation, input)
  const request = {
    operation: approval,
    ...(merchantId !== undefined && { merchantId }),
    digest,
    maker: partyOf(actor),
    requestedAt: now,
    expiresAt: new Date(now.getTime() + APPROVAL_TTL_MS),
  }
  const waiting = { command: name, subject, ...stored, reason: action.reason, ...difference }
  const { result: id } = await applyChange(
    pool,
    action,
    {
      read: async (_pool, requested?: bigint) =>
        requested === undefined ? {} : { 'waits for approval': String(requested) },
      async apply(audited) {
        if (claim && !(await claimRequest(audited, claim, name, now))) throw new SentBefore()
        const requested = await requestApproval(audited, request, waiting)
        if (claim) await storeOutcome(audited, claim, { waits: String(requested) } satisfies StoredOutcome)
        return requested
      },
    },
    now,
  )
  return { kind: 'waits', approvalId: String(id), what: `${name} ${subject}` }
}

/** The change as its maker asked for it, which the approver's decision is a part of. */
const withDecision = <Result>(
  { actor, clock }: OperationContext,
  change: PreparedChange<Result>,
  what: string,
  { id, maker, digestSeen, because, input }: ApprovedRequest & { readonly input: string | undefined },
): PreparedChange<Result> => ({
  ...change,
  async apply(pool, actionId) {
    const decision = { id, state: 'approved', by: approverOf(actor), digestSeen, at: clock.now(), input } as const
    const refusal = await decideChange(pool, decision)
    if (refusal) throw refusedDecision(id, refusal)
    return change.apply(pool, actionId)
  },
  done: {
    ...change.done,
    'request for': what,
    'approved request': String(id),
    'made by': maker.name,
    'approved because': because,
  },
})

export const refusedDecision = (id: bigint, refusal: DecisionRefusal): OperationRefusal =>
  new OperationRefusal('conflict', `request ${id} was not decided: ${DECISION_REFUSALS[refusal]}`)

/** Who makes or decides a request. */
export const partyOf = (actor: Actor): Party =>
  'personId' in actor ? { name: actor.name, personId: actor.personId } : { name: actor.name }

/** @throws OperationRefusal without a login in live mode: nobody could tell whether a second person decides */
export function approverOf(actor: Actor): Party {
  if (actor.kind === 'break_glass') throw new OperationRefusal('forbidden', 'an approval needs a login', 'malipo login')
  return partyOf(actor)
}

type Flags = Pick<Operation<never, never>, 'name' | 'showsSecrets'>

/** Somebody sent the same request at the same time, and it has committed. */
class SentBefore extends Error {}

const withClaim = <Result extends OperationResult>(
  change: PreparedChange<Result>,
  claim: RequestClaim,
  { name, showsSecrets = false }: Flags,
  { clock }: OperationContext,
): PreparedChange<Result> => ({
  ...change,
  async apply(pool, actionId) {
    if (!(await claimRequest(pool, claim, name, clock.now()))) throw new SentBefore()
    const result = await change.apply(pool, actionId)
    if (!showsSecrets) await storeOutcome(pool, claim, { done: result } satisfies StoredOutcome)
    return result
  },
})

export const keyUsed = (): OperationRefusal =>
  new OperationRefusal('conflict', 'this Idempotency-Key was used for another request')

/** The outcome of the same request, if it was sent before. @throws OperationRefusal if its key had another request */
async function replayOf(
  { pool }: OperationContext,
  { name, showsSecrets = false }: Flags,
  claim: RequestClaim,
): Promise<OperationOutcome<OperationResult> | undefined> {
  const found = await findOutcome(pool, claim)
  if (!found) return undefined
  if (found.operation !== name || found.digest !== claim.digest) throw keyUsed()
  const outcome = found.outcome as StoredOutcome | null
  if (outcome === null || (showsSecrets && 'done' in outcome))
    throw new OperationRefusal('conflict', 'this was done before, and its secrets are shown once: do it again instead')
  return 'waits' in outcome
    ? { kind: 'waits', approvalId: outcome.waits, what: name }
    : { kind: 'done', what: name, result: outcome.done, difference: { old: {}, new: {} } }
}
