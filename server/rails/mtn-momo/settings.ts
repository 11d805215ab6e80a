import { plainPattern } from '../customer-text.ts'
import { SettingFault, type RailSetting, type SettingValues } from '../rail-kind.ts'
import { allOrNone, declaredValues, needed, type DeclaredValues } from '../read-settings.ts'
import { oneOf, seconds } from '../setting-faults.ts'

/** The MTN products that move money here; each has its own credentials and tokens. */
export const PRODUCTS = ['collection', 'disbursement'] as const
export type Product = (typeof PRODUCTS)[number]

export interface Credentials {
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
}

/** A rail account's parsed settings. */
export interface MtnSettings {
  readonly baseUrl: string
  readonly targetEnvironment: string
  /** An absent product is not used. */
  readonly credentials: Readonly<Partial<Record<Product, Credentials>>>
  /** The call that pays out. */
  readonly payoutCall: PayoutCall
  /** Whether a refund may be a part of its collection. */
  readonly refundsParts: boolean
  readonly customerText: string
  /** The delay before the first status query, the second and so on; the last one repeats. */
  readonly pollAfterMs: readonly number[]
  readonly notFoundAfterMs: number
}

/** MTN's calls for a payout. */
export const PAYOUT_CALLS = ['transfer', 'deposit'] as const
export type PayoutCall = (typeof PAYOUT_CALLS)[number]

/** The documented limit of both texts that go with an order. */
export const CUSTOMER_TEXT_MAX = 160

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The value goes into a header. The message does not repeat it. */
const keyFault = (value: string): string | undefined =>
  /^[\x21-\x7e]{1,200}$/.test(value) ? undefined : 'must be up to 200 letters, digits and signs, without spaces'

const someSeconds = seconds(1, 999_999)

const credentialSettings = (product: string, without: string) =>
  ({
    subscriptionKey: {
      meaning: `the subscription key of the product ${product}; without it ${without}`,
      secret: true,
      optional: true,
      fault: keyFault,
    },
    apiUser: {
      meaning: `the API user of ${product}, a UUID`,
      optional: true,
      // MTN does not document whether it shows an order to an API user other than its own.
      fixed: 'once_set',
      fault: (value) => (UUID.test(value) ? undefined : 'must be a UUID'),
    },
    apiKey: { meaning: `the API key of that user`, secret: true, optional: true, fault: keyFault },
  }) as const satisfies Readonly<Record<keyof Credentials, RailSetting>>

const collection = credentialSettings('Collections', 'nothing is collected')
const disbursement = credentialSettings('Disbursements', 'nothing is paid out')

/**
 * The settings of an MTN MoMo rail account. Facts that MTN documents are rules in the code; whatever is unverified, or
 * specific to the company, is a setting.
 */
export const MTN_SETTINGS = {
  target_environment: {
    meaning: 'the value of X-Target-Environment: `sandbox`, or that of the country, for example `mtnuganda`',
    fixed: 'while_open',
    fault: (value) => (/^[a-z]{1,40}$/.test(value) ? undefined : 'must be lower-case letters'),
  },
  collection_subscription_key: collection.subscriptionKey,
  collection_api_user: collection.apiUser,
  collection_api_key: collection.apiKey,
  disbursement_subscription_key: disbursement.subscriptionKey,
  disbursement_api_user: disbursement.apiUser,
  disbursement_api_key: disbursement.apiKey,
  // Unverified: which of them a contract allows. The status of a payout is queried by the same call.
  payout_call: {
    meaning: 'the call that pays out, by the contract with MTN: `transfer` or `deposit`',
    default: 'transfer',
    fixed: 'while_open',
    fault: oneOf(...PAYOUT_CALLS),
  },
  // Documented: a refund carries an amount. Unverified: that it may be less than the collection's.
  partial_refunds: {
    meaning: 'whether MTN gives a part of a collection back, and several times: `yes` or `no`',
    default: 'no',
    fault: oneOf('yes', 'no'),
  },
  // MTN refuses apostrophes and "special characters" and does not list them, so only plain characters are allowed.
  customer_text: {
    meaning:
      'what customers and recipients may read beside the amount; `{merchant}` stands for the name of the merchant, `{reference}` for its reference',
    default: '{merchant} {reference}',
    fault: plainPattern(CUSTOMER_TEXT_MAX),
  },
  // Documented: a customer has five minutes, and without a callback the first status query is due then.
  ask_after_seconds: {
    meaning:
      'how many seconds to wait before the first question about an order without a result, the second and so on, with commas between; the last holds for all that follow',
    default: '300,60,120,300,600,1800,3600',
    fault: (value) =>
      value.split(',').length <= 20 && value.split(',').every((wait) => someSeconds(wait) === undefined)
        ? undefined
        : 'must be up to 20 whole numbers of seconds with commas between, for example 300,60,120',
  },
  // MTN does not document how soon it shows an accepted order. It does document that the first status query is due
  // after five minutes, so an order that it does not know by then counts as never arrived.
  not_found_after_seconds: {
    meaning: 'how many seconds old an order must be before "not found" means that MTN never got it',
    default: '300',
    fault: someSeconds,
  },
} as const satisfies Readonly<Record<string, RailSetting>>

type SettingName = keyof typeof MTN_SETTINGS

/** @throws SettingFault for values that cannot be used, alone or together */
export function readSettings(given: SettingValues): MtnSettings {
  const values = declaredValues(MTN_SETTINGS, given)
  const { base_url: baseUrl } = given
  if (baseUrl === undefined) throw new SettingFault('base_url is missing')
  const credentials = Object.fromEntries(
    PRODUCTS.flatMap((product) => {
      const own = credentialsOf(product, values)
      return own ? [[product, own]] : []
    }),
  )
  if (Object.keys(credentials).length === 0)
    throw new SettingFault('it needs the credentials of Collections, of Disbursements or of both')
  return {
    baseUrl,
    targetEnvironment: needed(values, 'target_environment'),
    credentials,
    payoutCall: PAYOUT_CALLS.find((call) => call === needed(values, 'payout_call')) ?? 'transfer',
    refundsParts: values['partial_refunds'] === 'yes',
    customerText: needed(values, 'customer_text'),
    pollAfterMs: needed(values, 'ask_after_seconds')
      .split(',')
      .map((wait) => Number(wait) * 1000),
    notFoundAfterMs: Number(needed(values, 'not_found_after_seconds')) * 1000,
  }
}

/** The settings that are the credentials of a product. */
export const credentialNames = <Name extends Product>(product: Name) =>
  [`${product}_subscription_key`, `${product}_api_user`, `${product}_api_key`] as const

function credentialsOf(product: Product, values: DeclaredValues<SettingName>): Credentials | undefined {
  const [subscriptionKey, apiUser, apiKey] = credentialNames(product)
  const given = allOrNone(values, subscriptionKey, apiUser, apiKey)
  return given && { subscriptionKey: given[subscriptionKey], apiUser: given[apiUser], apiKey: given[apiKey] }
}
