import fc from 'fast-check'
import { wireOf } from '../../driver/money.ts'
import { WAYS, type Limits, type TransactionType, type PaymentOption } from './options.ts'
import type { Draft } from './payment.ts'
import {
  knownLimitsOf,
  nextReference,
  isClockStopped,
  usageOf,
  type PaymentModel,
  type SystemUnderTest,
} from './world.ts'

/** The random part; references and exact amounts follow when it is sent. */
export interface Recipe {
  readonly type: TransactionType
  readonly way: PaymentOption
  /** Which of the run's customers. */
  readonly customer: number
  /** The test number: last three digits of the account. */
  readonly ending: string
  readonly amount: AmountRecipe
  readonly chargeCustomer: boolean
  readonly allowsLate: boolean
  /** A mobile money collection on the payment page. */
  readonly hosted: boolean
  /** A payout that the merchant's server rejects. */
  readonly rejected: boolean
}

/** `rest`: exactly the rest of the account's daily limit; `over`: one minor unit more. */
export type AmountRecipe = 'min' | 'max' | 'rest' | 'over' | number

export const CUSTOMERS = 2
const SHOP = 'https://shop.example/done?order=7'
const RAIL_ENDINGS = ['123', '001', '002', '003', '004', '456', '005', '006', '007', '008', '009', '010'] as const
/** Another server's clock cannot be moved: outcomes that take a minute are excluded. */
const QUICK_ENDINGS = ['123', '001', '002', '003', '004', '005', '006', '007', '009'] as const

export const endings = (still: boolean): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('123') },
    { weight: 4, arbitrary: fc.constantFrom(...(still ? RAIL_ENDINGS : QUICK_ENDINGS)) },
  )
export const customers = fc.nat(CUSTOMERS - 1)

const amounts = (still: boolean): fc.Arbitrary<AmountRecipe> => {
  const usual = { weight: 6, arbitrary: fc.oneof(fc.constant<AmountRecipe>('min'), fc.integer({ min: 1, max: 9_999 })) }
  // Large amounts empty the sandbox's wallets, and another server's are not ours.
  return still
    ? fc.oneof(usual, { weight: 4, arbitrary: fc.constantFrom<AmountRecipe>('max', 'max', 'rest', 'over') })
    : fc.oneof(usual)
}

export const collections = (still: boolean): fc.Arbitrary<Recipe> =>
  recipes(
    'COLLECTION',
    still,
    still
      ? [WAYS.mtnUganda, WAYS.mtnUganda, WAYS.mpesaKenya, WAYS.mtnGhana, WAYS.bankNigeria]
      : [WAYS.mtnUganda, WAYS.mpesaKenya, WAYS.mtnGhana],
  )
export const payouts = (still: boolean): fc.Arbitrary<Recipe> =>
  fc.oneof(
    recipes('PAYOUT', still, [WAYS.mpesaKenya, WAYS.bankSouthAfrica]),
    // The wallet in UGX must last: the others may run dry.
    recipes('PAYOUT', false, [WAYS.mtnUganda]),
  )

/** Collections that need an OTP at once. */
export const withPassword = (still: boolean): fc.Arbitrary<Recipe> =>
  recipes('COLLECTION', still, [WAYS.mtnGhana]).map((recipe) => ({ ...recipe, hosted: false }))

const recipes = (
  type: TransactionType,
  still: boolean,
  ways: readonly [PaymentOption, ...PaymentOption[]],
): fc.Arbitrary<Recipe> =>
  fc.record({
    type: fc.constant(type),
    way: fc.constantFrom(...ways),
    customer: customers,
    ending: endings(still),
    amount: amounts(still),
    chargeCustomer: fc.boolean(),
    allowsLate: fc.boolean(),
    hosted: still ? fc.integer({ min: 0, max: 3 }).map((n) => n === 3) : fc.constant(false),
    rejected: fc.integer({ min: 0, max: 5 }).map((n) => n === 5),
  })

export const recipeWords = ({ type, way, customer, ending, amount, hosted }: Recipe): string =>
  `${type === 'COLLECTION' ? 'collect' : 'pay out'} ${typeof amount === 'number' ? `min + ${amount}` : amount} ${way.currency} by ${way.providerCode}, customer ${customer} …${ending}${hosted ? ' on the page' : ''}`

export const accountOf = (model: PaymentModel, way: PaymentOption, customer: number, ending: string): string =>
  `${way.accountPrefix}${model.customers[customer]}${ending}`

/** @param reference an existing one, or a new one */
export function draftOf(
  model: PaymentModel,
  real: SystemUnderTest,
  recipe: Recipe,
  reference = newReference(model, real, recipe),
  key = `${reference} ${model.references++}`,
): Draft {
  const { type, way, customer, ending, chargeCustomer, allowsLate, hosted } = recipe
  const byBank = way.bankCode !== undefined
  const account = type === 'COLLECTION' && byBank ? '' : accountOf(model, way, customer, ending)
  const amountMinor = amountOf(
    recipe.amount,
    knownLimitsOf(real, recipe),
    usageOf(model, real, { providerCode: way.providerCode, type, account }).atMost,
  )
  const common = {
    merchant_reference: reference,
    provider_code: way.providerCode,
    currency: way.currency,
    amount: wireOf(amountMinor, way.currency),
    description: 'Two coffees please',
  }
  const made = { way, reference, key, amountMinor, account }
  if (type === 'PAYOUT') {
    const to = { account_number: account, customer_name: 'Amina Nakato' }
    return {
      ...made,
      type,
      request:
        way.bankCode === undefined
          ? { ...common, ...to, transaction_method: 'MOBILE_MONEY' }
          : { ...common, ...to, transaction_method: 'BANK', extra_params: { bank_code: way.bankCode } },
    }
  }
  const flags = { charge_customer: chargeCustomer, allow_final_status_change: allowsLate }
  if (byBank) return { ...made, type, request: { ...common, ...flags, transaction_method: 'BANK', redirect_url: SHOP } }
  const byPhone = { ...common, ...flags, transaction_method: 'MOBILE_MONEY', msisdn: account } as const
  const isHosted = hosted && isClockStopped(real)
  return {
    ...made,
    type,
    request: isHosted ? { ...byPhone, mobile_money_hpp: true, redirect_url: SHOP } : byPhone,
  }
}

/** The reference decides whether the merchant confirms a payout: the handshake contains nothing else. */
function newReference(model: PaymentModel, { merchant }: SystemUnderTest, { type, rejected }: Recipe): string {
  const reference = nextReference(model)
  if (type === 'PAYOUT' && rejected) merchant?.reject(reference)
  return reference
}

function amountOf(amount: AmountRecipe, { minMinor, maxMinor, dailyMinor }: Limits, usedMinor: bigint): bigint {
  const left = dailyMinor - usedMinor
  const within = (minor: bigint): bigint => {
    if (minor < minMinor) return minMinor
    return minor > maxMinor ? maxMinor : minor
  }
  switch (amount) {
    case 'min':
      return minMinor
    case 'max':
      return maxMinor
    case 'rest':
      return within(left)
    case 'over':
      return within(left + 1n)
    default:
      return within(minMinor + BigInt(amount) * 7n)
  }
}
