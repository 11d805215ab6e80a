import { refusal } from '../../../server/verification/testing/refusal.ts'
import { phoneNumber } from '../../driver/account-numbers.ts'
import { passing } from '../../driver/clock.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { expectRecord, type ExpectedReply, type PaymentDriver } from '../../driver/payment-driver.ts'
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
const ENDS_MS = [0, 1_000, 1_000, 1_000, 1_000, 1_000]

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

/** Requests a refund, and checks how it is answered. */
async function refund(
  driver: PaymentDriver,
  collection: unknown,
  changes: Fields,
  expected: ExpectedReply | number,
  rule: string,
): Promise<ApiReply> {
  const reply = await driver.post(REFUND, { ...bodyOf(driver, collection), ...changes })
  driver.expect(REFUND, reply, expected, rule)
  return reply
}

/** The record of an accepted refund once it is final. */
async function ended(fixture: AdditionsFixture, driver: PaymentDriver, accepted: ApiReply): Promise<Fields> {
  const { merchant_reference: reference } = accepted.data
  if (accepted.status !== 202) return {}
  let record: Fields = {}
  const isOver = async (): Promise<boolean> => isFinal((record = (await driver.refund(reference)).data))
  await passing(fixture.target.own, isOver, ENDS_MS)
  const what = `refund ${String(reference)} is ${String(record.transaction_status)} after a while`
  driver.hold(LOOKUP, isFinal(record), 'a refund ends', what)
  if (isFinal(record)) fixture.ending.push({ webhook: 'refundCallback', reference: String(reference) })
  return record
}

const expectEnd = (driver: PaymentDriver, record: Fields, expected: Fields, rule: string): boolean =>
  expectRecord(driver, LOOKUP, record, expected, rule, SOURCE)

const COMPLETED = { transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully' }

async function inParts(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('refunds in parts', SOURCE)
  // The charge of the refunded one has to come from another one.
  await paid(driver)
  const { merchant_reference: own, internal_reference: ours } = await paid(driver)
  const partly = { merchant_reference: own, amount: 2000 }
  const first = await refund(driver, own, partly, 202, 'a refund with the reference of its collection')
  const record = await ended(fixture, driver, first)
  expectEnd(driver, record, { ...COMPLETED, request_amount: 2000, total_debit: 2000 }, 'a partial refund')
  const { transaction_type: type } = await driver.verify(own)
  const other = `verify returned a ${String(type)} for the reference of a collection and its refund`
  driver.hold('verifyTransaction', type === 'COLLECTION', 'verify of a shared reference', other)
  const second = await refund(driver, ours, { amount: 1500 }, 202, "a refund by Malipo's reference of the collection")
  await ended(fixture, driver, second)
  const { merchant_reference: used } = second.data
  const verified = await driver.find(String(used))
  driver.expect('verifyTransaction', verified, 404, 'verify of the reference of a refund')
  const again = { status: 409, message: refusal('merchant_reference_used', { 'ORDER-2026-0001': String(used) }) }
  await refund(driver, own, { merchant_reference: used, amount: 500 }, again, 'a used reference of a refund')
  const tooMuch = { status: 400, message: refusal('refund_too_much', { '3000 UGX': '1500 UGX' }) }
  await refund(driver, own, { amount: 1501 }, tooMuch, 'more than is left')
  await tooFine(driver, own)
  const last = await ended(fixture, driver, await refund(driver, own, {}, 202, 'a refund of what is left'))
  const rest = { ...COMPLETED, request_amount: 1500 }
  expectEnd(driver, last, rest, 'a refund without an amount takes what is left')
  const nothing = { status: 409, message: refusal('refund_nothing_left', { 'ORDER-2026-0001': String(own) }) }
  for (const more of [{}, { amount: 1 }]) await refund(driver, own, more, nothing, 'a refund of nothing')
  if (fixture.target.other) await ofOthers(driver, driver.as(fixture.target.other), own, used)
}

async function tooFine(driver: PaymentDriver, own: unknown): Promise<void> {
  const text = JSON.stringify({ ...bodyOf(driver, own), amount: 512 })
  const fine = await driver.post(REFUND, text.replace('"amount":512', '"amount":512.0000000000000001'))
  driver.expect(REFUND, fine, 400, 'an amount of a refund that a float would round')
}

/** Another merchant's collection and refund do not exist. */
async function ofOthers(driver: PaymentDriver, thirdParty: PaymentDriver, own: unknown, used: unknown): Promise<void> {
  const theirs = await paid(thirdParty, { amount: 700 })
  const rule = "a refund of another merchant's collection"
  for (const reference of [theirs.merchant_reference, theirs.internal_reference])
    await refund(driver, reference, {}, 404, rule)
  await refund(thirdParty, own, {}, 404, rule)
  driver.expect(LOOKUP, await thirdParty.refund(used), 404, "another merchant's refund")
}

/** Of refunds that together exceed the collection, at once, as many are accepted as fit. */
async function atOnce(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('refunds at once', SOURCE)
  const { merchant_reference: own } = await paid(driver)
  const request = () => driver.post(REFUND, { ...bodyOf(driver, own), amount: 2000 })
  const accepted = (await Promise.all(Array.from({ length: 5 }, request))).filter(({ status }) => status === 202)
  const what = `${accepted.length} of 5 refunds of 2000 UGX at once were accepted, of a collection of 5000 UGX: two fit`
  driver.hold(REFUND, accepted.length === 2, 'refunds at once', what)
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
  for (const part of [{ amount: 2.22 }, { amount: 2.22 }, { amount: 2.22 }, {}])
    await ended(fixture, driver, await refund(driver, own, part, 202, 'a part in the currency of the request'))
  const cents = { ...elsewhere(driver, 'TZS', 'mpesa_ke', '71', 'KES'), amount: 29_000 }
  const small = await driver.collect(cents)
  if (small.status !== 202) return
  const { merchant_reference: tiny } = await driver.settled(small.data.merchant_reference)
  // A two-hundredth of a cent.
  const tooSmall = { status: 400, message: refusal('refund_too_small') }
  await refund(driver, tiny, { amount: 0.01 }, tooSmall, 'a refund of a part of the smallest unit')
}

/** A refund that the wallet does not cover fails, and its part is free again; so is that of one the operator refuses. */
async function failing(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('a refund that fails', SOURCE)
  const { merchant_reference: own } = await paid(driver, elsewhere(driver, 'RWF', 'mtn_rw', '78'))
  const { data } = await driver.wallets()
  const wallet = itemsOf(data, 'merchant_wallets').find(
    ({ wallet_type: type, currency }) => type === 'MERCHANT_COLLECTION' && currency === 'RWF',
  )
  const uncovered = 'a refund that the wallet does not cover'
  const all = await refund(driver, own, { reason: 'Order cancelled' }, 202, uncovered)
  const record = await ended(fixture, driver, all)
  if (Number(wallet?.available_balance) < 5000) {
    const failed = {
      transaction_status: 'FAILED',
      status_message: 'Insufficient balance for the transaction',
      failure_code: 'insufficient_funds',
      total_debit: 0,
    }
    expectEnd(driver, record, failed, uncovered)
    const again = await refund(driver, own, { amount: 5000 }, 202, 'a refund of all after one that failed')
    await ended(fixture, driver, again)
  }
  const { data: late } = await driver.collect({ msisdn: driver.phone('007') })
  const isPaid = async (): Promise<boolean> =>
    (await driver.verify(late.merchant_reference)).transaction_status === 'COMPLETED'
  if (!(await passing(fixture.target.own, isPaid, ENDS_MS))) return
  const refused = await refund(driver, late.merchant_reference, {}, 202, 'a refund of a late success')
  const failed = await ended(fixture, driver, refused)
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
    const expected = { status: 409, message: refusal('refund_not_completed', { 'ORDER-2026-0002': String(own) }) }
    for (const more of [{}, { amount: 1000 }])
      await refund(driver, own, more, expected, 'a refund of what is not completed')
  }
  const { data: payout } = await driver.pay({ account_number: driver.phone() })
  for (const reference of [payout.merchant_reference, payout.internal_reference, NOBODYS])
    await refund(driver, reference, {}, 404, 'a refund of what is no collection')
  const unknown = { status: 404, message: refusal('refund_unknown', { 'REFUND-2026-0404': NOBODYS }) }
  driver.expect(LOOKUP, await driver.refund(NOBODYS), unknown, 'an unknown refund')
  const { merchant_reference: own } = await paid(driver)
  const turned = { status: 400, message: refusal('reason_direction') }
  await refund(driver, own, { reason: 'Order \u202e cancelled' }, turned, 'a reason that turns its direction')
}

/** Where the operator has no refund: by a payout, if the merchant allows it. */
async function byPayout(fixture: AdditionsFixture): Promise<void> {
  const { own: gateway } = fixture.target
  if (!gateway) return
  const driver = fixture.driver('a refund by payout', SOURCE)
  const { merchant_reference: own } = await paid(driver)
  await gateway.refundsByPayout(String(own), false)
  const impossible = { status: 409, message: refusal('refund_impossible', { 'ORDER-2026-0003': String(own) }) }
  await refund(driver, own, {}, impossible, 'a refund that the operator does not have')
  await gateway.refundsByPayout(String(own), true)
  const rule = 'a refund by payout'
  const record = await ended(fixture, driver, await refund(driver, own, { amount: 1000 }, 202, rule))
  expectEnd(driver, record, { ...COMPLETED, refund_method: 'PAYOUT' }, rule)
  const { merchant_reference: poor } = await paid(driver, elsewhere(driver, 'TZS', 'vodacom_tz', '75'))
  await gateway.refundsByPayout(String(poor), true)
  const uncovered = await ended(fixture, driver, await refund(driver, poor, {}, 202, rule))
  expectEnd(driver, uncovered, { transaction_status: 'FAILED' }, 'a refund by payout that the wallet does not cover')
}

/** Without a refund URL no callback is sent: one at another URL is found with the callbacks. */
async function withoutUrl(fixture: AdditionsFixture): Promise<void> {
  const { own: gateway } = fixture.target
  if (!gateway) return
  const driver = fixture.driver('a refund without a refund URL', SOURCE)
  const { merchant_reference: own } = await paid(driver)
  await gateway.refundUrl(false)
  await ended(fixture, driver, await refund(driver, own, { amount: 1000 }, 202, 'a refund without a refund URL'))
  await driver.advance(1_000)
  await gateway.refundUrl(true)
  fixture.ending.pop()
}
