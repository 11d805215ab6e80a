import { difference, reported } from '../../driver/api-replies.ts'
import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import { passing } from '../../driver/clock.ts'
import { SANDBOX_OTP } from '../../driver/customer.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { Fields } from '../../harness/json.ts'
import { driversOf, paysOut, type MerchantPair } from './merchant-pair.ts'

const ABOUT = 'Idempotency-Key'
const NOBODYS = 'MLP0000000000000000000000'
type Operation = 'initializeCollection' | 'sendFunds'

/** An Idempotency-Key belongs to one merchant: the other merchant's key neither replays nor conflicts. */
export async function idempotencyKeys(pair: MerchantPair): Promise<void> {
  const driver = pair.fixture.driver('')
  const bodies: Readonly<Record<Operation, () => Fields>> = {
    initializeCollection: () => mobileCollection({ merchant_reference: driver.reference(), msisdn: driver.phone() }),
    sendFunds: () => mobilePayout({ merchant_reference: driver.reference(), account_number: driver.phone() }),
  }
  for (const operation of ['initializeCollection', ...(paysOut(pair) ? ['sendFunds' as const] : [])] as const) {
    const same = bodies[operation]()
    await both(pair, operation, same, same)
    await both(pair, operation, bodies[operation](), bodies[operation]())
  }
  await passwords(pair)
}

/** One key, used by each merchant in turn, then again by each. */
async function both(pair: MerchantPair, operation: Operation, body: Fields, otherBody: Fields): Promise<void> {
  const { first, second } = pair
  const { driver, one, other } = driversOf(pair, 'one Idempotency-Key of two merchants')
  const key = { 'idempotency-key': driver.reference() }
  const mine = await one.post(operation, body, key)
  const others = await other.post(operation, otherBody, key)
  const content = body === otherBody ? 'the same request' : 'another request'
  const how = foreign(mine, others)
  const what = `${content} of another merchant with a key that one has used was answered ${how}`
  driver.hold(ABOUT, how === undefined, `of both: ${content}`, what)
  if (mine.status !== 202 || others.status !== 202) return
  for (const [requester, { name }, before, sent] of [
    [one, first, mine, body] as const,
    [other, second, others, otherBody] as const,
  ]) {
    const again = await requester.post(operation, sent, key)
    const isOwn = again.data['internal_reference'] === before.data['internal_reference']
    const got = `${name} repeats its request under a key that both use and gets ${reported(again)} about another payment than its own`
    driver.hold(ABOUT, isOwn, 'replay of both', got)
  }
}

/** How the reply shows knowledge of the other merchant's request; undefined: it does not. */
function foreign(one: ApiReply, other: ApiReply): string | undefined {
  if (other.status !== 202) return `${reported(other)}, not 202`
  if (other.reply?.headers['idempotency-replayed'] !== undefined) return 'as a replay'
  return other.data['internal_reference'] === one.data['internal_reference']
    ? 'with the payment of the first'
    : undefined
}

/** The OTP for one's own collection under the other merchant's key, then the other merchant's exact request. */
async function passwords(pair: MerchantPair): Promise<void> {
  const { driver, one, other } = driversOf(pair, 'one Idempotency-Key of two authorizations')
  const [mine, others] = await Promise.all([one, other].map((each) => each.collect({ msisdn: each.phone('005') })))
  if (!mine || !others) return
  // OTPs are sent a moment after the reply.
  await passing(pair.fixture.target.own, async () => {
    const records = [
      await one.verify(mine.data['merchant_reference']),
      await other.verify(others.data['merchant_reference']),
    ]
    return records.every(({ status_message: message }) => String(message).startsWith('Waiting'))
  })
  const key = { 'idempotency-key': driver.reference() }
  const accepted = await one.authorize(mine, SANDBOX_OTP, key)
  const thirdParty = await other.authorize(mine, SANDBOX_OTP, key)
  const nothing = await other.post('authorizeCollection', { internal_reference: NOBODYS, otp: SANDBOX_OTP })
  const how = difference(thirdParty, nothing, String(mine.data['internal_reference']), NOBODYS)
  const what = `the other merchant repeats an authorize under its key and gets ${how} as for an unknown one`
  driver.hold(ABOUT, how === undefined, 'authorize of another', what)
  const fault = foreign(accepted, await other.authorize(others, SANDBOX_OTP, key))
  const came = `an authorize of another merchant with a key that one has used was answered ${fault}`
  driver.hold(ABOUT, fault === undefined, 'authorize of both', came)
}
