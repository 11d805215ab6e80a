import { expect, test } from 'vitest'
import { ATTEMPTS_MAX } from '../domain/attempts.ts'
import { newSession } from '../domain/payment-session.ts'
import { present } from '../domain/present.ts'
import { MTN_UGANDA } from '../domain/testing/samples.ts'
import type { RailOutcome, Transaction } from '../domain/transaction.ts'
import { railDeps } from '../verification/testing/payment-at-operator.ts'
import { ACCOUNT_BOUNDS } from '../verification/simulation/reference.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { at, newTransaction, START, unique, uniqueToken } from '../verification/testing/transactions.ts'
import { expirePages } from './expire-pages.ts'
import { cancelPayment, confirmPayment, retryPayment, type PaymentStepDeps } from './payment-steps.ts'
import type { OneTimePasswords } from './ports/one-time-passwords.ts'
import type { Rail } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import { returnFromSuspense } from './return-from-suspense.ts'
import { resolveTransaction } from './resolve-transaction.ts'
import { settleResults } from './settle-results.ts'
import { submitToRail, type RailDeps } from './submit-to-rail.ts'

const COMPLETED: RailOutcome = { status: 'COMPLETED' }
const QUERIED = { repeat: 'safe', pollAfterMs: () => 1000 } as const
const FAILED: RailOutcome = { status: 'FAILED', reason: 'declined', code: 'declined' }

onBothStores((under) => {
  const noticed: string[] = []
  let seconds = 0
  const deps = (): PaymentStepDeps => ({
    ...railDeps(under(), {} as Rail, () => at(seconds)),
    reference: { option: () => MTN_UGANDA } as unknown as ReferenceData,
    notices: { paidNotBooked: ({ internalReference }) => void noticed.push(internalReference), unmappedResult() {} },
    otps: {} as OneTimePasswords,
    accountRequiresOtp: () => false,
    accountBounds: { ...ACCOUNT_BOUNDS, promptDeclinesMax: 100, promptsPerHourMax: 100, promptsPerDayMax: 100 },
    dailyLimitShare: 100,
  })

  /** A collection that its customer has confirmed on the page, with its first attempt at the rail. */
  async function tried() {
    seconds = 0
    const session = { ...newSession(START), retries: true as const }
    const { dailyLimit: _claimedLater, ...given } = newTransaction({
      session,
      firstJob: { kind: 'expirePage', dueAt: session.expiresAt },
    })
    expect(await under().acceptance.accept(given)).toBe('accepted')
    const collection = present((await under().lookups.payment(given.internalReference))?.transaction, 'a collection')
    const { id, internalReference } = collection
    const { lookups, store, read } = under()
    const stored = async () => present(await lookups.payment(internalReference), 'the collection').transaction
    const attempts = () => store.transaction((unit) => unit.attemptsOf(id))
    const order = async (transaction: Transaction): Promise<Transaction> => {
      const sent = { ...transaction, status: 'PROCESSING' as const, railOrderId: `order-${unique()}` }
      await store.transaction((unit) => unit.saveStates([sent]))
      return sent
    }
    const sent = async () => order(present((await attempts()).at(-1), 'an attempt'))
    expect(await confirmPayment(deps(), internalReference)).toBe('done')
    return {
      collection,
      stored,
      attempts,
      first: await sent(),
      async next(chosen: Partial<Transaction> = {}) {
        expect(await retryPayment(deps(), internalReference, (one) => ({ ...one, ...chosen }))).toBe('done')
        return sent()
      },
      order,
      returns: async ({ id: attempt }: Transaction) =>
        (await store.transaction((unit) => unit.refundsOf([attempt]))).get(attempt) ?? [],
      refused: () => retryPayment(deps(), internalReference, (one) => one),
      cancel: () => cancelPayment(deps(), internalReference),
      report: (attempt: Transaction, outcome: RailOutcome) =>
        settleResults(deps(), [{ internalReference: attempt.internalReference, outcome }]),
      callback: () => read.callback(id),
      usage: () => read.usage(collection.account),
      async expire() {
        seconds = 1801
        const due = await under().queue.claim(
          'expirePage',
          { token: uniqueToken(), now: at(1801), leaseUntil: at(1831) },
          10,
        )
        await expirePages(deps(), due)
      },
    }
  }

  test('a failed attempt leaves the collection open, silent and uncounted', async () => {
    const one = await tried()
    expect(await one.refused()).toBe('gone')
    await one.report(one.first, FAILED)
    expect(await one.stored()).toMatchObject({ status: 'PROCESSING' })
    expect([await one.callback(), await one.usage()]).toEqual([undefined, new Map()])
    const second = await one.next({ account: one.collection.account, chargeMinor: 30n, totalMinor: 970n })
    expect(second).toMatchObject({ isAttempt: true, chargeMinor: 30n })
    expect(await one.refused()).toBe('gone')
    expect((await one.usage()).size).toBe(1)
    await one.report(second, COMPLETED)
    expect(await one.stored()).toMatchObject({ status: 'COMPLETED', chargeMinor: 30n, railOrderId: second.railOrderId })
    expect(await one.callback()).toMatchObject({ attempts: 0 })
    expect((await one.usage()).size).toBe(1)
  })

  test('a late success of the first attempt pays; the second goes to suspense', async () => {
    const one = await tried()
    await one.report(one.first, FAILED)
    const second = await one.next({ chargeMinor: 30n, totalMinor: 970n })
    await one.report(one.first, COMPLETED)
    expect(await one.stored()).toMatchObject({ status: 'COMPLETED', chargeMinor: 20n, totalMinor: 980n })
    await one.report(second, COMPLETED)
    await one.report(second, COMPLETED)
    expect(noticed).toEqual([second.internalReference])
    expect((await one.attempts()).map(({ status, railPaidAt }) => [status, railPaidAt !== undefined])).toEqual([
      ['COMPLETED', false],
      ['COMPLETED', true],
    ])
    expect((await one.usage()).size).toBe(2)
  })

  test('what was paid again goes back once, by its rail, and charges nobody', async () => {
    const one = await tried()
    await one.report(one.first, FAILED)
    const second = await one.next()
    await one.report(one.first, COMPLETED)
    const before = await one.stored()
    const giveBack = (attempt: Transaction, refunds = true) =>
      returnFromSuspense(
        {
          ...deps(),
          acceptance: under().acceptance,
          lookups: { ...under().lookups, externalIds: async () => ({}) },
          reference: { option: () => undefined } as unknown as ReferenceData,
          rail: { traitsOf: () => ({ ...QUERIED, ...(refunds && { refund: { partial: false, ...QUERIED } }) }) },
        },
        attempt,
        { merchantReference: `MREF${unique()}`, reason: 'paid twice', maker: { name: 'Amina' } },
      )
    await expect(giveBack(second)).rejects.toThrow('nothing of')
    await one.report(second, COMPLETED)
    await expect(giveBack(one.first)).rejects.toThrow('nothing of')
    await expect(giveBack(second, false)).rejects.toThrow('neither refunds nor payouts')
    const tries = await Promise.allSettled([giveBack(second), giveBack(second)])
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const back = present((await one.returns(second))[0], 'a return')
    expect(back).toMatchObject({ type: 'REFUND', status: 'PENDING', account: second.account, totalMinor: 1_000n })
    await one.order(back)
    await one.report(back, FAILED)
    await giveBack(second)
    const again = present((await one.returns(second))[1], 'the second try')
    await one.order(again)
    await one.report(again, COMPLETED)
    await expect(giveBack(second)).rejects.toThrow('is given back')
    const { transfersOf, callback } = under().read
    expect([await transfersOf(back.id), await transfersOf(again.id)]).toEqual([[], ['suspense_return']])
    expect([await one.stored(), await callback(again.id)]).toEqual([before, undefined])
  })

  test('an attempt is not sent after a late success of the one before', async () => {
    const one = await tried()
    await one.report(one.first, FAILED)
    expect(await retryPayment(deps(), one.collection.internalReference, (same) => same)).toBe('done')
    await one.report(one.first, COMPLETED)
    const lease = { token: uniqueToken(), now: at(1), leaseUntil: at(31) }
    // The rail would throw.
    await submitToRail(deps() as PaymentStepDeps & RailDeps, await under().queue.claim('submitToRail', lease, 10))
    expect((await one.attempts()).map(({ status }) => status)).toEqual(['COMPLETED', 'FAILED'])
    expect((await one.usage()).size).toBe(1)
  })

  test('staff resolve a collection by its open attempt', async () => {
    const one = await tried()
    const resolve = () => resolveTransaction(deps(), one.collection.internalReference, COMPLETED)
    expect(await resolve()).toEqual({ result: 'resolved' })
    expect([await one.stored(), ...(await one.attempts())].map(({ status }) => status)).toEqual([
      'COMPLETED',
      'COMPLETED',
    ])
    expect(await resolve()).toEqual({ result: 'state', status: 'COMPLETED' })
  })

  test('the last failure becomes final at the end of the page, with its callback', async () => {
    const one = await tried()
    await one.report(one.first, FAILED)
    await one.expire()
    expect(await one.stored()).toMatchObject({ status: 'FAILED', statusMessage: 'declined', failureCode: 'declined' })
    expect(await one.callback()).toMatchObject({ attempts: 0 })
    await one.report(one.first, COMPLETED)
    expect(await one.stored()).toMatchObject({ status: 'COMPLETED' })
  })

  test('an attempt that fails after the page has ended fails the collection', async () => {
    const one = await tried()
    seconds = 1900
    await one.report(one.first, FAILED)
    expect(await one.stored()).toMatchObject({ status: 'FAILED', statusMessage: 'declined' })
  })

  test('no more than five attempts are made', async () => {
    const one = await tried()
    let attempt = one.first
    for (let number = 1; number < ATTEMPTS_MAX; number += 1) {
      await one.report(attempt, FAILED)
      attempt = await one.next()
    }
    await one.report(attempt, FAILED)
    expect(await one.stored()).toMatchObject({ status: 'FAILED' })
  })

  test('a customer cancels between attempts; money that comes after goes to suspense', async () => {
    const one = await tried()
    expect(await one.cancel()).toBe('gone')
    await one.report(one.first, FAILED)
    expect(await one.cancel()).toBe('done')
    await one.report(one.first, COMPLETED)
    expect(await one.stored()).toMatchObject({ status: 'CANCELLED' })
    expect((await one.attempts())[0]?.railPaidAt).toBeDefined()
  })
})
