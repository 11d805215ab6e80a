import type { Secrets } from '../secrets.ts'
import { signedHeaders, type WebhookHeaders } from './signed-headers.ts'

/** Options of `signedHandshake`. */
export interface HandshakeInput {
  /** Webhook secret `whsec_…`; several give one signature each, as during a rotation. */
  readonly secret: Secrets
  /** Reference of the payout in question; `PAYOUT-2026-0001` if absent. */
  readonly reference?: string | undefined
  /** Your verification URL, whose own query is kept; `http://localhost/handshake` if absent. */
  readonly url?: string | URL | undefined
  /** A new one each time if absent. */
  readonly webhookId?: string | undefined
  /** When it was sent; now if absent. */
  readonly now?: Date | undefined
}

/** A request as Malipo sends it: GET the URL with the headers. */
export interface SignedHandshake {
  readonly url: string
  readonly headers: Readonly<WebhookHeaders>
}

/**
 * Makes a handshake that verifies: for tests of your verification URL.
 *
 * @example
 * ```ts
 * import { signedHandshake } from '@malipo/client/testing'
 *
 * const { url, headers } = await signedHandshake({
 *   secret,
 *   reference: 'PAYOUT-2026-0042',
 *   url: 'http://localhost:3000/handshake',
 * })
 * const { status } = await fetch(url, { headers })
 * ```
 */
export async function signedHandshake({
  secret,
  reference = 'PAYOUT-2026-0001',
  url = 'http://localhost/handshake',
  webhookId,
  now,
}: HandshakeInput): Promise<SignedHandshake> {
  const requested = new URL(url)
  requested.searchParams.append('reference', reference)
  return { url: requested.href, headers: await signedHeaders({ secret, webhookId, now }) }
}
