import { errors, request, type Dispatcher } from 'undici'
import type { CallbackSender, Clock, Delivery, DueCallback, ReferenceData } from '../actions/ports.ts'
import { CALLBACK_TIMEOUT_MS, legacySignedText, REPLY_EXCERPT_BYTES } from '../domain/callback.ts'
import { checkOutboundUrl, guardedAgent, OutboundRefused, type OutboundPolicy } from './outbound-guard.ts'
import { signatureHeaders } from './sign.ts'

/** A merchant's reply beyond this is not even read: the connection is closed. */
const REPLY_READ_MAX_BYTES = 64 * 1024

export interface SenderOptions {
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly policy: OutboundPolicy
  readonly timeoutMs?: number
}

/** Signs and POSTs callbacks: no redirects, no decompression, replies capped. `close` ends what still hangs. */
export function createSender({ reference, clock, policy, timeoutMs = CALLBACK_TIMEOUT_MS }: SenderOptions): CallbackSender & { close(): Promise<void> } {
  const dispatcher = guardedAgent(policy)
  return {
    async send(callback) {
      const startedAt = performance.now()
      const elapsed = () => Math.round(performance.now() - startedAt)
      try {
        checkOutboundUrl(callback.url, policy)
        const reply = await post(dispatcher, callback, await headersOf(callback, reference, clock.now()), timeoutMs)
        return { ...reply, durationMs: elapsed() }
      } catch (error) {
        return { error: describe(error, timeoutMs), durationMs: elapsed() }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

async function headersOf(callback: DueCallback, reference: ReferenceData, at: Date): Promise<Record<string, string>> {
  const { signed, event, webhookId, body } = callback
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Malipo/1.0',
    ...(await signatureHeaders({
      webhookId, body, at, legacyText: legacySignedText(event, signed), secrets: reference.callbackSecrets(callback.merchantId), rsaPrivatePem: reference.rsaPrivateKey(),
    })),
  }
}

async function post(dispatcher: Dispatcher, { url, body }: DueCallback, headers: Record<string, string>, timeoutMs: number): Promise<Omit<Delivery, 'durationMs'>> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await request(url, { method: 'POST', headers, body, dispatcher, signal, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const retryAfterMs = retryAfter(response.headers['retry-after'])
  const replyExcerpt = await readExcerpt(response.body).catch(() => '') // the status has come: what happens to the rest of the reply changes nothing
  return { httpStatus: response.statusCode, ...(retryAfterMs !== undefined && { retryAfterMs }), ...(replyExcerpt !== '' && { replyExcerpt }) }
}

async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (size < REPLY_EXCERPT_BYTES) chunks.push(chunk)
    size += chunk.length
    if (size > REPLY_READ_MAX_BYTES) break // leaving the loop closes the connection
  }
  // A NUL cannot be stored as text, and the tail may cut a character in two: the excerpt is for people to read.
  return Buffer.concat(chunks).subarray(0, REPLY_EXCERPT_BYTES).toString('utf8').replaceAll('\0', '�')
}

/** RFC 9110: seconds, or an HTTP date. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(at - Date.now(), 0)
}

function describe(error: unknown, timeoutMs: number): string {
  if (error instanceof OutboundRefused) return error.message
  if (error instanceof Error && (error.name === 'TimeoutError' || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)) return `no reply within ${timeoutMs / 1000} s`
  if (error instanceof errors.ConnectTimeoutError) return 'the connection timed out'
  const code = (error as { code?: string }).code
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`
}
