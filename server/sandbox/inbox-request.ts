import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

export const BODY_MAX_BYTES = 256 * 1024

/** The first value of a query parameter; an empty one counts as absent. */
export function parameter(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return (Array.isArray(value) ? value[0] : value) || undefined
}

/** Whether a Content-Type says JSON, whatever its parameters. */
export const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '')

/** Never rejects: a body beyond BODY_MAX_BYTES is `too_large`, one that breaks off `incomplete`. */
export function readBody(message: IncomingMessage): Promise<Buffer | 'too_large' | 'incomplete'> {
  if (Number(message.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return Promise.resolve('too_large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_MAX_BYTES) {
        message.removeAllListeners('data').pause()
        resolve('too_large')
      } else {
        chunks.push(chunk)
      }
    })
    message.on('end', () => resolve(Buffer.concat(chunks)))
    message.on('error', () => resolve('incomplete'))
    message.on('close', () => resolve('incomplete')) // changes nothing when the end has come before
  })
}

/** Headers by their names in lower case. */
export const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** Whether the client asks for JSON and not, as browsers do, for a page. */
export const wantsJson = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.includes('application/json') && !accept.includes('text/html')

/**
 * Browsers say where a form was sent from; programs that say nothing are not browsers, and cannot be tricked into
 * sending it.
 */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}
