import { destinationOf } from '../domain/destination.ts'
import {
  APPROVAL_EXPIRED,
  APPROVAL_REFUSED,
  approvalFailure,
  decisionRefusal,
  digestOfAll,
  orderDigest,
  type DecisionRefusal,
  type Party,
} from '../domain/approvals.ts'
import type { Failure } from '../domain/failure-code.ts'
import { present } from '../domain/present.ts'
import { endPending, STATUS_MESSAGES, type Transaction } from '../domain/transaction.ts'
import { endWithin, type SettleDeps } from './settle-results.ts'
import type { Job } from './ports/jobs.ts'
import type { UnitOfWork } from './ports/store.ts'

/** A person's decision about a payout that waits. */
export interface PayoutDecision {
  readonly transactionId: bigint
  readonly state: 'approved' | 'refused'
  /** Without a person: the user of a sandbox's machine, who may decide anything. */
  readonly by: Party
  /** Of the order that the person has read. */
  readonly digestSeen: string
}

/**
 * Decides about a payout that waits for its merchant's approver; of a batch about all of its payouts in one currency,
 * whose sum is one decision. An approval is for exactly the orders that were accepted and read, works once, and comes
 * from somebody else than the orders: the requests and the approver's role are read under locks, so of two decisions at
 * once one stands.
 * @returns why nothing was decided; undefined if the decision stands
 */
export const decidePayout = (deps: SettleDeps, decision: PayoutDecision): Promise<DecisionRefusal | undefined> =>
  deps.store.transaction(async (unit) => {
    const { transactionId, state, by, digestSeen } = decision
    const ids = await unit.decidedTogether(transactionId)
    const payouts = new Map((await unit.lockTransactions({ ids })).map((payout) => [payout.id, payout] as const))
    const requests = await unit.lockApprovals(ids)
    // One of a batch may have been cancelled meanwhile: the others are decided all the same.
    const waiting = requests.flatMap((approval) => {
      const payout = payouts.get(approval.transactionId ?? 0n)
      return approval.state === 'waiting' && payout?.status === 'PENDING' ? [{ approval, payout }] : []
    })
    const [first] = waiting
    if (!first) return 'decided'
    const standing = by.personId === undefined ? 'anybody' : await unit.lockStanding(by.personId)
    const at = deps.clock.now()
    const now = new Map(waiting.map(({ approval, payout }) => [approval.id, orderDigest(payout)]))
    const refusal = decisionRefusal(
      { ...first.approval, digest: digestOfAll(requests.map(({ digest }) => digest)) },
      {
        state,
        by,
        standing,
        digestSeen,
        digestNow: digestOfAll(requests.map(({ id, digest }) => now.get(id) ?? digest)),
        at,
      },
    )
    if (refusal) return refusal
    await unit.endApprovals(waiting.map(({ approval: { id } }) => ({ id, state, by, at })))
    await unit.addEvents(
      waiting.map(({ approval, payout }) => ({
        transactionId: payout.id,
        kind: `approval_${state}`,
        detail: `Request ${approval.id}, by ${by.name}`,
      })),
      at,
    )
    const decided = waiting.map(({ payout }) => payout)
    if (state === 'approved') await goOn(unit, decided, at)
    else await failAll(unit, deps, decided, APPROVAL_REFUSED)
    return undefined
  })

async function goOn(unit: UnitOfWork, payouts: readonly Transaction[], now: Date): Promise<void> {
  await unit.saveStates(payouts.map((payout) => ({ ...payout, statusMessage: STATUS_MESSAGES.pending })))
  await unit.finishPaymentJobs(payouts.map(({ id }) => id))
  await unit.addJobs(
    payouts.map(({ id, type, merchantId }) => {
      const next = { subjectId: id, dueAt: now }
      const destination = destinationOf(merchantId, 'VERIFICATION')
      return type === 'REFUND' ? { ...next, kind: 'holdRefund' } : { ...next, kind: 'verifyPayout', destination }
    }),
  )
}

/**
 * Fails the payouts about which nobody decided in time. A job that runs before the request has expired, because a
 * clock was set back, is rescheduled.
 */
export async function expireApprovals(deps: SettleDeps, items: readonly Job[]): Promise<void> {
  await deps.store.transaction(async (unit) => {
    const ids = items.map(({ subjectId }) => subjectId)
    const locked = new Map((await unit.lockTransactions({ ids })).map((payout) => [payout.id, payout]))
    const approvals = new Map(
      (await unit.lockApprovals(ids)).map((approval) => [approval.transactionId, approval] as const),
    )
    const now = deps.clock.now()
    const expired: Transaction[] = []
    for (const item of await unit.holdJobs(items)) {
      const [payout, approval] = [locked.get(item.subjectId), approvals.get(item.subjectId)]
      if (payout?.status !== 'PENDING' || !approval || approval.state === 'approved') await unit.finishJobs([item])
      else if (now < approval.expiresAt) await unit.replaceJobs([item], 'expireApproval', approval.expiresAt)
      else expired.push(payout)
    }
    await unit.endApprovals(
      expired.map(({ id }) => ({ id: present(approvals.get(id), 'a request').id, state: 'expired', at: now })),
    )
    await failAll(unit, deps, expired, APPROVAL_EXPIRED)
  })
}

async function failAll(
  unit: UnitOfWork,
  deps: SettleDeps,
  payouts: readonly Transaction[],
  failure: Failure,
): Promise<void> {
  const now = deps.clock.now()
  const failed = payouts.map((payout) => endPending(payout, 'FAILED', approvalFailure(payout.type, failure), now))
  await endWithin(unit, deps, 'PENDING', failed)
}

/** Ends the requests for approval of locked payouts about which nobody has decided. */
export async function endWaiting(unit: UnitOfWork, pending: readonly Transaction[], at: Date): Promise<void> {
  const approvals = await unit.lockApprovals(pending.map(({ id }) => id))
  await unit.endApprovals(
    approvals.filter(({ state }) => state === 'waiting').map(({ id }) => ({ id, state: 'lapsed', at })),
  )
}
