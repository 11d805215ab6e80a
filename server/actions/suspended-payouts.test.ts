import { expect, test } from 'vitest'
import { depositTransfer } from '../domain/ledger.ts'
import { STATUS_MESSAGES } from '../domain/transaction.ts'
import { holdFunds } from './hold-funds.ts'
import type { Rail } from './ports/rail.ts'
import { resolveTransaction } from './resolve-transaction.ts'
import { submitToRail } from './submit-to-rail.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import type { NewTransaction } from './ports/acceptance.ts'
import { accepted, at } from '../verification/testing/transactions.ts'

const DAY_S = 24 * 3_600
const ENDED = { status: 'FAILED', reason: 'Ended by staff' } as const

onBothStores((under) => {
  /** A payment of a merchant that is suspended from the start; a payout has its money in the wallet. */
  async function ofSuspended(type: 'PAYOUT' | 'COLLECTION', first: NewTransaction['firstJob']['kind']) {
    const merchantId = await under().newMerchant()
    await under().setSuspended(merchantId, true, at(0))
    const payment = await accepted(under(), { merchantId, type, firstJob: { kind: first, dueAt: at(0) } })
    await under().store.transaction((unit) => unit.book([depositTransfer(merchantId, 'UGX', 980n)], at(0)))
    const sent: string[] = []
    const rail: Rail = {
      traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 60_000 }),
      submit: async (orders) =>
        orders.map(({ internalReference }) => (sent.push(internalReference), { answer: 'accepted' })),
      query: async (orders) => orders.map(() => ({ knows: 'unreachable', error: 'it cannot be asked' })),
    }
    const deps = (seconds: number) => railDeps(under(), rail, () => at(seconds))
    return {
      sent,
      run: async (seconds: number) => {
        await holdFunds(deps(seconds), await claimDue(under(), 'holdFunds', seconds))
        await submitToRail(deps(seconds), await claimDue(under(), 'submitToRail', seconds))
      },
      resume: (seconds: number) => under().setSuspended(merchantId, false, at(seconds)),
      end: () => resolveTransaction(deps(1), payment.internalReference, ENDED),
      record: () => under().lookups.transactionByMerchantReference(merchantId, payment.merchantReference),
      transfers: () => under().read.transfersOf(payment.id),
      events: async () => (await under().read.events(payment.id)).map(({ kind }) => kind),
    }
  }

  test('keeps a payout PENDING with its hold, and sends it however late it ends', async () => {
    const payout = await ofSuspended('PAYOUT', 'holdFunds')
    for (const seconds of [0, 60, DAY_S + 60]) await payout.run(seconds)
    expect(await payout.record()).toMatchObject({ status: 'PENDING', statusMessage: STATUS_MESSAGES.suspended })
    expect([payout.sent, await payout.transfers(), await payout.events()]).toEqual([
      [],
      ['payout_hold'],
      ['held', 'suspended'],
    ])
    await payout.resume(DAY_S + 90)
    await payout.run(DAY_S + 120)
    expect(payout.sent).toHaveLength(1)
    expect(await payout.record()).toMatchObject({ status: 'PROCESSING', statusMessage: STATUS_MESSAGES.awaitingRail })
  })

  test('sends a collection that was confirmed before', async () => {
    const collection = await ofSuspended('COLLECTION', 'submitToRail')
    await collection.run(0)
    expect(collection.sent).toHaveLength(1)
  })

  test('releases the hold of a payout that staff end, and sends nothing later', async () => {
    const payout = await ofSuspended('PAYOUT', 'holdFunds')
    await payout.run(0)
    expect(await payout.end()).toEqual({ result: 'resolved' })
    await payout.resume(2)
    await payout.run(120)
    expect(await payout.record()).toMatchObject({ status: 'FAILED', statusMessage: 'Ended by staff' })
    expect([payout.sent, await payout.transfers()]).toEqual([[], ['payout_hold', 'payout_release']])
  })

  test('ends a payout before its hold without moving money', async () => {
    const payout = await ofSuspended('PAYOUT', 'holdFunds')
    expect(await payout.end()).toEqual({ result: 'resolved' })
    await payout.run(60)
    expect([(await payout.record())?.status, await payout.transfers()]).toEqual(['FAILED', []])
  })
})
