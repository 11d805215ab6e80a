import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify'
import { ENVELOPE_HEADERS } from '../../http/envelope.ts'
import type { IncomingRequest } from '../../http/contract-backend.ts'
import type { AdminApi } from './admin-api.ts'
import type { AdminReply } from './handler.ts'

const API_PREFIX = '/api'

/** Whether the admin API answers a request to this target, and not the console. */
export const isOfAdminApi = (target: string): boolean => /^\/api(?:[/?]|$)/.test(target)

/** Serves the admin API below `/api`: its bodies are read by the checks of the contract, not by Fastify. */
export function serveAdminApi(app: FastifyInstance, api: AdminApi): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const handle: RouteHandlerMethod = async (request, reply) => {
      const path = (request.raw.url ?? '').split('?', 1)[0]?.slice(API_PREFIX.length) || '/'
      const query = request.query as IncomingRequest['query']
      const about = { address: request.ip, requestId: request.id }
      const { reply: answer, operationId, error } = await api.handle(request.raw, path, query, about)
      if (error !== undefined) request.log.error({ err: error, operationId }, 'request failed')
      return sendAdminReply(reply.header('x-request-id', request.id), answer)
    }
    for (const path of [API_PREFIX, `${API_PREFIX}/*`]) scope.all(path, handle)
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
