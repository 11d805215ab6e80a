import type { CallbackKeys } from './callback-tokens.ts'

/**
 * A connection to an operator: rail, environment, currency and credentials. A company has one per country, product or
 * set of credentials; providers refer to it.
 */
export interface RailAccount {
  /** Its name, also a part of the address that the operator reports to: never reused. */
  readonly name: string
  /** The rail, for example `mtn-momo`. */
  readonly rail: string
  readonly environment: Environment
  /** ISO 4217: the currency of all its orders. */
  readonly currency: string
  readonly baseUrl: string
  /** The keys of the tokens in the addresses of its orders: never log or show them. */
  readonly callbackKeys: CallbackKeys
  /** Settings by name, secret ones among them: never log or show them. */
  readonly settings: Readonly<Record<string, string>>
  /** Since when the operator has not responded, as far as is known; absent: it responds. */
  readonly downSince?: Date
  /** When it was last changed: whatever was built from it has to be rebuilt then. */
  readonly updatedAt: Date
}

/**
 * Environment of an operator: `production` moves real money, `trial` is the operator's own sandbox or a simulator.
 * Live mode accepts only the first, every other mode only the second.
 */
export type Environment = 'production' | 'trial'

/** Lower-case words separated by hyphens: the name is part of addresses and file names. */
const RAIL_ACCOUNT_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
export const RAIL_ACCOUNT_NAME_MAX = 40
/**
 * Operators refuse addresses with these words in them (M-PESA's documents them), and a rail account's name is part of
 * every address that we give out.
 */
export const WORDS_REFUSED_IN_ADDRESSES = [
  'mpesa',
  'm-pesa',
  'safaricom',
  'exe',
  'exec',
  'cmd',
  'sql',
  'query',
] as const

/** @returns what is wrong with a name, as a sentence without its subject: "must …" */
export function faultOfRailAccountName(name: string): string | undefined {
  if (name.length > RAIL_ACCOUNT_NAME_MAX || !RAIL_ACCOUNT_NAME.test(name))
    return `must be 1 to ${RAIL_ACCOUNT_NAME_MAX} lower-case letters and digits, with single hyphens between words`
  const word = WORDS_REFUSED_IN_ADDRESSES.find((refused) => name.includes(refused))
  return word === undefined
    ? undefined
    : `must not contain "${word}": it is part of the address at which operators report, and some refuse addresses with that word`
}
