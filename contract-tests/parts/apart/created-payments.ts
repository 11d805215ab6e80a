import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import { isBusinessRefusal } from '../../harness/business-refusals.ts'
import { reported } from '../../driver/api-replies.ts'
import { collect, payOut, type Merchant } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** An accepted payment. */
export interface CreatedPayment {
  readonly merchant: Merchant
  readonly what: string
  readonly reference: string
  readonly internalReference: string
  readonly paymentUrl: string | undefined
  readonly body: Fields
  readonly answer: ApiReply
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
  const made = await Promise.all(kinds.map((kind) => make(pair, merchant, kind)))
  return made.flat()
}

async function make(
  pair: MerchantPair,
  merchant: Merchant,
  { what, payout, ending, body, stays }: Kind,
): Promise<CreatedPayment[]> {
  const description = descriptionOf(merchant)
  const phone = pair.phone(ending)
  const common = { merchant_reference: pair.reference(merchant.letter), description }
  const full = payout
    ? mobilePayout({ ...common, account_number: phone, ...body })
    : mobileCollection({
        ...common,
        msisdn: phone,
        ...(body?.['mobile_money_hpp'] === true && { redirect_url: redirectOf(merchant) }),
        ...body,
      })
  const answer = await (payout ? payOut : collect)(merchant, full)
  const about = payout ? 'sendFunds' : 'initializeCollection'
  // Staff decide what an account may do: a refusal is no finding.
  if (answer.status === 400 && isBusinessRefusal(answer.message)) {
    pair.skippedChecks.add(`${what} of ${merchant.name}: ${answer.message}`)
    return []
  }
  const { merchant_reference: reference, internal_reference: internalReference, payment_url: paymentUrl } = answer.data
  const isAccepted = answer.status === 202 && typeof reference === 'string' && typeof internalReference === 'string'
  pair.hold(about, 'accepted', !isAccepted && `${what} of ${merchant.name} was answered ${reported(answer)}, not 202`, [
    answer,
  ])
  if (!isAccepted) return []
  pair.owners.set(internalReference, merchant)
  return [
    {
      merchant,
      what,
      reference,
      internalReference,
      paymentUrl: typeof paymentUrl === 'string' ? paymentUrl : undefined,
      body: full,
      answer,
      ends: stays !== true,
    },
  ]
}
