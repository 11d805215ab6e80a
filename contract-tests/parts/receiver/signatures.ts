import { createHash, createHmac, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { faultIf, type Fault } from './webhook-check.ts'

// Written from the description of the signatures alone: it shares no code with the server, so a mistake there is not
// repeated here.

export interface SignatureKeys {
  readonly signingKey: string
  /** `whsec_…` */
  readonly webhookSecret: string
  /** The public key of this id, or the fault of its address. */
  rsaKey(id: string): Promise<KeyObject | string>
}

/** Fields that the two signatures of the final state cover. */
export type FinalState = Readonly<
  Record<'event' | 'merchant_reference' | 'internal_reference' | 'transaction_type' | 'transaction_status', unknown>
>

export interface StateSignatures {
  readonly hmac: string
  readonly rsa: string
  readonly rsaKeyId: string
}

/** Contract, "Webhook timestamp": refuse messages that are more than 5 minutes old or ahead. */
const AGE_MAX_MS = 300_000

/** Checks the signatures of a final state. Form faults that break the contract are not judged again. */
export async function stateSignatureFaults(
  state: FinalState,
  { hmac, rsa, rsaKeyId }: StateSignatures,
  { signingKey, rsaKey }: SignatureKeys,
  at: Date,
): Promise<readonly Fault[]> {
  const { event, merchant_reference, internal_reference, transaction_type, transaction_status } = state
  const text = [event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
  const faults: Fault[] = []
  const [, milliseconds, digest] = /^t=(\d{13}),s=([0-9a-f]{64})$/.exec(hmac) ?? []
  if (digest !== undefined && digest !== createHmac('sha256', signingKey).update(text).digest('hex'))
    faults.push({
      rule: 'hmac-signature digest',
      what: 'the digest is not that of the event, the references, the type and the status',
    })
  if (milliseconds !== undefined) faults.push(...ageFaults('hmac-signature t', Number(milliseconds), at))
  if (!/^[0-9a-f]{16}$/.test(rsaKeyId)) return faults
  const key = await rsaKey(rsaKeyId)
  if (typeof key === 'string') faults.push({ rule: 'rsa-key-id', what: key })
  else if (!verify('sha256', Buffer.from(text), key, Buffer.from(rsa, 'base64')))
    faults.push({ rule: 'rsa-signature', what: 'it does not verify with the key that the key id names' })
  return faults
}

interface SignedMessage {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: Buffer
}

/** Standard Webhooks: over the id, the time and the raw body; a handshake's body is empty. */
export function isSigned({ id, timestamp, signature, body }: SignedMessage, webhookSecret: string): boolean {
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return signature.split(' ').includes(`v1,${expected}`)
}

export function messageSignatureFaults(
  message: SignedMessage,
  { webhookSecret }: Pick<SignatureKeys, 'webhookSecret'>,
  at: Date,
): readonly Fault[] {
  const { timestamp } = message
  return [
    ...(isSigned(message, webhookSecret)
      ? []
      : [{ rule: 'webhook-signature', what: 'no signature fits the id, the timestamp and the body' }]),
    ...(/^\d{10}$/.test(timestamp) ? ageFaults('webhook-timestamp', Number(timestamp) * 1000, at) : []),
  ]
}

function ageFaults(rule: string, madeAtMs: number, at: Date): readonly Fault[] {
  const ageMs = at.getTime() - madeAtMs
  const seconds = Math.round(Math.abs(ageMs) / 1000)
  const reported = `${seconds} s ${ageMs > 0 ? 'old' : 'ahead'}, the contract allows ${AGE_MAX_MS / 1000}`
  return faultIf(Math.abs(ageMs) > AGE_MAX_MS, rule, reported)
}

/** Fetches each key once, from the address that the contract names. */
export function fetchedRsaKeys(targetUrl: string): SignatureKeys['rsaKey'] {
  const keys = new Map<string, Promise<KeyObject | string>>()
  return (id) => {
    const key = keys.get(id) ?? fetchRsaKey(`${targetUrl}/.well-known/malipo-rsa/${id}.pem`, id)
    keys.set(id, key)
    return key
  }
}

async function fetchRsaKey(url: string, id: string): Promise<KeyObject | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
    const pem = await response.text()
    if (response.status !== 200) return `its key is not served: HTTP ${response.status}`
    const key = createPublicKey(pem)
    const digest = createHash('sha256')
      .update(key.export({ type: 'spki', format: 'der' }))
      .digest('hex')
    return digest.startsWith(id)
      ? key
      : 'the key that is served is another one: the id is not the beginning of its SHA-256'
  } catch {
    return 'its key cannot be read'
  }
}
