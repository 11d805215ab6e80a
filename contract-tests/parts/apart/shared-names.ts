import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import { reported } from '../../driver/api-replies.ts'
import { descriptionOf } from './created-payments.ts'
import { collect, payOut, verify, type Merchant } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { MerchantPair } from './merchant-pair.ts'

type Send = typeof collect

/** Amounts identify the owner of a payment. */
const AMOUNTS = { A: 1_500, B: 2_500 } as const

/** Both merchants may use the same merchant_reference: for two collections, for two payouts, for one of each. */
export async function sharedNames(pair: MerchantPair): Promise<void> {
  const collection = (merchant: Merchant, reference: string): [Send, Fields] => [
    collect,
    mobileCollection({ ...common(merchant, reference), msisdn: pair.phone('001') }),
  ]
  const payout = (merchant: Merchant, reference: string): [Send, Fields] => [
    payOut,
    mobilePayout({ ...common(merchant, reference), account_number: pair.phone('001') }),
  ]
  await both(pair, collection, collection)
  // A merchant without a verification URL cannot pay out.
  if ([...pair.skippedChecks].some((what) => what.includes('a payout'))) return
  await both(pair, payout, payout)
  await both(pair, collection, payout)
}

const common = (merchant: Merchant, merchant_reference: string) => ({
  merchant_reference,
  description: descriptionOf(merchant),
  amount: AMOUNTS[merchant.letter],
})

type MakeRequest = (merchant: Merchant, reference: string) => [Send, Fields]

async function both(pair: MerchantPair, firstMakes: MakeRequest, secondMakes: MakeRequest): Promise<void> {
  const { first, second, hold } = pair
  const reference = pair.reference('SHARED')
  const [sendFirst, firstBody] = firstMakes(first, reference)
  const [sendSecond, secondBody] = secondMakes(second, reference)
  const answers = await Promise.all([sendFirst(first, firstBody), sendSecond(second, secondBody)])
  const [one, other] = answers
  const refused = answers.find(({ status }) => status !== 202)
  const about = 'merchant_reference'
  hold(
    about,
    'used by both',
    refused !== undefined &&
      `the same merchant_reference of two merchants: one of them was answered ${reported(refused)}, not 202`,
    answers,
  )
  const same = one.data['internal_reference'] === other.data['internal_reference']
  hold(
    about,
    'one payment of two',
    !refused && same && 'the same merchant_reference of two merchants led to one internal_reference',
    answers,
  )
  if (refused) return
  pair.owners.set(String(one.data['internal_reference']), first).set(String(other.data['internal_reference']), second)
  for (const [merchant, answer] of [
    [first, one],
    [second, other],
  ] as const)
    ownRecord(pair, merchant, answer, await verify(merchant, reference))
}

/** Verify returns the requesting merchant's own payment. */
function ownRecord({ hold }: MerchantPair, merchant: Merchant, made: ApiReply, came: ApiReply): void {
  const { data } = came
  const isOwn =
    data['internal_reference'] === made.data['internal_reference'] &&
    data['request_amount'] === AMOUNTS[merchant.letter]
  const what = `verify of a merchant_reference that both use returned to ${merchant.name} another payment than its own (${String(data['internal_reference'])}, ${String(data['request_amount'])})`
  hold('verifyTransaction', 'of a shared reference', !isOwn && what, [made, came])
}
