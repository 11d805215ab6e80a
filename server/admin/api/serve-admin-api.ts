import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ENVELOPE_HEADERS } from '../../http/envelope.ts'
import type { IncomingRequest } from '../../http/contract-backend.ts'
import type { AdminApi } from './admin-api.ts'
import type { AdminReply } from './handler.ts'

export const API_PREFIX = '/api'

/** Serves the admin API below `/api`: its bodies are read by the checks of the contract, not by Fastify. */
export function serveAdminApi(app: FastifyInstance, api: AdminApi): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${API_PREFIX}/*`, async (request, reply) => {
      const path = (request.raw.url ?? '').split('?', 1)[0]?.slice(API_PREFIX.length) ?? ''
      const query = request.query as IncomingRequest['query']
      const about = { address: request.ip, requestId: request.id }
      const { reply: answer, operationId, error } = await api.handle(request.raw, path, query, about)
      if (error !== undefined) request.log.error({ err: error, operationId }, 'request failed')
      return sendAdminReply(reply.header('x-request-id', request.id), answer)
    })
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
