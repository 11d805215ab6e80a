import type { Contract } from '../../openapi/reading/contract.ts'
import { schemesOf, SECRET_LENGTH_MIN, variableOf, type Credential, type Scheme } from '../driver/credentials.ts'
import { UsageError } from '../usage-error.ts'
import { textOfGiven } from './contract-file.ts'

type Headers = Readonly<Record<string, string>>
type Environment = Readonly<Record<string, string | undefined>>

/** `Name: value` by lower-case name; `@file` has one a line, like curl. @throws UsageError */
export function headersOf(given: readonly string[]): Headers {
  const lines = given.flatMap((line) =>
    line.startsWith('@')
      ? textOfGiven('--header', line.slice(1))
          .split(/\r?\n/)
          .filter((each) => each.trim() !== '')
      : [line],
  )
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
      // The line may be a secret, so the message does not repeat it.
      if (name === undefined || value === undefined)
        throw new UsageError("--header must be written 'Name: value', or @ and the name of a file with such lines")
      return [name.toLowerCase(), value]
    }),
  )
}

/**
 * The credential of each scheme of the contract: from `--security`, then from its own header, then from the
 * environment. @returns also the headers that belong to no scheme @throws UsageError
 */
export function credentialsOf(
  contract: Contract,
  given: readonly string[],
  headers: Headers,
  env: Environment,
): { readonly credentials: Readonly<Record<string, Credential>>; readonly headers: Headers } {
  const schemes = schemesOf(contract)
  const named = namedValues(given, schemes)
  const used = new Set<string>()
  const credentials = schemes.flatMap((scheme): [string, Credential][] => {
    const header = valueInHeader(scheme, headers)
    if (header !== undefined) used.add(scheme.field)
    const value = named[scheme.name] ?? header ?? env[variableOf(scheme.name)]
    // An absent secret of a CI job is an empty text.
    if (value === undefined || value === '') return []
    checkValue(scheme, value)
    return [[scheme.name, { ...scheme, value }]]
  })
  return {
    credentials: Object.fromEntries(credentials),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !used.has(name))),
  }
}

function namedValues(given: readonly string[], schemes: readonly Scheme[]): Record<string, string> {
  const names = schemes.map(({ name }) => name)
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(text) ?? []
      if (name === '') throw new UsageError('--security must be written <scheme>=<value>, or <scheme>=@<file>')
      if (!names.includes(name))
        throw new UsageError(
          `--security: the contract has no security scheme ${name} in use, only ${names.join(', ') || 'none'}`,
        )
      return [name, value.startsWith('@') ? textOfGiven('--security', value.slice(1)).trim() : value]
    }),
  )
}

/** `Authorization: Bearer …` belongs to a bearer scheme, `Basic …` to one with user and password. */
function valueInHeader({ kind, in: place, field }: Scheme, headers: Headers): string | undefined {
  const text = place === 'header' ? headers[field] : undefined
  if (text === undefined || kind === 'apiKey') return text
  const [, type = '', value = ''] = /^(\S+) +(\S+)$/.exec(text) ?? []
  if (type.toLowerCase() !== kind) return undefined
  return kind === 'basic' ? Buffer.from(value, 'base64').toString('utf8') : value
}

function checkValue({ name, kind }: Scheme, value: string): void {
  if (kind === 'basic' && !value.includes(':'))
    throw new UsageError(`${name} must be written <user>:<password> (RFC 7617)`)
  const secret = kind === 'basic' ? value.slice(value.indexOf(':') + 1) : value
  if (secret.length < SECRET_LENGTH_MIN)
    throw new UsageError(
      `${name} has fewer than ${SECRET_LENGTH_MIN} characters: it could not be distinguished from other text in the reports`,
    )
  if (!/^[\x20-\x7e]+$/.test(value)) throw new UsageError(`${name} has characters that no header can carry`)
}
