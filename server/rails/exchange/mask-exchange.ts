import { sensitivityOf } from '../../domain/masking/field-names.ts'
import { withoutValues } from '../../domain/masking/known-values.ts'
import { maskField, maskText } from '../../domain/masking/mask-text.ts'
import { MASK } from '../../domain/masking/named-values.ts'

/** Maximum length of a stored request or reply: operators' messages are far shorter. */
export const KEPT_CHARACTERS_MAX = 4_096

interface HttpMessage {
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body: Uint8Array
}

/**
 * Masks a request or a reply for support: headers, a blank line, the body. It masks values whose names mark them as
 * secret or personal, secrets wherever they occur, and anything that looks like an account number. It truncates after
 * masking, so that no part of a secret remains.
 * @param secrets of the rail account
 */
export function maskMessage({ headers, body }: HttpMessage, secrets: readonly string[]): string {
  const lines = [...headers].map(
    ([name, value]) => `${name}: ${maskField(name, withoutSecrets(value, secrets), KEPT_CHARACTERS_MAX)}`,
  )
  // Secrets are masked before as well: otherwise a part that looks like an account number would be masked alone, and
  // the rest of the secret would stay.
  const text = withoutSecrets(new TextDecoder().decode(body), secrets)
  const whole = [...lines, '', maskText(text, KEPT_CHARACTERS_MAX)].join('\n')
  // PostgreSQL text cannot hold a NUL.
  return withoutSecrets(whole, secrets).replaceAll('\0', '�').slice(0, KEPT_CHARACTERS_MAX)
}

/**
 * Masks only the body of an unsolicited message from an operator.
 * @param secrets as above
 */
export const maskReported = (body: string, secrets: readonly string[]): string =>
  maskMessage({ headers: [], body: new TextEncoder().encode(body) }, secrets).trimStart()

/** Masks path and query of a call, which often contain account numbers. */
export function maskPath(path: string, secrets: readonly string[]): string {
  const parts = withoutSecrets(path, secrets).split('?')
  const masked = parts.map((part) => maskText(part, KEPT_CHARACTERS_MAX)).join('?')
  return withoutSecrets(masked, secrets).replaceAll('\0', '').slice(0, KEPT_CHARACTERS_MAX)
}

/**
 * Secrets of a request itself: tokens, values derived from a secret, and the token in our callback URL. Operators
 * repeat them in free texts, where no field name identifies them.
 */
export function secretsIn({ headers, body }: HttpMessage): readonly string[] {
  const found: string[] = []
  const poll = (name: string, value: unknown): void => {
    if (typeof value !== 'string') return
    if (sensitivityOf(name) === 'secret') found.push(value.replace(/^(?:Basic|Bearer) /i, ''))
    if (ADDRESS_NAME.test(name)) found.push(...(value.match(TOKEN_IN_ADDRESS) ?? []))
  }
  for (const [name, value] of headers) poll(name, value)
  try {
    JSON.parse(new TextDecoder().decode(body), (name, value: unknown) => poll(name, value))
  } catch {
    // A body that is not JSON has no field names.
  }
  return found
}

/** Our callback URLs contain the unguessable token. */
const ADDRESS_NAME = /url$|^location$/i
const TOKEN_IN_ADDRESS = /[\da-f]{32,}/g

/** Short values would mask half of the text, and are not secrets. */
const SECRET_CHARACTERS_MIN = 6

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  withoutValues(
    text,
    secrets.filter(({ length }) => length >= SECRET_CHARACTERS_MIN),
    () => MASK,
  )
