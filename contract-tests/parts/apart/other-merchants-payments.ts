import { SANDBOX_OTP, WRONG_OTP } from '../../driver/customer.ts'
import { difference } from '../../driver/api-replies.ts'
import { WAITING, type CreatedPayment } from './created-payments.ts'
import { authorize, verify, type Merchant } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** Number of wrong OTPs that ends a collection, if they count. */
const GUESSES = 5
/** In the form of Malipo's own references. */
const NOBODYS = 'MLP0000000000000000000000'

/** The other merchant's payments do not exist: they can be neither verified nor authorized. */
export async function otherMerchantsPayments(pair: MerchantPair, made: readonly CreatedPayment[]): Promise<void> {
  for (const [requester, owner] of pair.ways) {
    const others = made.filter(({ merchant }) => merchant === owner)
    await Promise.all(others.map((payment) => requested(pair, requester, payment)))
    for (const payment of others) if (payment.what === WAITING) await authorized(pair, requester, payment)
  }
}

/** The contract: another merchant's reference gives the same 404 as one that does not exist. */
async function requested(
  pair: MerchantPair,
  requester: Merchant,
  { what, reference, internalReference, answer, merchant }: CreatedPayment,
): Promise<void> {
  // Of the same form and length, and never used.
  const unknown = `${reference.slice(0, -1)}~`
  const nothing = await verify(requester, unknown)
  const compare = (came: ApiReply, used: string, rule: string, named: string) => {
    const how = difference(came, nothing, used, unknown)
    const fault =
      how !== undefined &&
      `verify of ${named} of ${merchant.name} returned to the other one ${how} as for an unknown one`
    pair.hold('verifyTransaction', rule, fault, [answer, came])
  }
  compare(await verify(requester, reference), reference, 'reference of another', `${what} (${reference})`)
  compare(
    await verify(requester, internalReference),
    internalReference,
    'internal reference of another',
    `${what} by its internal reference`,
  )
  const other = await authorize(requester, { internal_reference: internalReference, otp: SANDBOX_OTP })
  held(pair, other, { internalReference, merchant, what, answer }, await stray(requester))
}

const stray = (requester: Merchant): Promise<ApiReply> =>
  authorize(requester, { internal_reference: NOBODYS, otp: SANDBOX_OTP })

type OtherPayment = Pick<CreatedPayment, 'internalReference' | 'merchant' | 'what' | 'answer'>

function held(pair: MerchantPair, came: ApiReply, others: OtherPayment, nothing: ApiReply): void {
  const { internalReference, merchant, what, answer } = others
  const how = difference(came, nothing, internalReference, NOBODYS)
  const fault =
    how !== undefined &&
    `authorize of ${what} of ${merchant.name} returned to the other one ${how} as for an unknown one`
  pair.hold('authorizeCollection', 'collection of another', fault, [answer, came])
}

/** OTPs from a third party neither authorize a collection nor use up its attempts. */
async function authorized(pair: MerchantPair, requester: Merchant, others: CreatedPayment): Promise<void> {
  const { internalReference, merchant, reference, answer } = others
  const nothing = await stray(requester)
  const guesses: ApiReply[] = []
  for (let guess = 0; guess < GUESSES; guess++) {
    const came = await authorize(requester, { internal_reference: internalReference, otp: WRONG_OTP })
    held(pair, came, others, nothing)
    guesses.push(came)
  }
  const sent = [answer, ...guesses]
  const before = await verify(merchant, reference)
  const status = String(before.data['transaction_status'])
  pair.hold(
    'authorizeCollection',
    'moved by another',
    status !== 'PENDING' &&
      `a collection that waits for its OTP is ${status} after the other merchant sent OTPs for it`,
    [...sent, before],
  )
  const right = await authorize(merchant, { internal_reference: internalReference, otp: SANDBOX_OTP })
  pair.hold(
    'authorizeCollection',
    'tries of another',
    status === 'PENDING' &&
      right.status !== 202 &&
      `the right OTP of a collection is answered ${right.status} ${right.message}, after the other merchant sent ${GUESSES} wrong ones for it`,
    [...sent, right],
  )
}
