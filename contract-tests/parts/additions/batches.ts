import { isDeepStrictEqual } from 'node:util'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import * as bodies from '../../driver/bodies.ts'
import { phoneNumber, bankAccount } from '../../driver/account-numbers.ts'
import { passing } from '../../driver/clock.ts'
import { redirectTo, status, type ReceiverReply } from '../../driver/merchant-replies.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import type { ExpectedReply, PaymentDriver } from '../../driver/payment-driver.ts'
import { optionOf, wholeDay } from '../../driver/provider-options.ts'
import { itemsOf, type ApiReply } from '../../driver/requests.ts'
import type { Fields } from '../../harness/json.ts'
import type { AdditionsFixture } from './additions-fixture.ts'

const SOURCE = 'docs, page "Bulk payouts"'
const CREATE = 'createPayoutBatch'
const READ = 'getPayoutBatch'
const ROWS_MAX = 1_000
/** More than a page of any list has. */
const ROWS_READ = 101
const REJECTED = "FAILED: Payout rejected by the merchant's verification URL (HTTP 404)"

/** Batches that are accepted and refused, each to its end. */
export async function batches(fixture: AdditionsFixture): Promise<void> {
  await accepted(fixture)
  await refused(fixture)
  await large(fixture)
  await confirmedAtOnce(fixture)
}

/** Sends a batch, and checks how it is answered. */
async function send(
  driver: PaymentDriver,
  batch_reference: string,
  payouts: readonly unknown[],
  expected: ExpectedReply | number,
  rule: string,
): Promise<ApiReply> {
  const reply = await driver.post(CREATE, { batch_reference, payouts })
  driver.expect(CREATE, reply, expected, rule)
  return reply
}
const row = (driver: PaymentDriver, changes: Fields = {}): Fields =>
  bodies.mobilePayout({ merchant_reference: driver.reference(), account_number: driver.phone(), ...changes })

/** The first reference, which the batch has too, is that of the last row in small letters. */
function mixed(driver: PaymentDriver): readonly Fields[] {
  const reference = driver.reference()
  const serial = Number(driver.phone().slice(-7))
  return [
    row(driver, {
      merchant_reference: reference.toLowerCase(),
      amount: 500,
      extra_params: { bank_code: 'access_bank_ng', branch_code: '044' },
    }),
    row(driver, { amount: 600, account_number: driver.phone('002'), extra_params: { branch_code: '044' } }),
    row(driver, {
      provider_code: 'mpesa_ke',
      currency: 'KES',
      amount: 150.25,
      account_number: phoneNumber('KES', '71', serial, '001'),
    }),
    bodies.bankPayout({ merchant_reference: driver.reference(), account_number: bankAccount(serial, '001') }),
    row(driver, { merchant_reference: reference, amount: 800, extra_params: { bank_code: 'access_bank_ng' } }),
  ]
}

/** Of several currencies, amounts and outcomes; where a minute costs none, one ends a minute after the others. */
async function accepted(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('a batch', SOURCE)
  const slow = row(driver, { amount: 900, account_number: driver.phone(fixture.target.own ? '010' : '001') })
  const waiting = row(driver, { amount: 700 })
  const rows = mixed(driver)
  // The references of batches are apart from those of payments.
  const reference = String(rows[0]?.merchant_reference)
  const isCovered =
    (await fixture.covers({ currency: 'UGX', amount: 6_000, tests: 'batches of payouts' })) &&
    (await fixture.covers({ currency: 'NGN', amount: 1_000, tests: 'batches of payouts' }))
  if (!isCovered) return
  const first = await send(driver, reference, rows, 202, 'a batch with the reference of a payment')
  await counted(driver, reference, first)
  const again = { status: 409, message: refusal('batch_reference_used', { 'SALARIES-2026-03': reference }) }
  await send(driver, reference, rows, again, 'the same batch twice')
  await over(fixture, driver, reference)
  const second = driver.reference()
  fixture.handshakes.set(String(waiting.merchant_reference), status(503))
  await send(driver, second, [waiting, slow], 202, 'another batch')
  for (const ms of [0, 1_000, 2_000]) {
    await driver.advance(ms)
    await driver.batch(second)
  }
  if (fixture.merchant) {
    const isEarly = fixture.merchant.messagesOf(second).length > 0
    const what = `the callback of batch ${second} came while a payout of it was under way`
    driver.hold('payoutBatchCallback', !isEarly, 'a callback before the end', what)
    const cancelled = await driver.post('cancelPayout', { merchant_reference: waiting.merchant_reference })
    driver.expect('cancelPayout', cancelled, 202, 'a payout of a batch that waits')
  }
  await driver.advance(60_000)
  await over(fixture, driver, second)
  // Its callback has come: both have the same totals.
  await driver.batch(reference)
  for (const index of [1, 2, 3]) {
    const next = `${second}.${index}`
    const last = row(driver, { account_number: driver.phone(index === 1 ? '002' : '001') })
    if (index === 2) fixture.handshakes.set(String(last.merchant_reference), status(404))
    await send(driver, next, [row(driver), last], 202, 'a batch with one failure, or none')
    await over(fixture, driver, next)
  }
  const { other } = fixture.target
  if (!other) return
  driver.expect(READ, await driver.as(other).batch(second), 404, "another merchant's batch")
}

/** What is accepted, and then told, are five payouts in the currencies of their providers. */
async function counted(driver: PaymentDriver, reference: string, { data }: ApiReply): Promise<void> {
  const { totals } = (await driver.batch(reference)).data
  const told = [data.batch_reference, data.payouts, ...itemsOf({ totals }, 'totals').map(({ currency }) => currency)]
  const isRight = isDeepStrictEqual(told, [reference, 5, 'UGX', 'KES', 'NGN'])
  const what = `batch ${reference} of 5 payouts in UGX, KES and NGN is ${told.join(', ')} (${SOURCE})`
  driver.hold(CREATE, isRight, 'the payouts of a batch are counted', what)
}

/** Reads a batch until it is over. */
async function over(fixture: AdditionsFixture, driver: PaymentDriver, reference: string): Promise<void> {
  let batch: Fields = {}
  const isOver = async (): Promise<boolean> =>
    (batch = (await driver.batch(reference)).data).batch_status === 'COMPLETED'
  await passing(fixture.target.own, isOver)
  const what = `batch ${reference} is ${String(batch.batch_status)} after a while`
  driver.hold(READ, batch.batch_status === 'COMPLETED', 'a batch ends', what)
  for (const { merchant_reference: each } of itemsOf(batch, 'payouts')) await driver.verify(each)
  fixture.ending.push({ webhook: 'payoutBatchCallback', reference })
}

/** One faulty row refuses all of them, names every faulty one, and uses nothing up. */
async function refused(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('a batch that is refused', SOURCE)
  const reference = driver.reference()
  const [good, used] = [row(driver), row(driver)]
  await driver.post('sendFunds', used)
  const other = row(driver, { account_number: '256752000123' })
  const { account_number: _none, ...lacking } = row(driver)
  const twice = { ...row(driver), merchant_reference: good.merchant_reference }
  const more = { ...row(driver), merchant_id: 7 }
  const faults = [other, used, lacking, twice, more, null]
  const faulty = await send(driver, reference, [good, ...faults], 400, 'a batch with faulty rows')
  const lines = itemsOf(faulty.data, 'errors').map(({ line }) => line)
  const named = `the lines 2 to 7 of a batch are faulty, and data.errors names ${lines.join(', ')} (${SOURCE})`
  driver.hold(CREATE, isDeepStrictEqual(lines, [2, 3, 4, 5, 6, 7]), 'every faulty row is named', named)
  driver.expect(READ, await driver.batch(reference), 404, 'a batch that was refused')
  for (const [fault, message] of [
    [lacking, refusal('batch_faulty')],
    [twice, refusal('batch_row_twice', {})],
  ] as const) {
    const pattern = new RegExp(`^${message.replaceAll(/[.()]/g, String.raw`\$&`).replace('SALARY-2026-0001', '.+')}$`)
    await send(driver, reference, [good, fault], { status: 400, message: pattern }, 'a batch with one faulty row')
  }
  await beyondLimit(driver, reference)
  const { status: came } = await driver.find(String(good.merchant_reference))
  const what = `a good row of a refused batch exists: verify returned ${came}`
  driver.hold(CREATE, came === 404, 'a refused batch accepts nothing', what)
  const text = JSON.stringify({ batch_reference: reference, payouts: [{ ...good, amount: 512 }] })
  const fine = await driver.post(CREATE, text.replace('512', '512.0000000000000001'))
  driver.expect(CREATE, fine, 400, 'an amount of a batch that a float would round')
  await send(driver, reference, [], { status: 400, message: refusal('batch_empty') }, 'a batch of nothing')
  await send(driver, reference, [good], 202, 'the batch without its faulty rows')
  await over(fixture, driver, reference)
}

/** The payouts of a batch count together toward the daily limit of a number. */
async function beyondLimit(driver: PaymentDriver, reference: string): Promise<void> {
  const option = await optionOf(driver, 'mtn_ug', 'PAYOUT', 'UGX')
  if (!option) return
  // Of an ending that no other payout has: an earlier run may have used up a part of the day of any other number.
  const account_number = driver.phone('003')
  const rows = [...wholeDay(option), option.min].map((amount) => row(driver, { account_number, amount }))
  const limit = refusal('amount_daily', { '7000000': String(option.daily) })
  const message = refusal('batch_faulty', {
    '1 of 2': `1 of ${rows.length}`,
    'Line 2: account_number is required': `Line ${rows.length}: ${limit}`,
  })
  await send(driver, reference, rows, { status: 400, message }, 'a batch beyond a day')
}

/** As many rows and fields as there may be, and many rows. The part `limits` sends the largest body. */
async function large(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('a large batch', SOURCE)
  const rows = Array.from({ length: ROWS_MAX }, () =>
    bodies.bankPayout({
      merchant_reference: driver.reference(),
      account_number: bankAccount(0, '001'),
      provider_code: 'no_such_bank',
      extra_params: { bank_code: 'access_bank_ng', branch_code: '044' },
    }),
  )
  const full = await send(driver, driver.reference(), rows, 400, 'a full batch of faulty rows')
  const { length } = itemsOf(full.data, 'errors')
  const about = `all of ${ROWS_MAX} rows are faulty, and data.errors names ${length} (${SOURCE})`
  driver.hold(CREATE, length === ROWS_MAX, 'every row of a full batch is judged', about)
  if (!(await fixture.covers({ currency: 'UGX', amount: ROWS_READ * 600, tests: 'a long batch' }))) return
  const reference = driver.reference()
  const many = Array.from({ length: ROWS_READ }, () => row(driver))
  await send(driver, reference, many, 202, `a batch of ${ROWS_READ} rows`)
  await driver.batch(reference)
}

/** Where the merchant has one handshake for each batch, it is the only one about its payouts. */
async function confirmedAtOnce(fixture: AdditionsFixture): Promise<void> {
  const { merchant, target } = fixture
  if (!target.own || !merchant) return
  await target.own.batchHandshake(true)
  const driver = fixture.driver('one handshake for a batch', SOURCE)
  const reference = driver.reference()
  const account_number = phoneNumber('KES', '71', Number(driver.phone().slice(-7)), '001')
  const inKenya = row(driver, { provider_code: 'mpesa_ke', currency: 'KES', amount: 120, account_number })
  const rows = [row(driver), row(driver, { amount: 700 }), inKenya]
  await send(driver, reference, rows, 202, 'a batch with one handshake')
  await over(fixture, driver, reference)
  const about = [reference, ...rows.map((each) => String(each.merchant_reference))]
  const asked = about.flatMap((each) => merchant.messagesOf(each)).filter(({ webhook }) => webhook === HANDSHAKE)
  const came = asked.map(({ json }) => json)
  const totals = [
    { currency: 'UGX', payouts: 2, amount: Number(rows[0]?.amount) + 700 },
    { currency: 'KES', payouts: 1, amount: 120 },
  ]
  const payload = { batch_reference: reference, payouts: 3, totals }
  const isOne = isDeepStrictEqual(came, [{ event: 'payout_batch.verification', payload }])
  const what = `batch ${reference} has ${came.length} handshakes: ${JSON.stringify(came)}`
  driver.hold('payoutBatchHandshake', isOne, 'one handshake for a batch', what)
  for (const code of [408, 425, 429, 503, 204, 404]) await answeredFirstBy(fixture, driver, status(code))
  await answeredFirstBy(fixture, driver, redirectTo(302))
  await target.own.batchHandshake(false)
}

/** What is no answer is asked again; a refusal ends every payout. */
async function answeredFirstBy(
  { handshakes, ...fixture }: AdditionsFixture,
  driver: PaymentDriver,
  answer: ReceiverReply,
): Promise<void> {
  const reference = driver.reference()
  const rows = [row(driver), row(driver, { amount: 600 })]
  handshakes.set(reference, answer)
  await send(driver, reference, rows, 202, 'a batch whose handshake is answered')
  await driver.advance(0)
  handshakes.delete(reference)
  await driver.advance(10_000)
  await over({ handshakes, ...fixture }, driver, reference)
  const isNo = answer.name === status(404).name
  const ended = isNo ? REJECTED : 'COMPLETED: Transaction Completed Successfully'
  for (const { merchant_reference: each } of rows) {
    const { transaction_status: state, status_message: message } = await driver.verify(each)
    const said = `${String(state)}: ${String(message)}`
    const about = `after ${answer.name} to the handshake of its batch, payout ${String(each)} is ${said}`
    driver.hold('payoutBatchHandshake', said === ended, 'a handshake is answered', about)
  }
}
