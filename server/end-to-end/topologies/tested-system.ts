import { afterAll, beforeAll, expect } from 'vitest'
import { present } from '../../domain/present.ts'
import { startReceiver, type ReceivedCallback, type Receiver } from '../../testing/receiver.ts'
import {
  mobileMoneyCollection,
  postJson,
  send,
  uniqueMsisdn,
  uniqueReference,
  type RawReply,
  type WalletBody,
} from '../../testing/requests.ts'
import { until } from '../../testing/served-gateway.ts'
import { verdictsOnCallback, type MerchantSecrets } from '../../testing/signatures.ts'
import { startTopology, type RunningTopology, type Topology } from '../../testing/topology.ts'

export const SOON_MS = 15_000
/**
 * "Seen by all processes within a second" is a rule of the product, so here a test does hold a time: a second from the
 * end of the command, and half of one for a busy machine.
 */
export const SEEN_WITHIN_MS = 1_000 + 500
export const SANDBOX_OTP = 123_456
export const SHOP = 'https://shop.example/done?order=7'
/** How many payouts of 1,000 and a charge of 5 the wallet in RWF covers. */
export const COVERED = 40
export const ALL_RIGHT = { hmac: true, rsa: true, webhook: true }

export interface Merchant extends MerchantSecrets {
  readonly public_key: string
  readonly secret_key: string
}

export type TestedSystem = ReturnType<typeof testedSystem>

/** The processes, a merchant with receivers of its own, and what can be asked of all of them. */
export function testedSystem(topology: Topology) {
  let system: RunningTopology
  let receiver: Receiver
  let verification: Receiver
  let elsewhere: Receiver
  let merchant: Merchant
  let keys: Record<string, string>

  beforeAll(async () => {
    receiver = await startReceiver()
    verification = await startReceiver()
    elsewhere = await startReceiver()
    system = await startTopology(topology, {
      MALIPO_SANDBOX_DELAY_MS: '50',
      PAYMENT_PAGE_BASE_URL: 'https://pay.example',
    })
    merchant = await system.malipo<Merchant>(
      'merchant',
      'create',
      'Duka Moja',
      '--collection-callback-url',
      receiver.url,
      '--payout-callback-url',
      receiver.url,
      '--verification-url',
      verification.url,
    )
    keys = { 'public-key': merchant.public_key, 'secret-key': merchant.secret_key }
    await Promise.all(
      Object.entries({ UGX: '1000000', NGN: '100000', RWF: String(COVERED * 1005) }).map(([currency, amount]) =>
        system.malipo('wallet', 'deposit', merchant.public_key, currency, amount),
      ),
    )
    await everywhere('the new merchant', async (api) => (await wallets(api, 'UGX')).length > 0)
  })
  afterAll(async () => {
    await system?.remove()
    await receiver?.close()
    await verification?.close()
    await elsewhere?.close()
  })

  /** Every API process on its own has it, within the second that the product promises. */
  const everywhere = (what: string, isSeen: (api: string) => Promise<boolean>) =>
    Promise.all(system.apis.map((api) => until(() => isSeen(api), SEEN_WITHIN_MS, `${what} is seen at ${api}`)))

  const post = (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    api = system.url(),
  ): Promise<RawReply> => postJson(api, path, body, { ...keys, ...headers })

  async function accepted(
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<{ reference: string; internalReference: string; paymentUrl: string }> {
    const reply = await post(path, body)
    expect([reply.status, reply.body.message]).toEqual([202, expect.stringContaining('accepted')])
    return {
      reference: String(body.merchant_reference),
      internalReference: String(reply.body.data.internal_reference),
      paymentUrl: String(reply.body.data.payment_url),
    }
  }
  const collection = (changes: Readonly<Record<string, unknown>> = {}) =>
    accepted('/collections/initialize', mobileMoneyCollection(changes))
  const bankCollection = () =>
    accepted('/collections/initialize', {
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      merchant_reference: uniqueReference(),
      currency: 'NGN',
      amount: 5000,
      description: 'School fees of March',
      redirect_url: SHOP,
    })
  const payoutRequest = (changes: Readonly<Record<string, unknown>> = {}) => ({
    transaction_method: 'MOBILE_MONEY',
    merchant_reference: uniqueReference(),
    currency: 'UGX',
    amount: 20_000,
    provider_code: 'mtn_ug',
    account_number: uniqueMsisdn(),
    customer_name: 'Amina Nakato',
    description: 'Refund of an order',
    ...changes,
  })
  const payout = (changes?: Readonly<Record<string, unknown>>) => accepted('/payout/send-funds', payoutRequest(changes))

  const recordAt = async (api: string, reference: string) =>
    (await send(api, 'GET', `/data/transaction/verify/${reference}`, { headers: keys })).body.data

  /** What verify says once it has come to this status: the same at every process. */
  async function become(reference: string, status: string): Promise<Record<string, unknown>> {
    await until(
      async () => (await recordAt(system.url(), reference)).transaction_status === status,
      SOON_MS,
      `${reference} is ${status}`,
    )
    const [record, ...others] = await Promise.all(system.apis.map((api) => recordAt(api, reference)))
    for (const other of others) expect(other).toEqual(record)
    return present(record, 'the record')
  }

  const callbacksOf = (reference: string): ReceivedCallback[] =>
    receiver.received.filter(({ json }) => json.payload.merchant_reference === reference)
  const publicPem = async (api = system.url()): Promise<string> =>
    (await fetch(`${api}/.well-known/malipo-rsa.pem`)).text()

  /** The merchant has been told this, once, under three right signatures. */
  async function expectTold(reference: string, event: string, payload: object): Promise<void> {
    await until(() => callbacksOf(reference).length > 0, SOON_MS, `the callback of ${reference}`)
    expect(callbacksOf(reference).map(({ json }) => json)).toEqual([{ event, payload }])
    expect(verdictsOnCallback(present(callbacksOf(reference)[0], 'its callback'), merchant, await publicPem())).toEqual(
      ALL_RIGHT,
    )
  }

  const wallets = async (api: string, currency: string): Promise<WalletBody[]> =>
    ((await send(api, 'GET', `/data/wallet-balances?currency=${currency}`, { headers: keys })).body.data
      .merchant_wallets ?? []) as WalletBody[]
  /** The available balance: the same at every process. */
  async function balance(type: 'MERCHANT_COLLECTION' | 'MERCHANT_PAYOUT', currency: string): Promise<number> {
    const balances = await Promise.all(
      system.apis.map(
        async (api) =>
          (await wallets(api, currency)).find(({ wallet_type }) => wallet_type === type)?.available_balance ?? 0,
      ),
    )
    expect(new Set(balances).size).toBe(1)
    return present(balances[0], 'a balance')
  }

  async function transfersOf(reference: string): Promise<number> {
    const {
      rows: [row],
    } = await system.database.query<{ n: number }>(
      'select coalesce(sum(o.transfers), 0)::int as n from sandbox.orders o join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1',
      [reference],
    )
    return present(row, 'a sum').n
  }
  const allWorkDone = () =>
    until(async () => (await system.database.query('select from work')).rowCount === 0, SOON_MS, 'no work is left')

  return {
    everywhere,
    post,
    collection,
    bankCollection,
    payoutRequest,
    payout,
    recordAt,
    become,
    callbacksOf,
    publicPem,
    expectTold,
    balance,
    transfersOf,
    allWorkDone,
    get elsewhere() {
      return elsewhere
    },
    get keys() {
      return keys
    },
    get merchant() {
      return merchant
    },
    get receiver() {
      return receiver
    },
    get system() {
      return system
    },
    get verification() {
      return verification
    },
    topology,
  }
}
