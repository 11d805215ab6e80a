import { isObject } from '../../../openapi/reading/json.ts'
import { readForeignJson } from '../../domain/foreign-json.ts'
import { maskAccount } from '../../domain/phone.ts'

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
  const lines = [...headers].map(([name, value]) => `${name}: ${String(maskField(name, value))}`)
  const text = new TextDecoder().decode(body)
  // Before as well: what looks like a part of a longer secret would be masked alone, and the rest stay.
  const whole = [...lines, '', maskBody(withoutSecrets(text, secrets))].join('\n')
  // PostgreSQL takes no NUL in a text.
  return withoutSecrets(whole, secrets).replaceAll('\0', '�').slice(0, KEPT_CHARACTERS_MAX)
}

/** The body alone, of a message that an operator sent by itself. @param secrets as above */
export const maskTold = (body: string, secrets: readonly string[]): string =>
  maskMessage({ headers: [], body: new TextEncoder().encode(body) }, secrets).trimStart()

/** Path and query of a call, in which operators like to have account numbers. */
export const maskPath = (path: string, secrets: readonly string[]): string =>
  withoutSecrets(maskText(path), secrets).replaceAll('\0', '').slice(0, KEPT_CHARACTERS_MAX)

/**
 * What a request itself calls secret: tokens, and what was made from a secret. Operators repeat them in free texts, where
 * no name says what they are.
 */
export function secretsIn({ headers, body }: HttpMessage): readonly string[] {
  const found: string[] = []
  const look = (name: string, value: unknown): void => {
    if (typeof value === 'string' && isSecretName(name)) found.push(value.replace(/^(?:Basic|Bearer) /i, ''))
  }
  for (const [name, value] of headers) look(name, value)
  try {
    JSON.parse(new TextDecoder().decode(body), (name, value: unknown) => look(name, value))
  } catch {
    // A body that is no JSON has no names.
  }
  return found
}

const MASK = '***'

const SECRET_NAME = /token|secret|passw|passkey|credential|authori[sz]ation|cookie|api[-_]?key|-key$|^key$|^pin$/i
/** `access_token` is secret, `token_type` and `Key` beside `Value` are not. */
const OPEN_NAME = /^(token_type|key|expires_in|idempotency-key)$/i
const PERSON_NAME = /^(given_name|family_name|birthdate|.*publicname|first_?name|last_?name|middle_?name)$/i
const ACCOUNT_NAME = /^(partyid|party[ab]|phone_?number|msisdn|accountholderid|sender|payer|payee)$/i
/** Addresses of ours hold the word that nobody shall guess. */
const ADDRESS_NAME = /url$|^location$/i
/** Times, amounts and names of transactions are as long as numbers of telephones. */
const PLAIN_NAME = /amount|balance|date|time|stamp|(^|[^y])id$|reference|receipt|shortcode|content-length/i

const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !OPEN_NAME.test(name)

function maskField(name: string, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return maskValue(value)
  const text = String(value)
  if (isSecretName(name)) return MASK
  if (PERSON_NAME.test(name)) return MASK
  if (ACCOUNT_NAME.test(name)) return text.replace(/\d{4,}/g, maskAccount)
  if (ADDRESS_NAME.test(name)) return maskAddress(text)
  if (PLAIN_NAME.test(name)) return typeof value === 'string' ? withoutPhones(value) : value
  const masked = maskText(text)
  return masked === text ? value : masked
}

const maskAddress = (text: string): string => {
  const url = URL.parse(text)
  return url ? `${url.origin}/${MASK}` : MASK
}

/** Lists of `{ Name, Value }` and `{ Key, Value }` say what a value is beside it. */
function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? maskValue(each) : maskField('', each)))
  if (!isObject(value)) return value
  const told = value['Name'] ?? value['Key']
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      // A name may be somebody's number too.
      maskText(name),
      maskField(name === 'Value' && typeof told === 'string' ? told : name, held),
    ]),
  )
}

function maskBody(text: string): string {
  if (text === '') return ''
  try {
    // Ids keep their digits. What has a name twice is masked by its names all the same.
    const read = readForeignJson(text)
    const value: unknown = 'value' in read ? read.value : JSON.parse(text)
    return JSON.stringify(typeof value === 'object' ? maskValue(value) : maskField('', value))
  } catch {
    return maskText(text.replace(SECRET_IN_TEXT, `$1${MASK}`))
  }
}

/** In half a JSON, a form or a page. */
const SECRET_IN_TEXT =
  /(["']?[\w-]*(?:token|secret|passw|passkey|credential|authorization|api[-_]?key)[\w-]*["']?\s*[:=]\s*["']?(?:(?:Basic|Bearer)\s+)?)[^"'\s,;&}<]+/gi

/** Longer than an account number is no account number; 40 characters in a row are longer than a UUID. */
const maskText = (text: string): string =>
  withoutPhones(text)
    .replace(/[\w+=.-]{40,}/g, MASK)
    .replace(/(?<![\dA-Fa-f-])\d{9,15}(?!\d|-[\da-f]|[a-f])/g, maskAccount)

/**
 * The id of a prompt of M-PESA is a time to the millisecond, 17 digits, and often the customer's number behind it. Its
 * time and end are enough to find it again: whole it stands in `transaction show`.
 */
const PROMPT_ID = /\bws_CO_\d{17}\d{9,}/g
const PROMPT_TIME_CHARACTERS = 'ws_CO_'.length + 17
const withoutPhones = (text: string): string =>
  text.replace(PROMPT_ID, (id) => id.slice(0, PROMPT_TIME_CHARACTERS) + maskAccount(id.slice(PROMPT_TIME_CHARACTERS)))

/** Short ones would hide half of the text, and are no secrets. */
const SECRET_CHARACTERS_MIN = 6

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets.filter(({ length }) => length >= SECRET_CHARACTERS_MIN))
    for (const spelling of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      masked = masked.replaceAll(spelling, MASK)
  return masked
}
