import { expect, test } from 'vitest'
import {
  type AccountTally,
  promptDecline,
  type AccountUseKind,
  type BoundedUse,
  type BoundKind,
} from '../../domain/account-bounds.ts'
import { money } from '../../domain/money.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, newTransaction, unique, uniqueId, wholeLimit } from '../../verification/testing/transactions.ts'
import type { AcceptResult } from '../../domain/acceptance.ts'
import type { NewTransaction } from '../ports/acceptance.ts'
import type { IdempotencyClaim } from '../ports/idempotency.ts'

const use = (kind: BoundKind, number: number, max: number, countsUntil = at(1_800), merchantMax = max): BoundedUse => ({
  kind,
  number,
  countsUntil,
  bounds: [{ counts: kind, refusedAs: kind, max, merchantMax }],
})

/** How many of each kind count, over all merchants. */
function countsOf(tallies: readonly AccountTally[]): Partial<Record<AccountUseKind, number>> {
  const counts: Partial<Record<AccountUseKind, number>> = {}
  for (const { kind, count } of tallies) counts[kind] = (counts[kind] ?? 0) + count
  return counts
}

/** The same without the time when capacity is free again. */
const nameOf = (result: AcceptResult): string => {
  if (typeof result === 'string') return result
  return 'bound' in result ? `${result.bound}_bound_reached` : 'daily_limit_exceeded'
}

onBothStores((under) => {
  const account = () => `2567811${String(unique()).padStart(5, '0')}`
  const accept = async (transaction: NewTransaction) => nameOf(await under().acceptance.accept(transaction))
  const tallies = (mine: string, seconds = 0) =>
    under().store.transaction((unit) => unit.lockAccountUsage(mine, at(seconds)))
  const counted = async (mine: string, seconds = 0) => countsOf(await tallies(mine, seconds))

  test('bounds payments per account number and kind, across merchants and concurrency', async () => {
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
    expect(await counted(mine)).toEqual({ open_page: 3, otp_send: 1 })
  })

  test('what counts until a moment no longer counts at that moment', async () => {
    const mine = account()
    const one = (seconds: number) =>
      accept(newTransaction({ account: mine, createdAt: at(seconds), uses: [use('otp_send', 1, 1, at(seconds + 60))] }))
    expect(await one(0)).toBe('accepted')
    expect(await one(59)).toBe('otp_send_bound_reached')
    expect(await one(60)).toBe('accepted')
    expect((await counted(mine, 119)).otp_send).toBe(1)
    expect((await counted(mine, 120)).otp_send).toBeUndefined()
  })

  test('a refusal by a bound frees reference, key, limit and account number', async () => {
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

  // What the bound refuses does not use up the limit for the requests behind it.
  test('reports the limit before a bound; a refusal by the bound uses no limit', async () => {
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

  test('a unit counts its own additions, others after commit; a repeat is a fault', async () => {
    const transaction = await accepted(under(), { account: account() })
    await under().store.transaction(async (unit) => {
      await unit.addAccountUsage(transaction, [use('otp_wrong', 1, 0), use('otp_wrong', 2, 0)])
      await unit.addAccountUsage(transaction, [])
      expect(countsOf(await unit.lockAccountUsage(transaction.account, at(0)))).toEqual({ otp_wrong: 2 })
    })
    expect(await counted(transaction.account)).toEqual({ otp_wrong: 2 })
    await expect(
      under().store.transaction((unit) => unit.addAccountUsage(transaction, [use('otp_wrong', 2, 0)])),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await under().read.accountUses(transaction.account)).toEqual(
      [1, 2].map((number) => ({ transactionId: transaction.id, kind: 'otp_wrong', number, countsUntil: at(1_800) })),
    )
  })

  test('a closed page stops counting; other pages of its number keep counting', async () => {
    const mine = account()
    const uses = [use('open_page', 1, 9), use('otp_send', 1, 9)]
    const [one, two] = [
      await accepted(under(), { account: mine, uses }),
      await accepted(under(), { account: mine, uses }),
    ]
    await under().store.transaction(async (unit) => {
      await unit.endPageUsage(one)
      expect(countsOf(await unit.lockAccountUsage(mine, at(0)))).toMatchObject({ open_page: 1 })
      await unit.endPageUsage(one)
    })
    expect(await counted(mine)).toEqual({ open_page: 1, otp_send: 2 })
    expect((await under().read.accountUses(mine)).map(({ transactionId, kind }) => [transactionId, kind])).toEqual([
      [one.id, 'otp_send'],
      [two.id, 'open_page'],
      [two.id, 'otp_send'],
    ])
  })

  test("locking an account's usage waits for a pending lock, by bounds or daily limit", async () => {
    for (const first of ['lockAccountUsage', 'claimDailyLimit'] as const) {
      const holder = await accepted(under(), { account: account() })
      let second: ReturnType<typeof accept> | undefined
      await under().store.transaction(async (unit) => {
        if (first === 'lockAccountUsage') await unit.lockAccountUsage(holder.account, at(0))
        else await unit.claimDailyLimit({ ...holder, id: holder.id + 1_000_000n }, wholeLimit(50_000n), at(0))
        // Of another provider: both count for the account number alone.
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

  test('tallies have kind and merchant, and the first and last end', async () => {
    const [mine, merchantId, other] = [account(), uniqueId(), uniqueId()]
    const one = (of: bigint, endsAt: number) =>
      accept(newTransaction({ merchantId: of, account: mine, uses: [use('prompt', 1, 9, at(endsAt))] }))
    const hour = 3_600
    await one(merchantId, 22 * hour)
    await one(merchantId, 23 * hour + 1)
    await one(merchantId, 24 * hour)
    await one(other, 23 * hour)
    const found = (await tallies(mine)).toSorted((a, b) => b.count - a.count)
    expect(found).toEqual([
      {
        kind: 'prompt',
        merchantId,
        count: 3,
        firstEnds: at(22 * hour),
        lastEnds: at(24 * hour),
        hourCount: 2,
        hourFirstEnds: at(23 * hour + 1),
      },
      { kind: 'prompt', merchantId: other, count: 1, firstEnds: at(23 * hour), lastEnds: at(23 * hour), hourCount: 0 },
    ])
  })

  test('declines count until an approval of their account number ends them', async () => {
    const [mine, other] = [account(), account()]
    const two = [await accepted(under(), { account: mine }), await accepted(under(), { account: other })]
    const { store } = under()
    await store.transaction((unit) => unit.addPromptDeclines(two, at(0)))
    expect([await counted(mine), await counted(other)]).toEqual([{ prompt_decline: 1 }, { prompt_decline: 1 }])
    expect((await under().read.accountUses(mine))[0]?.countsUntil).toEqual(promptDecline(at(0)).countsUntil)
    await store.transaction((unit) => unit.endPromptDeclines([mine]))
    expect([await counted(mine), await counted(other)]).toEqual([{}, { prompt_decline: 1 }])
  })

  test('an approval skips declines that another commit holds', async () => {
    const [mine, other] = [account(), account()]
    const two = [await accepted(under(), { account: mine }), await accepted(under(), { account: other })]
    const { store } = under()
    await store.transaction((unit) => unit.addPromptDeclines(two, at(0)))
    await store.transaction(async (unit) => {
      await unit.endPromptDeclines([mine])
      await store.transaction((second) => second.endPromptDeclines([mine, other]))
    })
    expect([await counted(mine), await counted(other)]).toEqual([{}, {}])
  })
})
