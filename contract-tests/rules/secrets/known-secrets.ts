import { hiderOf } from '../../driver/credentials.ts'
import type { Redact } from '../../harness/curl.ts'

/** An account whose keys the suite knows: a target, its receiver, a second merchant. */
export interface Account {
  readonly publicKey?: string | undefined
  readonly secretKey?: string | undefined
  readonly signingKey?: string | undefined
  readonly webhookSecret?: string | undefined
  /** Where its messages arrive; absent: unknown. */
  readonly paths?: readonly string[]
}

/** A value that nothing from the server may contain. */
export interface Secret {
  /** What it is, in words. */
  readonly name: string
  /** The variable that replaces it in output. */
  readonly variable: string
  readonly value: string
}

const NAMES = {
  publicKey: ['the public key', 'PUBLIC_KEY'],
  secretKey: ['the secret key', 'SECRET_KEY'],
  signingKey: ['the signing key', 'SIGNING_KEY'],
  webhookSecret: ['the webhook secret', 'WEBHOOK_SECRET'],
} as const satisfies Record<Exclude<keyof Account, 'paths'>, readonly [string, string]>
/** Shorter values may appear by chance. */
const LENGTH_MIN = 8

/** @param accounts the first is the merchant under test, the rest are other merchants */
export const secretsOf = (...accounts: readonly (Account | undefined)[]): Secret[] =>
  accounts.flatMap((account, index) =>
    (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((field) => {
      const value = account?.[field]
      const [name, variable] = NAMES[field]
      const whose = index > 0 && field in (accounts[0] ?? {}) ? ' of another merchant' : ''
      return value === undefined || value.length < LENGTH_MIN ? [] : [{ name: name + whose, variable, value }]
    }),
  )

/** Replaces every secret in a text by its variable. */
export const hiding = (secrets: readonly Secret[]): Redact =>
  hiderOf(
    secrets
      .toSorted((one, other) => other.value.length - one.value.length)
      .map(({ value, variable }) => [value, variable] as const),
  )

/** The plain value, and the encodings that leak by mistake. */
export function spellings({ value }: Secret): string[] {
  const bytes = Buffer.from(value)
  const bare = value.replace(/^whsec_/, '')
  const all = [value, bare, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  // The decoded form of a webhook secret signs as well as the secret itself.
  const encoded = bare === value ? [] : [Buffer.from(bare, 'base64').toString('latin1')]
  return [...new Set([...all, encodeURIComponent(value), ...encoded])].filter((text) => text.length >= LENGTH_MIN)
}
