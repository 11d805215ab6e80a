import { fromPem, toBase64, toHex } from '../encoding.ts'
import { hmac } from '../hmac.ts'
import { legacyText, RSA, type LegacySigned } from '../legacy-signature.ts'
import { signingKeyBytes } from '../secrets.ts'

/** The keys of the two legacy signatures, for tests. */
export interface LegacySigningKeys {
  /** For the HMAC signature, which is omitted if absent. */
  readonly signingKey?: string | undefined
  /** PEM text (PKCS #8, `BEGIN PRIVATE KEY`) for the RSA signature, which is omitted if absent. */
  readonly rsaPrivateKey?: string | undefined
  /** Sent with the RSA signature; the key's real id if absent. */
  readonly rsaKeyId?: string | undefined
}

/** `t=<epoch milliseconds>,s=<hex>`. */
export async function hmacSignature(signingKey: string, signed: LegacySigned, now: Date): Promise<string> {
  return `t=${now.getTime()},s=${toHex(await hmac(signingKeyBytes(signingKey), new TextEncoder().encode(legacyText(signed))))}`
}

/** The RSA signature in base64, with the id of the key: the first 16 digits of the SHA-256 of its public half. */
export async function rsaSignature(
  privatePem: string,
  signed: LegacySigned,
): Promise<{ readonly signature: string; readonly keyId: string }> {
  const der = fromPem(privatePem, 'PRIVATE KEY')
  if (der === undefined) throw new TypeError('rsaPrivateKey must be a PEM text with BEGIN PRIVATE KEY (PKCS #8)')
  const key = await crypto.subtle.importKey('pkcs8', der, RSA, true, ['sign'])
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', key)
  if (kty === undefined || n === undefined || e === undefined) throw new TypeError('rsaPrivateKey is not an RSA key')
  const publicKey = await crypto.subtle.importKey('jwk', { kty, n, e }, RSA, true, ['verify'])
  const digest = await crypto.subtle.digest('SHA-256', await crypto.subtle.exportKey('spki', publicKey))
  const signature = toBase64(await crypto.subtle.sign(RSA.name, key, new TextEncoder().encode(legacyText(signed))))
  return { signature, keyId: toHex(digest).slice(0, 16) }
}
