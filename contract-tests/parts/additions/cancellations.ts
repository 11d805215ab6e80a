import { refusal } from '../../../server/verification/testing/refusal.ts'
import { passing } from '../../driver/clock.ts'
import { status } from '../../driver/merchant-replies.ts'
import type { Receiver } from '../../driver/merchant-server.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { optionOf, wholeDay } from '../../driver/provider-options.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { AdditionsFixture } from './additions-fixture.ts'

const SOURCE = 'docs, page "Payouts and the handshake"'
const CANCEL = 'cancelPayout'
/** A fault may show with some ids only. */
const WAITING = 4

const cancel = (driver: PaymentDriver, reference: unknown): Promise<ApiReply> =>
  driver.post(CANCEL, { merchant_reference: reference })
const tooLate = (reference: unknown, state: string) => ({
  status: 409,
  message: refusal('payout_final', { 'PAYOUT-2026-0001': String(reference), COMPLETED: state }),
})

/** Payouts that are cancelled while they wait, after they were handed over, and when they are over. */
export async function cancellations(fixture: AdditionsFixture): Promise<void> {
  const driver = fixture.driver('a cancelled payout', SOURCE)
  const { merchant, target } = fixture
  if (!(await fixture.covers({ currency: 'UGX', amount: 3_000, tests: 'cancelled payouts' }))) return
  const known = await driver.collect({ msisdn: driver.phone() })
  driver.expect(CANCEL, await cancel(driver, known.data.merchant_reference), 404, 'cancelling a collection')
  let made = 0
  while (merchant && made < WAITING && (await inTime(fixture, driver, merchant))) made += 1
  if (made === 0) fixture.skip('cancelled payouts: without a receiver none waits for its handshake')
  if (made > 0) await freeAgain(fixture, driver)
  for (const [ending, state] of [
    ['006', 'PROCESSING'],
    ['001', 'COMPLETED'],
  ] as const) {
    const { merchant_reference: reference } = (await driver.pay({ account_number: driver.phone(ending) })).data
    const is = async (): Promise<boolean> => (await driver.verify(reference)).transaction_status === state
    if (!(await passing(target.own, is, [0, 1_000, 1_000, 1_000]))) continue
    const late = await cancel(driver, reference)
    driver.expect(CANCEL, late, tooLate(reference, state), `cancelling a payout that is ${state}`)
  }
}

/** What was cancelled counts toward no limit: a number whose day is full has room again. */
async function freeAgain({ handshakes }: AdditionsFixture, driver: PaymentDriver): Promise<void> {
  const option = await optionOf(driver, 'mtn_ug', 'PAYOUT', 'UGX')
  if (!option) return
  const account_number = driver.phone()
  const sent: string[] = []
  const pay = (amount: number): Promise<ApiReply> => {
    const reference = driver.reference()
    sent.push(reference)
    handshakes.set(reference, status(503))
    return driver.pay({ merchant_reference: reference, account_number, amount })
  }
  for (const amount of wholeDay(option)) await pay(amount)
  await cancel(driver, sent.pop())
  driver.expect('sendFunds', await pay(option.min), 202, 'the limit after a cancelled payout')
  for (const reference of sent) await cancel(driver, reference)
}

/** @returns whether the handshake comes here: only then it waits */
async function inTime(fixture: AdditionsFixture, driver: PaymentDriver, merchant: Receiver): Promise<boolean> {
  const { handshakes, target, ending } = fixture
  const reference = driver.reference()
  handshakes.set(reference, status(503))
  await driver.pay({ merchant_reference: reference, account_number: driver.phone() })
  const isAsked = (): boolean => merchant.messagesOf(reference).length > 0
  if (!(await passing(target.own, isAsked, [0, 1_000, 1_000]))) return false
  if (target.other)
    driver.expect(CANCEL, await cancel(driver.as(target.other), reference), 404, "cancelling another merchant's payout")
  driver.expect(CANCEL, await cancel(driver, reference), 202, 'cancelling a payout that waits')
  await driver.verify(reference)
  driver.expect(CANCEL, await cancel(driver, reference), tooLate(reference, 'FAILED'), 'cancelling a payout twice')
  handshakes.delete(reference)
  await driver.advance(6_000)
  await driver.verify(reference)
  ending.push({ webhook: 'payoutCallback', reference })
  return true
}
