import { expect, test } from 'vitest'
import { depositTransfer, holdTransfer } from '../domain/ledger.ts'
import { present } from '../domain/present.ts'
import { refundReference } from '../domain/refund.ts'
import { GIVE_UP_AFTER_MS, STATUS_MESSAGES, type Transaction } from '../domain/transaction.ts'
import { claimDue, railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import type { StoreUnderTest } from '../verification/testing/store-under-test.ts'
import { accepted, at, newTransaction, START, uniqueId } from '../verification/testing/transactions.ts'
import type { Rail, RailAnswer, RailOrder, RailTraits, RefundOrder } from './ports/rail.ts'
import { resolveTransaction } from './resolve-transaction.ts'
import { submitToRail, type RailDeps } from './submit-to-rail.ts'

// Two workers with one order, slow operators, lost connections: cases that no simulated operator produces.

const SAFE: RailTraits = { repeat: 'safe', unanswered: 'repeat', pollAfterMs: () => 60_000 }
const NEVER: RailTraits = { ...SAFE, repeat: 'never' }
const LEASE_S = 30

/** Each provider's rail account has the provider's name. */
const rail = (traits: RailTraits, submit: (order: RailOrder) => Promise<RailAnswer>): Rail => ({
  railAccountOf: (providerCode) => providerCode,
  traitsOf: () => traits,
  submit: (orders) => Promise.all(orders.map(submit)),
  query: async (orders) => orders.map(() => ({ knows: 'unreachable', error: 'it cannot be asked' })),
})

const depsOf = (under: StoreUnderTest, given: Rail, nowMs = START.getTime()): RailDeps =>
  railDeps(under, given, () => new Date(nowMs))
const claim = (under: StoreUnderTest, seconds: number) => claimDue(under, 'submitToRail', seconds)

onBothStores((under) => {
  const now = async ({ merchantId, merchantReference }: Transaction): Promise<Transaction> =>
    present(await under().lookups.transactionByMerchantReference(merchantId, merchantReference), 'what was accepted')
  const namesOf = async ({ id }: Transaction) =>
    (await under().store.transaction((unit) => unit.railReferences([id]))).get(id)?.externalIds
  const workOf = async ({ id }: Transaction) =>
    (await under().read.work()).filter(({ subjectId }) => subjectId === id).map(({ kind }) => kind)

  test("a worker that lost an order still stores the operator's ids of it", async () => {
    const transaction = await accepted(under())
    const late = depsOf(
      under(),
      rail(NEVER, async () => {
        // The lease has ended, and all that another worker can know is that the order may have been sent.
        await submitToRail(
          depsOf(
            under(),
            rail(NEVER, () => Promise.reject(new Error('sent twice'))),
          ),
          await claim(under(), 31),
        )
        return { answer: 'accepted', externalIds: { CheckoutRequestID: 'ws_CO_1' } }
      }),
    )
    await submitToRail(late, await claim(under(), 0))
    expect(await workOf(transaction)).toEqual(['resolveUnknownOutcome'])
    expect(await namesOf(transaction)).toEqual({ CheckoutRequestID: 'ws_CO_1' })
  })

  test('a sent order keeps its id, also when its connection goes while it is resent', async () => {
    const transaction = await accepted(under())
    await submitToRail(
      depsOf(
        under(),
        rail(SAFE, async () => ({ answer: 'unreachable', error: 'the reply was cut off' })),
      ),
      await claim(under(), 0),
    )
    const { railOrderId } = await now(transaction)
    let traits = SAFE
    const going: Rail = {
      ...rail(SAFE, async () => {
        traits = NEVER
        return { answer: 'not_sent', error: 'its connection to the operator is gone' }
      }),
      traitsOf: () => traits,
    }
    await submitToRail(depsOf(under(), going), await claim(under(), 60))
    expect(railOrderId).toBeDefined()
    expect((await now(transaction)).railOrderId).toBe(railOrderId)
  })

  test('a slow operator delays no reply of another one', async () => {
    const [slow, prompt] = [
      await accepted(under(), { providerCode: 'slow' }),
      await accepted(under(), { providerCode: 'prompt' }),
    ]
    const { promise: answered, resolve: answer } = Promise.withResolvers<RailAnswer>()
    const both = rail(NEVER, ({ providerCode }) =>
      providerCode === 'slow' ? answered : Promise.resolve({ answer: 'accepted' }),
    )
    const running = submitToRail(depsOf(under(), both), await claim(under(), 0))
    await expect.poll(() => workOf(prompt)).toEqual(['pollRail'])
    expect(await workOf(slow)).toEqual(['submitToRail'])
    answer({ answer: 'accepted' })
    await running
    expect(await workOf(slow)).toEqual(['pollRail'])
  })

  test('an unsent order waits for no query about a sent one', async () => {
    const old = await accepted(under())
    const unanswered = rail(NEVER, async () => ({ answer: 'accepted' }))
    // As if the process had crashed after its commit.
    await submitToRail(
      depsOf(under(), { ...unanswered, submit: () => Promise.reject(new Error('the process is gone')) }),
      await claim(under(), 0),
    ).catch(() => undefined)
    const fresh = await accepted(under(), { firstJob: { kind: 'submitToRail', dueAt: at(LEASE_S) } })
    const { promise: known, resolve: report } = Promise.withResolvers<undefined>()
    const querying: Rail = {
      ...unanswered,
      query: async (orders) => {
        await known
        return orders.map(() => ({ knows: 'in_progress' }))
      },
    }
    const running = submitToRail(depsOf(under(), querying), await claim(under(), LEASE_S))
    await expect.poll(() => workOf(fresh)).toEqual(['pollRail'])
    report(undefined)
    await running
    expect(await workOf(old)).toEqual(['pollRail'])
  })

  test('reports a failed part after all parts end: no running part is run again', async () => {
    await accepted(under(), { providerCode: 'broken' })
    const well = await accepted(under(), { providerCode: 'well' })
    const { promise: answered, resolve: answer } = Promise.withResolvers<RailAnswer>()
    const both = rail(NEVER, ({ providerCode }) =>
      providerCode === 'well' ? answered : Promise.reject(new Error('the adapter is broken')),
    )
    const running = submitToRail(depsOf(under(), both), await claim(under(), 0))
    const outcome = Promise.allSettled([running])
    answer({ answer: 'accepted' })
    expect(await outcome).toMatchObject([{ status: 'rejected', reason: { message: 'the adapter is broken' } }])
    expect(await workOf(well)).toEqual(['pollRail'])
  })

  test('an order without a reply for a day is only polled, and never failed for it', async () => {
    const transaction = await accepted(under())
    const lost = rail(SAFE, async () => ({ answer: 'unreachable', error: 'the reply was cut off' }))
    await submitToRail(depsOf(under(), lost), await claim(under(), 0))
    const queried: RailOrder[] = []
    const silent: Rail = {
      ...rail(SAFE, () => Promise.reject(new Error('sent after a day'))),
      query: async (orders) => {
        queried.push(...orders)
        return orders.map(() => ({ knows: 'unreachable', error: 'no answer' }))
      },
    }
    await submitToRail(
      depsOf(under(), silent, START.getTime() + GIVE_UP_AFTER_MS),
      await claim(under(), GIVE_UP_AFTER_MS / 1000),
    )
    expect([(await now(transaction)).status, queried.length]).toEqual(['PROCESSING', 1])
  })

  // A payout that waited for most of a day, for a person or a suspension, is handed over late.
  test('an order handed over late does not fail while its first worker stands still', async () => {
    const transaction = await accepted(under())
    const lateS = GIVE_UP_AFTER_MS / 1000 - 1
    const [sent, states]: [RailOrder[], string[]] = [[], []]
    const ask: RailTraits = { ...SAFE, unanswered: 'ask' }
    const second: Rail = {
      ...rail(ask, async (order) => {
        sent.push(order)
        return { answer: 'accepted' }
      }),
      query: async (orders) => orders.map(() => ({ knows: 'nothing_moved' })),
    }
    const first = rail(ask, async (order) => {
      const seconds = lateS + LEASE_S + 1
      await submitToRail(depsOf(under(), second, at(seconds).getTime()), await claim(under(), seconds))
      states.push((await now(transaction)).status)
      sent.push(order)
      return { answer: 'accepted' }
    })
    await submitToRail(depsOf(under(), first, at(lateS).getTime()), await claim(under(), lateS))
    expect([states, sent.map(({ orderId }) => orderId === sent[0]?.orderId)]).toEqual([['PROCESSING'], [true, true]])
  })

  test.each([
    ['before the call', 'is not sent'],
    ['in the call', 'is listed as paid'],
  ] as const)('a payout failed while its worker stood still %s %s', async (where, _expected) => {
    const merchantId = uniqueId()
    const payout = await accepted(under(), { merchantId, type: 'PAYOUT', totalMinor: 1_020n })
    await under().store.transaction((unit) =>
      unit.book([depositTransfer(merchantId, 'UGX', 1_020n), holdTransfer(payout)], at(0)),
    )
    let seconds = 0
    const noticed: string[] = []
    const noted = (given: Rail): RailDeps => ({
      ...railDeps(under(), given, () => at(seconds)),
      notices: {
        paidNotBooked: ({ internalReference }) => void noticed.push(internalReference),
        unmappedResult: () => undefined,
      },
    })
    const ask: RailTraits = { ...SAFE, unanswered: 'ask' }
    const second: Rail = {
      ...rail(ask, () => Promise.reject(new Error('sent twice'))),
      query: async (orders) => orders.map(() => ({ knows: 'nothing_moved' })),
    }
    const standsStill = async () => {
      seconds = GIVE_UP_AFTER_MS / 1000 + 3_600
      await submitToRail(noted(second), await claim(under(), seconds))
    }
    const sent: string[] = []
    const first = rail(ask, async ({ internalReference }) => {
      sent.push(internalReference)
      if (where === 'in the call') await standsStill()
      return { answer: 'accepted' }
    })
    const { store } = under()
    const stalled: Pick<RailDeps, 'store'> = {
      store: {
        ...store,
        transaction: async (run) => {
          const result = await store.transaction(run)
          if (where === 'before the call' && seconds === 0) await standsStill()
          return result
        },
      },
    }
    await submitToRail({ ...noted(first), ...stalled }, await claim(under(), 0))
    const { status, railPaidAt } = await now(payout)
    const isSent = where === 'in the call'
    expect([status, railPaidAt !== undefined, sent.length, noticed.length]).toEqual([
      'FAILED',
      isSent,
      ...(isSent ? [1, 1] : [0, 0]),
    ])
  })

  test.each<[when: string, before: readonly RailAnswer[]]>([
    ['for the first time', []],
    ['again', [{ answer: 'unreachable', error: 'the reply was cut off' }]],
  ])('a payout that staff fail while it is sent %s is listed as paid', async (_when, before) => {
    const merchantId = uniqueId()
    const payout = await accepted(under(), { merchantId, type: 'PAYOUT', totalMinor: 1_020n })
    await under().store.transaction((unit) =>
      unit.book([depositTransfer(merchantId, 'UGX', 1_020n), holdTransfer(payout)], at(0)),
    )
    const answers = [...before]
    const slow: Rail = {
      ...rail({ ...SAFE, unanswered: 'ask' }, async ({ internalReference }) => {
        const earlier = answers.shift()
        if (earlier) return earlier
        const failed = { status: 'FAILED', reason: 'It never arrived', code: 'operator_error' } as const
        await resolveTransaction(depsOf(under(), slow), internalReference, failed)
        return { answer: 'accepted' }
      }),
      query: async (orders) => orders.map(() => ({ knows: 'nothing_moved' })),
    }
    for (const seconds of [0, ...before.map(() => 60)])
      await submitToRail(depsOf(under(), slow, at(seconds).getTime()), await claim(under(), seconds))
    const { status, railPaidAt } = await now(payout)
    expect([status, railPaidAt]).toEqual(['FAILED', expect.any(Date)])
  })

  test('a refund that lacks the id of its payment says so, and goes out once it has it', async () => {
    const ordered = await accepted(under(), { providerCode: 'mpesa' })
    await submitToRail(
      depsOf(
        under(),
        rail(NEVER, async () => ({ answer: 'accepted' })),
      ),
      await claim(under(), 0),
    )
    const { merchantReference, internalReference, id } = await now(ordered)
    const given = newTransaction({
      merchantId: ordered.merchantId,
      type: 'REFUND',
      refund: {
        way: 'refund',
        reason: 'returned',
        collection: { internalReference, merchantReference },
        collectionId: String(id),
        orderId: '11d0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
        railAccount: 'mpesa',
        paidMinor: '1000',
        externalIds: {},
      },
      firstJob: { kind: 'submitRefund', dueAt: at(0) },
    })
    expect(await under().acceptance.accept(given)).toBe('accepted')
    const refund = await now({ ...ordered, merchantReference: refundReference(given.merchantReference) })
    const asked: RefundOrder['collection'][] = []
    const traits: RailTraits = { ...NEVER, refund: { ...NEVER, partial: false, needsId: 'receipt' } }
    const refunding: Rail = {
      ...rail(traits, () => Promise.reject(new Error('no order'))),
      refund: async (orders) =>
        orders.map(({ collection }) => {
          asked.push(collection)
          const { receipt } = collection.externalIds
          return receipt === undefined
            ? { answer: 'not_sent', error: 'no receipt', lacksId: true }
            : { answer: 'accepted', externalIds: { conversation: 'AG_1' } }
        }),
    }
    const stateOf = async () =>
      present((await under().store.transaction((unit) => unit.lockTransactions({ ids: [refund.id] })))[0], 'the refund')
        .statusMessage
    const submitted = async (seconds: number) =>
      submitToRail(depsOf(under(), refunding), await claimDue(under(), 'submitRefund', seconds))
    await submitted(0)
    expect(await stateOf()).toBe(STATUS_MESSAGES.awaitingReceipt)
    const receipt = { transactionId: id, railAccount: 'mpesa', name: 'receipt', reference: 'R1' }
    await under().store.transaction((unit) => unit.addRailReferences([{ ...receipt, origin: 'statement' }], at(1)))
    await submitted(60)
    expect([await stateOf(), asked.at(-1)?.externalIds]).toEqual([STATUS_MESSAGES.awaitingRail, { receipt: 'R1' }])
    expect(asked.at(-1)?.orderedAt).toBeDefined()
  })

  // No query could say that nothing moved.
  test('fails a day-old order that never went out, even without a status query', async () => {
    const transaction = await accepted(under())
    const dead = rail(SAFE, () => Promise.reject(new Error('sent after a day')))
    await submitToRail(
      depsOf(under(), dead, START.getTime() + GIVE_UP_AFTER_MS),
      await claim(under(), GIVE_UP_AFTER_MS / 1000),
    )
    expect(await now(transaction)).toMatchObject({ status: 'FAILED', failureCode: 'expired' })
    expect((await now(transaction)).railOrderId).toBeUndefined()
  })
})
