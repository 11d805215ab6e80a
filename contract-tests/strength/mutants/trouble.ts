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
} from './fixture.ts'

// A gateway in trouble: its database unreachable, its bounds reached.

/** The database fails in an unforeseen way, and then is unreachable. */
export async function outages(fixture: MutantFixture): Promise<void> {
  const { pool } = fixture.gateway
  const { query, connect } = pool
  for (const error of [new Error('secret detail of the database'), databaseAway()]) {
    const fail = (): Promise<never> => Promise.reject(error)
    Object.assign(pool, { query: fail, connect: fail })
    try {
      await get(fixture, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
      await verify(fixture, 'MUTANT-OUTAGE')
      await collect(fixture, mobileCollection())
      await pay(fixture, mobilePayout())
      await authorize(fixture, { internal_reference: `MLP${'0'.repeat(22)}`, otp: OTP })
    } finally {
      Object.assign(pool, { query, connect })
    }
  }
}

/**
 * A gateway that allows a number one guess, two OTPs and one prompt an hour; payment pages have a bound of their own.
 */
export async function bounds(gateway: Gateway, exchanges: RecordedExchange[]): Promise<void> {
  const recorder = await startRecorder(gateway.url, exchanges)
  const fixture = { recorder }
  try {
    const asksForOtp = { msisdn: '256780100005' }
    const {
      data: { internal_reference },
    } = await collect(fixture, mobileCollection(asksForOtp))
    for (let times = 0; times < 2; times += 1) await authorize(fixture, { internal_reference, otp: 999_999 })
    const waiting = [await collect(fixture, mobileCollection({ msisdn: '256780400005' }))]
    waiting.push(await collect(fixture, mobileCollection({ msisdn: '256780400005' })))
    await gateway.runDue()
    for (const { data } of waiting)
      await authorize(fixture, { internal_reference: data.internal_reference, otp: 123_456 })
    await collect(fixture, mobileCollection({ msisdn: '256780300123' }))
    await collect(fixture, mobileCollection({ msisdn: '256780300123' }))
    await collect(fixture, mobileCollection(asksForOtp))
    const onPage = { msisdn: '256780200123', mobile_money_hpp: true, redirect_url: 'https://shop.example/paid' }
    for (let open = 0; open <= OPEN_PAGES_MAX; open += 1) await collect(fixture, mobileCollection(onPage))
  } finally {
    await recorder.close()
  }
}
const OPEN_PAGES_MAX = 10

/** Ten requests of each kind pass in ten seconds; the first transaction has the largest possible number. */
export async function tooMany(gateway: Gateway, exchanges: RecordedExchange[]): Promise<void> {
  const recorder = await startRecorder(gateway.url, exchanges)
  const fixture = { recorder }
  try {
    const { data } = await collect(fixture, mobileCollection())
    await verify(fixture, data.merchant_reference)
    // A lookup that finds nothing counts as ten.
    await verify(fixture, 'MUTANT-UNKNOWN')
    for (let used = 0; used < 10; used += 1)
      await get(fixture, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
    await get(fixture, 'listPaymentProviders', providers('UGX', 'COLLECTION'))
    await get(fixture, 'listPayoutBanks', '/data/payout-bank-codes?provider_code=bank_ng')
    await get(fixture, 'listWalletBalances', '/data/wallet-balances', BOTH_KEYS)
    await verify(fixture, 'MUTANT-UNKNOWN')
    await collect(fixture, mobileCollection())
    await pay(fixture, mobilePayout())
    await authorize(fixture, { internal_reference: data.internal_reference, otp: OTP })
    await tooManyWrongKeys(fixture)
  } finally {
    await recorder.close()
  }
}

/** The address limit stops clients that guess keys, at every operation. */
async function tooManyWrongKeys(fixture: Pick<MutantFixture, 'recorder'>): Promise<void> {
  const wrong = { ...BOTH_KEYS, 'public-key': 'pub_unknown' }
  for (let used = 0; used < 10; used += 1) await get(fixture, 'listWalletBalances', '/data/wallet-balances', wrong)
  for (const [id, method, path, body] of everyOperation()) {
    const headers = { ...wrong, ...(body !== undefined && JSON_TYPE) }
    await fixture.recorder.send(id, { method, path, headers, body })
  }
}
