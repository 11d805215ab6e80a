import type { IncomingMessage } from 'node:http'

/** Several times what any client sends by mistake. A client that sends more is disconnected. */
export const DRAIN_MAX_BYTES = 16 * 1024 * 1024
/** Long enough for such a mistake on a good connection, short enough that nobody can hold a connection with it. */
export const DRAIN_MAX_MS = 2_000

/**
 * Reads and discards the rest of an unwanted body, within limits, before a reply that closes the connection. Closing a
 * connection with unread bytes resets it, and the reset overtakes the reply: most clients send their whole body before
 * they read the reply, and would get a broken pipe instead (RFC 9112, section 9.6).
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
    // Nothing more is read: a client that is still sending fills the pipe until the connection is closed.
    if (!message.complete) message.pause()
  })
}
