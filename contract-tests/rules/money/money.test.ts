import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../harness/proxy.ts'
import { createTrafficJudge } from '../judge-traffic.ts'
import { accounts, collects, contract, findingsOfRule, json, sendRequests, verifies } from '../testing/exchanges.ts'
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
const REFERENCES = ['A', 'B', 'C', 'D', 'E'].map((letter) => `MLPZ1ZP8G0DY6MZXFRQH3EJ9${letter}`)

const wallet = (wallet_type: string, currency: string, actual: number, change: object = {}) => ({
  wallet_type,
  currency,
  available_balance: actual,
  uncleared_balance: 0,
  reserve_balance: 0,
  actual_balance: actual,
  ...change,
})
const wallets = (...merchant_wallets: readonly object[]): Exchange =>
  sendRequests('GET', '/data/wallet-balances', json(200, 'Wallets retrieved successfully', { merchant_wallets }))
const ugandan = (collected: number, forPayouts: number): Exchange =>
  wallets(wallet('MERCHANT_COLLECTION', 'UGX', collected), wallet('MERCHANT_PAYOUT', 'UGX', forPayouts))

/** A completed collection of UGX 5,000 with a charge of 1 %. */
const COLLECTION = {
  id: 1,
  merchant_reference: 'WATCH-0001',
  internal_reference: REFERENCES[0],
  transaction_type: 'COLLECTION',
  provider_code: 'mtn_ug',
  request_amount: 5000,
  request_currency: 'UGX',
  transaction_amount: 5000,
  transaction_currency: 'UGX',
  transaction_charge: 50,
  transaction_account: '256772000123',
  charge_customer: false,
  total_credit: 4950,
  transaction_status: 'COMPLETED',
}
const PAYOUT = {
  ...COLLECTION,
  internal_reference: REFERENCES[1],
  transaction_type: 'PAYOUT',
  transaction_charge: 25,
  total_credit: undefined,
  total_debit: 5025,
}
const verified = (record: object): Exchange => verifies(json(200, 'Transaction retrieved successfully', record))
const accepts = (internal_reference: string | undefined): Exchange =>
  collects(json(202, 'Collection accepted', { internal_reference, merchant_reference: 'WATCH-0001' }))

describe('balances:', () => {
  const find = (...exchanges: readonly Exchange[]) =>
    findingsOfRule(
      balancesRule,
      exchanges.map((exchange, second) => at(second, exchange)),
    )
  const paid = [accepts(COLLECTION.internal_reference), verified(COLLECTION)]

  test('agree with completed collections and payouts, and with holds', () =>
    expect(
      find(
        ugandan(0, 10_000),
        ...paid,
        verified({ ...PAYOUT, transaction_status: 'PENDING' }),
        ugandan(4_950, 10_000),
        verified({ ...PAYOUT, transaction_status: 'PENDING' }),
        verified({ ...PAYOUT, transaction_status: 'PROCESSING' }),
        ugandan(4_950, 4_975),
        verified({ ...PAYOUT, transaction_status: 'PROCESSING' }),
        verified({ ...PAYOUT, transaction_status: 'FAILED', transaction_charge: 0, total_debit: 0 }),
        ugandan(4_950, 10_000),
      ),
    ).toEqual([]))

  test('a wallet that comes with its first collection was empty before', () => {
    const payouts = wallet('MERCHANT_PAYOUT', 'UGX', 10_000)
    expect(find(wallets(payouts), ...paid, ugandan(4_950, 10_000))).toEqual([])
    expect(find(wallets(payouts), ...paid, ugandan(5_000, 10_000))).toHaveLength(1)
  })

  test('a unit too much is found, in words that name wallet, amounts and payments', () =>
    expect(find(ugandan(0, 10_000), ...paid, ugandan(4_951, 10_000))).toEqual([
      expect.stringContaining(
        'MERCHANT_COLLECTION UGX was 0 UGX and is 4951 UGX; its 1 payments meanwhile moved it by 4950 UGX',
      ),
    ]))

  test('a wallet that moves without a payment is found', () =>
    expect(find(ugandan(0, 10_000), ugandan(0, 9_999))).toEqual([
      expect.stringContaining('MERCHANT_PAYOUT UGX was 10000 UGX and is 9999 UGX'),
    ]))

  test.each([
    ['changes its state meanwhile', [{ transaction_status: 'PENDING' }], [{ transaction_status: 'COMPLETED' }]],
    ['is not verified afterwards', [{ transaction_status: 'PROCESSING' }], []],
    ['succeeds late', [{ transaction_status: 'FAILED', total_credit: 0 }], [{ transaction_status: 'COMPLETED' }]],
  ])('a wallet is not judged while a payment %s', (_name, before, after) => {
    const records = (changes: readonly object[]) => changes.map((change) => verified({ ...COLLECTION, ...change }))
    const accepted = accepts(COLLECTION.internal_reference)
    expect(find(ugandan(0, 10_000), accepted, ...records(before), ugandan(4_000, 10_000), ...records(after))).toEqual(
      [],
    )
  })

  test('what concurrent replies overtake is not judged', () => {
    const slow = { ...at(1, ugandan(0, 10_000)), at: new Date(9_000) }
    const first = at(0, ugandan(0, 10_000))
    const during = paid.map((exchange, index) => at(3 + index, exchange))
    expect(findingsOfRule(balancesRule, [first, ...during, slow])).toEqual([])
  })

  test('says why it judges nothing', () => {
    expect(findingsOfRule(balancesRule, [ugandan(0, 1)], { isOnlyUser: false })).toEqual([
      'not judged: balances, somebody else may use the wallet',
    ])
    expect(find(ugandan(0, 1))).toEqual(['not judged: balances, no wallet was read twice while nothing was in flight'])
  })

  test('what happens while not everything is recorded is not judged', () => {
    const judge = createTrafficJudge({ contract, rules: [balancesRule], isOneServer: true })
    judge.server({ accounts, url: 'http://127.0.0.1:1', sandbox: true, isOnlyUser: true })
    for (const [second, exchange] of [ugandan(0, 10), ugandan(0, 10)].entries())
      judge.record(at(second, exchange), 'asked')
    judge.whole(false)
    judge.record(at(3, ugandan(0, 20)), 'asked')
    judge.whole(true)
    judge.record(at(4, ugandan(0, 30)), 'asked')
    judge.record(at(5, ugandan(0, 30)), 'asked')
    expect(judge.result()).toMatchObject({ findings: [] })
  })
})

describe('sums of balances:', () => {
  test.each([
    ['add up', [wallet('MERCHANT_PAYOUT', 'KES', 10.3, { available_balance: 10.1, reserve_balance: 0.2 })], undefined],
    ['do not add up', [wallet('MERCHANT_PAYOUT', 'KES', 10, { reserve_balance: 1 })], 'are 11.00 KES together'],
    ['have half a unit', [wallet('MERCHANT_PAYOUT', 'UGX', 0.5)], 'no number of whole minor units of UGX'],
    ['are below zero', [wallet('MERCHANT_PAYOUT', 'UGX', -1)], 'never below zero'],
    ['come twice', [wallet('MERCHANT_PAYOUT', 'UGX', 1), wallet('MERCHANT_PAYOUT', 'UGX', 2)], 'is twice in one list'],
  ])('balances that %s', (_name, list, found) =>
    expect(findingsOfRule(walletSumsRule, [wallets(...list)])).toEqual(
      found === undefined ? [] : [expect.stringContaining(found)],
    ),
  )
})

describe('charges:', () => {
  const charged = (amount: number, charge: number, change: object = {}) =>
    verified({ ...COLLECTION, transaction_amount: amount, transaction_charge: charge, ...change })
  const fitting = [charged(500, 5), charged(549, 5), charged(550, 6), charged(3_000_000, 30_000)]

  test('of one percentage, rounded half up, and a flat amount pass', () => {
    expect(findingsOfRule(chargesRule, [...fitting, charged(10_000, 100, { charge_customer: true })])).toEqual([])
    const flat = [
      charged(500, 25),
      charged(1_000, 30),
      charged(3_000, 50),
      charged(0, 0, { transaction_status: 'FAILED' }),
    ]
    expect(findingsOfRule(chargesRule, flat)).toEqual([])
  })

  test('names the one that fits no rate with the others, whenever it comes', () => {
    const odd = charged(10_000, 101, { charge_customer: true })
    for (const order of [
      [...fitting, odd],
      [odd, ...fitting],
    ])
      expect(findingsOfRule(chargesRule, order)).toEqual([
        expect.stringMatching(/4 of 5 fit 1 % \+ 0 UGX; WATCH-0001, 10000 UGX, was charged 101 UGX, not 100 UGX$/),
      ])
  })

  test('each provider and type has its own', () =>
    expect(findingsOfRule(chargesRule, [...fitting, charged(10_000, 50, { provider_code: 'airtel_ug' })])).toEqual([]))

  test('an operator of whole units may round up what the customer pays', () => {
    const kenyan = (amount: number, charge: number, charge_customer: boolean) =>
      charged(amount, charge, { transaction_currency: 'KES', charge_customer })
    const exact = [kenyan(550, 5.5, false), kenyan(1_000, 10, true), kenyan(1_234, 12.34, false)]
    expect(findingsOfRule(chargesRule, [...exact, kenyan(550, 6, true)])).toEqual([])
    expect(findingsOfRule(chargesRule, [...exact, kenyan(550, 6, true), kenyan(750, 7.5, true)])).toHaveLength(1)
  })

  test('of a server whose staff may change them are not judged', () =>
    expect(findingsOfRule(chargesRule, fitting, { sandbox: false })).toEqual([
      expect.stringContaining('not judged: charges'),
    ]))
})

describe('conversion:', () => {
  const converted = (request_amount: number, transaction_amount: number, change: object = {}) =>
    verified({ ...COLLECTION, request_amount, transaction_amount, request_currency: 'USD', ...change })
  const ofCustomer = converted(123.45, 470_648, { charge_customer: true })

  test('passes with one rate, rounded half up once', () =>
    expect(findingsOfRule(conversionRule, [converted(100, 381_246), ofCustomer, converted(0.13, 496)])).toEqual([]))

  test('a result that is rounded down or of another rate is found', () => {
    for (const wrong of [converted(0.14, 533), converted(100, 380_000)])
      expect(findingsOfRule(conversionRule, [converted(100, 381_246), ofCustomer, wrong])).toEqual([
        expect.stringContaining('one rate converts all amounts'),
      ])
  })

  test('says what was not converted', () => {
    expect(findingsOfRule(conversionRule, [ofCustomer])).toEqual([
      'not judged: conversion, no collection was converted with charge_customer false',
    ])
    expect(findingsOfRule(conversionRule, [verified(COLLECTION)])).toEqual([
      'not judged: conversion, no collection was converted with charge_customer false and charge_customer true',
    ])
  })
})
