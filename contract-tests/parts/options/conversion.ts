import { refusal } from '../../../server/verification/testing/refusal.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { minorOf } from '../../driver/money.ts'
import { converted, leastFor, roundedUpFrom, type ExchangeRate } from './charges.ts'
import type { PaidOption } from './lists.ts'
import { EXPIRED, oddAmountOf, paymentCase, type CaseOptions, type PaymentCase } from './payment-cases.ts'
import { send } from './play.ts'
import { areRefused, beyond, type RefusedCase } from './refusals.ts'

/** Rates as staff set them: no round numbers, into currencies with and without decimals. */
const RATES: readonly ExchangeRate[] = [
  ['USD', 'UGX', '3812.4567'],
  ['USD', 'ZAR', '18.23455'],
  ['UGX', 'KES', '0.034567'],
  ['KES', 'GHS', '0.0967'],
  ['GHS', 'NGN', '131.7'],
  ['ZAR', 'RWF', '79.19'],
]

const UNKNOWN_RATE =
  "the rates of a third party's server are unknown: of a converted payment only what follows from transaction_amount was compared"

/** Payments in another currency than the provider's, and the requests just outside its limits. */
export async function conversions(
  fixture: DriverFixture,
  options: readonly PaidOption[],
): Promise<readonly PaymentCase[]> {
  const { own } = fixture.target
  if (!own) return guessed(fixture, options)
  for (const rate of RATES) await own.setRate(...rate)
  const payments: PaymentCase[] = []
  const refused: RefusedCase[] = withoutRate(options)
  for (const rate of RATES) {
    const [from, to] = rate
    // One provider of each currency, for collections and payouts.
    for (const option of firstOfEachType(options, to)) {
      const make = (minor: bigint, what: string, more: CaseOptions = {}): PaymentCase =>
        paymentCase(option, from, minor, converted(minor, rate), what, more)
      const least = leastFor(option.minMinor, rate)
      const tooMuch = leastFor(option.maxMinor + 1n, rate)
      const between = roundedUpFrom(leastFor(oddAmountOf(option), rate) + 1n, rate)
      payments.push(
        make(least, 'of the smallest amount'),
        make(tooMuch - 1n, 'of the largest amount', { chargeCustomer: true }),
        make(between, 'with a charge that is rounded'),
        make(between, 'that fails', { outcome: EXPIRED }),
      )
      if (least > 1n) refused.push(beyond(make(least - 1n, 'one unit below the smallest amount')))
      refused.push(beyond(make(tooMuch, 'one unit above the largest amount')))
    }
  }
  await areRefused(fixture, refused)
  return payments
}

const firstOfEachType = (options: readonly PaidOption[], currency: string): readonly PaidOption[] => [
  ...new Map(options.filter((option) => option.currency === currency).map((option) => [option.type, option])).values(),
]

/** A rate has one direction: there is no inverse, and no route through a third currency. */
function withoutRate(options: readonly PaidOption[]): RefusedCase[] {
  const known = new Set(RATES.map(([from, to]) => `${from} ${to}`))
  const ways = RATES.flatMap(([from, to]) => [
    [to, from],
    ...RATES.flatMap(([other, third]) => (other === to ? [[from, third]] : [])),
  ])
  return ways
    .filter(([from, to]) => !known.has(`${from} ${to}`))
    .flatMap(([from = '', to = '']) =>
      firstOfEachType(options, to)
        .filter(({ method, type }) => method !== 'BANK' || type !== 'PAYOUT')
        .map((option): RefusedCase => [
          paymentCase(option, from, option.minMinor, undefined, 'without a rate'),
          refusal('rate_missing', { USD: from, UGX: to }),
        ]),
    )
}

const REQUESTED_MINOR = 10_000n
/** Of other payments, so that the rule "conversion" has fractions to compare. */
const OTHERS_MINOR = [12_345n, 6_789n, 4_321n]

/** Whether a rate from dollars exists is requested once for each currency. */
async function guessed(fixture: DriverFixture, options: readonly PaidOption[]): Promise<readonly PaymentCase[]> {
  fixture.skip(UNKNOWN_RATE)
  const collections = options.filter(({ type, method }) => type === 'COLLECTION' && method === 'MOBILE_MONEY')
  const ones = [...new Map(collections.map((option) => [option.currency, option])).values()]
  const payments = await forEachOf(ones, async (option) => {
    const inDollars = (minor: bigint, chargeCustomer: boolean): PaymentCase =>
      paymentCase(option, 'USD', minor, undefined, 'with an unknown rate', { chargeCustomer })
    const first = inDollars(REQUESTED_MINOR, false)
    const { driver, reply, reference } = await send(fixture, first)
    if (reply.status !== 202) return []
    const others = OTHERS_MINOR.map((minor, index) => inDollars(minor, index === 0))
    const largest = largestFor(option, (await driver.verify(reference))['transaction_amount'])
    // The larger an amount, the better it tells the rate.
    return [first, ...others, ...(largest > 0n ? [inDollars(largest, false)] : [])]
  })
  return payments.flat()
}

/** Close below the largest amount, by what the first request became; 0 when that is unknown. */
function largestFor({ currency, maxMinor }: PaidOption, became: unknown): bigint {
  const transactionMinor = minorOf(Number(became), currency) ?? 0n
  return transactionMinor > 0n ? (maxMinor * REQUESTED_MINOR * 9n) / (transactionMinor * 10n) : 0n
}
