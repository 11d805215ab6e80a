import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { SIMULATORS, startSimulator, type Simulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { leadProvider } from '../../admin/queries/providers.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { forFile } from '../testing/for-file.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { collect, send, uniqueMsisdn, uniqueReference, verify, type WalletBody } from '../testing/requests.ts'
import { OWN_RAILS } from '../testing/sandbox-rails.ts'

const POLL_AFTER_MS = 5 * 60_000
const { gateway, clock, after, receiver } = await gatewayTest({
  env: OWN_RAILS,
  toReceiver: ['collection_callback_url'],
})
const operator = () => present(SIMULATORS['mtn-momo'], 'the simulator of MTN')({ currency: 'UGX' })
const north = await forFile(startSimulator(operator()))
const south = await forFile(startSimulator(operator()))
const settings = { target_environment: 'sandbox', failures_until_open: '1000' }
await installRail(gateway, north, { name: 'mtn-north', providers: ['mtn_ug', 'airtel_ug'], settings })
await installRail(gateway, south, { name: 'mtn-south', providers: [], settings })

async function lead(provider: string, railAccount: string | undefined): Promise<void> {
  await leadProvider(gateway.pool, provider, railAccount)
  await gateway.refresh()
}

beforeEach(async () => {
  clock.advance(60_000)
  await lead('mtn_ug', 'mtn-north')
})

const countAt = ({ world }: Simulator, msisdn: string) => world.orders.of(msisdn).length
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data

async function collected(changes: Readonly<Record<string, unknown>> = {}) {
  const merchant_reference = uniqueReference()
  const msisdn = uniqueMsisdn()
  expect((await collect(gateway.url, { merchant_reference, msisdn, ...changes })).status).toBe(202)
  await gateway.runDue()
  return { merchant_reference, msisdn }
}

interface Shop {
  readonly headers: { readonly 'public-key': string; readonly 'secret-key': string }
  readonly receiver: Receiver
}

/** A merchant's balance in its collection wallet, read with its own keys. */
async function walletOf({ headers }: Shop): Promise<number> {
  const { body } = await send(gateway.url, 'GET', '/data/wallet-balances?currency=UGX', { headers })
  const wallets = body.data['merchant_wallets'] as WalletBody[]
  return wallets.find(({ wallet_type }) => wallet_type === 'MERCHANT_COLLECTION')?.available_balance ?? 0
}

/** The ledger's balance at the operator, by provider, in minor units. */
async function atNorth(): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await gateway.pool.query<{ provider_code: string; held: bigint }>(
    `select provider_code, -balance_minor as held from accounts where kind = 'rail' and rail_account = 'mtn-north'`,
  )
  return {
    mtn_ug: 0n,
    airtel_ug: 0n,
    ...Object.fromEntries(rows.map(({ provider_code, held }) => [provider_code, held])),
  }
}

async function anotherShop(): Promise<Shop> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const merchant = { name: 'Another shop', collectionCallbackUrl: receiver.url }
  const { publicKey, secretKey } = await addMerchant(gateway, merchant, clock.now())
  return { headers: { 'public-key': publicKey, 'secret-key': secretKey }, receiver }
}

// Orders, callbacks, wallets and the book.
test('two merchants and two providers at one rail account keep all their data apart', async () => {
  const demo: Shop = { headers: DEMO_KEYS, receiver }
  const other = await anotherShop()
  const [before, bookBefore] = [{ demo: await walletOf(demo), other: await walletOf(other) }, await atNorth()]
  const orders = [
    { shop: demo, provider_code: 'mtn_ug', amount: 1_000, decision: 'approved' },
    { shop: demo, provider_code: 'airtel_ug', amount: 2_000, decision: 'cancelled' },
    { shop: other, provider_code: 'mtn_ug', amount: 4_000, decision: 'approved' },
    { shop: other, provider_code: 'airtel_ug', amount: 8_000, decision: 'approved' },
  ] as const
  const sent = []
  for (const { shop, provider_code, amount, decision } of orders) {
    // Both merchants use the same references: references are scoped to the merchant.
    const merchant_reference = `SHARED-${provider_code}`
    const msisdn = provider_code === 'mtn_ug' ? uniqueMsisdn() : `25675${uniqueMsisdn().slice(5)}`
    const requested = { merchant_reference, msisdn, provider_code, amount }
    expect((await collect(gateway.url, requested, shop.headers)).status).toBe(202)
    sent.push({ shop, merchant_reference, msisdn, amount, decision })
  }
  await gateway.runDue()
  for (const { msisdn, amount, decision } of sent) {
    expect(north.world.orders.of(msisdn)).toMatchObject([{ amount: String(amount) }])
    north.lifecycle.decide(present(north.world.orders.of(msisdn)[0], 'the order'), decision)
  }
  await north.callbacks.idle()
  await after(POLL_AFTER_MS)

  const credits = new Map<Shop, number>([demo, other].map((shop) => [shop, 0]))
  for (const { shop, merchant_reference, amount, decision } of sent) {
    const { body } = await send(gateway.url, 'GET', `/data/transaction/verify/${merchant_reference}`, shop)
    const status = decision === 'approved' ? 'COMPLETED' : 'FAILED'
    expect(body.data).toMatchObject({ transaction_status: status, request_amount: amount })
    const reported = shop.receiver.about(merchant_reference).map(({ json: { payload } }) => payload)
    expect(reported).toEqual([body.data])
    credits.set(shop, (credits.get(shop) ?? 0) + Number(body.data['total_credit']))
  }
  expect([demo, other].map(({ receiver: { received } }) => received.length)).toEqual([2, 2])
  expect(await walletOf(demo)).toBe(before.demo + (credits.get(demo) ?? 0))
  expect(await walletOf(other)).toBe(before.other + (credits.get(other) ?? 0))
  const book = await atNorth()
  expect([book['mtn_ug'], book['airtel_ug']]).toEqual([
    (bookBefore['mtn_ug'] ?? 0n) + 5_000n,
    (bookBefore['airtel_ug'] ?? 0n) + 8_000n,
  ])
  await expectBalancedBooks(gateway)
})

test('polls an order where it went, wherever its provider leads by then', async () => {
  const { merchant_reference, msisdn } = await collected()
  await lead('mtn_ug', 'mtn-south')
  const order = present(north.world.orders.of(msisdn)[0], 'the order')
  north.lifecycle.decide(order, 'approved')
  await after(POLL_AFTER_MS)
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(countAt(south, msisdn)).toBe(0)
})

test('only an order that certainly went nowhere may move to the new rail account', async () => {
  north.scenarios.add([{ on: { operation: 'requestToPay' }, effect: { do: 'close', when: 'before' } }])
  const { msisdn } = await collected()
  expect(countAt(north, msisdn)).toBe(0)
  await lead('mtn_ug', 'mtn-south')
  await after(60_000)
  expect([countAt(north, msisdn), countAt(south, msisdn)]).toEqual([1, 0])
})

test("a provider led nowhere is simulated again; its operator's orders stay there", async () => {
  const { merchant_reference, msisdn } = await collected()
  await lead('mtn_ug', undefined)
  const simulated = await collected()
  await after(1_000)
  expect(await recordOf(simulated.merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect([countAt(north, msisdn), countAt(north, simulated.msisdn)]).toEqual([1, 0])
})
