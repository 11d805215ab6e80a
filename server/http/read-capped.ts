import type { IncomingMessage } from 'node:http'

/** The bytes of a body; `too_large` above the limit, `incomplete` when it is cut off. */
export type CappedBody = Buffer | 'too_large' | 'incomplete'

/**
 * Reads a body up to this size. Never rejects. The rest of a body that is too large is not read: the caller that
 * refuses it also closes the connection.
 */
export function readCapped(message: IncomingMessage, bytesMax: number): Promise<CappedBody> {
  if (Number(message.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve('too_large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bytesMax) {
        message.removeAllListeners('data').pause()
        resolve('too_large')
      } else {
        chunks.push(chunk)
      }
    })
    message.on('end', () => resolve(joined(chunks)))
    // Both do nothing once the body has ended.
    const onBrokenOff = () => resolve('incomplete')
    message.on('error', onBrokenOff).on('close', onBrokenOff)
  })
}

/** Nearly every body comes in one chunk, which need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const first = chunks[0]
  return first && chunks.length === 1 ? first : Buffer.concat(chunks)
}
