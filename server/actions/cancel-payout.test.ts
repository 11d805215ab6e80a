import { expect, test } from 'vitest'
import { depositTransfer } from '../domain/ledger.ts'
import type { Merchant } from '../domain/merchant.ts'
import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, at, uniqueToken } from '../verification/testing/transactions.ts'
import { cancelPayout } from './cancel-payout.ts'
import { holdFunds } from './hold-funds.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import type { Rail } from './ports/rail.ts'
import { submitToRail } from './submit-to-rail.ts'

onBothStores((under) => {
  /** A payout whose wallet has its money. @param coveredFrom its merchant's approver decides about it from this amount on */
  async function payoutOf(first: NewTransaction['firstJob']['kind'], coveredFrom?: bigint) {
    const merchantId = await under().newMerchant('https://shop.example/')
    if (coveredFrom !== undefined) await under().coverPayouts(merchantId, money(coveredFrom, 'UGX'))
    await under().store.transaction((unit) => unit.book([depositTransfer(merchantId, 'UGX', 980n)], at(0)))
    const payout = await accepted(under(), { merchantId, type: 'PAYOUT', firstJob: { kind: first, dueAt: at(0) } })
    const sent: string[] = []
    const rail: Rail = {
      traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 60_000 }),
      submit: async (orders) =>
        orders.map(({ internalReference }) => (sent.push(internalReference), { answer: 'accepted' })),
      query: async (orders) => orders.map(() => ({ knows: 'unreachable', error: 'it cannot be asked' })),
    }
    const deps = { ...railDeps(under(), rail, () => at(1)), ...under() }
    const merchant = { id: merchantId } as Merchant
    return {
      sent,
      hold: async () => holdFunds(deps, await claimDue(under(), 'holdFunds', 1)),
      submit: async () => submitToRail(deps, await claimDue(under(), 'submitToRail', 2)),
      cancel: (key?: string, digest = 1) =>
        cancelPayout(
          deps,
          merchant,
          payout.merchantReference,
          key === undefined ? undefined : { merchantId, key, digest: new Uint8Array([digest]) },
        ),
      record: async () =>
        present(await under().lookups.transactionByMerchantReference(merchantId, payout.merchantReference), 'a payout'),
      transfers: () => under().read.transfersOf(payout.id),
      jobs: async () => (await under().read.work()).map(({ kind }) => kind),
    }
  }
  const CANCELLED = {
    status: 'FAILED',
    statusMessage: 'Payout cancelled by the merchant',
    failureCode: 'merchant_cancelled',
  }
  const tooLate = { code: 'payout_handed_over' }

  test.each([
    ['handshake', 'verifyPayout', undefined],
    ['approver', 'verifyPayout', 1n],
  ] as const)('ends a payout that waits for its %s, with a callback', async (_for, first, coveredFrom) => {
    const payout = await payoutOf(first, coveredFrom)
    await payout.cancel()
    expect(await payout.record()).toMatchObject(CANCELLED)
    expect([await payout.transfers(), await payout.jobs()]).toEqual([[], ['deliverCallback']])
  })

  test('releases the hold of a payout, which is never sent', async () => {
    const payout = await payoutOf('holdFunds')
    await payout.hold()
    await payout.cancel()
    await payout.submit()
    expect(await payout.record()).toMatchObject(CANCELLED)
    expect([payout.sent, await payout.transfers()]).toEqual([[], ['payout_hold', 'payout_release']])
  })

  test('refuses a payout that was handed over, and changes nothing', async () => {
    const payout = await payoutOf('holdFunds')
    await payout.hold()
    await payout.submit()
    await expect(payout.cancel()).rejects.toMatchObject({
      ...tooLate,
      message: expect.stringContaining('is PROCESSING') as string,
    })
    expect([(await payout.record()).status, await payout.transfers()]).toEqual(['PROCESSING', ['payout_hold']])
  })

  test('cancels or sends, whichever comes first, when both come at once', async () => {
    const payout = await payoutOf('holdFunds')
    await payout.hold()
    const [cancelled] = await Promise.allSettled([payout.cancel(), payout.submit()])
    expect(payout.sent).toHaveLength(cancelled.status === 'fulfilled' ? 0 : 1)
  })

  test('repeats its reply to the same key, and refuses without one', async () => {
    const payout = await payoutOf('verifyPayout')
    const key = uniqueToken()
    const both = await Promise.all([payout.cancel(key), payout.cancel(key)])
    expect(both.filter(({ replayed }) => replayed)).toHaveLength(1)
    await expect(payout.cancel(key, 2)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    await expect(payout.cancel()).rejects.toMatchObject(tooLate)
  })

  test('knows no collections', async () => {
    const collection = await accepted(under(), {})
    const deps = { ...railDeps(under(), {} as Rail, () => at(1)), ...under() }
    const merchant = { id: collection.merchantId } as Merchant
    await expect(cancelPayout(deps, merchant, collection.merchantReference)).rejects.toMatchObject({
      code: 'unknown_reference',
    })
  })
})
