import type { IncomingMessage } from 'node:http'

/** The bytes of a body; `too_large` above the bound, `incomplete` when it breaks off. */
export type CappedBody = Buffer | 'too_large' | 'incomplete'

/**
 * Reads a body of at most so many bytes. Never rejects. A body that is too large is left where it is: who refuses it
 * also ends the connection.
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
    // Both change nothing when the end has come before.
    const onBrokenOff = () => resolve('incomplete')
    message.on('error', onBrokenOff).on('close', onBrokenOff)
  })
}

/** Nearly every body comes in one piece, which need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const first = chunks[0]
  return first && chunks.length === 1 ? first : Buffer.concat(chunks)
}
