import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ENVELOPE_HEADERS } from '../../http/envelope.ts'
import type { IncomingRequest } from '../../http/contract-backend.ts'
import type { AdminApi } from './admin-api.ts'
import type { AdminReply } from './handler.ts'

const API_PREFIX = '/api'

/** Whether the admin API answers a request to this target, and not the console. */
export const isOfAdminApi = (target: string): boolean => /^\/api(?:[/?]|$)/.test(target)

/**
 * Serves the admin API below `/api`, whatever the method and the headers. The checks of the contract read the bodies:
 * the reply comes from the first hook, before Fastify looks at a content type.
 */
export function serveAdminApi(app: FastifyInstance, api: AdminApi): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const target = request.raw.url ?? ''
      const path = target.split('?', 1)[0] ?? ''
      const query = request.query as IncomingRequest['query']
      const about = { address: request.ip, requestId: request.id }
      const below = isOfAdminApi(target) ? path.slice(API_PREFIX.length) || '/' : path
      const { reply: answer, operationId, error } = await api.handle(request.raw, below, query, about)
      if (error !== undefined) request.log.error({ err: error, operationId }, 'request failed')
      return sendAdminReply(reply.header('x-request-id', request.id), answer)
    })
    for (const path of [API_PREFIX, `${API_PREFIX}/*`]) scope.all(path, () => undefined)
  })
}

/** Sends a reply of the admin API, an export as a stream. */
export function sendAdminReply(reply: FastifyReply, answer: AdminReply): FastifyReply {
  reply.code(answer.status)
  if ('stream' in answer) return reply.headers(answer.headers).send(Readable.from(answer.stream))
  reply.headers(ENVELOPE_HEADERS)
  if (answer.headers) reply.headers(answer.headers)
  return reply.send(JSON.stringify(answer.body))
}
