import { afterAll, beforeAll, expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import { bankCollection as bankRequest } from '../../testing/client-requests.ts'
import { startReceiver, type ReceivedCallback, type Receiver } from '../../testing/receiver.ts'
import {
  mobileMoneyCollection,
  postJson,
  send,
  type RawReply,
  type WalletBody,
  mobileMoneyPayout,
} from '../../testing/requests.ts'
import { byForm } from '../../testing/sandbox-rails.ts'
import { until } from '../../testing/served-gateway.ts'
import { verdictsOnCallback, type MerchantSecrets } from '../../testing/signatures.ts'
import { startTopology, type RunningTopology, type Topology } from '../../testing/topology.ts'
import { transfersFor } from '../../testing/operators-book.ts'

export const SOON_MS = 15_000
/**
 * "Seen by all processes within a second" is a rule of the product, so this test does enforce a time: a second from the
 * end of the command, plus half a second for a busy machine.
 */
export const SEEN_WITHIN_MS = 1_000 + 500
export const SANDBOX_OTP = 123_456
export const SHOP = 'https://shop.example/done?order=7'
/** How many payouts of 1,000 plus a charge of 5 the wallet in RWF covers. */
export const COVERED = 40
const ALL_RIGHT = { hmac: true, rsa: true, webhook: true }

export interface Merchant extends MerchantSecrets {
  readonly public_key: string
  readonly secret_key: string
}

export type TestedSystem = ReturnType<typeof testedSystem>

interface StartedSystem {
  readonly system: RunningTopology
  readonly merchant: Merchant
  readonly keys: Readonly<Record<string, string>>
  readonly receiver: Receiver
  readonly verification: Receiver
  readonly elsewhere: Receiver
}
type CurrentSystem = () => StartedSystem

/** The processes, a merchant with receivers of its own, and the requests and checks for all of them. */
export function testedSystem(topology: Topology) {
  // Use hooks: the processes of one topology must not run during the tests of the other.
  let started: StartedSystem | undefined
  beforeAll(async () => {
    started = await start(topology)
  })
  afterAll(async () => {
    await started?.system.remove()
    await started?.receiver.close()
    await started?.verification.close()
    await started?.elsewhere.close()
  })
  const now: CurrentSystem = () => present(started, 'the processes: they start before the first test')
  return {
    ...requestsTo(now),
    ...recordsOf(now),
    ...booksOf(now),
    get elsewhere() {
      return now().elsewhere
    },
    get keys() {
      return now().keys
    },
    get merchant() {
      return now().merchant
    },
    get receiver() {
      return now().receiver
    },
    get system() {
      return now().system
    },
    get verification() {
      return now().verification
    },
    topology,
  }
}

async function start(topology: Topology): Promise<StartedSystem> {
  const [receiver, verification, elsewhere] = [await startReceiver(), await startReceiver(), await startReceiver()]
  const system = await startTopology(topology, {
    // Over the wire the gateway confirms each message with a status query: a result that is corrected stands for this
    // long.
    MALIPO_SANDBOX_DELAY_MS: byForm('50', '1000'),
    PAYMENT_PAGE_BASE_URL: 'https://pay.example',
  })
  const merchant = await system.malipo<Merchant>(
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
  const keys = { 'public-key': merchant.public_key, 'secret-key': merchant.secret_key }
  await Promise.all(
    Object.entries({ UGX: '1000000', RWF: String(COVERED * 1005) }).map(([currency, amount]) =>
      system.malipo('wallet', 'deposit', merchant.public_key, currency, amount),
    ),
  )
  const started = { system, receiver, verification, elsewhere, merchant, keys }
  await seenEverywhere(started, 'the new merchant', async (api) => (await wallets(started, api, 'UGX')).length > 0)
  return started
}

/** Each API process on its own sees it, within the second that the product promises. */
const seenEverywhere = ({ system }: StartedSystem, what: string, isSeen: (api: string) => Promise<boolean>) =>
  Promise.all(system.apis.map((api) => until(() => isSeen(api), SEEN_WITHIN_MS, `${what} is seen at ${api}`)))

/** Empty while the process does not know the merchant yet. */
async function wallets({ keys }: StartedSystem, api: string, currency: string): Promise<WalletBody[]> {
  const { status, body } = await send(api, 'GET', `/data/wallet-balances?currency=${currency}`, { headers: keys })
  return status === 200 ? (body.data['merchant_wallets'] as WalletBody[]) : []
}

/** Requests of the merchant, each sent to the next process. */
function requestsTo(now: CurrentSystem) {
  const post = (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    api = now().system.url(),
  ): Promise<RawReply> => postJson(api, path, body, { ...now().keys, ...headers })

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
  const bankCollection = () => accepted('/collections/initialize', { ...bankRequest({ redirect_url: SHOP }) })
  const payoutRequest = mobileMoneyPayout
  const payout = (changes?: Readonly<Record<string, unknown>>) => accepted('/payout/send-funds', payoutRequest(changes))
  return { post, collection, bankCollection, payoutRequest, payout }
}

/** The state of a payment, as every process returns it and as the merchant was notified. */
function recordsOf(now: CurrentSystem) {
  const recordAt = async (api: string, reference: string) =>
    (await send(api, 'GET', `/data/transaction/verify/${reference}`, { headers: now().keys })).body.data

  /** The reply of verify once the payment has reached this status: the same at every process. */
  async function become(reference: string, status: string): Promise<Record<string, unknown>> {
    await until(
      async () => (await recordAt(now().system.url(), reference)).transaction_status === status,
      SOON_MS,
      `${reference} is ${status}`,
    )
    const [record, ...others] = await Promise.all(now().system.apis.map((api) => recordAt(api, reference)))
    for (const other of others) expect(other).toEqual(record)
    return present(record, 'the record')
  }

  const callbacksOf = (reference: string): ReceivedCallback[] => now().receiver.about(reference)
  const publicPem = async (api = now().system.url()): Promise<string> =>
    (await fetch(`${api}/.well-known/malipo-rsa.pem`)).text()

  /** The merchant has been notified of this once, with three valid signatures. */
  async function expectReported(reference: string, event: string, payload: object): Promise<void> {
    await until(() => callbacksOf(reference).length > 0, SOON_MS, `the callback of ${reference}`)
    expect(callbacksOf(reference).map(({ json }) => json)).toEqual([{ event, payload }])
    expect(
      verdictsOnCallback(present(callbacksOf(reference)[0], 'its callback'), now().merchant, await publicPem()),
    ).toEqual(ALL_RIGHT)
  }

  return { recordAt, become, callbacksOf, publicPem, expectReported }
}

/** Checks the books of merchants, rails and workers. */
function booksOf(now: CurrentSystem) {
  const everywhere = (what: string, isSeen: (api: string) => Promise<boolean>) => seenEverywhere(now(), what, isSeen)

  /** The available balance: the same at every process. */
  async function balance(type: 'MERCHANT_COLLECTION' | 'MERCHANT_PAYOUT', currency: string): Promise<number> {
    const balances = await Promise.all(
      now().system.apis.map(
        async (api) =>
          (await wallets(now(), api, currency)).find(({ wallet_type }) => wallet_type === type)?.available_balance ?? 0,
      ),
    )
    expect(new Set(balances).size).toBe(1)
    return present(balances[0], 'a balance')
  }

  const transfersOf = (reference: string): Promise<number> => transfersFor(now().system.database, reference)
  const allJobsDone = () =>
    until(
      async () => (await now().system.database.query('select from jobs')).rowCount === 0,
      SOON_MS,
      'no work is left',
    )

  return { everywhere, balance, transfersOf, allJobsDone }
}
