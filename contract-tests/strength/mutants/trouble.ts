import type { Gateway } from '../../../server/main.ts'
import { databaseAway } from '../../../server/verification/testing/database-away.ts'
import type { RecordedExchange } from './corpus.ts'
import { startRecorder } from './recorder.ts'
import { everyOperation } from './refusals.ts'
import {
  authorize,
  BOTH_KEYS,
  collect,
  get,
  JSON_TYPE,
  mobileCollection,
  mobilePayout,
  OTP,
  pay,
  providers,
  type MutantFixture,
  verify,
} from './scene.ts'

// A gateway in trouble: its database away, its bounds reached.

/** The database fails in a way that nobody foresaw, and then is away. */
export async function outages(scene: MutantFixture): Promise<void> {
  const { pool } = scene.gateway
  const { query, connect } = pool
  for (const error of [new Error('secret detail of the database'), databaseAway()]) {
    const fail = (): Promise<never> => Promise.reject(error)
    Object.assign(pool, { query: fail, connect: fail })
    try {
      await get(scene, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
      await verify(scene, 'MUTANT-OUTAGE')
      await collect(scene, mobileCollection())
      await pay(scene, mobilePayout())
      await authorize(scene, { internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP })
    } finally {
      Object.assign(pool, { query, connect })
    }
  }
}

/** A gateway that lets a number guess once, and sends it two passwords and one prompt an hour; payment pages have a bound of their own. */
export async function bounds(gateway: Gateway, exchanges: RecordedExchange[]): Promise<void> {
  const recorder = await startRecorder(gateway.url, exchanges)
  const scene = { recorder }
  try {
    const asksForOtp = { msisdn: '256780100005' }
    const {
      data: { internal_reference },
    } = await collect(scene, mobileCollection(asksForOtp))
    for (let times = 0; times < 2; times += 1) await authorize(scene, { internal_reference, otp: 999_999 })
    const waiting = [await collect(scene, mobileCollection({ msisdn: '256780400005' }))]
    waiting.push(await collect(scene, mobileCollection({ msisdn: '256780400005' })))
    await gateway.runDue()
    for (const { data } of waiting)
      await authorize(scene, { internal_reference: data.internal_reference, otp: 123_456 })
    await collect(scene, mobileCollection({ msisdn: '256780300123' }))
    await collect(scene, mobileCollection({ msisdn: '256780300123' }))
    await collect(scene, mobileCollection(asksForOtp))
    const onPage = { msisdn: '256780200123', mobile_money_hpp: true, redirect_url: 'https://shop.example/paid' }
    for (let open = 0; open <= OPEN_PAGES_MAX; open += 1) await collect(scene, mobileCollection(onPage))
  } finally {
    await recorder.close()
  }
}
const OPEN_PAGES_MAX = 10

/** Ten requests of each kind pass in ten seconds; the first transaction has the last number there is. */
export async function tooMany(gateway: Gateway, exchanges: RecordedExchange[]): Promise<void> {
  const recorder = await startRecorder(gateway.url, exchanges)
  const scene = { recorder }
  try {
    const { data } = await collect(scene, mobileCollection())
    await verify(scene, data.merchant_reference)
    // One that finds nothing counts as ten.
    await verify(scene, 'MUTANT-UNKNOWN')
    for (let used = 0; used < 10; used += 1) await get(scene, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
    await get(scene, 'listPaymentProviders', providers('UGX', 'COLLECTION'))
    await get(scene, 'listPayoutBanks', '/data/payout-bank-codes?provider_code=bank_ng')
    await get(scene, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
    await verify(scene, 'MUTANT-UNKNOWN')
    await collect(scene, mobileCollection())
    await pay(scene, mobilePayout())
    await authorize(scene, { internal_reference: data.internal_reference, otp: OTP })
    await tooManyWrongKeys(scene)
  } finally {
    await recorder.close()
  }
}

/** Who guesses keys is stopped by the address, at every operation. */
async function tooManyWrongKeys(scene: Pick<MutantFixture, 'recorder'>): Promise<void> {
  const wrong = { ...BOTH_KEYS, 'public-key': 'pub_unknown' }
  for (let used = 0; used < 10; used += 1) await get(scene, 'listWalletBalances', '/data/wallet-balances', wrong)
  for (const [id, method, path, body] of everyOperation()) {
    const headers = { ...wrong, ...(body !== undefined && JSON_TYPE) }
    await scene.recorder.ask(id, { method, path, headers, body })
  }
}
