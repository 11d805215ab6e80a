import type { Clock } from '../actions/ports/clock.ts'
import type { HandshakeSender } from '../actions/ports/handshakes.ts'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import { HANDSHAKE_TIMEOUT_MS } from '../domain/handshake.ts'
import { describeFault } from '../outbound/describe-fault.ts'
import {
  checkOutboundUrl,
  guardedAgent,
  requestWithin,
  type OutboundNetwork,
  type OutboundPolicy,
} from '../outbound/outbound-guard.ts'
import { webhookSignature } from './sign.ts'

export interface HandshakeOptions {
  readonly reference: Pick<ReferenceData, 'callbackSecrets'>
  readonly clock: Clock
  readonly policy: OutboundPolicy
  readonly timeoutMs?: number
  readonly network?: OutboundNetwork
}

/**
 * Sends handshake requests to verification URLs: GET with the reference in the query, about a batch POST with JSON, and
 * the Standard Webhooks headers over the body. Follows no redirect.
 */
export function createHandshakeSender({
  reference,
  clock,
  policy,
  timeoutMs = HANDSHAKE_TIMEOUT_MS,
  network,
}: HandshakeOptions): HandshakeSender & { close(): Promise<void> } {
  const dispatcher = guardedAgent(policy, network)
  return {
    async request({ url, webhookId, merchantId, merchantReference, body: sent }, traceparent) {
      // Loads the secrets before the attempt begins: a failure to load them must not count as the merchant's reply.
      const { webhookSecrets } = await reference.callbackSecrets(merchantId)
      const startedAt = performance.now()
      const elapsed = () => Math.round(performance.now() - startedAt)
      try {
        const to = checkOutboundUrl(url, policy)
        const { statusCode, body } = await requestWithin(
          timeoutMs,
          (sent === undefined ? withReference(to, merchantReference) : to).href,
          {
            method: sent === undefined ? 'GET' : 'POST',
            dispatcher,
            headers: {
              ...handshakeHeaders(webhookSecrets, webhookId, clock.now(), sent),
              ...(traceparent !== undefined && { traceparent }),
            },
            ...(sent !== undefined && { body: sent }),
          },
        )
        body.on('error', () => undefined).destroy() // the status is the answer
        return { httpStatus: statusCode, durationMs: elapsed() }
      } catch (error) {
        return { error: describeFault(error, timeoutMs), durationMs: elapsed() }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

/** The headers of a handshake: signed over its body, which is empty unless it is about a batch. */
export function handshakeHeaders(webhookSecrets: readonly string[], webhookId: string, at: Date, body?: string) {
  const timestamp = Math.floor(at.getTime() / 1000)
  return {
    'user-agent': 'Malipo/1.0',
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignature(webhookSecrets, webhookId, timestamp, body ?? ''),
    ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
  }
}

/** Keeps the URL's own query as it is written. References need no encoding: their characters are unreserved. */
function withReference(url: URL, merchantReference: string): URL {
  const requested = new URL(url)
  requested.search = `${url.search}${url.search === '' ? '?' : '&'}reference=${encodeURIComponent(merchantReference)}`
  return requested
}
