import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { DueCallback } from '../actions/ports/callbacks.ts'
import type { Clock } from '../actions/ports/clock.ts'
import type { CallbackSender, Delivery } from '../actions/ports/delivery.ts'
import type { ReferenceData, RsaSigningKey } from '../actions/ports/reference-data.ts'
import { CALLBACK_TIMEOUT_MS, legacySignedText, REPLY_EXCERPT_BYTES } from '../domain/callback.ts'
import type { CallbackSecrets } from '../domain/merchant.ts'
import { maskReply, namesIn, type Confidential } from './mask-reply.ts'
import { describeFault } from '../outbound/describe-fault.ts'
import {
  checkOutboundUrl,
  guardedAgent,
  requestWithin,
  type OutboundNetwork,
  type OutboundPolicy,
} from '../outbound/outbound-guard.ts'
import { signatureHeaders, type RsaSigner } from './sign.ts'

/** The sender does not read a merchant's reply beyond this: it closes the connection. */
const REPLY_READ_MAX_BYTES = 64 * 1024

export interface SenderOptions {
  readonly reference: Pick<ReferenceData, 'callbackSecrets' | 'rsaSigningKey'>
  readonly clock: Clock
  readonly policy: OutboundPolicy
  readonly timeoutMs?: number
  readonly network?: OutboundNetwork
}

interface Sender extends CallbackSender {
  /** Both steps at once. */
  send(callback: DueCallback): Promise<Delivery>
  /** Aborts all pending requests. */
  close(): Promise<void>
}

/** Signs and POSTs callbacks: no redirects, no decompression, replies capped. */
export function createSender({
  reference,
  clock,
  policy,
  timeoutMs = CALLBACK_TIMEOUT_MS,
  network,
}: SenderOptions): Sender {
  const dispatcher = guardedAgent(policy, network)

  async function prepare(callback: DueCallback): Promise<(traceparent?: string) => Promise<Delivery>> {
    const failed = (error: unknown, durationMs: number): Delivery => ({
      error: describeFault(error, timeoutMs),
      durationMs,
    })
    // Loads the secrets before the attempt begins: a failure to load them must not count as the merchant's reply.
    const secrets = await reference.callbackSecrets(callback.merchantId)
    try {
      checkOutboundUrl(callback.url, policy)
      const headers = await callbackHeaders(callback, secrets, reference.rsaSigningKey(), clock.now())
      return async (traceparent) => {
        const startedAt = performance.now()
        const elapsed = () => Math.round(performance.now() - startedAt)
        const sent = traceparent === undefined ? headers : { ...headers, traceparent }
        return post(dispatcher, callback, sent, { timeoutMs, secrets, clock }).then(
          (reply) => ({ ...reply, durationMs: elapsed() }),
          (error: unknown) => failed(error, elapsed()),
        )
      }
    } catch (error) {
      return async () => failed(error, 0)
    }
  }

  return { prepare, send: async (callback) => (await prepare(callback))(), close: () => dispatcher.destroy() }
}

/** All headers of a callback, signed. @param signRsa absent: on threads of their own */
export async function callbackHeaders(
  callback: DueCallback,
  secrets: CallbackSecrets,
  rsaKey: RsaSigningKey,
  at: Date,
  signRsa?: RsaSigner,
): Promise<Record<string, string>> {
  const { signed, event, webhookId, body } = callback
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Malipo/1.0',
    ...(await signatureHeaders({
      webhookId,
      body,
      at,
      legacyText: event === 'payout_batch.completed' ? undefined : legacySignedText(event, signed),
      secrets,
      rsaKey,
      signRsa,
    })),
  }
}

async function post(
  dispatcher: Dispatcher,
  { url, body, account }: DueCallback,
  headers: Record<string, string>,
  { timeoutMs, secrets, clock }: { timeoutMs: number; secrets: CallbackSecrets; clock: Clock },
): Promise<Omit<Delivery, 'durationMs'>> {
  const response = await requestWithin(timeoutMs, url, { method: 'POST', headers, body, dispatcher })
  const retryAfterMs = retryAfter(response.headers, clock.now())
  const replyExcerpt = await readExcerpt(response.body, () => ({ secrets, account, names: namesIn(body) }))
  return {
    httpStatus: response.statusCode,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(replyExcerpt !== '' && { replyExcerpt }),
  }
}

/** @param confidential called only for a reply that has a body */
async function readExcerpt(body: Dispatcher.ResponseData['body'], confidential: () => Confidential): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > REPLY_READ_MAX_BYTES) break // leaving the loop closes the connection
    }
  } catch {
    // The status has arrived: an error in the rest of the reply changes nothing.
  }
  if (size === 0) return ''
  const reply = Buffer.concat(chunks)
  // Anything that is not UTF-8 is decoded one character per byte, so that no byte is lost.
  const encoding = isUtf8(reply) ? 'utf8' : 'latin1'
  // Masks before the cut, which could otherwise leave half a key.
  const masked = Buffer.from(maskReply(reply.toString(encoding), confidential(), REPLY_EXCERPT_BYTES), encoding)
  // PostgreSQL text cannot hold a NUL, and the tail may cut a character in two: the excerpt is for people to read.
  return masked.subarray(0, REPLY_EXCERPT_BYTES).toString('utf8').replaceAll('\0', '�')
}

/**
 * RFC 9110: seconds, or an HTTP date, which is read by the clock of the server that wrote it: by `Date` of the same
 * reply, where it has one. The domain decides how much of it to honour.
 */
function retryAfter({ 'retry-after': header, date }: IncomingHttpHeaders, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const at = timeOf(header)
  const written = typeof date === 'string' ? timeOf(date) : NaN
  return Number.isNaN(at) ? undefined : Math.max(at - (Number.isNaN(written) ? now.getTime() : written), 0)
}

/** Alone, Date.parse also takes -1 for the year 2001. */
const timeOf = (date: string): number => (/^[A-Za-z]{3,9},? .+/.test(date) ? Date.parse(date) : NaN)
