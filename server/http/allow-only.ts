import type { FastifyInstance } from 'fastify'
import { send } from './app.ts'
import { failure } from './envelope.ts'

/** Replies 405 with the exact `Allow` header to all other methods of a route. */
export function allowOnly(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = methods.join(', ')
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    handler: async (request, reply) =>
      send(reply, failure(405, `${request.method} is not allowed here: use ${allow}`, { allow })),
  })
}
