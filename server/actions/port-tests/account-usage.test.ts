import { expect, test } from 'vitest'
import type { AccountUseKind, BoundedUse } from '../../domain/account-bounds.ts'
import { money } from '../../domain/money.ts'
import { onBothStores } from '../../testing/stores.ts'
import { accepted, at, newTransaction, unique, uniqueId } from '../../testing/transactions.ts'
import type { NewTransaction } from '../ports/acceptance.ts'
import type { IdempotencyClaim } from '../ports/idempotency.ts'

const use = (kind: AccountUseKind, number: number, max: number, countsUntil = at(1_800)): BoundedUse => ({
  kind,
  number,
  countsUntil,
  max,
})

onBothStores((under) => {
  const account = () => `2567811${String(unique()).padStart(5, '0')}`
  const accept = (transaction: NewTransaction) => under().acceptance.accept(transaction)
  const counted = (mine: string, seconds = 0) =>
    under().store.transaction((unit) => unit.lockAccountUsage(mine, at(seconds)))

  test('an account number has room for so many of a kind, however many come at once and whoever sends them', async () => {
    const mine = account()
    const results = await Promise.all(
      Array.from({ length: 5 }, () => accept(newTransaction({ account: mine, uses: [use('open_page', 1, 3)] }))),
    )
    expect(results.toSorted()).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'open_page_bound_reached',
      'open_page_bound_reached',
    ])
    expect(await accept(newTransaction({ account: mine, uses: [use('open_page', 1, 3)] }))).toBe(
      'open_page_bound_reached',
    )
    expect(await accept(newTransaction({ account: mine, uses: [use('otp_send', 1, 3)] }))).toBe('accepted')
    expect(await accept(newTransaction({ account: account(), uses: [use('open_page', 1, 3)] }))).toBe('accepted')
    expect(await counted(mine)).toEqual(
      new Map([
        ['open_page', 3],
        ['otp_send', 1],
        ['otp_wrong', 0],
      ]),
    )
  })

  test('what counts until a moment counts no more at that moment', async () => {
    const mine = account()
    const one = (seconds: number) =>
      accept(newTransaction({ account: mine, createdAt: at(seconds), uses: [use('otp_send', 1, 1, at(seconds + 60))] }))
    expect(await one(0)).toBe('accepted')
    expect(await one(59)).toBe('otp_send_bound_reached')
    expect(await one(60)).toBe('accepted')
    expect((await counted(mine, 119)).get('otp_send')).toBe(1)
    expect((await counted(mine, 120)).get('otp_send')).toBe(0)
  })

  test('what a bound refuses leaves its reference, its key, its limit and its number free', async () => {
    const [mine, merchantId] = [account(), uniqueId()]
    const idempotency: IdempotencyClaim = { merchantId, key: `key-${unique()}`, digest: new Uint8Array(32) }
    const full = newTransaction({ merchantId, idempotency, account: mine, uses: [use('otp_send', 1, 0)] })
    expect(await accept(full)).toBe('otp_send_bound_reached')
    expect(await under().idempotency.find(idempotency, at(-60))).toBeUndefined()
    expect([
      (await under().read.usage(mine)).size,
      await under().read.accountUses(mine),
      await under().read.work(),
    ]).toEqual([0, [], []])
    expect(
      await accept({ ...newTransaction({ merchantId, idempotency }), merchantReference: full.merchantReference }),
    ).toBe('accepted')
  })

  test('of the daily limit and a bound, the limit is told of; what the bound refuses does not use it up for those behind', async () => {
    const mine = account()
    const one = (amountMinor: bigint, max: number) =>
      newTransaction({ account: mine, amount: money(amountMinor, 'UGX'), uses: [use('otp_send', 1, max)] })
    expect(await Promise.all([one(5_001n, 0), one(5_000n, 0), one(5_000n, 1), one(1n, 9)].map(accept))).toEqual([
      'daily_limit_exceeded',
      'otp_send_bound_reached',
      'accepted',
      'daily_limit_exceeded',
    ])
  })

  test('what a unit adds it counts itself, and others after its commit; the same again is a fault', async () => {
    const transaction = await accepted(under(), { account: account() })
    await under().store.transaction(async (unit) => {
      await unit.addAccountUsage(transaction, [use('otp_wrong', 1, 0), use('otp_wrong', 2, 0)])
      await unit.addAccountUsage(transaction, [])
      expect((await unit.lockAccountUsage(transaction.account, at(0))).get('otp_wrong')).toBe(2)
    })
    expect((await counted(transaction.account)).get('otp_wrong')).toBe(2)
    await expect(
      under().store.transaction((unit) => unit.addAccountUsage(transaction, [use('otp_wrong', 2, 0)])),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await under().read.accountUses(transaction.account)).toEqual(
      [1, 2].map((number) => ({ transactionId: transaction.id, kind: 'otp_wrong', number, countsUntil: at(1_800) })),
    )
  })

  test('a page that is no longer open counts no more; the others of its number, and what else there is of it, go on counting', async () => {
    const mine = account()
    const uses = [use('open_page', 1, 9), use('otp_send', 1, 9)]
    const [one, two] = [
      await accepted(under(), { account: mine, uses }),
      await accepted(under(), { account: mine, uses }),
    ]
    await under().store.transaction(async (unit) => {
      await unit.endPageUsage(one)
      expect((await unit.lockAccountUsage(mine, at(0))).get('open_page')).toBe(1)
      await unit.endPageUsage(one)
    })
    expect(await counted(mine)).toEqual(
      new Map([
        ['open_page', 1],
        ['otp_send', 2],
        ['otp_wrong', 0],
      ]),
    )
    expect((await under().read.accountUses(mine)).map(({ transactionId, kind }) => [transactionId, kind])).toEqual([
      [one.id, 'otp_send'],
      [two.id, 'open_page'],
      [two.id, 'otp_send'],
    ])
  })

  test('who asks for room waits for who is asking, whether through its bounds or its daily limit', async () => {
    for (const first of ['lockAccountUsage', 'claimDailyLimit'] as const) {
      const holder = await accepted(under(), { account: account() })
      let second: ReturnType<typeof accept> | undefined
      await under().store.transaction(async (unit) => {
        if (first === 'lockAccountUsage') await unit.lockAccountUsage(holder.account, at(0))
        else await unit.claimDailyLimit({ ...holder, id: holder.id + 1_000_000n }, 50_000n, at(0))
        // Of another provider: the number alone is what both ask for.
        second = accept(
          newTransaction({ account: holder.account, providerCode: 'airtel_ug', uses: [use('otp_send', 1, 1)] }),
        )
        await under().lockIsWaitedFor()
        await unit.lockAccountUsage(holder.account, at(0))
        await unit.addAccountUsage(holder, [use('otp_send', 1, 1)])
      })
      expect(await second).toBe('otp_send_bound_reached')
    }
  })
})
