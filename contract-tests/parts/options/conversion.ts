import { reported } from '../../driver/api-replies.ts'
import { verify } from '../../driver/merchant.ts'
import { minorOf } from '../../driver/money.ts'
import { converted, leastFor, roundedUpFrom } from './charges.ts'
import type { Bank } from './lists.ts'
import { refused } from './limits.ts'
import { inCurrency, oddAmountOf, type PaymentCase } from './payment-cases.ts'
import type { Option } from './listed-options.ts'
import { aboutOf, accountOf, bodyOf, nameOf, send } from './play.ts'
import { forEachOf, type OptionsFixture } from './fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** Rates as staff set them: no round numbers, into currencies with and without decimals. */
export const RATES = [
  ['USD', 'UGX', '3812.4567'],
  ['USD', 'ZAR', '18.23455'],
  ['UGX', 'KES', '0.034567'],
  ['KES', 'GHS', '0.0967'],
  ['GHS', 'NGN', '131.7'],
  ['ZAR', 'RWF', '79.19'],
] as const satisfies readonly (readonly [from: string, to: string, rate: string])[]

const UNKNOWN_RATE =
  "the rates of a third party's server are unknown: of a converted payment only what follows from transaction_amount was compared"

/** Payments in another currency than the provider's, and the requests just outside its limits. */
export async function conversions(
  fixture: OptionsFixture,
  options: readonly Option[],
  banks: readonly Bank[],
): Promise<readonly PaymentCase[]> {
  const { own } = fixture.target
  if (!own) return guessed(fixture, options)
  for (const [from, to, rate] of RATES) await own.setRate(from, to, rate)
  const payments: PaymentCase[] = []
  for (const [from, to, rate] of RATES)
    // One provider of each currency, for collections and payouts.
    for (const option of firstOfEachType(options, to)) {
      const bank =
        option.type === 'PAYOUT' && option.method === 'BANK'
          ? banks.find(({ provider }) => provider === option.code)
          : undefined
      const more = bank ? { bank } : {}
      const make = (amountMinor: bigint, rest: Parameters<typeof inCurrency>[4]): PaymentCase =>
        inCurrency(option, from, amountMinor, converted(amountMinor, from, to, rate), { ...more, ...rest })
      const least = leastFor(option.minMinor, from, to, rate)
      const tooMuch = leastFor(option.maxMinor + 1n, from, to, rate)
      const between = roundedUpFrom(leastFor(oddAmountOf(option), from, to, rate) + 1n, from, to, rate)
      payments.push(
        make(least, { what: 'of the smallest amount' }),
        make(tooMuch - 1n, { what: 'of the largest amount', chargeCustomer: true }),
        make(between, { what: 'with a charge that is rounded' }),
        make(between, { what: 'that fails', fails: true }),
      )
      if (least > 1n) await refused(fixture, make(least - 1n, { what: 'one unit below the smallest amount' }))
      await refused(fixture, make(tooMuch, { what: 'one unit above the largest amount' }))
    }
  await withoutRate(fixture, options)
  return payments
}

const firstOfEachType = (options: readonly Option[], currency: string): readonly Option[] => [
  ...new Map(options.filter((option) => option.currency === currency).map((option) => [option.type, option])).values(),
]

/** A rate has one direction: there is no inverse, and no route through a third currency. */
async function withoutRate(fixture: OptionsFixture, options: readonly Option[]): Promise<void> {
  const known = new Set<string>(RATES.map(([from, to]) => `${from} ${to}`))
  const ways = RATES.flatMap(([from, to]) => [
    [to, from],
    ...RATES.flatMap(([other, third]) => (other === to ? [[from, third]] : [])),
  ])
  const requested = ways.flatMap(([from = '', to = '']) =>
    known.has(`${from} ${to}`)
      ? []
      : firstOfEachType(options, to).map((option) =>
          inCurrency(option, from, option.minMinor, undefined, { what: 'without a rate' }),
        ),
  )
  await forEachOf(requested, async (paymentCase) => {
    const serial = fixture.serial()
    const reference = fixture.reference(serial)
    const { option, currency } = paymentCase
    if (option.method === 'BANK' && option.type === 'PAYOUT') return
    const answer = await send(fixture, paymentCase, bodyOf(paymentCase, reference, accountOf(option, serial, '001')))
    const wanted = refusal('rate_missing', { USD: currency, UGX: option.currency })
    const isRight = answer.status === 400 && answer.message === wanted
    fixture.hold(
      aboutOf(paymentCase),
      'no rate',
      !isRight && `${nameOf(paymentCase)} was answered ${reported(answer)}, not 400 "${wanted}"`,
      nameOf(paymentCase),
    )
  })
}

const REQUESTED_MINOR = 10_000n
/** Of other payments, so that the rule "conversion" has fractions to compare. */
const OTHERS_MINOR = [12_345n, 6_789n, 4_321n]

/** Whether a rate from dollars exists is requested once for each currency. */
async function guessed(fixture: OptionsFixture, options: readonly Option[]): Promise<readonly PaymentCase[]> {
  fixture.skippedChecks.add(UNKNOWN_RATE)
  const collections = options.filter(({ type, method }) => type === 'COLLECTION' && method === 'MOBILE_MONEY')
  const ones = [...new Map(collections.map((option) => [option.currency, option])).values()]
  const payments = await forEachOf(ones, async (option) => {
    const inDollars = (minor: bigint, chargeCustomer: boolean): PaymentCase =>
      inCurrency(option, 'USD', minor, undefined, { what: 'with an unknown rate', chargeCustomer })
    const first = inDollars(REQUESTED_MINOR, false)
    const reference = fixture.reference(fixture.serial())
    const account = accountOf(option, fixture.accountSerial(option.code), '001')
    const { status } = await send(fixture, first, bodyOf(first, reference, account))
    if (status !== 202) return []
    const others = OTHERS_MINOR.map((minor, index) => inDollars(minor, index === 0))
    const largest = largestFor(option, (await verify(fixture.merchant, reference)).data['transaction_amount'])
    // The larger an amount, the better it tells the rate.
    return [first, ...others, ...(largest > 0n ? [inDollars(largest, false)] : [])]
  })
  return payments.flat()
}

/** Close below the largest amount, by what the first request became; 0 when that is unknown. */
function largestFor({ currency, maxMinor }: Option, became: unknown): bigint {
  const transactionMinor = minorOf(Number(became), currency) ?? 0n
  return transactionMinor > 0n ? (maxMinor * REQUESTED_MINOR * 9n) / (transactionMinor * 10n) : 0n
}
