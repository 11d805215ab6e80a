import { expect, test } from 'vitest'
import { depositTransfer, holdTransfer } from '../domain/ledger.ts'
import type { PayoutTerms } from '../domain/payout-waits.ts'
import { STATUS_MESSAGES, type Transaction } from '../domain/transaction.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, at, newTransaction } from '../verification/testing/transactions.ts'
import type { Rail } from './ports/rail.ts'
import { resolveTransaction } from './resolve-transaction.ts'
import { submitToRail } from './submit-to-rail.ts'

const HOUR_S = 3_600

onBothStores((under) => {
  /** An operator with this float, and payouts of 1,000 whose money is held. */
  async function operator(floatMinor: bigint, readAt = at(HOUR_S)) {
    const railAccount = await under().newFloat(floatMinor, readAt)
    const terms = { railAccount, waitMs: HOUR_S * 1_000, operator: 'there' as PayoutTerms['operator'], hasFloat: true }
    const sent: string[] = []
    const rail: Rail = {
      payoutTerms: () => terms,
      railAccountOf: () => railAccount,
      traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 60_000 }),
      submit: async (orders) =>
        orders.map(({ internalReference }) => (sent.push(internalReference), { answer: 'accepted' })),
      query: async (orders) => orders.map(() => ({ knows: 'in_progress' })),
    }
    const merchantId = await under().newMerchant()
    const deps = (seconds: number) => railDeps(under(), rail, () => at(seconds))
    const record = async ({ merchantReference }: Transaction) =>
      under().lookups.transactionByMerchantReference(merchantId, merchantReference)
    return {
      railAccount,
      terms,
      sent,
      deps,
      run: async (seconds: number) => submitToRail(deps(seconds), await claimDue(under(), 'submitToRail', seconds)),
      async payout(): Promise<Transaction> {
        const payout = await accepted(under(), { merchantId, type: 'PAYOUT', totalMinor: 1_020n })
        await under().store.transaction((unit) =>
          unit.book([depositTransfer(merchantId, 'UGX', 1_020n), holdTransfer(payout)], at(0)),
        )
        return payout
      },
      stateOf: async (payout: Transaction) => {
        const { status, statusMessage, failureCode } = (await record(payout)) ?? {}
        return [status, statusMessage, ...(failureCode === undefined ? [] : [failureCode])]
      },
      refund: () =>
        under().acceptance.accept(
          newTransaction({
            merchantId,
            type: 'REFUND',
            refund: {
              way: 'payout',
              reason: 'Returned',
              collection: { internalReference: 'MLP1', merchantReference: 'ORDER-1' },
              paidMinor: '1000',
              externalIds: {},
            },
          }),
        ),
      floatMinor: () =>
        under().store.transaction(async (unit) => (await unit.lockFloats([railAccount], at(-1))).get(railAccount)),
      topUp: (minor: bigint) =>
        under().store.transaction(async (unit) => {
          await unit.lockFloats([railAccount], at(-1))
          await unit.takeFloats(new Map([[railAccount, -minor]]))
        }),
      waits: () => under().store.transaction((unit) => unit.payoutWaits([railAccount], [])),
      transfers: (payout: Transaction) => under().read.transfersOf(payout.id),
      events: async (payout: Transaction) =>
        (await under().read.events(payout.id))
          .map(({ kind, detail }) => (kind === 'settled' ? detail : kind))
          .filter((kind) => kind !== 'callback_withheld'),
    }
  }

  test('hands over what the float covers, and the rest after a top-up', async () => {
    const { payout, run, stateOf, topUp, waits, sent } = await operator(1_000n)
    const [first, second] = [await payout(), await payout()]
    await run(1)
    expect([await stateOf(first), await stateOf(second)]).toEqual([
      ['PROCESSING', STATUS_MESSAGES.awaitingRail],
      ['PENDING', STATUS_MESSAGES.awaitingFloat],
    ])
    await run(70)
    expect((await waits()).map(({ transactionId, reason, since }) => [transactionId, reason, since])).toEqual([
      [second.id, 'float', at(1)],
    ])
    await topUp(1_000n)
    await run(140)
    expect(sent).toEqual([first.internalReference, second.internalReference])
    expect(await waits()).toEqual([])
  })

  test('fails a payout that waited in vain, and releases its hold once', async () => {
    const { payout, run, stateOf, transfers, events, sent } = await operator(0n)
    const payment = await payout()
    for (const seconds of [1, 61, HOUR_S + 2, HOUR_S + 63]) await run(seconds)
    expect(await stateOf(payment)).toEqual(['FAILED', 'The operator has no float for this payout', 'no_float'])
    expect([await transfers(payment), await events(payment)]).toEqual([
      ['payout_hold', 'payout_release'],
      ['waits', 'FAILED: The operator has no float for this payout'],
    ])
    expect(sent).toEqual([])
  })

  test('keeps payouts back while the operator is away, and says which reason lasts', async () => {
    const { payout, run, stateOf, terms, events } = await operator(0n)
    const payment = await payout()
    terms.operator = 'away'
    await run(1)
    expect(await stateOf(payment)).toEqual(['PENDING', STATUS_MESSAGES.awaitingOperator])
    terms.operator = 'there'
    await run(70)
    expect(await stateOf(payment)).toEqual(['PENDING', STATUS_MESSAGES.awaitingFloat])
    terms.operator = 'away'
    await run(HOUR_S + 2)
    expect(await stateOf(payment)).toEqual(['FAILED', 'The operator could not be reached', 'operator_unreachable'])
    expect(await events(payment)).toEqual(['waits', 'waits', 'FAILED: The operator could not be reached'])
  })

  test('never ends an order that may have arrived', async () => {
    const { payout, run, stateOf, terms, topUp, sent } = await operator(1_000n)
    const payment = await payout()
    await run(1)
    await topUp(-5_000n)
    terms.operator = 'away'
    await run(2 * HOUR_S)
    expect(await stateOf(payment)).toEqual(['PROCESSING', STATUS_MESSAGES.awaitingRail])
    expect(sent).toHaveLength(1)
  })

  test('forgets a payout that staff end while it waits', async () => {
    const { payout, run, deps, waits, transfers, topUp, sent } = await operator(0n)
    const payment = await payout()
    await run(1)
    await resolveTransaction(deps(2), payment.internalReference, { status: 'FAILED', reason: 'Ended by staff' })
    await topUp(5_000n)
    await run(140)
    expect([await waits(), await transfers(payment), sent]).toEqual([[], ['payout_hold'], []])
  })

  test('sends payouts at once by a balance that is too old, and counts them', async () => {
    const { payout, run, sent, floatMinor } = await operator(0n, at(0))
    await payout()
    await run(HOUR_S)
    expect(sent).toHaveLength(1)
    expect(await floatMinor()).toBe(-1_000n)
  })

  test.each([
    [1_000n, 0, 400n],
    [1_200n, 1, 0n],
  ])('hands over no more than a float of %s in two commits at once', async (float, second, left) => {
    const { railAccount, floatMinor } = await operator(float)
    const wanted = new Map([[railAccount, 600n]])
    const { promise: other, resolve } = Promise.withResolvers<ReadonlySet<string>>()
    await under().store.transaction(async (unit) => {
      expect((await unit.handOver(wanted, at(-1))).size).toBe(1)
      resolve(under().store.transaction((later) => later.handOver(wanted, at(-1))))
      await under().lockIsWaitedFor()
    })
    expect([(await other).size, await floatMinor()]).toEqual([second, left])
  })

  test('sends a refund at once, and counts it beside payouts', async () => {
    const { payout, refund, run, stateOf, sent, floatMinor } = await operator(1_000n)
    const [payment] = [await payout(), await refund()]
    await run(1)
    expect([await stateOf(payment), sent.length]).toEqual([['PENDING', STATUS_MESSAGES.awaitingFloat], 1])
    expect(await floatMinor()).toBe(0n)
  })
})
