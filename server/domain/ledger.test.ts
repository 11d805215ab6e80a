import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountName,
  collectionTransfer,
  creditRelease,
  depositTransfer,
  differenceMove,
  differenceTransfer,
  feeTransfer,
  holdTransfer,
  payoutTransfer,
  payoutWallet,
  releaseTransfer,
  spreadCredit,
  type AtOperator,
  type Transfer,
} from './ledger.ts'
import type { ClearingRule } from './provider.ts'
import { PENDING } from './testing/samples.ts'
import type { Transaction } from './transaction.ts'

const collection: Transaction = { ...PENDING, status: 'COMPLETED', statusMessage: 'Done' }
const payout: Transaction = { ...collection, id: 12n, type: 'PAYOUT', totalMinor: 5050n }
const AT_ONCE: ClearingRule = { clearingDelaySeconds: 0, reserveBps: 0, reserveSeconds: 0 }

/** The effect of a transfer on each account, by the account's name. */
const movesOf = ({ entries }: Transfer): Record<string, bigint> =>
  Object.fromEntries(entries.map(({ account, amountMinor }) => [accountName(account), amountMinor]))

describe('a completed collection', () => {
  test('is owed by the rail, less the charge credited to the merchant', () => {
    const transfer = collectionTransfer(collection, AT_ONCE)
    expect([transfer.kind, transfer.transactionId]).toEqual(['collection', 11n])
    expect(movesOf(transfer)).toEqual({
      'rail:UGX:0:mtn_ug': -5000n,
      'collection_available:UGX:7:': 4950n,
      'charges:UGX:0:': 50n,
    })
  })
  test('brings the charge on top when the customer bears it', () => {
    expect(movesOf(collectionTransfer({ ...collection, chargeCustomer: true, totalMinor: 5000n }, AT_ONCE))).toEqual({
      'rail:UGX:0:mtn_ug': -5050n,
      'collection_available:UGX:7:': 5000n,
      'charges:UGX:0:': 50n,
    })
  })
  test('waits for clearing, and a part of it is reserved', () => {
    expect(
      movesOf(collectionTransfer(collection, { clearingDelaySeconds: 60, reserveBps: 1000, reserveSeconds: 3600 })),
    ).toEqual({
      'rail:UGX:0:mtn_ug': -5000n,
      'collection_uncleared:UGX:7:': 4455n,
      'collection_reserve:UGX:7:': 495n,
      'charges:UGX:0:': 50n,
    })
  })
  test('without a charge moves nothing to the charges', () => {
    expect(movesOf(collectionTransfer({ ...collection, chargeMinor: 0n, totalMinor: 5000n }, AT_ONCE))).toEqual({
      'rail:UGX:0:mtn_ug': -5000n,
      'collection_available:UGX:7:': 5000n,
    })
  })
})

describe('credit', () => {
  test.each([
    ['is available at once without rules', AT_ONCE, { availableMinor: 150n, unclearedMinor: 0n, reserveMinor: 0n }],
    [
      'is uncleared for a while',
      { clearingDelaySeconds: 1, reserveBps: 0, reserveSeconds: 0 },
      { availableMinor: 0n, unclearedMinor: 150n, reserveMinor: 0n },
    ],
    [
      'is kept back in part, rounded half up',
      { clearingDelaySeconds: 0, reserveBps: 100, reserveSeconds: 1 },
      { availableMinor: 148n, unclearedMinor: 0n, reserveMinor: 2n },
    ],
    [
      'is not kept back for no time at all',
      { clearingDelaySeconds: 0, reserveBps: 100, reserveSeconds: 0 },
      { availableMinor: 150n, unclearedMinor: 0n, reserveMinor: 0n },
    ],
  ])('%s', (_rule, rule, spread) => expect(spreadCredit(150n, rule)).toEqual(spread))

  test('is never more or less for being spread', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.integer({ min: 0, max: 1 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 1 }),
        (creditMinor, clearingDelaySeconds, reserveBps, reserveSeconds) => {
          const { availableMinor, unclearedMinor, reserveMinor } = spreadCredit(creditMinor, {
            clearingDelaySeconds,
            reserveBps,
            reserveSeconds,
          })
          const parts = [availableMinor, unclearedMinor, reserveMinor]
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(creditMinor)
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(0n)
        },
      ),
    )
  })
  test('becomes available out of the part it waited in', () => {
    expect(creditRelease('clearing', collection, 4455n)).toMatchObject({ kind: 'clearing', transactionId: 11n })
    expect(movesOf(creditRelease('clearing', collection, 4455n))).toEqual({
      'collection_uncleared:UGX:7:': -4455n,
      'collection_available:UGX:7:': 4455n,
    })
    expect(creditRelease('reserve_release', collection, 495n)).toMatchObject({
      kind: 'reserve_release',
      transactionId: 11n,
    })
    expect(movesOf(creditRelease('reserve_release', collection, 495n))).toEqual({
      'collection_reserve:UGX:7:': -495n,
      'collection_available:UGX:7:': 495n,
    })
  })
})

describe('a payout', () => {
  test('is held in full, charge included, before it goes to the rail', () => {
    expect(holdTransfer(payout)).toMatchObject({ kind: 'payout_hold', transactionId: 12n })
    expect(movesOf(holdTransfer(payout))).toEqual({ 'payout_available:UGX:7:': -5050n, 'payout_held:UGX:7:': 5050n })
    expect(accountName(payoutWallet(payout))).toBe('payout_available:UGX:7:')
  })
  test('that fails releases its hold', () => {
    expect(releaseTransfer(payout)).toMatchObject({ kind: 'payout_release', transactionId: 12n })
    expect(movesOf(releaseTransfer(payout))).toEqual({ 'payout_held:UGX:7:': -5050n, 'payout_available:UGX:7:': 5050n })
  })
  test('that completes pays the rail and the charge out of its hold', () => {
    expect(payoutTransfer(payout, 'payout')).toMatchObject({ kind: 'payout', transactionId: 12n })
    expect(movesOf(payoutTransfer(payout, 'payout'))).toEqual({
      'payout_held:UGX:7:': -5050n,
      'rail:UGX:0:mtn_ug': 5000n,
      'charges:UGX:0:': 50n,
    })
  })
  test('that completes late pays out of the wallet: its hold is long released', () => {
    expect(payoutTransfer(payout, 'payout_late')).toMatchObject({ kind: 'payout_late', transactionId: 12n })
    expect(movesOf(payoutTransfer(payout, 'payout_late'))).toEqual({
      'payout_available:UGX:7:': -5050n,
      'rail:UGX:0:mtn_ug': 5000n,
      'charges:UGX:0:': 50n,
    })
  })
  test('whose amounts do not add up is not booked', () => {
    expect(() => payoutTransfer({ ...payout, totalMinor: 5051n }, 'payout')).toThrow(
      'unbalanced payout: the entries sum to -1',
    )
  })
})

test('a deposit comes from the operator', () => {
  expect(depositTransfer(7n, 'UGX', 100n)).toMatchObject({ kind: 'deposit', transactionId: undefined })
  expect(movesOf(depositTransfer(7n, 'UGX', 100n))).toEqual({
    'operator:UGX:0:': -100n,
    'payout_available:UGX:7:': 100n,
  })
})

test("books money at an operator on the account of the order's rail account", () => {
  const railAccount = 'mtn-uganda'
  expect(movesOf(collectionTransfer({ ...collection, railAccount }, AT_ONCE))).toMatchObject({
    'rail:UGX:0:mtn_ug:mtn-uganda': -5000n,
  })
  expect(movesOf(payoutTransfer({ ...payout, railAccount }, 'payout'))).toMatchObject({
    'rail:UGX:0:mtn_ug:mtn-uganda': 5000n,
  })
})

describe("what an operator's statement says", () => {
  const at: AtOperator = { railAccount: 'mtn-uganda', currency: 'UGX', providerCode: 'mtn_ug' }
  test('a fee has left our money at the operator, and is what the operator cost us', () => {
    expect(feeTransfer(at, 13n)).toMatchObject({ kind: 'operator_fee', transactionId: undefined })
    expect(movesOf(feeTransfer(at, 13n))).toEqual({
      'rail:UGX:0:mtn_ug:mtn-uganda': 13n,
      'fee:UGX:0::mtn-uganda': -13n,
    })
  })
  test('unexplained money is at the operator, and waits', () => {
    expect(differenceTransfer('rail', at, 500n)).toMatchObject({ kind: 'difference', transactionId: undefined })
    expect(movesOf(differenceTransfer('rail', at, 500n))).toEqual({
      'rail:UGX:0:mtn_ug:mtn-uganda': -500n,
      'suspense:UGX:0::mtn-uganda': 500n,
    })
  })
  test('too high a fee is no cost of ours until staff decide', () => {
    expect(movesOf(differenceTransfer('fee', at, -10n))).toEqual({
      'fee:UGX:0::mtn-uganda': 10n,
      'suspense:UGX:0::mtn-uganda': -10n,
    })
  })
  test('books what fits no known order on the rail account, without a provider', () => {
    const { providerCode: _unknown, ...nobody } = at
    expect(movesOf(differenceTransfer('rail', nobody, 500n))).toHaveProperty('rail:UGX:0::mtn-uganda', -500n)
  })
  test.each([
    ['fee', 'fee:UGX:0::mtn-uganda'],
    ['outside', 'operator:UGX:0:'],
  ] as const)('the owner writes a difference off: %s', (to, account) => {
    expect(differenceMove(at, 500n, to)).toMatchObject({ kind: 'difference_moved', transactionId: undefined })
    expect(movesOf(differenceMove(at, 500n, to))).toEqual({ 'suspense:UGX:0::mtn-uganda': -500n, [account]: 500n })
  })
})
