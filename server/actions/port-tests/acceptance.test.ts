import { expect, test } from 'vitest'
import type { NewTransaction } from '../ports/acceptance.ts'
import { money } from '../../domain/money.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, newTransaction, START } from '../../verification/testing/transactions.ts'
import { unique, uniqueId, wholeLimit } from '../../verification/testing/transactions.ts'
import type { FirstOutcome, IdempotencyClaim } from '../ports/idempotency.ts'

const DAY = 86_400
const over = (exceededMinor: bigint) => ({ exceededMinor })
const digest = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const claimOf = (merchantId: bigint): IdempotencyClaim => ({ merchantId, key: `key-${unique()}`, digest: digest(1) })
const outcomeOf = ({ internalReference, merchantReference }: NewTransaction) => ({
  result: 'accepted',
  accepted: { internalReference, merchantReference, onPaymentPage: false },
})

onBothStores((under) => {
  const accept = (transaction: NewTransaction) => under().acceptance.accept(transaction)
  const find = (claim: IdempotencyClaim, since = at(-DAY)) => under().idempotency.find(claim, since)
  const found = ({ merchantId, merchantReference }: NewTransaction) =>
    under().lookups.transactionByMerchantReference(merchantId, merchantReference)
  const account = () => `2567800${String(unique()).padStart(5, '0')}`

  test('stores a payment with its first job and counts it toward its limit', async () => {
    const transaction = newTransaction({ firstJob: { kind: 'verifyPayout', dueAt: at(3) } })
    expect(await accept(transaction)).toBe('accepted')
    const stored = (await found(transaction))!
    const { description: _d, dailyLimit: _l, firstJob: _w, ...rest } = transaction
    expect(stored).toEqual({ id: stored.id, ...rest })
    expect(await under().read.work()).toEqual([
      {
        kind: 'verifyPayout',
        subjectId: stored.id,
        dueAt: at(3),
        attempt: 0,
        held: false,
        failures: 0,
        lastError: undefined,
      },
    ])
    expect(await under().read.usage(transaction.account)).toEqual(new Map([[stored.id, 1_000n]]))
  })

  test('accepts a reference once per merchant, concurrently and later', async () => {
    const merchantId = uniqueId()
    const same = () => newTransaction({ merchantId, merchantReference: 'the-same' })
    const results = await Promise.all(Array.from({ length: 5 }, () => accept(same())))
    expect(results.map(String).toSorted()).toEqual([
      'accepted',
      ...Array.from({ length: 4 }, () => 'duplicate_reference'),
    ])
    expect(await accept(same())).toBe('duplicate_reference')
    expect(await accept(newTransaction({ merchantReference: 'the-same' }))).toBe('accepted')
    expect(await under().read.work()).toHaveLength(2)
  })

  test('holds the daily limit under concurrency, per provider and type', async () => {
    const mine = account()
    const results = await Promise.all(Array.from({ length: 8 }, () => accept(newTransaction({ account: mine }))))
    expect(results.filter((result) => result === 'accepted')).toHaveLength(5)
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(3)
    expect(await accept(newTransaction({ account: mine, amount: money(1n, 'UGX') }))).toEqual(over(5_000n))
    expect(await accept(newTransaction({ account: mine, providerCode: 'airtel_ug' }))).toBe('accepted')
    expect(await accept(newTransaction({ account: mine, type: 'PAYOUT' }))).toBe('accepted')
  })

  test('a merchant gets its share of a daily limit at most, others the rest', async () => {
    const [mine, merchantId, other] = [account(), uniqueId(), uniqueId()]
    const one = (of: bigint, amountMinor: bigint) =>
      accept(
        newTransaction({
          merchantId: of,
          account: mine,
          amount: money(amountMinor, 'UGX'),
          dailyLimit: { limitMinor: 5_000n, merchantMinor: 3_000n },
        }),
      )
    expect(await Promise.all([one(merchantId, 2_000n), one(merchantId, 1_001n), one(merchantId, 1_000n)])).toEqual([
      'accepted',
      over(3_000n),
      'accepted',
    ])
    expect(await one(merchantId, 1n)).toEqual(over(3_000n))
    expect(await one(other, 2_001n)).toEqual(over(5_000n))
    expect(await one(other, 2_000n)).toBe('accepted')
  })

  test('what began 24 hours ago no longer counts', async () => {
    const mine = account()
    const full = { account: mine, amount: money(5_000n, 'UGX') }
    expect(await accept(newTransaction(full))).toBe('accepted')
    expect(await accept(newTransaction({ ...full, createdAt: at(DAY - 1) }))).toEqual(over(5_000n))
    expect(await accept(newTransaction({ ...full, createdAt: at(DAY) }))).toBe('accepted')
  })

  test('a payment without a limit of its own uses none, whatever is left', async () => {
    const mine = account()
    const { dailyLimit: _none, ...uncounted } = newTransaction({ account: mine, amount: money(5_000n, 'UGX') })
    expect(await accept(newTransaction({ account: mine, amount: money(5_000n, 'UGX') }))).toBe('accepted')
    expect(await accept(uncounted)).toBe('accepted')
    expect((await under().read.usage(mine)).size).toBe(1)
  })

  test('stores further jobs beside the first', async () => {
    const { id } = await accepted(under(), {
      firstJob: { kind: 'expirePage', dueAt: at(1_800) },
      furtherJob: { kind: 'sendOtp', dueAt: at(2) },
    })
    expect(await under().read.work()).toMatchObject([
      { kind: 'expirePage', subjectId: id, dueAt: at(1_800) },
      { kind: 'sendOtp', subjectId: id, dueAt: at(2) },
    ])
  })

  test('a refusal by the limit frees its reference and its key', async () => {
    const merchantId = uniqueId()
    const idempotency = claimOf(merchantId)
    const tooMuch = newTransaction({ merchantId, idempotency, amount: money(5_001n, 'UGX') })
    expect(await accept(tooMuch)).toEqual(over(5_000n))
    expect(await found(tooMuch)).toBeUndefined()
    expect(await find(idempotency)).toBeUndefined()
    const again = { ...newTransaction({ merchantId, idempotency }), merchantReference: tooMuch.merchantReference }
    expect(await accept(again)).toBe('accepted')
    expect((await find(idempotency))?.outcome).toEqual(outcomeOf(again))
  })

  test('accepts the first fitting request of a new reference; later ones are duplicates', async () => {
    const merchantId = uniqueId()
    const one = (amountMinor: bigint) =>
      newTransaction({ merchantId, merchantReference: 'the-same', amount: money(amountMinor, 'UGX') })
    expect(await Promise.all([one(5_001n), one(2_000n), one(1_000n)].map(accept))).toEqual([
      over(5_000n),
      'accepted',
      'duplicate_reference',
    ])
    const refused = (amountMinor: bigint) =>
      newTransaction({ merchantId, merchantReference: 'another', amount: money(amountMinor, 'UGX') })
    expect(await Promise.all([refused(5_001n), refused(5_002n)].map(accept))).toEqual([over(5_000n), over(5_000n)])
    expect(await accept(refused(1n))).toBe('accepted')
  })

  test('the first request with an Idempotency-Key owns it and fixes outcome and digest', async () => {
    const merchantId = uniqueId()
    const idempotency = claimOf(merchantId)
    const [first, second] = [
      newTransaction({ merchantId, idempotency }),
      newTransaction({ merchantId, idempotency: { ...idempotency, digest: digest(2) } }),
    ]
    expect(await Promise.all([accept(first), accept(second)])).toEqual(['accepted', 'idempotency_key_taken'])
    expect(await accept(newTransaction({ merchantId, idempotency }))).toBe('idempotency_key_taken')
    const stored = (await find(idempotency))!
    expect([...stored.digest]).toEqual([...digest(1)])
    expect(stored.outcome).toEqual(outcomeOf(first))
    expect(await found(second)).toBeUndefined()
    const another = uniqueId()
    expect(
      await accept(newTransaction({ merchantId: another, idempotency: { ...idempotency, merchantId: another } })),
    ).toBe('accepted')
  })

  test('a duplicate leaves its key free', async () => {
    const merchantId = uniqueId()
    const idempotency = claimOf(merchantId)
    const first = newTransaction({ merchantId })
    await accept(first)
    expect(
      await accept({ ...newTransaction({ merchantId, idempotency }), merchantReference: first.merchantReference }),
    ).toBe('duplicate_reference')
    expect(await find(idempotency)).toBeUndefined()
  })

  test('a key is free again after its window, and found only within it', async () => {
    const merchantId = uniqueId()
    const idempotency = claimOf(merchantId)
    await accept(newTransaction({ merchantId, idempotency }))
    expect(await find(idempotency, START)).toBeUndefined()
    expect(await accept(newTransaction({ merchantId, idempotency, createdAt: at(DAY - 1) }))).toBe(
      'idempotency_key_taken',
    )
    const later = newTransaction({ merchantId, idempotency, createdAt: at(DAY) })
    expect(await accept(later)).toBe('accepted')
    expect((await find(idempotency, at(1)))?.outcome).toEqual(outcomeOf(later))
  })

  test('keeps the first outcome of a key, reports it to the second, frees an old key', async () => {
    const merchantId = uniqueId()
    const idempotency = claimOf(merchantId)
    const refusal = { result: 'refused', code: 'invalid_otp' } as const
    const another = {
      result: 'accepted',
      accepted: { internalReference: 'MLP1', merchantReference: 'another', onPaymentPage: false },
    } as const
    const remember = (outcome: FirstOutcome, now: Date) =>
      under().store.transaction((unit) => unit.rememberOutcome(idempotency, outcome, now))
    expect(await remember(refusal, START)).toBe(true)
    expect(await remember(another, at(1))).toBe(false)
    expect((await find(idempotency))?.outcome).toEqual(refusal)
    expect(await accept(newTransaction({ merchantId, idempotency }))).toBe('idempotency_key_taken')
    expect(await remember(another, at(DAY))).toBe(true)
    expect((await find(idempotency))?.outcome).toEqual(another)
  })

  test('remembers an outcome only with its commit; a key that is taken stays taken', async () => {
    const idempotency = claimOf(uniqueId())
    const outcome = (merchantReference: string) =>
      ({ result: 'accepted', accepted: { internalReference: 'MLP1', merchantReference, onPaymentPage: true } }) as const
    await expect(
      under().store.transaction(async (unit) => {
        await unit.rememberOutcome(idempotency, outcome('lost'), START)
        throw new Error('given up')
      }),
    ).rejects.toThrow('given up')
    expect(await find(idempotency)).toBeUndefined()
    await under().store.transaction((unit) => unit.rememberOutcome(idempotency, outcome('kept'), START))
    await under().store.transaction((unit) => unit.rememberOutcome(idempotency, outcome('late'), START))
    expect((await find(idempotency))?.outcome).toEqual(outcome('kept'))
  })

  test('a request waits for a key that another is taking, and finds it taken or free', async () => {
    for (const kept of [true, false]) {
      const merchantId = uniqueId()
      const idempotency = claimOf(merchantId)
      let second: ReturnType<typeof accept> | undefined
      await under()
        .store.transaction(async (unit) => {
          await unit.rememberOutcome(
            idempotency,
            {
              result: 'accepted',
              accepted: { internalReference: 'MLP1', merchantReference: 'm', onPaymentPage: false },
            },
            START,
          )
          second = accept(newTransaction({ merchantId, idempotency }))
          await under().lockIsWaitedFor()
          if (!kept) throw new Error('given up')
        })
        .catch(() => undefined)
      expect(await second).toBe(kept ? 'idempotency_key_taken' : 'accepted')
    }
  })

  test('a failing call fails alone; the others of its batch are accepted', async () => {
    const stored = await accepted(under())
    const [good, bad, better] = [
      newTransaction(),
      newTransaction({ internalReference: stored.internalReference }),
      newTransaction(),
    ]
    const results = await Promise.allSettled([good, bad, better].map(accept))
    expect(results).toMatchObject([{ value: 'accepted' }, { reason: { code: '23505' } }, { value: 'accepted' }])
    expect(await found(bad)).toBeUndefined()
  })

  test('claims, releases and reclaims a limit without counting it twice', async () => {
    const mine = account()
    const [one, two] = [await accepted(under(), { account: '' }), await accepted(under(), { account: '' })]
    const claim = (transaction: typeof one, limitMinor: bigint, now = at(1)) =>
      under().store.transaction((unit) =>
        unit.claimDailyLimit({ ...transaction, account: mine }, wholeLimit(limitMinor), now),
      )
    expect(await claim(one, 1_500n)).toBeUndefined()
    expect(await claim(two, 1_500n)).toBe(1_500n)
    expect(await under().read.usage(mine)).toEqual(new Map([[one.id, 1_000n]]))
    await under().store.transaction((unit) => unit.releaseDailyLimit([{ ...one, account: mine }]))
    expect(await under().read.usage(mine)).toEqual(new Map())
    expect(await claim(two, 1_500n)).toBeUndefined()
    for (let n = 0; n < 2; n += 1)
      await under().store.transaction((unit) =>
        unit.countTowardDailyLimit([
          { ...one, account: mine },
          { ...two, account: mine },
        ]),
      )
    expect(await under().read.usage(mine)).toEqual(
      new Map([
        [one.id, 1_000n],
        [two.id, 1_000n],
      ]),
    )
    await under().store.transaction(async (unit) => {
      await unit.releaseDailyLimit([])
      await unit.countTowardDailyLimit([])
    })
  })

  test("compares a claim with its merchant's share too", async () => {
    const mine = account()
    const [one, two] = [
      await accepted(under(), { account: account() }),
      await accepted(under(), { account: account() }),
    ]
    const limit = { limitMinor: 5_000n, merchantMinor: 1_500n }
    const claim = (transaction: typeof one) =>
      under().store.transaction((unit) => unit.claimDailyLimit({ ...transaction, account: mine }, limit, at(1)))
    expect(await claim(one)).toBeUndefined()
    expect(await claim({ ...two, merchantId: one.merchantId })).toBe(1_500n)
    expect(await claim(two)).toBeUndefined()
  })

  test('a claim of a limit waits for a pending one, and counts what that has taken', async () => {
    const mine = account()
    const one = { ...(await accepted(under(), { account: '' })), account: mine }
    let second: ReturnType<typeof accept> | undefined
    await under().store.transaction(async (unit) => {
      expect(await unit.claimDailyLimit(one, wholeLimit(1_500n), at(1))).toBeUndefined()
      second = accept(newTransaction({ account: mine, dailyLimit: wholeLimit(1_500n) }))
      await under().lockIsWaitedFor()
    })
    expect(await second).toEqual({ exceededMinor: 1_500n })
  })

  test('the second of two units with one reference waits, and finds it used or free', async () => {
    const mine = account()
    const holder = { ...(await accepted(under(), { account: '' })), account: mine }
    const merchantId = uniqueId()
    const same = (fields: Partial<NewTransaction>) =>
      accept(newTransaction({ merchantId, merchantReference: 'the-same', ...fields }))
    let first: ReturnType<typeof accept> | undefined
    let second: ReturnType<typeof accept> | undefined
    await under().store.transaction(async (unit) => {
      await unit.claimDailyLimit(holder, wholeLimit(1_500n), at(1))
      first = same({ account: mine, dailyLimit: wholeLimit(1_500n) })
      await under().lockIsWaitedFor()
      second = same({})
      await under().lockIsWaitedFor(2)
    })
    expect([await first, await second]).toEqual([{ exceededMinor: 1_500n }, 'accepted'])
  })
})
