import type { operations } from '../../generated/schema.d.ts'
import type { Secrets } from '../secrets.ts'
import { hmacSignature, rsaSignature, type LegacySigningKeys } from './legacy-signing.ts'
import { sampleCallbacks, type CallbackKind, type Overrides } from './sample-callbacks.ts'
import { signedHeaders } from './signed-headers.ts'

type Header = operations['collectionCallback']['parameters']['header'] &
  operations['payoutCallback']['parameters']['header']
type LegacyHeader = 'hmac-signature' | 'rsa-signature' | 'rsa-key-id'

/** Options of `signedCallback`. */
export interface CallbackInput extends LegacySigningKeys {
  /** Webhook secret `whsec_…`; several give one signature each, as during a rotation. */
  readonly secret: Secrets
  /** The outcome that it reports; `collection.completed` if absent. */
  readonly kind?: CallbackKind | undefined
  /** Fields of the payload that replace those of the sample. */
  readonly payload?: Overrides | undefined
  /** A new one each time if absent; give the same one to make a second attempt of one message. */
  readonly webhookId?: string | undefined
  /** When it was sent; now if absent. */
  readonly now?: Date | undefined
}

/** A request as Malipo sends it: POST the body unchanged, with the headers. */
export interface SignedCallback {
  readonly headers: { readonly 'content-type': string } & Readonly<
    Omit<Header, LegacyHeader> & Partial<Pick<Header, LegacyHeader>>
  >
  /** JSON text: send exactly these characters, because the signature covers them. */
  readonly body: string
}

/**
 * Makes a callback that verifies: for tests of your receiver.
 *
 * @example
 * ```ts
 * import { signedCallback } from '@malipo/client/testing'
 *
 * const { headers, body } = await signedCallback({
 *   secret,
 *   kind: 'collection.completed',
 *   payload: { merchant_reference: 'ORDER-2026-0042' },
 * })
 * const response = await POST(new Request('http://localhost/callbacks', { method: 'POST', headers, body }))
 * ```
 */
export async function signedCallback({
  secret,
  kind = 'collection.completed',
  payload,
  webhookId,
  now = new Date(),
  ...keys
}: CallbackInput): Promise<SignedCallback> {
  const sample = sampleCallbacks[kind]
  const callback = { event: sample.event, payload: { ...sample.payload, ...payload } }
  const body = JSON.stringify(callback)
  const signed = { event: callback.event, ...callback.payload }
  const rsa = keys.rsaPrivateKey === undefined ? undefined : await rsaSignature(keys.rsaPrivateKey, signed)
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(await signedHeaders({ secret, body, webhookId, now })),
      ...(keys.signingKey !== undefined && { 'hmac-signature': await hmacSignature(keys.signingKey, signed, now) }),
      ...(rsa && { 'rsa-signature': rsa.signature, 'rsa-key-id': keys.rsaKeyId ?? rsa.keyId }),
    },
  }
}
