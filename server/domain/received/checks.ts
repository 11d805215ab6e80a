import {
  constants,
  createHash,
  createHmac,
  createPublicKey,
  publicDecrypt,
  timingSafeEqual,
  verify,
  type KeyObject,
} from 'node:crypto'
import type { CallbackSecrets } from '../merchant.ts'
import { readSummary, type Check, type Checks } from './message.ts'

// Written from the description of the signatures, without any code that creates them: so the same mistake is not made
// on both sides, where it would go unnoticed.

/** Standard Webhooks: a message that is older, or further in the future, may be a replay. */
const TIMESTAMP_TOLERANCE_SECONDS = 300

type Headers = Readonly<Record<string, string | undefined>>

const good: Check = { verdict: 'good' }
const goodWith = (key: string | undefined): Check => (key === undefined ? good : { verdict: 'good', key })
const bad = (why: string, expected?: string): Check => ({
  verdict: 'bad',
  why,
  ...(expected !== undefined && { expected }),
})
const NOTHING_SIGNED = 'The body has no event, references, type and status to put the signed text together from'
const NO_KEY = 'There is no merchant whose key could be tried'

export interface KeysToTry {
  readonly secrets: CallbackSecrets
  /** Whether the keys are public: then the expected signature may be shown. */
  readonly arePublic: boolean
  /** The ids of the secrets, in their order, to say which one fits. */
  readonly ids?: Readonly<Record<keyof CallbackSecrets, readonly string[]>>
}

type RsaKey = { readonly pem: string } | 'withdrawn' | undefined

/** Checks every signature of a callback. @param rsaKey the one that `rsa-key-id` names */
export function checkCallback(
  { headers, body }: { readonly headers: Headers; readonly body: Buffer },
  rsaKey: RsaKey,
  now: Date,
  keys: KeysToTry,
): Checks {
  const { event, signedText } = readSummary(body)
  const webhook = checkWebhook(headers, body, keys, now)
  // A batch is not one transaction, whose fields the older signatures cover.
  const notExpected = { verdict: 'not_expected' } as const
  if (event === 'payout_batch.completed') return { webhook, hmac: notExpected, rsa: notExpected }
  return { webhook, hmac: checkHmac(headers, signedText, keys), rsa: checkRsa(headers, signedText, rsaKey) }
}

/**
 * `hmac-signature: t=<epoch ms>,s=<hex>`: HMAC-SHA256 of the signed text with a signing key. The time is not
 * signed, so its age proves nothing.
 */
export function checkHmac(
  headers: Headers,
  signedText: string | undefined,
  { secrets: { signingKeys }, arePublic, ids }: KeysToTry,
): Check {
  const header = headers['hmac-signature']
  if (header === undefined) return bad('The header hmac-signature is missing')
  if (signedText === undefined) return bad(NOTHING_SIGNED)
  // The oldest valid key signs.
  const signingKey = signingKeys.at(-1)
  if (signingKey === undefined) return bad(NO_KEY)
  const expected = arePublic ? `s=${createHmac('sha256', signingKey).update(signedText).digest('hex')}` : undefined
  const given = /^t=\d{1,16},s=([0-9a-f]{64})$/.exec(header)?.[1]
  if (given === undefined) return bad('It does not have the form t=<epoch ms>,s=<64 hexadecimal digits>', expected)
  const fitting = signingKeys.findIndex((key) =>
    timingSafeEqual(createHmac('sha256', key).update(signedText).digest(), Buffer.from(given, 'hex')),
  )
  return fitting >= 0
    ? goodWith(ids?.signingKeys[fitting])
    : bad(
        'It is not the HMAC of the signed text with the signing key: key, references, type or status differ',
        expected,
      )
}

/**
 * `rsa-signature: <base64>`: RSA PKCS#1 v1.5 with SHA-256 of the signed text, with the key at
 * /.well-known/malipo-rsa/{rsa-key-id}.pem; `publicKey` is undefined when that is 404, and `withdrawn` when it
 * is 410.
 */
export function checkRsa(headers: Headers, signedText: string | undefined, publicKey: RsaKey): Check {
  const header = headers['rsa-signature']
  if (header === undefined) return bad('The header rsa-signature is missing')
  const keyId = headers['rsa-key-id']
  if (keyId === undefined) return bad('The header rsa-key-id is missing')
  if (!RSA_KEY_ID.test(keyId)) return bad('rsa-key-id is not 16 hexadecimal digits')
  if (publicKey === undefined) return bad('This gateway has no RSA key of that rsa-key-id')
  if (publicKey === 'withdrawn')
    return bad('The RSA key of that rsa-key-id was withdrawn: nothing that it signed is to be trusted')
  if (signedText === undefined) return bad(NOTHING_SIGNED)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) return bad('It is not base64')
  const key = createPublicKey(publicKey.pem)
  const signature = Buffer.from(header, 'base64')
  if (verify('sha256', Buffer.from(signedText), key, signature)) return good
  const digest = digestInside(key, signature)
  if (digest === undefined)
    return bad('It was not made with the private key that rsa-key-id names, or it was damaged on the way')
  return bad(
    `It was made by this gateway, but for another text: references, type or status differ. SHA-256 of what it signs: ${digest}`,
    `SHA-256 ${createHash('sha256').update(signedText).digest('hex')}`,
  )
}

export const RSA_KEY_ID = /^[0-9a-f]{16}$/

/** DigestInfo of SHA-256 (RFC 8017, section 9.2, note 1). */
const DIGEST_INFO = '3031300d060960864801650304020105000420'

/** The digest inside an RSA signature of this key, whatever text was signed. */
function digestInside(key: KeyObject, signature: Buffer): string | undefined {
  try {
    const inside = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).toString('hex')
    return inside.startsWith(DIGEST_INFO) ? inside.slice(DIGEST_INFO.length) : undefined
  } catch {
    return undefined
  }
}

/**
 * Standard Webhooks: `v1,` HMAC-SHA256 in base64 over `id.timestamp.` and the body's bytes; one of several signatures
 * must match one of the secrets.
 */
export function checkWebhook(
  headers: Headers,
  body: Uint8Array,
  { secrets: { webhookSecrets }, arePublic, ids }: KeysToTry,
  now: Date,
): Check {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (id === undefined) return bad('The header webhook-id is missing')
  if (timestamp === undefined) return bad('The header webhook-timestamp is missing')
  if (signatures === undefined) return bad('The header webhook-signature is missing')
  if (!/^\d{1,12}$/.test(timestamp)) return bad('webhook-timestamp is not a number of seconds')
  const fitting = webhookSecrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest(),
  )
  const [expected] = fitting
  if (!expected) return bad(NO_KEY)
  const given = signatures
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
  if (given.length === 0) return bad('webhook-signature has no signature of version v1')
  const found = fitting.findIndex((one) =>
    given.some((other) => one.length === other.length && timingSafeEqual(one, other)),
  )
  if (found < 0) {
    return bad(
      'It does not fit webhook-id, webhook-timestamp and the bytes of the body: secret or message differ',
      arePublic ? `v1,${expected.toString('base64')}` : undefined,
    )
  }
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) <= TIMESTAMP_TOLERANCE_SECONDS) return goodWith(ids?.webhookSecrets[found])
  return bad(
    `The signature fits, but webhook-timestamp lies ${Math.abs(ageSeconds)} seconds in the ${ageSeconds > 0 ? 'past' : 'future'}; more than ${TIMESTAMP_TOLERANCE_SECONDS} may be a replay`,
  )
}
