import { createHash, createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { legacyText, type LegacySigned } from '../legacy-signature.ts'

/** The keys of the merchant for whom Malipo signs. */
export interface Keys {
  readonly webhookSecret: string
  readonly signingKey: string
}

/** The demo merchant's keys, which every sandbox has and nothing else accepts. */
export const DEMO_KEYS: Keys = {
  webhookSecret: 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==',
  signingKey: 'SANDBOXDEMOSIGNKEY01',
}

/** What `webhook-signature` covers. */
interface SignedBody {
  readonly webhookId: string
  readonly at: Date
  readonly body: Uint8Array
}

/** `webhook-signature` (Standard Webhooks): `v1,` HMAC-SHA256 over `id.timestamp.` and the bytes of the body. */
export function webhookSignature({ webhookId, at, body }: SignedBody, webhookSecret: string): string {
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key)
    .update(`${webhookId}.${secondsOf(at)}.`)
    .update(body)
    .digest('base64')}`
}

/** The three headers that cover id, time and body. */
export const webhookHeaders = (signed: SignedBody, webhookSecret: string): Record<string, string> => ({
  'webhook-id': signed.webhookId,
  'webhook-timestamp': String(secondsOf(signed.at)),
  'webhook-signature': webhookSignature(signed, webhookSecret),
})

/** The two legacy signatures, and the key id of the second. */
export interface LegacySignatures {
  readonly hmac: string
  readonly rsa: string
  readonly rsaKeyId: string
}

/**
 * `hmac-signature` with the signing key, and `rsa-signature` with a key made for this run: only Malipo has Malipo's.
 */
export function legacySignatures(fields: LegacySigned, at: Date, signingKey: string): LegacySignatures {
  const text = legacyText(fields)
  const { id, privateKey } = rsaKey()
  return {
    hmac: `t=${at.getTime()},s=${createHmac('sha256', signingKey).update(text).digest('hex')}`,
    rsa: signWith('sha256', Buffer.from(text), privateKey).toString('base64'),
    rsaKeyId: id,
  }
}

type RsaKey = { readonly id: string; readonly privateKey: ReturnType<typeof generateKeyPairSync>['privateKey'] }
let madeRsaKey: RsaKey | undefined

/** Generated at the first use: it takes a tenth of a second, and most commands never need it. */
function rsaKey(): RsaKey {
  if (madeRsaKey) return madeRsaKey
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
  madeRsaKey = { id, privateKey }
  return madeRsaKey
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)
