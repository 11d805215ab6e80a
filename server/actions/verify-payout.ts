import { handshakeId, nextHandshakeStep } from '../domain/handshake.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import { PUT_OFF_MS } from './deliver-callback.ts'
import { concludeWithin, type SettleDeps } from './settle-results.ts'
import type { Delivery, HandshakeSender, Turns, WorkItem } from './ports.ts'

export type VerifyPayoutDeps = SettleDeps & { readonly handshakes: HandshakeSender; readonly turns: Turns }

/** Asks merchants whether payouts are theirs, each on its own: a verification URL that hangs holds up no other merchant's payouts. */
export function createPayoutVerification(deps: VerifyPayoutDeps): (items: readonly WorkItem[]) => readonly Promise<void>[] {
  return (items) => items.map(async (item) => {
    const payout = await pendingPayout(deps, item)
    if (!payout) return
    const url = deps.reference.merchantById(payout.merchantId)?.verificationUrl ?? ''
    const taken = await deps.turns(URL.parse(url)?.host ?? '', () => ask(deps, item, payout, url))
    if (!taken) await deps.store.transaction((unit) => unit.replaceWork([item], 'verifyPayout', new Date(deps.clock.now().getTime() + PUT_OFF_MS)))
  })
}

const pendingPayout = ({ store }: VerifyPayoutDeps, item: WorkItem): Promise<Transaction | undefined> => store.transaction(async (unit) => {
  const [payout] = await unit.lockTransactions({ ids: [item.subjectId] })
  if (payout?.status === 'PENDING') return payout
  await unit.finishWork([item])
  return undefined
})

async function ask(deps: VerifyPayoutDeps, item: WorkItem, payout: Transaction, url: string): Promise<void> {
  const { internalReference, merchantReference, merchantId } = payout
  const at = deps.clock.now()
  const answer = await deps.handshakes.ask({ url, merchantId, merchantReference, webhookId: handshakeId(internalReference) })
  const { callbacks, confirmed } = await deps.store.transaction(async (unit) => {
    const [current] = await unit.lockTransactions({ ids: [payout.id] })
    const [held] = await unit.holdWork([item])
    if (!held || current?.status !== 'PENDING') return { callbacks: 0, confirmed: false }
    const attempt = await unit.recordHandshake(payout.id, attemptOf(answer, at))
    const next = nextHandshakeStep(answer.httpStatus, attempt)
    const told = answer.httpStatus === undefined ? answer.error ?? 'no reply' : `HTTP ${answer.httpStatus}`
    await unit.addEvents([{ transactionId: payout.id, kind: `handshake_${next.step}`, detail: `Question ${attempt} to the verification URL: ${told}` }], deps.clock.now())
    switch (next.step) {
      case 'confirmed':
        await unit.replaceWork([item], 'holdFunds', deps.clock.now())
        return { callbacks: 0, confirmed: true }
      case 'retry':
        await unit.replaceWork([item], 'verifyPayout', new Date(deps.clock.now().getTime() + next.afterMs))
        return { callbacks: 0, confirmed: false }
      case 'failed': {
        const failed = endPending(current, 'FAILED', next.reason, deps.clock.now())
        const events = [{ transactionId: payout.id, kind: 'settled', detail: `FAILED: ${next.reason}` }]
        return { callbacks: await concludeWithin(unit, deps, { steps: [{ from: 'PENDING', to: failed }], events }), confirmed: false }
      }
    }
  })
  if (confirmed) deps.wake.wake('holdFunds')
  if (callbacks > 0) deps.wake.wake('deliverCallback')
}

const attemptOf = ({ durationMs, httpStatus, error }: Delivery, at: Date) =>
  ({ at, durationMs, ...(httpStatus !== undefined && { httpStatus }), ...(error !== undefined && { error }) })
