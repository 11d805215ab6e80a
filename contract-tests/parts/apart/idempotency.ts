import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import { SANDBOX_OTP } from '../../driver/customer.ts'
import { passing } from '../../driver/clock.ts'
import { difference, reported } from '../../driver/api-replies.ts'
import { authorize, collect, payOut, verify, type Merchant } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { MerchantPair } from './merchant-pair.ts'

const ABOUT = 'Idempotency-Key'
type Send = typeof collect

/** An Idempotency-Key belongs to one merchant: the other merchant's key neither replays nor conflicts. */
export async function idempotencyKeys(pair: MerchantPair): Promise<void> {
  const collection = (): Fields =>
    mobileCollection({ merchant_reference: pair.reference('KEYED'), msisdn: pair.phone('001') })
  const payout = (): Fields =>
    mobilePayout({ merchant_reference: pair.reference('KEYED'), account_number: pair.phone('001') })
  const paysOut = ![...pair.skippedChecks].some((what) => what.includes('a payout'))
  for (const [send, make] of [[collect, collection] as const, ...(paysOut ? [[payOut, payout] as const] : [])]) {
    const same = make()
    await both(pair, send, same, same)
    await both(pair, send, make(), make())
  }
  await passwords(pair)
}

const keyOf = (pair: MerchantPair) => ({ 'idempotency-key': pair.reference('KEY') })

/** One key, used by each merchant in turn, then again by each. */
async function both(pair: MerchantPair, send: Send, body: Fields, otherBody: Fields): Promise<void> {
  const { first, second, hold } = pair
  const key = keyOf(pair)
  const one = await send(first, body, key)
  const other = await send(second, otherBody, key)
  const content = body === otherBody ? 'the same request' : 'another request'
  hold(
    ABOUT,
    `of both: ${content}`,
    foreign(one, other) !== undefined &&
      `${content} of another merchant with a key that one has used was answered ${foreign(one, other)}`,
    [one, other],
  )
  if (one.status !== 202 || other.status !== 202) return
  pair.owners.set(String(one.data['internal_reference']), first).set(String(other.data['internal_reference']), second)
  for (const [merchant, first, given] of [
    [pair.first, one, body],
    [second, other, otherBody],
  ] as const)
    await replayed(pair, send, merchant, first, given, key)
}

/** How the reply shows knowledge of the other merchant's request; undefined: it does not. */
function foreign(one: ApiReply, other: ApiReply): string | undefined {
  if (other.status !== 202) return `${reported(other)}, not 202`
  if (other.reply?.headers['idempotency-replayed'] !== undefined) return 'as a replay'
  return other.data['internal_reference'] === one.data['internal_reference']
    ? 'with the payment of the first'
    : undefined
}

async function replayed(
  pair: MerchantPair,
  send: Send,
  merchant: Merchant,
  answer: ApiReply,
  body: Fields,
  key: ReturnType<typeof keyOf>,
): Promise<void> {
  const again = await send(merchant, body, key)
  const isOwn = again.data['internal_reference'] === answer.data['internal_reference']
  const what = `${merchant.name} repeats its request under a key that both use and gets ${reported(again)} about another payment than its own`
  pair.hold(ABOUT, 'replay of both', !isOwn && what, [answer, again])
}

/** The OTP for one's own collection under the other merchant's key, then the other merchant's exact request. */
async function passwords(pair: MerchantPair): Promise<void> {
  const { first, second, hold, reference, phone } = pair
  const waiting = async (merchant: Merchant) => {
    const name = reference('OTP')
    const answer = await collect(merchant, mobileCollection({ merchant_reference: name, msisdn: phone('005') }))
    return { merchant, reference: name, answer, id: String(answer.data['internal_reference']) }
  }
  const [one, other] = [await waiting(first), await waiting(second)]
  await waits(pair, [one, other])
  const key = keyOf(pair)
  const give = (merchant: Merchant, id: string) =>
    authorize(merchant, { internal_reference: id, otp: SANDBOX_OTP }, key)
  const accepted = await give(first, one.id)
  const thirdParty = await give(second, one.id)
  const nothing = await authorize(second, { internal_reference: 'MLP0000000000000000000000', otp: SANDBOX_OTP })
  const how = difference(thirdParty, nothing, one.id, 'MLP0000000000000000000000')
  hold(
    ABOUT,
    'authorize of another',
    how !== undefined && `the other merchant repeats an authorize under its key and gets ${how} as for an unknown one`,
    [one.answer, accepted, thirdParty],
  )
  const own = await give(second, other.id)
  const fault = foreign(accepted, own)
  hold(
    ABOUT,
    'authorize of both',
    fault !== undefined && `an authorize of another merchant with a key that one has used was answered ${fault}`,
    [one.answer, other.answer, accepted, own],
  )
}

/** OTPs are sent a moment after the reply. */
const waits = (
  { target: { own } }: MerchantPair,
  made: readonly { readonly merchant: Merchant; readonly reference: string }[],
): Promise<boolean> =>
  passing(own, async () => {
    const replies = await Promise.all(made.map(({ merchant, reference }) => verify(merchant, reference)))
    return replies.every(({ data }) => String(data['status_message']).startsWith('Waiting'))
  })
