import type { FastifyRequest } from 'fastify'

/** The fields of a posted form; none for any other body. */
export const fieldsOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '')

/** Whether the browser marks the request as sent by another site's page. */
export const isForeign = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'

/** Whether a person is reading: browsers request HTML by name. */
export const wantsPage = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html')
