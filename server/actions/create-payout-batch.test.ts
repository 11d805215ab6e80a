import { beforeEach, expect, test } from 'vitest'
import { money } from '../domain/money.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { at, newTransaction, uniqueToken, wholeLimit } from '../verification/testing/transactions.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { present } from '../domain/present.ts'
import { createBatchVerification } from './verify-batch.ts'
import { createPayoutVerification } from './verify-payout.ts'
import { finishBatches } from './finish-batches.ts'
import type { HandshakeQuestion } from './ports/handshakes.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import type { NewPayoutBatch } from './ports/payout-batches.ts'
import type { Rail } from './ports/rail.ts'
import { endUnsent } from './resolve-transaction.ts'

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

  test('stores every payout of a batch with its jobs, in the order of its lines', async () => {
    const payouts = [payout(), payout()]
    const one = batch(payouts)
    expect(await accept(one)).toBe('accepted')
    const found = await under().batches.find(merchantId, one.reference)
    expect(found?.payouts.map(({ line, payout: { merchantReference } }) => [line, merchantReference])).toEqual(
      payouts.map(({ merchantReference }, index) => [index + 1, merchantReference]),
    )
    expect((await under().read.work()).map(({ kind }) => kind).toSorted()).toEqual([
      'finishBatch',
      'verifyPayout',
      'verifyPayout',
    ])
  })

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

  test('lets payouts wait for an approver by their sum', async () => {
    await under().coverPayouts(merchantId, money(2_000n, 'UGX'))
    const approvedAs = money(2_000n, 'UGX')
    const payouts = [payout({ approvedAs }), payout({ approvedAs })]
    await accept(batch(payouts))
    expect((await under().read.work()).map(({ kind }) => kind)).not.toContain('verifyPayout')
  })

  test('leaves payouts that wait for an approver behind when their batch is confirmed', async () => {
    await under().coverPayouts(merchantId, money(2_000n, 'UGX'))
    const later = { kind: 'verifyPayout', dueAt: at(600) } as const
    const [covered, free] = [payout({ approvedAs: money(2_000n, 'UGX'), firstJob: later }), payout({ firstJob: later })]
    const one = batch([covered, free], { handshake: 'waiting' })
    await accept(one)
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
    expect(await jobs()).toEqual(['expireApproval', 'finishBatch', 'holdFunds'])
    const [waiting] = (await under().batches.find(merchantId, one.reference))?.payouts ?? []
    const { id } = present(waiting, 'a payout').payout
    await under().store.transaction(async (unit) => {
      await unit.finishPaymentJobs([id])
      await unit.addJobs([{ kind: 'verifyPayout', subjectId: id, dueAt: at(2) }])
    })
    await Promise.all(createPayoutVerification(deps)(await claimDue(under(), 'verifyPayout', 2)))
    expect(await jobs()).toEqual(['finishBatch', 'holdFunds', 'holdFunds'])
    expect(asked).toHaveLength(1)
  })

  test('ends a batch with one callback, once every payout is final', async () => {
    const one = batch([payout(), payout()])
    await accept(one)
    const depsAt = (seconds: number) => ({
      ...railDeps(under(), {} as Rail, () => at(seconds)),
      batchCallbackBody: () => '{}',
    })
    const look = async (seconds: number) => {
      const claim = { token: uniqueToken(), now: at(seconds), leaseUntil: at(seconds + 30) }
      await finishBatches(depsAt(seconds), await under().queue.claim('finishBatch', claim, 10))
      return (await under().read.work()).map(({ kind }) => kind).filter((kind) => !kind.startsWith('verify'))
    }
    const end = async (index: number) => {
      const found = await under().batches.find(merchantId, one.reference)
      await under().store.transaction(async (unit) => {
        const locked = await unit.lockTransactions({ ids: [found?.payouts[index]?.payout.id ?? 0n] })
        for (const each of locked) await endUnsent(unit, depsAt(3), each, { reason: 'ended', code: 'declined' })
      })
    }
    expect(await look(2)).toEqual(['finishBatch'])
    await end(0)
    expect(await look(100)).toEqual(['deliverCallback', 'finishBatch'])
    await end(1)
    expect(await look(500)).toEqual(['deliverCallback', 'deliverCallback', 'deliverCallback'])
    expect((await under().batches.find(merchantId, one.reference))?.finishedAt).toEqual(at(500))
  })
})
