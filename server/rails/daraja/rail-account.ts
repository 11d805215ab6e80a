import type { KeyObject } from 'node:crypto'
import { SettingFault, type RailWorld, type SettingValues } from '../rail-kind.ts'
import { allOrNone, declaredValues, needed, type DeclaredValues } from '../read-settings.ts'
import { addressFault } from './callback-addresses.ts'
import { credentialFault } from './security-credential.ts'
import { DARAJA_SETTINGS, NO_CODES, payBillsOf, publicKeyOf, type SettingName } from './settings.ts'
import { SHILLINGS } from './whole-shillings.ts'

/** A rail account's parsed settings. */
export interface DarajaRailAccount {
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly shortCode: string
  /** Absent: the rail account takes no collections. */
  readonly collections?: Collections
  /** Absent: the rail account makes no payouts. */
  readonly payouts?: Payouts
  readonly hasPull: boolean
  /** Who answers for the short code, to register it for pulling. */
  readonly pullNumber?: string
  /** Customers may pay its short code without a prompt. */
  readonly takesUnrequested: boolean
  readonly pullEveryMs: number
  readonly collectionPollAfterMs: number
  readonly payoutPollAfterMs: number
  readonly failureCodes: RailWorld['failureCodes']
}

export interface Collections {
  readonly passkey: string
  readonly transactionType: 'CustomerPayBillOnline' | 'CustomerBuyGoodsOnline'
  /** The receiving party: the short code, or its till. */
  readonly receiver: string
  readonly text: string
  /** Whether 500.001.1001 in reply to a prompt is trusted to mean that none was sent. */
  readonly refusedBy1001: boolean
  /** Whether a prompt that M-PESA's API gateway rejected for its rate goes out again. */
  readonly retryThrottled: boolean
}

export interface Payouts {
  readonly shortCode: string
  readonly initiator: string
  readonly password: string
  readonly certificate: string
  readonly key: KeyObject
  readonly text: string
  readonly repeatsReversals: boolean
  /** Pay bill numbers of banks by bank code: it pays to these, and to no phones. Absent: to phones. */
  readonly banks?: ReadonlyMap<string, string>
  /** Additional result codes, besides the documented ones, that mean that nothing was paid. */
  readonly failedCodes: ReadonlySet<string>
}

/** @throws SettingFault for values that cannot be used, alone or together */
export function railAccountOf(settings: SettingValues, world: RailWorld): DarajaRailAccount {
  if (world.currency !== SHILLINGS)
    throw new SettingFault(`currency must be ${SHILLINGS}: M-PESA moves nothing else here`)
  const values = declaredValues(DARAJA_SETTINGS, settings)
  const { base_url: baseUrl } = settings
  if (baseUrl === undefined) throw new SettingFault('base_url is missing')
  const collections = collectionsOf(values)
  const payouts = payoutsOf(values)
  if (!collections && !payouts)
    throw new SettingFault('it needs a passkey to collect, or an initiator, its password and a certificate to pay out')
  const fault = addressFault(world.callbackUrl(ANY_ORDER))
  if (fault !== undefined) throw new SettingFault(fault)
  return {
    baseUrl,
    consumerKey: needed(values, 'consumer_key'),
    consumerSecret: needed(values, 'consumer_secret'),
    shortCode: needed(values, 'short_code'),
    ...(collections && { collections }),
    ...(payouts && { payouts }),
    hasPull: values['pull'] === 'yes',
    ...(values['pull_number'] !== undefined && { pullNumber: values['pull_number'] }),
    takesUnrequested: values['unrequested'] === 'yes',
    pullEveryMs: milliseconds(values, 'pull_every_seconds'),
    collectionPollAfterMs: milliseconds(values, 'collection_ask_after_seconds'),
    payoutPollAfterMs: milliseconds(values, 'payout_ask_after_seconds'),
    failureCodes: world.failureCodes,
  }
}

const ANY_ORDER = '00000000-0000-4000-8000-000000000000'

type Values = DeclaredValues<SettingName>

const milliseconds = (values: Values, name: SettingName): number => Number(needed(values, name)) * 1000

function collectionsOf(values: Values): Collections | undefined {
  const { passkey } = values
  if (passkey === undefined) return undefined
  const forTill = values['transaction_type'] === 'buygoods'
  if (!forTill && values['till_number'] !== undefined)
    throw new SettingFault('till_number needs transaction_type buygoods: a pay bill number receives itself')
  return {
    passkey,
    transactionType: forTill ? 'CustomerBuyGoodsOnline' : 'CustomerPayBillOnline',
    receiver: values['till_number'] ?? needed(values, 'short_code'),
    text: needed(values, 'prompt_text'),
    refusedBy1001: values['push_error_1001'] === 'refused',
    retryThrottled: values['push_throttled'] === 'not_sent',
  }
}

/** The settings that payouts require. */
export const PAYOUT_CREDENTIALS = ['initiator_name', 'initiator_password', 'certificate'] as const

function payoutsOf(values: Values): Payouts | undefined {
  const given = allOrNone(values, ...PAYOUT_CREDENTIALS)
  if (!given) return undefined
  const { initiator_name: initiator, initiator_password: password, certificate } = given
  const key = publicKeyOf(certificate)
  const fault = credentialFault(password, key)
  if (fault !== undefined) throw new SettingFault(`initiator_password ${fault}`)
  const toBanks = values['payouts_to'] === 'banks'
  const payBills = values['bank_paybills']
  if (toBanks !== (payBills !== undefined)) throw new SettingFault('bank_paybills belongs to payouts_to banks')
  return {
    shortCode: values['payout_short_code'] ?? needed(values, 'short_code'),
    ...(payBills !== undefined && { banks: payBillsOf(payBills) }),
    initiator,
    password,
    certificate,
    key,
    text: needed(values, 'payout_text'),
    repeatsReversals: values['reversal_repeat'] === 'safe',
    failedCodes: new Set(
      needed(values, 'payout_failed_codes')
        .split(',')
        .map((code) => code.trim())
        .filter((code) => code !== '' && code !== NO_CODES),
    ),
  }
}
