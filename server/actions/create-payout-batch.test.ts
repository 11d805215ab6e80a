import { beforeEach, expect, test } from 'vitest'
import { money } from '../domain/money.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { at, newTransaction, uniqueToken, wholeLimit } from '../verification/testing/transactions.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { present } from '../domain/present.ts'
import { createBatchVerification } from './verify-batch.ts'
import { createPayoutVerification } from './verify-payout.ts'
import type { HandshakeQuestion } from './ports/handshakes.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import type { NewPayoutBatch } from './ports/payout-batches.ts'
import type { Rail } from './ports/rail.ts'

onBothStores((under) => {
  let merchantId: bigint
  beforeEach(async () => {
    merchantId = await under().newMerchant('https://shop.example/')
  })
  const payout = (changes: Partial<NewTransaction> = {}) =>
    newTransaction({ merchantId, type: 'PAYOUT', firstJob: { kind: 'verifyPayout', dueAt: at(60) }, ...changes })
  const batch = (payouts: readonly NewTransaction[], changes: Partial<NewPayoutBatch> = {}): NewPayoutBatch => ({
    merchantId,
    reference: `batch-${uniqueToken()}`,
    createdAt: at(0),
    finishAt: at(1),
    rows: payouts.map((one, index) => ({ line: index + 1, payout: one })),
    ...changes,
  })
  const accept = (one: NewPayoutBatch, isTrial = false) => under().batches.accept(one, isTrial)
  const exists = async ({ merchantReference }: NewTransaction) =>
    (await under().lookups.transactionByMerchantReference(merchantId, merchantReference)) !== undefined

  test('stores nothing of a batch with one refused payout, or of a trial', async () => {
    const [used, fresh, tooMuch] = [payout(), payout(), payout({ dailyLimit: wholeLimit(1n) })]
    await under().acceptance.accept(used)
    const one = batch([fresh, used, tooMuch])
    expect(await accept(one)).toEqual(['accepted', 'duplicate_reference', { exceededMinor: 1n }])
    expect(await accept(batch([fresh]), true)).toEqual(['accepted'])
    expect([await exists(fresh), await under().batches.find(merchantId, one.reference)]).toEqual([false, undefined])
    expect(await accept({ ...one, rows: [{ line: 1, payout: fresh }] })).toBe('accepted')
  })

  test('accepts one of two equal batches at once', async () => {
    const one = batch([payout()])
    expect((await Promise.all([accept(one), accept(one)])).toSorted()).toEqual(['accepted', 'duplicate_batch'])
  })

  test('leaves payouts that wait for an approver behind when their batch is confirmed', async () => {
    await under().coverPayouts(merchantId, money(2_000n, 'UGX'))
    const later = { kind: 'verifyPayout', dueAt: at(600) } as const
    const needsApproval = { approvedAs: money(2_000n, 'UGX'), firstJob: later }
    const [covered, lapsed, free] = [payout(needsApproval), payout(needsApproval), payout({ firstJob: later })]
    const one = batch([covered, lapsed, free], { handshake: 'waiting' })
    await accept(one)
    const [waiting, isLapsed] = (await under().batches.find(merchantId, one.reference))?.payouts ?? []
    // Whoever asked for it has no access any more.
    await under().store.transaction(async (unit) => {
      const approvals = await unit.lockApprovals([present(isLapsed, 'a payout').payout.id])
      await unit.endApprovals(approvals.map(({ id }) => ({ id, state: 'lapsed', at: at(0) })))
    })
    const asked: HandshakeQuestion[] = []
    const deps = {
      ...railDeps(under(), {} as Rail, () => at(1)),
      batchHandshakeBody: () => '{}',
      limiter: async (_to: unknown, prepare: () => Promise<() => Promise<boolean>>) => void (await (await prepare())()),
      handshakes: {
        request: async (about: HandshakeQuestion) => (asked.push(about), { httpStatus: 204, durationMs: 1 }),
      },
    }
    await Promise.all(createBatchVerification(deps)(await claimDue(under(), 'verifyBatch', 1)))
    const jobs = async () => (await under().read.work()).map(({ kind }) => kind).toSorted()
    expect(await jobs()).toEqual(['expireApproval', 'expireApproval', 'finishBatch', 'holdFunds'])
    const { id } = present(waiting, 'a payout').payout
    await under().store.transaction(async (unit) => {
      await unit.finishPaymentJobs([id])
      await unit.addJobs([{ kind: 'verifyPayout', subjectId: id, dueAt: at(2) }])
    })
    await Promise.all(createPayoutVerification(deps)(await claimDue(under(), 'verifyPayout', 2)))
    expect(await jobs()).toEqual(['expireApproval', 'finishBatch', 'holdFunds', 'holdFunds'])
    expect(asked).toHaveLength(1)
  })
})
