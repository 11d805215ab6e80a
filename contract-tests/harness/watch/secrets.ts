import type { Redact } from '../curl.ts'
import type { WireHeaders } from '../proxy.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from './observed-exchange.ts'

/** An account whose keys the suite knows: a target, its receiver, a second merchant. */
export interface Account {
  readonly publicKey?: string
  readonly secretKey?: string
  readonly signingKey?: string
  readonly webhookSecret?: string
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
} as const satisfies Record<keyof Account, readonly [string, string]>
/** Shorter values may appear by chance. */
const LENGTH_MIN = 8

/** @param accounts the first is the merchant under test, the rest are other merchants */
export const secretsOf = (...accounts: readonly (Account | undefined)[]): Secret[] =>
  accounts.flatMap((account, index) =>
    (Object.keys(NAMES) as (keyof Account)[]).flatMap((field) => {
      const value = account?.[field]
      const [name, variable] = NAMES[field]
      const whose = index > 0 && field in (accounts[0] ?? {}) ? ' of another merchant' : ''
      return value === undefined || value.length < LENGTH_MIN ? [] : [{ name: name + whose, variable, value }]
    }),
  )

/** Replaces every secret in a text by its variable. */
export const hiding =
  (secrets: readonly Secret[]): Redact =>
  (text, asVariable = (name) => `$${name}`) =>
    secrets
      .toSorted((one, other) => other.value.length - one.value.length)
      .reduce((shown, { value, variable }) => shown.replaceAll(value, () => asVariable(variable)), text)

/** The plain value, and the encodings that leak by mistake. */
function spellings({ value }: Secret): string[] {
  const bytes = Buffer.from(value)
  const bare = value.replace(/^whsec_/, '')
  const all = [value, bare, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  // The decoded form of a webhook secret signs as well as the secret itself.
  const encoded = bare === value ? [] : [Buffer.from(bare, 'base64').toString('latin1')]
  return [...new Set([...all, encodeURIComponent(value), ...encoded])].filter((text) => text.length >= LENGTH_MIN)
}

const bytesOf = (headers: WireHeaders): string =>
  Object.entries(headers)
    .map(([name, values = []]) => `${name}: ${values.join(', ')}`)
    .join('\n')

/**
 * Searches everything that comes from the server. A value that a client has put into a path or body itself may come
 * back; a document that is public may show what the contract's own text shows (the keys of the demo merchant).
 * @param contractText as it is served
 * @param declaredMayTell whether a declared field of a success may be the secret: the answer of a token endpoint
 */
export function secretJudge(
  secrets: readonly Secret[],
  contractText: string,
  { declaredMayTell: declaredMayReport = false } = {},
): Judge {
  const wanted = secrets.map((secret) => ({
    ...secret,
    spelled: spellings(secret),
    isPublished: contractText.includes(secret.value),
  }))
  return (seen) => {
    const { request, reply } = seen.exchange
    const isSent = seen.direction === 'received'
    const headers = isSent ? `${request.path}\n${bytesOf(request.headers)}` : bytesOf(reply.headers)
    const { body } = isSent ? request : reply
    const isForAll = seen.operation === undefined && !OF_A_PAYMENT.test(request.path)
    const isDocument = !isSent && reply.status === 200 && isForAll && seen.replyBody === undefined
    return wanted.flatMap((secret): readonly Fault[] => {
      if (secret.isPublished && (isDocument || isContract(seen))) return []
      const place = placeOf(secret.spelled, headers, body)
      const isToken = declaredMayReport && reply.status < 300 && place === 'body' && seen.response !== undefined
      if (place === undefined || isToken || (!isSent && isOwnWord(secret, seen))) return []
      const where = isSent ? `a message to the merchant` : `a reply ${reply.status}`
      return faultIf(true, `secret ${secret.name}`, `${where} contains ${secret.name} (in its ${place})`)
    })
  }
}

/** A page that names a payment is for its customer; it is no public document. */
const OF_A_PAYMENT = /MLP[0-9A-Z]{22}/

const isContract = ({ replyBody: reported }: ObservedExchange): boolean =>
  typeof reported === 'object' && reported !== null && 'openapi' in reported

const placeOf = (spelled: readonly string[], headers: string, body: Buffer): 'headers' | 'body' | undefined => {
  if (spelled.some((text) => headers.includes(text))) return 'headers'
  return spelled.some((text) => body.includes(text, 0, 'latin1')) ? 'body' : undefined
}

/** A client that writes a key into a path or a body may read it in the answer. */
const isOwnWord = ({ value }: Secret, { exchange: { request } }: ObservedExchange): boolean =>
  request.path.includes(value) || request.body.includes(value)
