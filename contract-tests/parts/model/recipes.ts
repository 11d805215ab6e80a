import fc from 'fast-check'
import * as bodies from '../../driver/bodies.ts'
import { minorOf, wireOf } from '../../driver/money.ts'
import { optionOf, type Direction, type Lister } from '../../driver/provider-options.ts'
import { postRequest } from '../../driver/requests.ts'
import { LATE, NEEDS_OTP } from '../../driver/test-numbers.ts'
import { present } from '../../harness/part.ts'
import { optionName, usedMinor, type Draft, type Limits, type ModelRun } from './world.ts'

/** A payment option that the model can use; its limits come from the server. */
interface PaymentOption {
  readonly providerCode: string
  readonly currency: string
  /** Prefix of account numbers: four digits of ours and a test number follow. */
  readonly accountPrefix: string
  readonly bankCode?: string
  readonly asksForOtp?: true
}

const MTN_UGANDA: PaymentOption = { providerCode: 'mtn_ug', currency: 'UGX', accountPrefix: '25677' }
const MPESA: PaymentOption = { providerCode: 'mpesa_ke', currency: 'KES', accountPrefix: '25470' }
const MTN_GHANA: PaymentOption = { providerCode: 'mtn_gh', currency: 'GHS', accountPrefix: '23324', asksForOtp: true }
const NIGERIA: PaymentOption = {
  providerCode: 'bank_ng',
  currency: 'NGN',
  accountPrefix: '012',
  bankCode: 'access_bank_ng',
}
const SOUTH_AFRICA: PaymentOption = {
  providerCode: 'bank_za',
  currency: 'ZAR',
  accountPrefix: '034',
  bankCode: 'absa_za',
}

/** The limits of the options that the server lists. */
export async function readLimits(lister: Lister): Promise<ReadonlyMap<string, Limits>> {
  const requested = [MTN_UGANDA, MPESA, MTN_GHANA, NIGERIA, SOUTH_AFRICA].flatMap(({ providerCode, currency }) =>
    (['COLLECTION', 'PAYOUT'] as const).map(async (type) => {
      const option = await optionOf(lister, providerCode, type, currency)
      if (!option) return []
      const minor = (amount: number): bigint => minorOf(amount, currency) ?? 0n
      const limits = { minMinor: minor(option.min), maxMinor: minor(option.max), dailyMinor: minor(option.daily) }
      return [[optionName({ providerCode, type }), limits] as const]
    }),
  )
  return new Map((await Promise.all(requested)).flat())
}

/** `rest`: exactly the rest of the account's daily limit; `over`: one minor unit more; a number: above the minimum. */
type AmountRecipe = 'max' | 'rest' | 'over' | number

/** The random part of a payment; references and exact amounts follow when it is sent. */
export interface Recipe {
  readonly type: Direction
  readonly option: PaymentOption
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

export const CUSTOMERS = 2
const REDIRECT_URL = 'https://shop.example/done?order=7'
const QUICK_ENDINGS = ['123', '001', '002', '003', '004', '005', '006', LATE, '009']
/** Their outcomes take a minute: the clock of another server cannot be moved. */
const SLOW_ENDINGS = ['456', '008', '010']

const recipesOf = (type: Direction, isOwn: boolean, options: readonly PaymentOption[]): fc.Arbitrary<Recipe> =>
  fc.record({
    type: fc.constant(type),
    option: fc.constantFrom(...options),
    customer: fc.nat(CUSTOMERS - 1),
    ending: fc.oneof(
      { weight: 3, arbitrary: fc.constant('123') },
      { weight: 4, arbitrary: fc.constantFrom(...QUICK_ENDINGS, ...(isOwn ? SLOW_ENDINGS : [])) },
    ),
    amount: fc.oneof(
      { weight: 6, arbitrary: fc.nat(9_999) },
      // Large amounts empty the sandbox's wallets, and another server's are not ours.
      { weight: isOwn ? 4 : 0, arbitrary: upToTheLimit },
    ),
    chargeCustomer: fc.boolean(),
    allowsLate: fc.boolean(),
    hosted: fc.nat(3).map((n) => isOwn && n === 3),
    rejected: fc.nat(5).map((n) => n === 5),
  })

const upToTheLimit = fc.constantFrom<AmountRecipe>('max', 'max', 'rest', 'over')

export const collections = (isOwn: boolean): fc.Arbitrary<Recipe> =>
  recipesOf('COLLECTION', isOwn, [MTN_UGANDA, MTN_UGANDA, MPESA, MTN_GHANA, ...(isOwn ? [NIGERIA] : [])])
export const payouts = (isOwn: boolean): fc.Arbitrary<Recipe> =>
  fc.oneof(
    recipesOf('PAYOUT', isOwn, [MPESA, SOUTH_AFRICA]),
    // The wallet in UGX must last: the others may run dry.
    recipesOf('PAYOUT', false, [MTN_UGANDA]),
  )
/** Collections that need an OTP at once. */
export const withOtp = (isOwn: boolean): fc.Arbitrary<Recipe> =>
  recipesOf('COLLECTION', isOwn, [MTN_GHANA]).map((recipe) => ({ ...recipe, hosted: false }))
/** Collections from one account that bring it to its daily limit and over it. */
export const exhausting = (): fc.Arbitrary<Recipe> =>
  fc
    .tuple(collections(true), upToTheLimit)
    .map(([recipe, amount]) => ({ ...recipe, amount, customer: 0, ending: '123' }))

/** @param reference an existing one, or a new one */
export function draftOf(
  run: ModelRun,
  recipe: Recipe,
  reference = `${run.name}-${String(run.references++).padStart(3, '0')}`,
): Draft {
  const { type, option, customer, ending, hosted, rejected, allowsLate } = recipe
  const { providerCode, currency, accountPrefix, bankCode } = option
  const number = `${accountPrefix}${run.customers[customer]}${ending}`
  const isByBankPage = type === 'COLLECTION' && bankCode !== undefined
  const isHosted = isByBankPage || (type === 'COLLECTION' && hosted)
  const limited = { type, providerCode, account: isByBankPage ? '' : number }
  const amountMinor = amountOf(run, recipe, limited)
  const own = {
    merchant_reference: reference,
    currency,
    provider_code: providerCode,
    amount: wireOf(amountMinor, currency),
  }
  // The handshake has nothing but the reference, so the reference decides whether the merchant rejects a payout.
  const isNew = run.payments.every((payment) => payment.reference !== reference)
  if (type === 'PAYOUT' && rejected && isNew && run.receiver) run.rejected.add(reference)
  return {
    ...limited,
    currency,
    reference,
    amountMinor,
    pageAccount: number,
    isHosted,
    asksForOtp: type === 'COLLECTION' && (option.asksForOtp === true || ending === NEEDS_OTP),
    mayTurn: ending === LATE && (type === 'PAYOUT' || allowsLate),
    request: postRequest(
      run.target,
      type === 'PAYOUT' ? 'sendFunds' : 'initializeCollection',
      bodyOf(recipe, own, number),
    ),
  }
}

function bodyOf(
  { type, option: { bankCode }, chargeCustomer, allowsLate, hosted }: Recipe,
  own: Readonly<Record<string, unknown>>,
  number: string,
): Readonly<Record<string, unknown>> {
  if (type === 'PAYOUT') {
    const paid = { ...own, account_number: number }
    return bankCode === undefined
      ? bodies.mobilePayout(paid)
      : bodies.bankPayout({ ...paid, extra_params: { bank_code: bankCode } })
  }
  const flags = { charge_customer: chargeCustomer, allow_final_status_change: allowsLate }
  if (bankCode !== undefined) return bodies.bankCollection({ ...own, ...flags, redirect_url: REDIRECT_URL })
  const onPage = hosted ? { mobile_money_hpp: true, redirect_url: REDIRECT_URL } : {}
  return bodies.mobileCollection({ ...own, ...flags, ...onPage, msisdn: number })
}

function amountOf(
  run: ModelRun,
  { amount }: Recipe,
  limited: Pick<Draft, 'account' | 'providerCode' | 'type'>,
): bigint {
  const { minMinor, maxMinor, dailyMinor } = present(
    run.limits.get(optionName(limited)),
    `limit of ${optionName(limited)}`,
  )
  const left = dailyMinor - usedMinor(run, limited)
  const wanted = { max: maxMinor, rest: left, over: left + 1n }
  const minor = typeof amount === 'number' ? minMinor + BigInt(amount) * 7n : wanted[amount]
  if (minor < minMinor) return minMinor
  return minor > maxMinor ? maxMinor : minor
}
