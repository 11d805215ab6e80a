import { expect, test } from 'vitest'
import {
  accountName,
  collectionTransfer,
  creditRelease,
  depositTransfer,
  holdTransfer,
  payoutTransfer,
  payoutWallet,
  releaseTransfer,
  type Transfer,
} from '../../domain/ledger.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, uniqueId } from '../../verification/testing/transactions.ts'
import { WalletFilled, WalletTooLow } from '../ports/store.ts'

const CLEARING = { clearingDelaySeconds: 60, reserveBps: 1_000, reserveSeconds: 600 }

onBothStores((under) => {
  const book = (...transfers: readonly Transfer[]) => under().store.transaction((unit) => unit.book(transfers, at(1)))
  const payout = (merchantId = uniqueId(), totalMinor = 1_020n) =>
    accepted(under(), { merchantId, type: 'PAYOUT', totalMinor })
  const balance = (of: Transaction): Promise<bigint | undefined> =>
    under().store.transaction(async (unit) =>
      (await unit.balances([payoutWallet(of)])).get(accountName(payoutWallet(of))),
    )

  test('shows transfers after commit, not before, and not when the unit fails', async () => {
    const one = await payout()
    await under().store.transaction(async (unit) => {
      await unit.book([depositTransfer(one.merchantId, 'UGX', 5_000n)], at(1))
      expect(await unit.balances([payoutWallet(one)])).toEqual(new Map())
    })
    expect(await balance(one)).toBe(5_000n)
    await expect(
      under().store.transaction(async (unit) => {
        await unit.book([holdTransfer(one)], at(1))
        throw new Error('given up')
      }),
    ).rejects.toThrow('given up')
    expect(await balance(one)).toBe(5_000n)
    expect(await under().read.transfersOf(one.id)).toEqual([])
  })

  test('a commit that takes a wallet below zero fails and keeps nothing', async () => {
    const one = await payout()
    await book(depositTransfer(one.merchantId, 'UGX', 1_019n))
    await expect(
      under().store.transaction(async (unit) => {
        await unit.book([holdTransfer(one)], at(1))
        await unit.addEvents([{ transactionId: one.id, kind: 'held', detail: '' }], at(1))
      }),
    ).rejects.toBeInstanceOf(WalletTooLow)
    expect(await balance(one)).toBe(1_019n)
    expect(await under().read.events(one.id)).toEqual([])
    await book(depositTransfer(one.merchantId, 'UGX', 1n), holdTransfer(one))
    expect(await balance(one)).toBe(0n)
  })

  test("sums a unit's transfers: a released hold may pay for an earlier one", async () => {
    const one = await payout()
    await book(depositTransfer(one.merchantId, 'UGX', 1_020n))
    await book(holdTransfer(one))
    await book(payoutTransfer(one, 'payout_late'), releaseTransfer(one))
    expect(await balance(one)).toBe(0n)
  })

  test('of two at once that together exceed a wallet one is refused', async () => {
    const merchantId = uniqueId()
    const [one, two] = [await payout(merchantId), await payout(merchantId)]
    await book(depositTransfer(merchantId, 'UGX', 1_500n))
    const results = await Promise.allSettled([book(holdTransfer(one)), book(holdTransfer(two))])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((result) => result.status === 'rejected')?.reason).toBeInstanceOf(WalletTooLow)
    expect(await balance(one)).toBe(480n)
  })

  test('refuses a commit judged by a lower balance than now, accepts a higher one', async () => {
    const one = await payout()
    const wallet = payoutWallet(one)
    const judged = (balanceMinor: bigint, detail: string, meanwhile: Transfer) =>
      under().store.transaction(async (unit) => {
        await unit.holdsAtMost([{ wallet, balanceMinor }])
        await unit.addEvents([{ transactionId: one.id, kind: 'judged', detail }], at(1))
        await book(meanwhile)
      })
    const filled = judged(0n, 'of nothing', depositTransfer(one.merchantId, 'UGX', 1_500n))
    await expect(filled).rejects.toBeInstanceOf(WalletFilled)
    await judged(1_500n, 'of all', holdTransfer(one))
    expect((await under().read.events(one.id)).map(({ detail }) => detail)).toEqual(['of all'])
    expect(await balance(one)).toBe(480n)
  })

  test("a unit's own transfers do not count against the balance it expected", async () => {
    const one = await payout()
    const held = [{ wallet: payoutWallet(one), balanceMinor: 0n }]
    await under().store.transaction(async (unit) => {
      await unit.holdsAtMost(held)
      await unit.book([depositTransfer(one.merchantId, 'UGX', 5n)], at(1))
    })
    expect(await balance(one)).toBe(5n)
  })

  test('wallets that two units open at once are one wallet', async () => {
    const one = await payout()
    await Promise.all(Array.from({ length: 4 }, () => book(depositTransfer(one.merchantId, 'UGX', 100n))))
    expect(await balance(one)).toBe(400n)
  })

  // A second transfer is a fault, and not a database that is away.
  test('moves money once per transaction and kind of transfer, in one unit or two', async () => {
    const one = await payout()
    await book(depositTransfer(one.merchantId, 'UGX', 5_000n))
    await book(holdTransfer(one))
    const twice = holdTransfer(await payout(one.merchantId))
    for (const again of [() => book(holdTransfer(one)), () => book(twice, twice)]) {
      const error: unknown = await again().catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: '23505' })
      expect((error as Error).name).not.toBe('StorageUnavailable')
    }
    expect(await balance(one)).toBe(3_980n)
    expect(await under().read.transfersOf(one.id)).toEqual(['payout_hold'])
  })

  test('a second hold fails by its unique key when covered, else as uncovered', async () => {
    const one = await payout()
    await book(depositTransfer(one.merchantId, 'UGX', 2_040n))
    await book(holdTransfer(one))
    await expect(book(holdTransfer(one))).rejects.toMatchObject({ code: '23505' })
    const poor = await payout()
    await book(depositTransfer(poor.merchantId, 'UGX', 1_020n))
    await book(holdTransfer(poor))
    await expect(book(holdTransfer(poor))).rejects.toBeInstanceOf(WalletTooLow)
  })

  test('transfers without a transaction may repeat', async () => {
    const one = await payout()
    await book(depositTransfer(one.merchantId, 'UGX', 1n), depositTransfer(one.merchantId, 'UGX', 1n))
    expect(await balance(one)).toBe(2n)
  })

  test('refuses a transfer with a wrong sum, mixed currencies or an empty entry', async () => {
    const one = await payout()
    const deposit = depositTransfer(one.merchantId, 'UGX', 10n)
    const [from, to] = deposit.entries as [Transfer['entries'][number], Transfer['entries'][number]]
    const wrong: Transfer[] = [
      { ...deposit, entries: [from, { ...to, amountMinor: 11n }] },
      { ...deposit, entries: [from, { ...to, account: { ...to.account, currency: 'KES' } }] },
      { ...deposit, entries: [from, to, { ...to, amountMinor: 0n }] },
    ]
    for (const transfer of wrong) await expect(book(deposit, transfer)).rejects.toMatchObject({ code: '23514' })
    expect(await balance(one)).toBeUndefined()
  })

  test('a transfer without entries is not stored, and its subject may still be booked', async () => {
    const one = await accepted(under())
    await book(creditRelease('clearing', one, 0n))
    expect(await under().read.transfersOf(one.id)).toEqual([])
  })

  test('lists by transaction what collections credited to a part of the wallet', async () => {
    const merchantId = uniqueId()
    const [one, plain] = [await accepted(under(), { merchantId }), await accepted(under(), { merchantId })]
    await book(
      collectionTransfer(one, CLEARING),
      collectionTransfer(plain, { ...CLEARING, clearingDelaySeconds: 0, reserveSeconds: 0 }),
    )
    const into = (kind: 'collection_uncleared' | 'collection_reserve' | 'collection_available') =>
      under().store.transaction((unit) => unit.bookedInto(kind, [one.id, plain.id, uniqueId()]))
    expect(await into('collection_uncleared')).toEqual(new Map([[one.id, 882n]]))
    expect(await into('collection_reserve')).toEqual(new Map([[one.id, 98n]]))
    await book(creditRelease('clearing', one, 882n))
    expect(await into('collection_available')).toEqual(new Map([[plain.id, 980n]]))
    expect(await under().store.transaction((unit) => unit.bookedInto('collection_uncleared', []))).toEqual(new Map())
  })

  test('returns balances by account name, without accounts that were never opened', async () => {
    const [one, other] = [await payout(), await payout()]
    await book(depositTransfer(one.merchantId, 'UGX', 3n))
    const balances = await under().store.transaction((unit) =>
      unit.balances([payoutWallet(one), payoutWallet(one), payoutWallet(other)]),
    )
    expect(balances).toEqual(new Map([[accountName(payoutWallet(one)), 3n]]))
  })
})
