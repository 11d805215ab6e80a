import type { IncomingMessage } from 'node:http'

/** Several times what anybody sends by mistake. Whoever sends more is cut off. */
export const DRAIN_MAX_BYTES = 16 * 1024 * 1024
/** Long enough for such a mistake on a good line, short enough for nobody to hold a connection with it. */
export const DRAIN_MAX_MS = 2_000

/**
 * Takes the rest of a body that nobody wants, within bounds, before a reply that ends the connection. A connection that
 * is closed with bytes unread is reset, and a reset overtakes the reply: most clients send their whole body before they
 * look for an answer, and would be told of a broken pipe instead (RFC 9112, section 9.6).
 */
export function drain(message: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let size = 0
  const discard = (chunk: Buffer) => {
    size += chunk.length
    if (size > DRAIN_MAX_BYTES) resolve()
  }
  const timer = setTimeout(resolve, DRAIN_MAX_MS)
  message.on('data', discard).on('end', resolve).on('close', resolve).on('error', resolve).resume()
  return promise.finally(() => {
    clearTimeout(timer)
    message.off('data', discard).off('end', resolve).off('close', resolve).off('error', resolve)
    // Nothing more is read: who still sends fills the pipe until the connection is closed.
    if (!message.complete) message.pause()
  })
}
