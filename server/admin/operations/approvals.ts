import { decidePayout } from '../../actions/decide-approvals.ts'
import {
  decisionRefusal,
  DECISION_REFUSALS,
  type Approval,
  type ApprovalState,
  type Standing,
} from '../../domain/approvals.ts'
import { moneyText } from '../../domain/money.ts'
import { refusalOf } from '../../domain/people/actor.ts'
import { present } from '../../domain/present.ts'
import { auditedStore } from '../../storage/store.ts'
import { decideChange, findApproval, type ApprovalView } from '../queries/approvals.ts'
import { changeNamed } from './changes.ts'
import { displayValues } from './display-values.ts'
import { ownMerchant } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext, type OperationResult } from './operation.ts'
import {
  approverOf,
  partyOf,
  refusedDecision,
  runOperation,
  type HowToRun,
  type OperationOutcome,
} from './run-operation.ts'
import { openedInput } from './secret-input.ts'
import { transactionNamed } from './transaction-named.ts'

interface DecisionInput {
  readonly id: string
  /** Of what the person has read. */
  readonly digest: string
}

type Decided = { readonly id: string; readonly state: 'approved' | 'refused' }

/** @throws OperationRefusal if there is none, or none that this person may see */
export async function approvalNamed(
  context: Pick<OperationContext, 'actor' | 'pool'>,
  id: string,
): Promise<ApprovalView> {
  const ofMerchant = ownMerchant(context)
  const found = /^\d{1,18}$/.test(id) ? await findApproval(context.pool, BigInt(id), { ofMerchant }) : undefined
  if (!found)
    throw new OperationRefusal('not_found', `there is no request ${id}`, 'See what waits: malipo approval list')
  return found
}

/** Expired requests of staff keep their state: nothing ends them. */
export const stateOf = ({ state, expiresAt }: Approval, now: Date): ApprovalState =>
  state === 'waiting' && now >= expiresAt ? 'expired' : state

/** Why this person may not decide a request now, for people; undefined if they may. */
export function decisionFault(
  { actor, clock }: Pick<OperationContext, 'actor' | 'clock'>,
  approval: Approval,
  state: 'approved' | 'refused',
): string | undefined {
  const { digest } = approval
  const merchantId = ownMerchant({ actor })
  const standing: Standing | 'anybody' =
    actor.kind === 'os_user' ? 'anybody' : { role: actor.role, ...(merchantId && { merchantId }) }
  const decision = { state, by: partyOf(actor), standing, digestSeen: digest, digestNow: digest, at: clock.now() }
  const refusal = decisionRefusal(approval, decision)
  if (refusal) return DECISION_REFUSALS[refusal]
  return refusalOf(actor, state === 'approved' ? 'approval approve' : 'approval refuse')
}

/** What a request is for, in one line. */
export function subjectOf({ change, payout, batch }: ApprovalView): string {
  if (change) return `${change.command} ${change.subject}`
  return batch
    ? `batch ${batch.reference}: ${batch.payouts} payouts, ${moneyText(batch.amount)}`
    : `payout ${payout?.merchantReference ?? '(archived)'}`
}

/**
 * Approves a payout; a change by staff is executed now, as its maker asked for it.
 * @throws OperationRefusal, ActorRefused; nothing was changed then
 */
export async function approveRequest(
  context: OperationContext,
  { id, digest }: DecisionInput,
  how: Pick<HowToRun, 'claim' | 'confirm'> & { readonly reason: string },
): Promise<OperationOutcome<OperationResult>> {
  const { approval, change } = await approvalNamed(context, id)
  if (!change) return runOperation(context, decideAboutPayout('approved'), { id, digest }, how)
  const operation = present(changeNamed(change.command), `the operation ${change.command}`)
  const input = await openedInput(context, operation, change, approval.digest)
  const approved = { id: approval.id, maker: approval.maker, digestSeen: digest, because: how.reason }
  const reason = change.reason ?? how.reason
  return runOperation<never, OperationResult>(context, operation, input as never, { ...how, reason, approved }).catch(
    (error: unknown) => {
      // Of a request that is decided, the sealed input is gone.
      const isDecided = approval.state !== 'waiting' && error instanceof OperationRefusal
      throw isDecided ? refusedDecision(approval.id, 'decided') : error
    },
  )
}

/** Refuses a request, or takes back one's own. */
export const refuseRequest: Operation<DecisionInput, Decided> = {
  name: 'approval refuse',
  async prepare(context, input) {
    const view = await approvalNamed(context, input.id)
    if (!view.change) return decideAboutPayout('refused').prepare(context, input)
    const { id } = view.approval
    return {
      subject: `request ${id}`,
      merchantId: view.approval.merchantId,
      read: async (pool) =>
        displayValues({ state: (await approvalNamed({ ...context, pool }, input.id)).approval.state }),
      async apply(pool) {
        const by = approverOf(context.actor)
        const decision = { id, state: 'refused', by, digestSeen: input.digest, at: context.clock.now() } as const
        const refusal = await decideChange(pool, decision)
        if (refusal) throw refusedDecision(id, refusal)
        return { id: input.id, state: 'refused' }
      },
      done: { request: subjectOf(view) },
    }
  },
}

const decideAboutPayout = (state: 'approved' | 'refused'): Operation<DecisionInput, Decided> => ({
  name: state === 'approved' ? 'approval approve' : 'approval refuse',
  async prepare(context, input) {
    const { approval, payout } = await approvalNamed(context, input.id)
    const { id, transactionId } = approval
    if (transactionId === undefined || !payout) throw refusedDecision(id, 'decided')
    return {
      subject: payout.internalReference,
      merchantId: approval.merchantId,
      async read(pool) {
        const { status, statusMessage } = await transactionNamed(
          { ...context, pool },
          payout.internalReference,
          undefined,
        )
        return displayValues({ status, message: statusMessage })
      },
      async apply(pool) {
        const decision = { transactionId, state, by: approverOf(context.actor), digestSeen: input.digest }
        const refusal = await decidePayout({ ...(await context.settling()), store: auditedStore(pool) }, decision)
        if (refusal) throw refusedDecision(id, refusal)
        return { id: input.id, state }
      },
      done: { request: input.id, state },
    }
  },
})
