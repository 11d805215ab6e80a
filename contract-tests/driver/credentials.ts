import type { Contract, Operation } from '../../openapi/reading/contract.ts'
import { follow } from '../../openapi/reading/references.ts'
import type { Redact } from '../harness/curl.ts'

/** A security scheme that some operation requires. Every token scheme is a `bearer`. */
export interface Scheme {
  readonly name: string
  readonly kind: 'bearer' | 'basic' | 'apiKey'
  readonly in: 'header' | 'query' | 'cookie'
  /** Name of the header (lower case), query parameter or cookie. */
  readonly field: string
}

/** A scheme with its credential: a token, a key, `user:password`. */
export interface Credential extends Scheme {
  readonly value: string
}

/** Every scheme that an operation of the contract names, in the order of the operations. */
export function schemesOf({ document, operations }: Contract): Scheme[] {
  const names = new Set(
    operations.filter(({ kind }) => kind === 'operation').flatMap(({ security }) => security.flat()),
  )
  return [...names].map((name) => {
    const piece = document.components?.securitySchemes?.[name]
    const { type, scheme = '', in: place, name: field = '' } = piece ? follow(document, piece) : {}
    if (type !== 'apiKey')
      return { name, kind: scheme.toLowerCase() === 'basic' ? 'basic' : 'bearer', in: 'header', field: 'authorization' }
    return place === 'query' || place === 'cookie'
      ? { name, kind: 'apiKey', in: place, field }
      : { name, kind: 'apiKey', in: 'header', field: field.toLowerCase() }
  })
}

/**
 * The first complete set of schemes of an operation; undefined when none is complete. The set of an open operation is
 * empty.
 */
export function schemesFor(
  { security }: Operation,
  credentials: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  if (security.length === 0) return []
  // An operation with optional authentication is called with keys, when there are some: that covers more of it.
  const complete = security.filter((set) => set.every((name) => Object.hasOwn(credentials, name)))
  return complete.find((set) => set.length > 0) ?? complete[0]
}

/** The value of the header, query parameter or cookie. */
export function textOf({ kind, value }: Pick<Credential, 'kind' | 'value'>): string {
  if (kind === 'apiKey') return value
  return kind === 'bearer' ? `Bearer ${value}` : `Basic ${base64(value)}`
}

/** The value of each scheme, by its name. */
export const textsOf = (credentials: Readonly<Record<string, Credential>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(credentials).map(([name, credential]) => [name, textOf(credential)]))

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** `accessToken` is `KEY_ACCESS_TOKEN`: its environment variable, and its placeholder in reports. */
export const variableOf = (scheme: string): string =>
  `KEY_${scheme
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()}`

/** Placeholder of a header that belongs to no scheme: `HEADER_X_TENANT`. */
const headerVariableOf = (name: string): string => `HEADER_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`

/** Shorter values would match unrelated text. */
export const SECRET_LENGTH_MIN = 8

/** Every spelling of a secret in requests and replies, longest first, with the shell variable that replaces it. */
export function spellingsOf(
  credentials: Readonly<Record<string, Credential>>,
  headers: Readonly<Record<string, string>>,
): [string, string][] {
  return (
    [
      ...Object.values(credentials).flatMap((credential): [string, string][] => {
        const { name, value, kind } = credential
        const variable = variableOf(name)
        if (kind !== 'basic') return spelt(value, variable)
        const password = value.slice(value.indexOf(':') + 1)
        return [
          [base64(value), `(printf %s "$${variable}" | base64 -w 0)`],
          ...spelt(value, variable),
          ...spelt(password, `{${variable}#*:}`),
        ]
      }),
      ...Object.entries(headers).flatMap(([name, value]) => spelt(value, headerVariableOf(name))),
    ]
      .filter(([text]) => text.length >= SECRET_LENGTH_MIN)
      // A secret that contains another one is replaced first.
      .toSorted(([one], [other]) => other.length - one.length)
  )
}

/** Replaces secrets by their variables. */
export const hiderOf =
  (spellings: readonly (readonly [string, string])[]): Redact =>
  (text, asVariable = (name) => `$${name}`) =>
    spellings.reduce((hidden, [secret, variable]) => hidden.replaceAll(secret, () => asVariable(variable)), text)

const spelt = (value: string, variable: string): [string, string][] =>
  [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])].map((text) => [text, variable])
