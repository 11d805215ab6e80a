import { sensitivityOf } from '../../domain/masking/field-names.ts'
import { withoutValues } from '../../domain/masking/known-values.ts'
import { maskField, maskText } from '../../domain/masking/mask-text.ts'
import { MASK } from '../../domain/masking/named-values.ts'

/** So much of a request or a reply is kept: what operators send is far shorter. */
export const KEPT_CHARACTERS_MAX = 4_096

export interface HttpMessage {
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body: Uint8Array
}

/**
 * A request or a reply as support may read it: headers, a blank line, the body. Masked are values whose names say that
 * they are secret or somebody's, secrets wherever they stand, and whatever looks like an account number; cut after
 * that, so that no half of a secret is left.
 * @param secrets of the installation
 */
export function maskMessage({ headers, body }: HttpMessage, secrets: readonly string[]): string {
  const lines = [...headers].map(
    ([name, value]) => `${name}: ${maskField(name, withoutSecrets(value, secrets), KEPT_CHARACTERS_MAX)}`,
  )
  // Before as well: what looks like a part of a longer secret would be masked alone, and the rest stay.
  const text = withoutSecrets(new TextDecoder().decode(body), secrets)
  const whole = [...lines, '', maskText(text, KEPT_CHARACTERS_MAX)].join('\n')
  // PostgreSQL takes no NUL in a text.
  return withoutSecrets(whole, secrets).replaceAll('\0', '�').slice(0, KEPT_CHARACTERS_MAX)
}

/** The body alone, of a message that an operator sent by itself. @param secrets as above */
export const maskTold = (body: string, secrets: readonly string[]): string =>
  maskMessage({ headers: [], body: new TextEncoder().encode(body) }, secrets).trimStart()

/** Path and query of a call, in which operators like to have account numbers. */
export function maskPath(path: string, secrets: readonly string[]): string {
  const parts = withoutSecrets(path, secrets).split('?')
  const masked = parts.map((part) => maskText(part, KEPT_CHARACTERS_MAX)).join('?')
  return withoutSecrets(masked, secrets).replaceAll('\0', '').slice(0, KEPT_CHARACTERS_MAX)
}

/**
 * What a request itself calls secret: tokens, what was made from a secret, and the token in an address of ours. Operators
 * repeat them in free texts, where no name says what they are.
 */
export function secretsIn({ headers, body }: HttpMessage): readonly string[] {
  const found: string[] = []
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'string') return
    if (sensitivityOf(name) === 'secret') found.push(value.replace(/^(?:Basic|Bearer) /i, ''))
    if (ADDRESS_NAME.test(name)) found.push(...(value.match(TOKEN_IN_ADDRESS) ?? []))
  }
  for (const [name, value] of headers) look(name, value)
  try {
    JSON.parse(new TextDecoder().decode(body), (name, value: unknown) => look(name, value))
  } catch {
    // A body that is no JSON has no names.
  }
  return found
}

/** Addresses of ours hold the word that nobody may guess. */
const ADDRESS_NAME = /url$|^location$/i
const TOKEN_IN_ADDRESS = /[\da-f]{32,}/g

/** Short ones would hide half of the text, and are no secrets. */
const SECRET_CHARACTERS_MIN = 6

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  withoutValues(
    text,
    secrets.filter(({ length }) => length >= SECRET_CHARACTERS_MIN),
    () => MASK,
  )
