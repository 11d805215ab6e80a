import type { CallbackKeys } from './callback-tokens.ts'

/**
 * A connection to an operator: which kind of rail, where, in which currency and with which credentials. A company has one
 * per country, product or set of credentials; providers lead to it.
 */
export interface Installation {
  /** What people call it, and part of the address at which the operator reports: never given twice. */
  readonly name: string
  /** The kind of rail, for example `mtn-momo`. */
  readonly rail: string
  readonly environment: Environment
  /** ISO 4217: all its orders are in it. */
  readonly currency: string
  readonly baseUrl: string
  /** What the tokens in the addresses of its orders are made from: never to be logged or shown. */
  readonly callbackKeys: CallbackKeys
  /** By name, the secret ones among them: never to be logged or shown. */
  readonly settings: Readonly<Record<string, string>>
  /** Since when the operator has not answered, as far as is known; absent: it does. */
  readonly downSince?: Date
  /** When it was last changed: whoever built something from it builds it anew then. */
  readonly updatedAt: Date
}

/**
 * Which of an operator's worlds: `production` moves real money, `trial` is the operator's own sandbox or a simulator.
 * Live mode takes the first only, every other mode the second only.
 */
export type Environment = 'production' | 'trial'

/** Lower-case words with hyphens between: it stands in addresses and file names. */
export const INSTALLATION_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
export const INSTALLATION_NAME_MAX = 40
/**
 * Operators refuse addresses with these words in them (Daraja documents them): an installation's name is part of every
 * address that we give.
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

/** @returns what is wrong with a name, to follow it: "must …" */
export function faultOfInstallationName(name: string): string | undefined {
  if (name.length > INSTALLATION_NAME_MAX || !INSTALLATION_NAME.test(name))
    return `must be 1 to ${INSTALLATION_NAME_MAX} lower-case letters and digits, with single hyphens between words`
  const word = WORDS_REFUSED_IN_ADDRESSES.find((refused) => name.includes(refused))
  return word === undefined
    ? undefined
    : `must not contain "${word}": it is part of the address at which operators report, and some refuse addresses with that word`
}
