import { refusal } from '../../../server/verification/testing/refusal.ts'
import { elapse } from '../../driver/clock.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { expectRecord, type PaymentDriver } from '../../driver/payment-driver.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { Fields } from '../../harness/json.ts'
import type { AdditionsFixture } from './additions-fixture.ts'

const SOURCE = 'docs, page "Payments that customers start"'
const EXPECT = 'expectPayment'
const ARRIVES_MS = 1_000
const DRAWN = /^[2-9CFGHJMPQRVWX]{8}$/

const driverOf = (fixture: AdditionsFixture): PaymentDriver => fixture.driver('payments that customers start', SOURCE)

/** Payments that customers start: paid in time, wrongly, twice, and what cannot be expected. */
export async function expectedPayments(fixture: AdditionsFixture): Promise<void> {
  const driver = driverOf(fixture)
  await paidByReference(fixture, driver)
  await refused(driver)
}

const expectPayment = (driver: PaymentDriver, changes: Fields = {}): Promise<ApiReply> =>
  driver.post(EXPECT, {
    provider_code: 'mtn_ug',
    merchant_reference: driver.reference(),
    customer_reference: 'auto',
    currency: 'UGX',
    amount: 5000,
    description: 'Invoice of May',
    ...changes,
  })

/** A customer of the sandbox pays, which takes a moment to arrive. */
async function pay(fixture: AdditionsFixture, driver: PaymentDriver, reference: string, amount: number): Promise<void> {
  const body = new URLSearchParams({ provider: 'mtn_ug', account: driver.phone(), amount: String(amount), reference })
  await fetch(new URL('/sandbox/payments', fixture.target.url), { method: 'POST', body, redirect: 'manual' })
  await elapse(fixture.target.own, ARRIVES_MS)
}

/** Its record has these values: once it is final, where they are those of a final state. */
async function holdState(driver: PaymentDriver, accepted: ApiReply, state: Fields, rule: string): Promise<void> {
  const { merchant_reference: reference } = accepted.data
  const record = await (isFinal(state) ? driver.settled(reference) : driver.verify(reference))
  expectRecord(driver, EXPECT, record, state, rule, SOURCE)
}

const PENDING = { transaction_status: 'PENDING', status_message: 'Waiting for the customer to pay' }

async function paidByReference(fixture: AdditionsFixture, driver: PaymentDriver): Promise<void> {
  const exact = await expectPayment(driver)
  const typed = String(exact.data.customer_reference)
  driver.hold(EXPECT, DRAWN.test(typed), 'a drawn reference', `the drawn reference is ${typed}`)
  const spelled = `${typed.slice(0, 4).toLowerCase()}-${typed.slice(4)}`
  const again = await expectPayment(driver, { customer_reference: spelled })
  const used = refusal('customer_reference_used', { 'INV-2026-1': spelled })
  driver.expect(EXPECT, again, { status: 409, message: used }, 'a reference that is open')
  const free = await expectPayment(driver, { amount: undefined, min_amount: 1000, max_amount: 9000 })
  await holdState(driver, free, { ...PENDING, request_amount: 1000, transaction_account: '' }, 'a free amount waits')
  await pay(fixture, driver, typed, 4999)
  await pay(fixture, driver, typed, 5001)
  await holdState(driver, exact, { ...PENDING, request_amount: 5000 }, 'another amount than the exact one')
  await pay(fixture, driver, spelled, 5000)
  const paid = { transaction_status: 'COMPLETED', request_amount: 5000, transaction_charge: 50, total_credit: 4950 }
  await holdState(driver, exact, paid, 'a payment by its reference')
  await pay(fixture, driver, typed, 5000)
  await holdState(driver, exact, paid, 'a second payment')
  await pay(fixture, driver, String(free.data.customer_reference), 9001)
  await holdState(driver, free, PENDING, 'more than the highest amount')
  await pay(fixture, driver, String(free.data.customer_reference), 7000)
  const chosen = { transaction_status: 'COMPLETED', request_amount: 7000 }
  await holdState(driver, free, chosen, 'a free amount as it is paid')
}

async function refused(driver: PaymentDriver): Promise<void> {
  const cases: readonly (readonly [Fields, Parameters<typeof refusal>[0]])[] = [
    [{ currency: 'KES' }, 'expected_currency'],
    [{ amount: undefined, min_amount: 3000, max_amount: 2000 }, 'amounts_crossed'],
    [{ amount: 5000.5 }, 'amount_decimals'],
    [{ customer_reference: 'INV--1' }, 'customer_reference_malformed'],
    [{ expires_in: 2_592_001 }, 'expires_in_out_of_bounds'],
    [{ provider_code: 'bank_ng' }, 'provider_of_banks'],
  ]
  for (const [changes, example] of cases) {
    const expected = { status: 400, message: refusal(example) }
    driver.expect(EXPECT, await expectPayment(driver, changes), expected, `it refuses ${example.replaceAll('_', ' ')}`)
  }
}

/**
 * Nobody pays; afterwards the reference is free. It is requested before the other checks: a running server's clock
 * cannot be moved. @returns the check of its end
 */
export async function unpaid(fixture: AdditionsFixture): Promise<() => Promise<void>> {
  const driver = driverOf(fixture)
  const number = driver.reference().replaceAll(/\D/g, '').slice(-12)
  const short = await expectPayment(driver, { customer_reference: `Short ${number}`, expires_in: 60 })
  return async () => {
    await driver.advance(61_000)
    const failed = { transaction_status: 'FAILED', status_message: 'Nobody paid it in time', failure_code: 'expired' }
    await holdState(driver, short, failed, 'nobody pays in time')
    const free = await expectPayment(driver, { customer_reference: `short-${number}`, expires_in: 60 })
    driver.expect(EXPECT, free, 202, 'the reference of what has ended')
    await driver.advance(61_000)
  }
}
