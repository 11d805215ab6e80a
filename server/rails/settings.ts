import type { RailKind, RailSetting, SettingValues } from './rail-kind.ts'
import { FAILURE_CODES_SETTING } from './failure-codes.ts'
import { oneOf, wholeNumber } from './setting-faults.ts'
import { STATEMENT_SETTINGS } from './statement-settings.ts'

/** The settings of every rail account in addition to those of its kind. */
export const COMMON_SETTINGS = {
  callback_base_url: {
    meaning: 'how the operator reaches this gateway, when it is not by `PUBLIC_BASE_URL`',
    optional: true,
    fault: (value) =>
      /^https?:\/\/[A-Za-z0-9.:[\]-]+$/.test(value) ? undefined : 'must be an http or https URL without a path',
  },
  private_network: {
    meaning:
      'whether the operator is reached at an address of a private network, through a VPN or a leased line: `yes` or `no`',
    default: 'no',
    fault: (value) => (value === 'yes' || value === 'no' ? undefined : 'must be yes or no'),
  },
  requests_per_second: {
    meaning: 'how many calls a second the operator allows, all kinds together',
    default: '10',
    fault: wholeNumber(1, 10_000),
  },
  queries_per_second: {
    meaning: 'how many of these may be status queries; where it is more than `requests_per_second`, that one holds',
    default: '10',
    fault: wholeNumber(1, 10_000),
  },
  concurrency: {
    meaning: 'how many calls may be under way at the same time',
    default: '16',
    fault: wholeNumber(1, 256),
  },
  timeout_ms: {
    meaning: 'how long a call may take in all, in milliseconds',
    default: '15000',
    fault: wholeNumber(100, 20_000),
  },
  failures_until_open: {
    meaning: 'after how many calls without an answer, one after the other, the operator counts as down',
    default: '5',
    fault: wholeNumber(1, 1_000),
  },
  retry_after_ms: {
    meaning: 'how long an operator that is down is left alone before one call tries again, in milliseconds',
    default: '10000',
    fault: wholeNumber(100, 3_600_000),
  },
  payout_wait_minutes: {
    meaning:
      'how many minutes a payout waits while the operator has no float for it or does not answer, before it fails; `0`: it is sent at once, and the operator decides',
    default: '60',
    fault: wholeNumber(0, 1_440),
  },
  float_low: {
    meaning:
      "below which float the operator's account needs a top-up, in major units: people and alerts are told; for operators that report their balance",
    optional: true,
    fault: (value) => (/^\d{1,12}(\.\d{1,4})?$/.test(value) ? undefined : 'must be an amount of 0 or more'),
  },
  inactive_while_down: {
    meaning: 'whether `payment-providers` shows `is_active` false while the operator is down: `yes` or `no`',
    default: 'yes',
    fault: oneOf('yes', 'no'),
  },
  ca_file: {
    meaning: 'a file with the certificates to trust instead of the usual ones, in PEM',
    optional: true,
  },
  failure_codes: FAILURE_CODES_SETTING,
  ...STATEMENT_SETTINGS,
} as const satisfies Readonly<Record<string, RailSetting>>

/** All settings of a rail account of this kind, those of the kind first. */
export const settingsOf = (kind: RailKind): Readonly<Record<string, RailSetting>> => ({
  ...kind.settings,
  ...COMMON_SETTINGS,
  ...Object.fromEntries(
    Object.entries<RailSetting>(STATEMENT_SETTINGS).map(([name, setting]) => {
      const own = kind.statement?.defaults[name]
      return [name, own === undefined ? setting : { ...setting, default: own }]
    }),
  ),
})

/** Fills in the defaults of unset settings. */
export const withDefaults = (kind: RailKind, given: SettingValues): SettingValues => ({
  ...Object.fromEntries(
    Object.entries(settingsOf(kind)).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
  ...given,
})

/** @returns the settings that must not change while an order is open */
export const fixedIn = (kind: RailKind, before: SettingValues, change: SettingValues): readonly string[] =>
  Object.entries(settingsOf(kind)).flatMap(([name, { fixed }]) => {
    const value = change[name]
    const isSame = value === undefined || value === (before[name] ?? '')
    return isSame || fixed === undefined || (fixed === 'once_set' && !before[name]) ? [] : [name]
  })

/** @returns every fault of these settings, each with the setting's name; no secret is repeated */
export function faultsOfSettings(kind: RailKind, given: SettingValues): readonly string[] {
  const known = settingsOf(kind)
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `${name} is no setting of ${kind.name}`)
  const wrong = Object.entries(known).flatMap(([name, setting]) => {
    const value = given[name]
    if (value === undefined || value === '')
      return setting.default === undefined && !setting.optional ? [`${name} is missing: it is ${setting.meaning}`] : []
    const fault = setting.fault?.(value)
    return fault === undefined ? [] : [`${name} ${fault}`]
  })
  return [...unknown, ...wrong]
}

/** Drops empty values: an empty value removes an optional setting. */
export const withoutEmpty = (values: SettingValues): SettingValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** Splits the values into those that may be shown and secrets to seal. */
export function divided(kind: RailKind, given: SettingValues): { settings: SettingValues; secrets: SettingValues } {
  const known = settingsOf(kind)
  const part = (secret: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => (known[name]?.secret ?? false) === secret))
  return { settings: part(false), secrets: part(true) }
}
