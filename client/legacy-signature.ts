import { fromBase64, fromHex, fromPem } from './encoding.ts'
import { someHmacFits } from './hmac.ts'
import { listOf, signingKeyBytes, type Secrets } from './secrets.ts'
import { WebhookVerificationError } from './verification-error.ts'

/**
 * Malipo's public keys: one PEM text; several by their `rsa-key-id`; or a function that finds one, for instance by
 * fetching `/.well-known/malipo-rsa/<rsa-key-id>.pem` from the gateway that you know and caching it. The function
 * receives 16 hexadecimal digits, nothing else.
 */
export type RsaPublicKeys =
  string | Readonly<Record<string, string>> | ((rsaKeyId: string) => string | undefined | Promise<string | undefined>)

/**
 * The keys of the two legacy signatures. Give one kind or both; the signature of each kind that you give must be
 * valid.
 */
export interface LegacyKeys {
  /**
   * Your signing key, or several while one is being rotated: for `hmac-signature`. The old key signs until it ends,
   * then the new one.
   */
  readonly signingKeys?: Secrets | undefined
  /** Malipo's public keys: for `rsa-signature`. */
  readonly rsaPublicKeys?: RsaPublicKeys | undefined
}

/** The signatures as received; each is read only if there is a key for it. */
export interface LegacySignatures {
  readonly hmac: () => string
  readonly rsa: () => string
  readonly rsaKeyId: () => string
}

/** The five fields that both legacy signatures cover: neither amount, nor time, nor anything else. */
export interface LegacySigned {
  readonly event: string
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly transaction_type: string
  readonly transaction_status: string
}

/** The text that both legacy signatures cover. */
export const legacyText = (signed: LegacySigned): string =>
  [
    signed.event,
    signed.merchant_reference,
    signed.internal_reference,
    signed.transaction_type,
    signed.transaction_status,
  ].join(':')

/** WebCrypto's parameters for the algorithm of `rsa-signature`. */
export const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const

/** @throws WebhookVerificationError */
export async function verifyLegacySignatures(
  signed: LegacySigned,
  signatures: LegacySignatures,
  { signingKeys, rsaPublicKeys }: LegacyKeys,
): Promise<void> {
  if (signingKeys === undefined && rsaPublicKeys === undefined) {
    throw new WebhookVerificationError(
      'wrong_secret_format',
      'Pass { signingKeys }, { rsaPublicKeys } or both; is an environment variable missing?',
    )
  }
  const text = new TextEncoder().encode(legacyText(signed))
  if (signingKeys !== undefined) await verifyHmac(text, signatures, listOf(signingKeys, 'signingKeys'))
  if (rsaPublicKeys !== undefined) await verifyRsa(text, signatures, rsaPublicKeys)
}

async function verifyHmac(
  text: Uint8Array<ArrayBuffer>,
  signatures: LegacySignatures,
  signingKeys: readonly string[],
): Promise<void> {
  const [, hex] = /^t=[0-9]{13},s=([0-9a-f]{64})$/.exec(signatures.hmac()) ?? []
  if (hex === undefined) throw new WebhookVerificationError('malformed', 'The HMAC signature does not have its form')
  const keys = signingKeys.map(signingKeyBytes)
  if (!(await someHmacFits(keys, [fromHex(hex)], text)))
    throw new WebhookVerificationError('wrong_signature', 'The HMAC signature fits no signing key')
}

async function verifyRsa(
  text: Uint8Array<ArrayBuffer>,
  signatures: LegacySignatures,
  publicKeys: RsaPublicKeys,
): Promise<void> {
  const signature = fromBase64(signatures.rsa())
  if (signature === undefined)
    throw new WebhookVerificationError('malformed', 'The RSA signature does not have its form')
  const key = await importPublicKey(await publicPem(publicKeys, signatures.rsaKeyId))
  if (!(await crypto.subtle.verify(RSA.name, key, signature, text)))
    throw new WebhookVerificationError('wrong_signature', 'The RSA signature does not fit')
}

async function publicPem(publicKeys: RsaPublicKeys, rsaKeyId: () => string): Promise<string> {
  if (typeof publicKeys === 'string') return publicKeys
  const id = rsaKeyId()
  // The sender of the message also writes the id: an invalid id must reach neither an address nor a lookup.
  if (!/^[0-9a-f]{16}$/.test(id))
    throw new WebhookVerificationError('malformed', 'The RSA key id is not 16 hexadecimal digits')
  const pem = typeof publicKeys === 'function' ? await publicKeys(id) : ownOf(publicKeys, id)
  if (pem === undefined) throw new WebhookVerificationError('unknown_key', `No RSA public key has the id ${id}`)
  return pem
}

const ownOf = (keys: Readonly<Record<string, string>>, id: string): string | undefined =>
  Object.hasOwn(keys, id) ? keys[id] : undefined

async function importPublicKey(pem: string) {
  try {
    return await crypto.subtle.importKey('spki', fromPem(pem, 'PUBLIC KEY') ?? new Uint8Array(), RSA, false, ['verify'])
  } catch (cause) {
    throw new WebhookVerificationError(
      'wrong_secret_format',
      'An RSA public key must be a PEM text with BEGIN PUBLIC KEY',
      { cause },
    )
  }
}
