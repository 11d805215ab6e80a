import type { IncomingMessage } from 'node:http'

/** Far above any form of the page. */
export const FORM_MAX_BYTES = 4_096

export type FormBody = URLSearchParams | 'not_a_form' | 'too_large' | 'incomplete'

/** Reads a posted form. The app gives no method a body, so it still waits on the wire. */
export function readForm(message: IncomingMessage): Promise<FormBody> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(message.headers['content-type'] ?? ''))
    return Promise.resolve('not_a_form')
  if (Number(message.headers['content-length'] ?? 0) > FORM_MAX_BYTES) return Promise.resolve('too_large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > FORM_MAX_BYTES) {
        message.removeAllListeners('data').pause()
        resolve('too_large')
      } else {
        chunks.push(chunk)
      }
    })
    message.on('end', () => resolve(new URLSearchParams(Buffer.concat(chunks).toString('utf8'))))
    message.on('error', () => resolve('incomplete'))
    message.on('close', () => resolve('incomplete')) // changes nothing when the end has come before
  })
}
