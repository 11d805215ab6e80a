import type { FastifyRequest } from 'fastify'

/** The fields of a posted form; none when it is something else. */
export const fieldsOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '')

/** Whether the browser itself says that a page of somebody else sends this. */
export const isForeign = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'

/** Whether a person is looking: browsers ask for HTML by name. */
export const wantsPage = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html')
