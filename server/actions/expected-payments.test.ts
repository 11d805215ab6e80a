import { expect, test } from 'vitest'
import type { StoredExpectation } from './ports/expected-payments.ts'
import { money } from '../domain/money.ts'
import { present } from '../domain/present.ts'
import { MTN_UGANDA } from '../domain/testing/samples.ts'
import { railDeps } from '../verification/testing/payment-at-operator.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { at, newTransaction, unique, uniqueId, uniqueToken, wholeLimit } from '../verification/testing/transactions.ts'
import { expireExpected, takePayment, takeStatedPayments } from './expected-payments.ts'
import type { Rail, UnrequestedPayment } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import type { SettleDeps } from './settle-results.ts'

onBothStores((under) => {
  let seconds = 1
  const deps = (): SettleDeps => ({
    ...railDeps(under(), {} as Rail, () => at(seconds)),
    reference: { option: () => MTN_UGANDA } as unknown as ReferenceData,
  })
  const newReferences = () => {
    const { merchantReference, internalReference } = newTransaction()
    return { merchantReference, internalReference }
  }
  const newExpected = async (changes: Partial<StoredExpectation> = {}) => {
    const { dailyLimit: _none, ...given } = newTransaction({
      account: '',
      firstJob: { kind: 'expireExpected', dueAt: at(600) },
    })
    const expects = {
      paidTo: `simulated-${unique()}`,
      receiptName: 'receipt',
      reference: `INV${unique()}`,
      minMinor: 1_000n,
      maxMinor: 1_000n,
      chargeBps: 100,
      chargeFlatMinor: 0n,
      expiresAt: at(600),
      ...changes,
    }
    return { given, expects, result: await under().acceptance.accept({ ...given, expects }) }
  }

  test('one reference for two operations at once leaves no expectation behind', async () => {
    const { given, expects } = await newExpected()
    const { dailyLimit: _none, ...other } = newTransaction({ firstJob: { kind: 'expireExpected', dueAt: at(600) } })
    const again = { ...expects, reference: `INV${unique()}` }
    const { accept } = under().acceptance
    expect(await Promise.all([accept(other), accept({ ...other, account: '', expects: again })])).toEqual([
      'accepted',
      'duplicate_reference',
    ])
    expect(await accept({ ...given, ...newReferences(), expects: again })).toBe('accepted')
  })

  /** An open one, paid by its reference. */
  async function expected(changes: Partial<StoredExpectation> = {}) {
    seconds = 1
    const { given, expects } = await newExpected(changes)
    const { lookups, store, queue } = under()
    const stored = async () => present(await lookups.payment(given.internalReference), 'a collection').transaction
    const { id } = await stored()
    return {
      expects,
      stored,
      pay: (payment: Partial<UnrequestedPayment> = {}) =>
        takePayment(deps(), expects.paidTo, {
          receipt: `R${unique()}`,
          amount: money(1_000n, 'UGX'),
          paidAt: at(seconds),
          account: '256772000123',
          reference: expects.reference,
          ...payment,
        }),
      attempts: () => store.transaction((unit) => unit.attemptsOf(id)),
      callback: () => under().read.callback(id),
      async expire(atSecond: number) {
        const lease = { token: uniqueToken(), now: at(600), leaseUntil: at(9_000) }
        const due = await queue.claim('expireExpected', lease, 10)
        seconds = atSecond
        await expireExpected(
          deps(),
          due.filter(({ subjectId }) => subjectId === id),
        )
      },
      state: () => stated(`INV-${given.internalReference}`, given.internalReference, expects.paidTo),
    }
  }
  const stated = (receipt: string, internalReference: string, paidTo: string) =>
    takeStatedPayments(deps(), [
      { receipt, internalReference, paidTo, amount: money(1_000n, 'UGX'), paidAt: at(1), reportedBy: 'line 1' },
    ])

  test('a payment with the reference completes the collection, with its payer and charge', async () => {
    const one = await expected({ minMinor: 500n, maxMinor: 5_000n })
    const { reference } = one.expects
    const typed = ` ${reference.slice(0, 2).toLowerCase()}-${reference.slice(2)} `
    expect(await one.pay({ reference: typed, amount: money(3_000n, 'UGX') })).toBe('completed')
    expect(await one.stored()).toMatchObject({
      status: 'COMPLETED',
      account: '256772000123',
      request: money(3_000n, 'UGX'),
      amount: money(3_000n, 'UGX'),
      chargeMinor: 30n,
      totalMinor: 2_970n,
    })
    expect(await one.callback()).toMatchObject({ attempts: 0 })
  })

  test.for([
    ['more', 1_001n],
    ['less', 999n],
  ] as const)('keeps %s than the exact amount on suspense, and waits on', async ([, amountMinor]) => {
    const one = await expected()
    expect(await one.pay({ amount: money(amountMinor, 'UGX') })).toBe('suspense')
    expect(await one.stored()).toMatchObject({ status: 'PENDING', amount: money(1_000n, 'UGX') })
    expect(await one.attempts()).toMatchObject([
      { status: 'COMPLETED', amount: money(amountMinor, 'UGX'), railPaidAt: at(1) },
    ])
    expect(await one.pay()).toBe('completed')
  })

  test('books one receipt once, however often and by whomever it is reported', async () => {
    const one = await expected()
    const receipt = `R${unique()}`
    const taken = await Promise.all(Array.from({ length: 4 }, () => one.pay({ receipt })))
    expect(taken.toSorted()).toEqual(['completed', 'known', 'known', 'known'])
    expect(await one.attempts()).toEqual([])
    const payment = { receipt, amount: money(1_000n, 'UGX'), paidAt: at(1) }
    expect(await under().unrequested.book(one.expects.paidTo, payment, at(2))).toBe(false)
  })

  test('of two payments at once, one completes it and the other lies on suspense', async () => {
    const one = await expected()
    expect((await Promise.all([one.pay(), one.pay()])).toSorted()).toEqual(['completed', 'suspense'])
    expect(await one.attempts()).toHaveLength(1)
  })

  test('takes no payment of another reference, place or currency', async () => {
    const one = await expected()
    expect(await one.pay({ reference: 'INV' })).toBe('unexpected')
    expect(await one.pay({ reference: '/' })).toBe('unexpected')
    expect(await one.pay({ amount: money(1_000n, 'KES') })).toBe('unexpected')
    const there = { receipt: 'R', amount: money(1_000n, 'UGX'), paidAt: at(1), reference: one.expects.reference }
    expect(await takePayment(deps(), 'elsewhere', there)).toBe('unexpected')
  })

  test('fails at its end, and keeps what comes later on suspense', async () => {
    const one = await expected()
    await one.expire(599)
    expect(await one.stored()).toMatchObject({ status: 'PENDING' })
    await one.expire(600)
    expect(await one.stored()).toMatchObject({ status: 'FAILED', failureCode: 'expired' })
    expect(await one.callback()).toMatchObject({ attempts: 0 })
    expect(await one.pay()).toBe('suspense')
    expect(await one.stored()).toMatchObject({ status: 'FAILED' })
  })

  test('counts toward the daily limit from the payment on', async () => {
    const account = `2567700${String(unique()).padStart(5, '0')}`
    const one = await expected({ expiresAt: at(200_000) })
    seconds = 100_000
    expect(await one.pay({ account })).toBe('completed')
    const next = { ...(await one.stored()), id: uniqueId() }
    const claim = under().store.transaction((unit) => unit.claimDailyLimit(next, wholeLimit(1_999n), at(100_001)))
    expect(await claim).toBe(1_999n)
  })

  test('a payment and the end at once have one outcome', async () => {
    const one = await expected()
    seconds = 600
    const [taken] = await Promise.all([one.pay(), one.expire(600)])
    expect(taken).toBe('suspense')
    expect(await one.stored()).toMatchObject({ status: 'FAILED' })
    const other = await expected()
    await other.pay()
    await other.expire(600)
    expect(await other.stored()).toMatchObject({ status: 'COMPLETED' })
  })

  test('refuses a reference that is open at the same place, and frees it at the end', async () => {
    const one = await expected()
    const { paidTo, reference } = one.expects
    expect((await newExpected({ paidTo, reference })).result).toEqual({ typedReference: 'taken' })
    expect((await newExpected({ reference })).result).toBe('accepted')
    await one.pay()
    const again = await expected({ paidTo, reference })
    expect(await again.pay()).toBe('completed')
    const places = { paidTo, reference: `INV${unique()}` }
    const results = await Promise.all([newExpected(places), newExpected(places)])
    expect(results.filter(({ result }) => result === 'accepted')).toHaveLength(1)
  })

  test('a line of a statement completes it once, and never after its message', async () => {
    const one = await expected()
    await one.state()
    await one.state()
    expect(await one.stored()).toMatchObject({ status: 'COMPLETED' })
    expect(await one.pay({ receipt: `INV-${(await one.stored()).internalReference}` })).toBe('known')
    expect(await one.attempts()).toEqual([])
  })
})
