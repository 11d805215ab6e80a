import { WebhookVerificationError } from './verification-error.ts'

/** A body as received: bytes, or their text. Node's `Buffer` is one. */
export type RawBody = string | Uint8Array | ArrayBuffer

const HOW = `Pass the raw body, not the parsed one: JSON that is parsed and written again is not what was signed.
Express: express.raw({ type: 'application/json' }) on this route, then request.body.
Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body)), then request.body.
Next, Deno, Bun, Workers: await request.text(). Hono: await context.req.text().
node:http: Buffer.concat(await request.toArray()).`

/**
 * The signed bytes.
 * @throws WebhookVerificationError `body_not_raw`, with what to do in which framework
 */
export function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Copied: the view may belong to a pool that its owner writes to while the signature is being computed.
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  if (isArrayBuffer(body)) return new Uint8Array(body.slice(0))
  throw new WebhookVerificationError(
    'body_not_raw',
    `The body is ${body === undefined || body === null ? 'missing' : `of type ${typeName(body)}`}. ${HOW}`,
  )
}

/**
 * Parses the bytes as JSON.
 * @throws WebhookVerificationError `malformed`
 */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new WebhookVerificationError('malformed', 'The body is not JSON in UTF-8', { cause })
  }
}

// Test runners and workers have several realms, each with its own ArrayBuffer: `instanceof` knows only one.
const isArrayBuffer = (value: unknown): value is ArrayBuffer => typeName(value) === 'ArrayBuffer'

/**
 * Type names for messages: `Object` for a parsed body, `Promise` for one that was not awaited, `Request`,
 * `ReadableStream`.
 */
const typeName = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)
