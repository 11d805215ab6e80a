import { refusal } from '../../../server/verification/testing/refusal.ts'
import { phoneNumber } from '../../driver/account-numbers.ts'
import { passing } from '../../driver/clock.ts'
import { isFinal } from '../../driver/message-fields.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { paidInDollars } from '../../driver/provider-options.ts'
import { itemsOf, type ApiReply } from '../../driver/requests.ts'
import type { Fields } from '../../harness/json.ts'
import type { AdditionsFixture } from './additions-fixture.ts'

const SOURCE = 'docs, page "Refunds"'
const REFUND = 'refundCollection'
const LOOKUP = 'retrieveRefund'
/** As long as the contract allows. */
const REASON = 'One of two items returned, été '.padEnd(100, 'é')
const NOBODYS = 'ORDER-NOBODY-MADE'

/** Refunds of collections in every state, of parts and of all, one after the other and at once. */
export async function refunds(fixture: AdditionsFixture): Promise<void> {
  await inParts(fixture)
  await atOnce(fixture)
  await converted(fixture)
  await failing(fixture)
  await refused(fixture)
  await byPayout(fixture)
  await withoutUrl(fixture)
}

/** Pays a collection to its end. */
async function paid(driver: PaymentDriver, changes: Fields = {}): Promise<Fields> {
  const { data } = await driver.collect({ msisdn: driver.phone(), ...changes })
  return driver.settled(data.merchant_reference)
}

/** A collection in another currency, whose wallet has nothing else. */
const elsewhere = (driver: PaymentDriver, currency: string, code: string, prefix: string, of = currency): Fields => ({
  currency,
  provider_code: code,
  msisdn: phoneNumber(of, prefix, Number(driver.phone().slice(-7)), '001'),
})

const bodyOf = (driver: PaymentDriver, collection: unknown): Fields => ({
  merchant_reference: driver.reference(),
  collection_reference: collection,
  reason: REASON,
})
const refund = (driver: PaymentDriver, collection: unknown, changes: Fields = {}): Promise<ApiReply> =>
  driver.post(REFUND, { ...bodyOf(driver, collection), ...changes })

/** The record of an accepted refund once it is final. */
async function ended(fixture: AdditionsFixture, driver: PaymentDriver, accepted: ApiReply): Promise<Fields> {
  const { merchant_reference: reference } = accepted.data
  if (accepted.status !== 202) return {}
  let record: Fields = {}
  const isOver = async (): Promise<boolean> => isFinal((record = (await driver.refund(reference)).data))
  await passing(fixture.target.own, isOver, [0, 1_000, 1_000, 1_000, 1_000, 1_000])
  driver.hold(
    LOOKUP,
    isFinal(record),
    'a refund ends',
    `refund ${String(reference)} is ${String(record.transaction_status)} after a while`,
  )
  if (isFinal(record)) fixture.ending.push({ webhook: 'refundCallback', reference: String(reference) })
  return record
}

const expectEnd = (driver: PaymentDriver, record: Fields, expected: Fields, rule: string): boolean =>
  driver.hold(
    LOOKUP,
    Object.entries(expected).every(([name, value]) => record[name] === value),
    rule,
    `${rule}: the refund is ${JSON.stringify(record)}, not ${JSON.stringify(expected)} (${SOURCE})`,
  )

const COMPLETED = { transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully' }

async function inParts(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('refunds in parts', SOURCE)
  // The charge of the refunded one has to come from another one.
  await paid(driver)
  const collection = await paid(driver)
  const { merchant_reference: own, internal_reference: ours } = collection
  const first = await refund(driver, own, { merchant_reference: own, amount: 2000 })
  driver.expect(REFUND, first, 202, 'a refund with the reference of its collection')
  const record = await ended(fixture, driver, first)
  expectEnd(driver, record, { ...COMPLETED, request_amount: 2000, total_debit: 2000 }, 'a partial refund')
  const { transaction_type: type } = await driver.verify(own)
  driver.hold(
    'verifyTransaction',
    type === 'COLLECTION',
    'verify of a shared reference',
    `verify returned a ${String(type)} for the reference of a collection and its refund`,
  )
  const second = await refund(driver, ours, { amount: 1500 })
  driver.expect(REFUND, second, 202, "a refund by Malipo's reference of the collection")
  await ended(fixture, driver, second)
  const { merchant_reference: used } = second.data
  const verified = await driver.find(String(used))
  driver.expect('verifyTransaction', verified, 404, 'verify of the reference of a refund')
  driver.expect(
    REFUND,
    await refund(driver, own, { merchant_reference: used, amount: 500 }),
    { status: 409, message: refusal('merchant_reference_used', { 'ORDER-2026-0001': String(used) }) },
    'a used reference of a refund',
  )
  const tooMuch = { status: 400, message: refusal('refund_too_much', { '3000 UGX': '1500 UGX' }) }
  driver.expect(REFUND, await refund(driver, own, { amount: 1501 }), tooMuch, 'more than is left')
  await tooFine(driver, own)
  const last = await refund(driver, own)
  driver.expect(REFUND, last, 202, 'a refund of what is left')
  expectEnd(
    driver,
    await ended(fixture, driver, last),
    { ...COMPLETED, request_amount: 1500 },
    'a refund without an amount takes what is left',
  )
  const nothing = refusal('refund_nothing_left', { 'ORDER-2026-0001': String(own) })
  for (const more of [{}, { amount: 1 }])
    driver.expect(REFUND, await refund(driver, own, more), { status: 409, message: nothing }, 'a refund of nothing')
  if (fixture.target.other) await ofOthers(fixture, driver, own, used)
}

async function tooFine(driver: PaymentDriver, own: unknown): Promise<void> {
  const text = JSON.stringify({ ...bodyOf(driver, own), amount: 512 })
  driver.expect(
    REFUND,
    await driver.post(REFUND, text.replace('"amount":512', '"amount":512.0000000000000001')),
    400,
    'an amount of a refund that a float would round',
  )
}

/** Another merchant's collection and refund do not exist. */
async function ofOthers(fixture: AdditionsFixture, driver: PaymentDriver, own: unknown, used: unknown): Promise<void> {
  const { other } = fixture.target
  if (!other) return
  const thirdParty = driver.as(other)
  const theirs = await paid(thirdParty, { amount: 700 })
  for (const reference of [theirs.merchant_reference, theirs.internal_reference])
    driver.expect(REFUND, await refund(driver, reference), 404, "a refund of another merchant's collection")
  driver.expect(REFUND, await refund(thirdParty, own), 404, "a refund of another merchant's collection")
  driver.expect(LOOKUP, await thirdParty.refund(used), 404, "another merchant's refund")
}

/** Of refunds that together exceed the collection, at once, as many are accepted as fit. */
async function atOnce(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('refunds at once', SOURCE)
  const { merchant_reference: own } = await paid(driver)
  const replies = await Promise.all(Array.from({ length: 5 }, () => refund(driver, own, { amount: 2000 })))
  const accepted = replies.filter(({ status }) => status === 202)
  driver.hold(
    REFUND,
    accepted.length === 2,
    'refunds at once',
    `${accepted.length} of 5 refunds of 2000 UGX at once were accepted, of a collection of 5000 UGX: two fit`,
  )
  for (const each of accepted) await ended(fixture, driver, each)
}

/** Thirds of an amount that is converted: the rule "sums of refunds" compares them. */
async function converted(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('refunds of a converted collection', SOURCE)
  await fixture.target.own?.setRate('USD', 'UGX', '3812.4567')
  await fixture.target.own?.setRate('TZS', 'KES', '0.005')
  await paid(driver, { amount: 60_000 })
  const { collection } = (await paidInDollars(driver)) ?? {}
  if (!collection) return fixture.skip('refunds of a converted collection: no provider takes dollars')
  const { merchant_reference: own } = await driver.settled(collection.data.merchant_reference)
  // Parts are rounded down, so the last one is more than its own conversion.
  for (const amount of [2.22, 2.22, 2.22, undefined]) {
    const part = await refund(driver, own, amount === undefined ? {} : { amount })
    driver.expect(REFUND, part, 202, 'a part in the currency of the request')
    await ended(fixture, driver, part)
  }
  const cents = { ...elsewhere(driver, 'TZS', 'mpesa_ke', '71', 'KES'), amount: 29_000 }
  const small = await driver.collect(cents)
  if (small.status !== 202) return
  await driver.settled(small.data.merchant_reference)
  // A two-hundredth of a cent.
  const tooSmall = await refund(driver, small.data.merchant_reference, { amount: 0.01 })
  driver.expect(
    REFUND,
    tooSmall,
    { status: 400, message: refusal('refund_too_small') },
    'a refund of a part of the smallest unit',
  )
}

/** A refund that the wallet does not cover fails, and its part is free again; so is that of one the operator refuses. */
async function failing(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('a refund that fails', SOURCE)
  const { merchant_reference: own } = await paid(driver, elsewhere(driver, 'RWF', 'mtn_rw', '78'))
  const { data } = await driver.wallets()
  const wallet = itemsOf(data, 'merchant_wallets').find(
    ({ wallet_type: type, currency }) => type === 'MERCHANT_COLLECTION' && currency === 'RWF',
  )
  const all = await refund(driver, own, { reason: 'Order cancelled' })
  driver.expect(REFUND, all, 202, 'a refund that the wallet does not cover')
  const record = await ended(fixture, driver, all)
  if (Number(wallet?.available_balance) < 5000) {
    const uncovered = {
      transaction_status: 'FAILED',
      status_message: 'Insufficient balance for the transaction',
      failure_code: 'insufficient_funds',
      total_debit: 0,
    }
    expectEnd(driver, record, uncovered, 'a refund that the wallet does not cover')
    const again = await refund(driver, own, { amount: 5000 })
    driver.expect(REFUND, again, 202, 'a refund of all after one that failed')
    await ended(fixture, driver, again)
  }
  const late = await driver.collect({ msisdn: driver.phone('007') })
  const isPaid = async (): Promise<boolean> =>
    (await driver.verify(late.data.merchant_reference)).transaction_status === 'COMPLETED'
  if (!(await passing(fixture.target.own, isPaid, [0, 1_000, 1_000, 1_000, 1_000, 1_000]))) return
  const failed = await ended(fixture, driver, await refund(driver, late.data.merchant_reference))
  expectEnd(driver, failed, { transaction_status: 'FAILED', total_debit: 0 }, 'a refund that the operator fails')
  await driver.advance(4_000)
  await fixture.target.own?.failedRefundsNeverPaid()
}

/** What cannot be refunded. */
async function refused(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('what cannot be refunded', SOURCE)
  const open = await driver.collect({ msisdn: driver.phone('006') })
  const failed = await paid(driver, { msisdn: driver.phone('002') })
  for (const { merchant_reference: own } of [open.data, failed]) {
    const message = refusal('refund_not_completed', { 'ORDER-2026-0002': String(own) })
    for (const more of [{}, { amount: 1000 }])
      driver.expect(
        REFUND,
        await refund(driver, own, more),
        { status: 409, message },
        'a refund of what is not completed',
      )
  }
  const payout = await driver.pay({ account_number: driver.phone() })
  for (const reference of [payout.data.merchant_reference, payout.data.internal_reference, NOBODYS])
    driver.expect(REFUND, await refund(driver, reference), 404, 'a refund of what is no collection')
  const unknown = { status: 404, message: refusal('refund_unknown', { 'REFUND-2026-0404': NOBODYS }) }
  driver.expect(LOOKUP, await driver.refund(NOBODYS), unknown, 'an unknown refund')
  const turned = await refund(driver, (await paid(driver)).merchant_reference, { reason: 'Order \u202e cancelled' })
  driver.expect(
    REFUND,
    turned,
    { status: 400, message: refusal('reason_direction') },
    'a reason that turns its direction',
  )
}

/** Where the operator has no refund: by a payout, if the merchant allows it. */
async function byPayout(fixture: AdditionsFixture): Promise<void> {
  const { own: gateway } = fixture.target
  if (!gateway) return
  const driver = fixture.driver('a refund by payout', SOURCE)
  const { merchant_reference: own } = await paid(driver)
  await gateway.refundsByPayout(String(own), false)
  const message = refusal('refund_impossible', { 'ORDER-2026-0003': String(own) })
  driver.expect(REFUND, await refund(driver, own), { status: 409, message }, 'a refund that the operator does not have')
  await gateway.refundsByPayout(String(own), true)
  const record = await ended(fixture, driver, await refund(driver, own, { amount: 1000 }))
  expectEnd(driver, record, { ...COMPLETED, refund_method: 'PAYOUT' }, 'a refund by payout')
  const { merchant_reference: poor } = await paid(driver, elsewhere(driver, 'TZS', 'vodacom_tz', '75'))
  await gateway.refundsByPayout(String(poor), true)
  expectEnd(
    driver,
    await ended(fixture, driver, await refund(driver, poor)),
    { transaction_status: 'FAILED' },
    'a refund by payout that the wallet does not cover',
  )
}

/** Without a refund URL no callback is sent: one at another URL is found with the callbacks. */
async function withoutUrl(fixture: AdditionsFixture): Promise<void> {
  const { own: gateway } = fixture.target
  if (!gateway) return
  const driver = fixture.driver('a refund without a refund URL', SOURCE)
  const { merchant_reference: own } = await paid(driver)
  await gateway.refundUrl(false)
  await ended(fixture, driver, await refund(driver, own, { amount: 1000 }))
  await driver.advance(1_000)
  await gateway.refundUrl(true)
  fixture.ending.pop()
}
