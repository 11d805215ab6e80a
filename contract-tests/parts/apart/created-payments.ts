import { reported } from '../../driver/api-replies.ts'
import type { FollowedPayment } from '../../driver/follow-payments.ts'
import type { Fields } from '../../harness/json.ts'
import { isBusinessRefusal } from '../../harness/business-refusals.ts'
import type { Merchant, MerchantPair } from './merchant-pair.ts'

/** An accepted payment. */
export interface CreatedPayment extends FollowedPayment {
  readonly merchant: Merchant
  readonly what: string
  readonly internalReference: string
  /** Whether it reaches a final status on its own. */
  readonly ends: boolean
}

interface Kind {
  readonly what: string
  readonly payout?: true
  /** Test number, see the docs of the sandbox. */
  readonly ending: string
  readonly body?: Fields
  readonly stays?: true
}

export const WAITING = 'a collection that waits for its OTP'
export const ON_PAGE = 'a collection on the payment page'
const KINDS: readonly Kind[] = [
  { what: 'a collection that completes', ending: '001' },
  { what: 'a collection that fails', ending: '004' },
  { what: 'a collection with a reference of Malipo', ending: '001', body: { merchant_reference: 'auto' } },
  { what: WAITING, ending: '005', stays: true },
  { what: ON_PAGE, ending: '001', body: { mobile_money_hpp: true }, stays: true },
  { what: 'a payout', ending: '001', payout: true },
  { what: 'a payout that fails', ending: '004', payout: true },
]

/** Redirect address of a merchant's customers. */
export const redirectOf = ({ letter }: Merchant): string => `https://shop-${letter.toLowerCase()}.example/paid?cart=1`
/** The owner is readable from the reference. */
export const descriptionOf = ({ letter }: Merchant): string => `Order at shop ${letter}`

/** One payment of each kind, with references that nobody else uses. @param canPayOut whether its wallet has money */
export async function makeBook(
  pair: MerchantPair,
  merchant: Merchant,
  canPayOut: boolean,
): Promise<readonly CreatedPayment[]> {
  const kinds = KINDS.filter(({ payout }) => canPayOut || !payout)
  return (await Promise.all(kinds.map((kind) => make(pair, merchant, kind)))).flat()
}

async function make(
  { fixture }: MerchantPair,
  merchant: Merchant,
  { what, payout, ending, body, stays }: Kind,
): Promise<CreatedPayment[]> {
  const driver = fixture.driver(what).as(merchant)
  const account = driver.phone(ending)
  const common = { merchant_reference: driver.reference(), description: descriptionOf(merchant), ...body }
  const hosted = body?.['mobile_money_hpp'] === true && { redirect_url: redirectOf(merchant) }
  const reply = payout
    ? await driver.pay({ ...common, account_number: account })
    : await driver.collect({ ...common, msisdn: account, ...hosted })
  // Staff decide what an account may do: a refusal is no finding.
  if (reply.status === 400 && isBusinessRefusal(reply.message)) {
    fixture.skip(`${what} of ${merchant.name}: ${reply.message}`)
    return []
  }
  const { merchant_reference: reference, internal_reference: internalReference } = reply.data
  const isAccepted = reply.status === 202 && typeof reference === 'string' && typeof internalReference === 'string'
  const about = payout ? 'sendFunds' : 'initializeCollection'
  driver.hold(about, isAccepted, 'accepted', `${what} of ${merchant.name} was answered ${reported(reply)}, not 202`)
  if (!isAccepted) return []
  const made = { merchant, driver, what, reference, internalReference, account, reply, ends: stays !== true }
  return [{ ...made, record: {}, isAuthorized: false }]
}
