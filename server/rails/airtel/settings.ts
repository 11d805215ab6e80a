import type { KeyObject } from 'node:crypto'
import { SettingFault, type RailSetting, type RailWorld, type SettingValues } from '../rail-kind.ts'
import { plainPattern } from '../customer-text.ts'
import { declaredValues, needed } from '../read-settings.ts'
import { oneOf, seconds } from '../setting-faults.ts'
import { publicKeyIn, type PinPadding } from './encryption.ts'

/** The countries of `x-countries` in the contract: numbers go out without the calling code. */
export const COUNTRIES = {
  UG: { currency: 'UGX', callingCode: '256' },
  KE: { currency: 'KES', callingCode: '254' },
  TZ: { currency: 'TZS', callingCode: '255' },
  RW: { currency: 'RWF', callingCode: '250' },
  ZM: { currency: 'ZMW', callingCode: '260' },
  MW: { currency: 'MWK', callingCode: '265' },
  CG: { currency: 'XAF', callingCode: '242' },
} as const
export type Country = keyof typeof COUNTRIES

/** The calls that a country may want signed. */
const SIGNED_CALLS = ['collections', 'payouts', 'refunds'] as const
export type SignedCall = (typeof SIGNED_CALLS)[number]

/** Seen in one client; the bytes that every country takes are letters and digits. */
export const REFERENCE_MAX = 64

export type PayoutVersion = '1' | '2' | '3'

/** A rail account's parsed settings. */
export interface AirtelSettings {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly country: Country
  readonly currency: string
  readonly callingCode: string
  readonly signedCalls: ReadonlySet<SignedCall>
  /** Absent: it pays nothing out. */
  readonly payouts?: Payouts
  /** Absent: callbacks are not compared with their hash. */
  readonly callbackKey?: string
  /** A pattern of a text, or `id`. */
  readonly reference: string
  readonly amountAsText: boolean
  readonly holderNumber: 'national' | 'international'
  readonly balanceVersion: '1' | '2'
  readonly hasList: boolean
  /** The wait before the first enquiry, the second and so on; the last one repeats. */
  readonly collectionPollAfterMs: readonly number[]
  readonly payoutPollAfterMs: readonly number[]
  readonly notFoundAfterMs: number
}

interface Payouts {
  readonly pin: string
  /** Absent: that of `getEncryptionKey`. */
  readonly pinKey?: KeyObject
  readonly padding: PinPadding
  readonly version: PayoutVersion
}

const someSeconds = seconds(1, 999_999)
/** @param min the first wait */
const waits = (min: number) => (value: string) => {
  const all = value.split(',')
  if (all.length > 20 || all.some((wait) => someSeconds(wait) !== undefined))
    return 'must be up to 20 whole numbers of seconds with commas between, for example 180,60,120'
  return Number(all[0]) < min ? `must begin with ${min} at least: earlier, Airtel knows nothing` : undefined
}

const listOfCalls = (value: string): string | undefined =>
  value === 'none' || value.split(',').every((call) => (SIGNED_CALLS as readonly string[]).includes(call.trim()))
    ? undefined
    : `must be none, or some of ${SIGNED_CALLS.join(', ')}`

const keyFault = (value: string): string | undefined =>
  publicKeyIn(value) ? undefined : 'must be an RSA public key in PEM, or as SPKI in base64'

/**
 * The settings of an Airtel Money rail account. Facts that its contract marks as documented are rules in the code;
 * whatever is unverified, or differs by country, is a setting.
 */
export const AIRTEL_SETTINGS = {
  country: {
    meaning: `the country of the application: ${Object.keys(COUNTRIES).join(', ')}`,
    fixed: 'while_open',
    fault: oneOf(...Object.keys(COUNTRIES)),
  },
  client_id: { meaning: "the client id of the application in the operator's portal", secret: true },
  client_secret: { meaning: 'the client secret of that application', secret: true },
  signed_calls: {
    meaning: `which calls the country wants signed: none, or some of ${SIGNED_CALLS.join(', ')}, with commas between`,
    default: 'none',
    fault: listOfCalls,
  },
  pin: {
    meaning: 'the PIN of the wallet that pays out; without it nothing is paid',
    secret: true,
    optional: true,
    fault: (value) => (/^\d{4,8}$/.test(value) ? undefined : 'must be 4 to 8 digits'),
  },
  pin_key: {
    meaning: "the key that the PIN is encrypted with, in PEM or base64; without it, that of the operator's own call",
    optional: true,
    fault: keyFault,
  },
  pin_padding: {
    meaning: 'how the PIN is padded: `pkcs1`, or `oaep` (with SHA-256); the wrong one is answered by ROUTER116',
    default: 'pkcs1',
    fault: oneOf('pkcs1', 'oaep'),
  },
  payout_version: {
    meaning: 'the version of the call that pays out: `1`, `2` or `3`; the third is signed',
    default: '1',
    fixed: 'while_open',
    fault: oneOf('1', '2', '3'),
  },
  callback_key: {
    meaning:
      'the private key of the application, where its callbacks are authenticated: a hash that does not fit is counted. It proves who sent one, and never that money moved',
    secret: true,
    optional: true,
  },
  // Observed in Congo: id and reference have to be the same. Elsewhere a text was taken.
  reference: {
    meaning:
      'what customers and recipients may read beside the amount, without its spaces; `{merchant}` stands for the name of the merchant, `{reference}` for its reference. `id` where it has to be our id, as in Congo',
    default: '{merchant} {reference}',
    fault: plainPattern(REFERENCE_MAX),
  },
  amount_form: {
    meaning: 'how amounts are written: `number`, as documented, or `text`',
    default: 'number',
    fault: oneOf('number', 'text'),
  },
  holder_number: {
    meaning: 'how a number is written in a question about its holder: `national` or `international`',
    default: 'national',
    fault: oneOf('national', 'international'),
  },
  balance_version: {
    meaning: 'the call for balances: `1`, or `2` for one of each wallet',
    default: '1',
    fault: oneOf('1', '2'),
  },
  transactions_list: {
    meaning: 'whether the list of transactions is enabled and serves as a statement of collections: `yes` or `no`',
    default: 'no',
    fault: oneOf('yes', 'no'),
  },
  // Documented: three minutes; one in Congo.
  collection_ask_after_seconds: {
    meaning:
      'how many seconds to wait before the first question about a collection without a result, the second and so on, with commas between; the last holds for all that follow',
    default: '180,60,120,300,600,1800,3600',
    fault: waits(1),
  },
  payout_ask_after_seconds: {
    meaning: 'the same for payouts',
    default: '60,60,120,300,600,1800,3600',
    fault: waits(1),
  },
  not_found_after_seconds: {
    meaning: 'how many seconds old an order must be before "not found" means that the operator never got it',
    default: '600',
    fault: someSeconds,
  },
} as const satisfies Readonly<Record<string, RailSetting>>

const milliseconds = (text: string): readonly number[] => text.split(',').map((wait) => Number(wait) * 1000)

/** @throws SettingFault for values that cannot be used, alone or together */
export function readSettings(given: SettingValues, { currency }: Pick<RailWorld, 'currency'>): AirtelSettings {
  const values = declaredValues(AIRTEL_SETTINGS, given)
  const { base_url: baseUrl } = given
  if (baseUrl === undefined) throw new SettingFault('base_url is missing')
  const country = needed(values, 'country') as Country
  const own = COUNTRIES[country]
  if (own.currency !== currency) throw new SettingFault(`currency must be ${own.currency} for the country ${country}`)
  const { pin, pin_key: pinKey, callback_key: callbackKey } = values
  if (pin === undefined && pinKey !== undefined) throw new SettingFault('pin_key has no pin')
  const key = pinKey === undefined ? undefined : publicKeyIn(pinKey)
  const version = needed(values, 'payout_version') as PayoutVersion
  const signed = SIGNED_CALLS.filter((call) =>
    needed(values, 'signed_calls')
      .split(',')
      .some((each) => each.trim() === call),
  )
  return {
    baseUrl,
    clientId: needed(values, 'client_id'),
    clientSecret: needed(values, 'client_secret'),
    country,
    ...own,
    signedCalls: new Set(version === '3' ? [...signed, 'payouts'] : signed),
    ...(pin !== undefined && {
      payouts: {
        pin,
        ...(key && { pinKey: key }),
        padding: needed(values, 'pin_padding') as PinPadding,
        version,
      },
    }),
    ...(callbackKey !== undefined && { callbackKey }),
    reference: country === 'CG' ? 'id' : needed(values, 'reference'),
    amountAsText: values['amount_form'] === 'text',
    holderNumber: needed(values, 'holder_number') as AirtelSettings['holderNumber'],
    balanceVersion: needed(values, 'balance_version') as AirtelSettings['balanceVersion'],
    hasList: values['transactions_list'] === 'yes',
    collectionPollAfterMs: milliseconds(needed(values, 'collection_ask_after_seconds')),
    payoutPollAfterMs: milliseconds(needed(values, 'payout_ask_after_seconds')),
    notFoundAfterMs: Number(needed(values, 'not_found_after_seconds')) * 1000,
  }
}
