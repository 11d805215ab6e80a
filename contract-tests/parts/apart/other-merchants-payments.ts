import { SANDBOX_OTP, WRONG_OTP } from '../../driver/customer.ts'
import { difference } from '../../driver/api-replies.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { WAITING, type CreatedPayment } from './created-payments.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** Number of wrong OTPs that ends a collection, if they count. */
const GUESSES = 5
/** In the form of Malipo's own references. */
const NOBODYS = 'MLP0000000000000000000000'

/** The other merchant's payments do not exist: they can be neither verified nor authorized. */
export async function otherMerchantsPayments(pair: MerchantPair, made: readonly CreatedPayment[]): Promise<void> {
  for (const [requester, owner] of pair.ways) {
    const others = made.filter(({ merchant }) => merchant === owner)
    await Promise.all(others.map((payment) => requested(payment, payment.driver.as(requester))))
    for (const payment of others) if (payment.what === WAITING) await authorized(payment, payment.driver.as(requester))
  }
}

/** The contract: another merchant's reference gives the same 404 as one that does not exist. */
async function requested(payment: CreatedPayment, thirdParty: PaymentDriver): Promise<void> {
  const { what, reference, internalReference, merchant } = payment
  // Of the same form and length, and never used.
  const unknown = `${reference.slice(0, -1)}~`
  const nothing = await thirdParty.find(unknown)
  for (const [rule, used] of [
    ['reference of another', reference],
    ['internal reference of another', internalReference],
  ] as const) {
    const how = difference(await thirdParty.find(used), nothing, used, unknown)
    const came = `verify of ${what} of ${merchant.name} (${used}) returned to the other one ${how} as for an unknown one`
    thirdParty.hold('verifyTransaction', how === undefined, rule, came)
  }
  held(payment, thirdParty, await thirdParty.authorize(payment.reply, SANDBOX_OTP), await stray(thirdParty))
}

const stray = (thirdParty: PaymentDriver): Promise<ApiReply> =>
  thirdParty.post('authorizeCollection', { internal_reference: NOBODYS, otp: SANDBOX_OTP })

function held(payment: CreatedPayment, thirdParty: PaymentDriver, came: ApiReply, nothing: ApiReply): void {
  const { internalReference, merchant, what } = payment
  const how = difference(came, nothing, internalReference, NOBODYS)
  const got = `authorize of ${what} of ${merchant.name} returned to the other one ${how} as for an unknown one`
  thirdParty.hold('authorizeCollection', how === undefined, 'collection of another', got)
}

/** OTPs from a third party neither authorize a collection nor use up its attempts. */
async function authorized(payment: CreatedPayment, thirdParty: PaymentDriver): Promise<void> {
  const { driver, reply, reference } = payment
  const nothing = await stray(thirdParty)
  for (let guess = 0; guess < GUESSES; guess++)
    held(payment, thirdParty, await thirdParty.authorize(reply, WRONG_OTP), nothing)
  const { transaction_status: status } = await driver.verify(reference)
  const about = 'authorizeCollection'
  const moved = `a collection that waits for its OTP is ${String(status)} after the other merchant sent OTPs for it`
  if (!driver.hold(about, status === 'PENDING', 'moved by another', moved)) return
  const source = `the other merchant sent ${GUESSES} wrong ones for it`
  driver.expect(about, await driver.authorize(reply, SANDBOX_OTP), 202, 'tries of another', source)
}
