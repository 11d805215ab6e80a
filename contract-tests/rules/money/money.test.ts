import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../harness/proxy.ts'
import { collects, COMPLETED, json, replied, REPLAYED, retrieves, sendRequests } from '../testing/exchanges.ts'
import { judgeOfTest, reportsOf, testRows } from '../testing/reports.ts'
import { balancesRule } from './balances.ts'
import { chargesRule } from './charges.ts'
import { conversionRule } from './conversion.ts'
import { walletSumsRule } from './wallet-sums.ts'

/** At a second of the recording; the reply comes 10 ms later. */
const at = (second: number, exchange: Exchange): Exchange => ({
  ...exchange,
  startedAt: new Date(second * 1000),
  at: new Date(second * 1000 + 10),
})
/** One after the other. */
const inTurn = (...exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.map((exchange, second) => at(second, exchange))

const wallet = (wallet_type: string, currency: string, actual: number, change: object = {}) => ({
  wallet_type,
  currency,
  available_balance: actual,
  uncleared_balance: 0,
  reserve_balance: 0,
  actual_balance: actual,
  ...change,
})
const payouts = (currency: string, actual: number, change: object = {}) =>
  wallet('MERCHANT_PAYOUT', currency, actual, change)
const wallets = (...merchant_wallets: readonly object[]): Exchange =>
  sendRequests('GET', '/data/wallet-balances', json(200, 'Wallets retrieved successfully', { merchant_wallets }))
const ugandan = (collected: number, forPayouts: number): Exchange =>
  wallets(wallet('MERCHANT_COLLECTION', 'UGX', collected), payouts('UGX', forPayouts))

const PAYOUT = {
  internal_reference: 'MLPZ1ZP8G0DY6MZXFRQH3EJ9B',
  transaction_type: 'PAYOUT',
  transaction_charge: 25,
  total_credit: undefined,
  total_debit: 5025,
}
const collection = (change: object = {}): Exchange => retrieves({ ...COMPLETED, ...change })
const payout = (transaction_status: string, change: object = {}): Exchange =>
  collection({ ...PAYOUT, transaction_status, ...change })
const { internal_reference, merchant_reference } = COMPLETED
const accepts = collects(json(202, 'Collection accepted', { internal_reference, merchant_reference }))
const paid = [accepts, collection()]
const sends = sendRequests(
  'POST',
  '/payout/send-funds',
  json(202, 'Payout accepted', { internal_reference: PAYOUT.internal_reference, merchant_reference }),
)
const held = [payout('PROCESSING')]

const NO_SPANS = 'not judged: balances, no wallet was read twice while nothing was in flight'
testRows(balancesRule, {
  'a collection, and the hold of a payout that fails': [
    '',
    ...inTurn(
      ugandan(0, 10_000),
      ...paid,
      sends,
      payout('PENDING'),
      ugandan(4_950, 10_000),
      payout('PENDING'),
      payout('PROCESSING'),
      ugandan(4_950, 4_975),
      payout('PROCESSING'),
      payout('FAILED', { transaction_charge: 0, total_debit: 0 }),
      ugandan(4_950, 10_000),
    ),
  ],
  'a wallet that was empty before its first collection': [
    '',
    ...inTurn(wallets(payouts('UGX', 10_000)), ...paid, ugandan(4_950, 10_000)),
  ],
  'a first collection that is too much': [
    'MERCHANT_COLLECTION UGX was 0 UGX and is 5000 UGX',
    ...inTurn(wallets(payouts('UGX', 10_000)), ...paid, ugandan(5_000, 10_000)),
  ],
  'a unit too much': [
    'MERCHANT_COLLECTION UGX was 0 UGX and is 4951 UGX; its 1 payments meanwhile moved it by 4950 UGX',
    ...inTurn(ugandan(0, 10_000), ...paid, ugandan(4_951, 10_000)),
  ],
  'a wallet that moves without a payment': [
    'MERCHANT_PAYOUT UGX was 10000 UGX and is 9999 UGX',
    ...inTurn(ugandan(0, 10_000), ugandan(0, 9_999)),
  ],
  'the hold of a payout that still says PENDING': [
    '',
    ...inTurn(
      ugandan(0, 10_000),
      sends,
      payout('PENDING'),
      ugandan(0, 4_975),
      payout('PENDING'),
      ...held,
      ugandan(0, 4_975),
      ...held,
    ),
  ],
  'a unit less while a payout stays PENDING': [
    'MERCHANT_PAYOUT UGX was 10000 UGX and is 9999 UGX',
    ...inTurn(ugandan(0, 10_000), sends, payout('PENDING'), ugandan(0, 9_999), payout('PENDING')),
  ],
  'a payout that began between two readings, unseen': [
    '',
    ...inTurn(ugandan(0, 10_000), ...held, ugandan(0, 4_975), ...held, ugandan(0, 4_975), ...held),
  ],
  'a payout whose first reply shows a replay': [
    '',
    ...inTurn(
      ugandan(0, 10_000),
      ugandan(0, 4_975),
      replied(sends, REPLAYED),
      ...held,
      ugandan(0, 4_975),
      ...held,
      ugandan(0, 4_975),
      ...held,
    ),
  ],
  'a unit that is lost beside a payout of unknown beginning': [
    'MERCHANT_PAYOUT UGX was 4975 UGX and is 4974 UGX; its 0 payments',
    ...inTurn(ugandan(0, 10_000), ...held, ugandan(0, 4_975), ...held, ugandan(0, 4_974), ...held),
  ],
  'a single reading as not judged': [NO_SPANS, at(0, ugandan(0, 1))],
})
testRows(
  balancesRule,
  { 'a wallet of others as not judged': ['not judged: balances, somebody else may use the wallet', ugandan(0, 1)] },
  { isOnlyUser: false },
)

describe('balances: does not judge', () => {
  test.each([
    ['changes its state meanwhile', [{ transaction_status: 'PENDING' }], [{ transaction_status: 'COMPLETED' }]],
    ['is not verified afterwards', [{ transaction_status: 'PROCESSING' }], []],
    ['succeeds late', [{ transaction_status: 'FAILED', total_credit: 0 }], [{ transaction_status: 'COMPLETED' }]],
  ])('a wallet while a payment %s', (_name, before, after) => {
    const [first, then] = [before, after].map((changes) => changes.map(collection))
    const exchanges = inTurn(ugandan(0, 10_000), accepts, ...first!, ugandan(4_000, 10_000), ...then!)
    expect(reportsOf(balancesRule, exchanges)).toEqual([])
  })

  test('what concurrent replies overtake', () => {
    const slow = { ...at(1, ugandan(0, 10_000)), at: new Date(9_000) }
    const during = paid.map((exchange, index) => at(3 + index, exchange))
    expect(reportsOf(balancesRule, [at(0, ugandan(0, 10_000)), ...during, slow])).toEqual([])
  })

  test('what happens while not everything is recorded', () => {
    const judge = judgeOfTest([balancesRule])
    const read = (second: number, balance: number): void => judge.record(at(second, ugandan(0, balance)), 'asked')
    read(0, 10)
    read(1, 10)
    judge.whole(false)
    read(3, 20)
    judge.whole(true)
    read(4, 30)
    read(5, 30)
    expect(judge.result()).toMatchObject({ findings: [] })
  })
})

testRows(walletSumsRule, {
  'balances that add up': ['', wallets(payouts('KES', 10.3, { available_balance: 10.1, reserve_balance: 0.2 }))],
  'balances that do not': ['are 11.00 KES together', wallets(payouts('KES', 10, { reserve_balance: 1 }))],
  'half a unit': ['no number of whole minor units of UGX', wallets(payouts('UGX', 0.5))],
  'less than nothing': ['never below zero', wallets(payouts('UGX', -1))],
})

const charged = (transaction_amount: number, transaction_charge: number, change: object = {}): Exchange =>
  collection({ transaction_amount, transaction_charge, ...change })
const kenyan = (amount: number, charge: number, charge_customer: boolean): Exchange =>
  charged(amount, charge, { transaction_currency: 'KES', charge_customer })
const BORNE = { charge_customer: true }
const fitting = [charged(500, 5), charged(549, 5), charged(550, 6), charged(3_000_000, 30_000)]
const exact = [kenyan(550, 5.5, false), kenyan(1_000, 10, true), kenyan(1_234, 12.34, false)]
const odd = charged(10_000, 101, BORNE)
const ODD = '4 of 5 fit 1 % + 0 UGX; WATCH-0001, 10000 UGX, was charged 101 UGX, not 100 UGX'

testRows(chargesRule, {
  'a percentage, rounded half up': ['', ...fitting, charged(10_000, 100, BORNE)],
  'a flat amount on top': ['', charged(500, 25), charged(1_000, 30), charged(3_000, 50)],
  'no charge of a failure': ['', ...fitting, charged(0, 0, { transaction_status: 'FAILED' })],
  'the one that fits no rate with the others': [ODD, ...fitting, odd],
  'the one that fits none and comes first': [ODD, odd, ...fitting],
  'another rate of another provider': ['', ...fitting, charged(10_000, 50, { provider_code: 'airtel_ug' })],
  'whole units of what the customer pays': ['', ...exact, kenyan(550, 6, true)],
  'some whole units and some not': ['fit', ...exact, kenyan(550, 6, true), kenyan(750, 7.5, true)],
})
testRows(
  chargesRule,
  { 'what staff may change as not judged': ['not judged: charges', ...fitting] },
  { sandbox: false },
)

const converted = (request_amount: number, transaction_amount: number, change: object = {}): Exchange =>
  collection({ request_amount, transaction_amount, request_currency: 'USD', ...change })
const ofCustomer = converted(123.45, 470_648, BORNE)
const NONE = 'not judged: conversion, no collection was converted with charge_customer false'
const WRONG = 'one rate converts all amounts'

testRows(conversionRule, {
  'one rate, rounded half up once': ['', converted(100, 381_246), ofCustomer, converted(0.13, 496)],
  'a result that is rounded down': [WRONG, converted(100, 381_246), ofCustomer, converted(0.14, 533)],
  'a result of another rate': [WRONG, converted(100, 381_246), ofCustomer, converted(100, 380_000)],
  'a conversion that is missing as not judged': [NONE, ofCustomer],
  'no conversion as not judged': [`${NONE} and charge_customer true`, collection()],
})
