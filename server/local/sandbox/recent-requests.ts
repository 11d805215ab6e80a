import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../actions/ports/clock.ts'
import { parameter, sendJson, type RouteDeps } from './inbox-http.ts'

/** Older requests are dropped: this is for watching, not a log. */
const KEPT_MAX = 200
const URL_OF_ALL = '/sandbox/requests'
/** The merchant API; pages and their requests are not shown. */
const OF_API = /^\/(?:collections|payout|data)\//
/** Longer than any path of the contract. */
const PATH_MAX = 200

/** A request of a merchant: no key, no query, no body. */
interface RecentRequest {
  readonly id: number
  readonly at: Date
  readonly method: string
  readonly path: string
  /** Null when the client disconnected before the reply. */
  readonly status: number | null
  readonly ms: number
}

/**
 * Keeps the latest merchant requests to this process in memory. @returns a query for those after an id, the oldest
 * first
 */
function keepRequests(server: Server, clock: Clock): (after: number) => readonly RecentRequest[] {
  const kept: RecentRequest[] = []
  // Ids only increase, even across a restart: a client that has read the previous process's requests continues with
  // ours.
  let lastId = clock.now().getTime() * 1_000
  server.on('request', ({ method = '', url = '' }: IncomingMessage, response: ServerResponse) => {
    const path = url.split('?', 1)[0] ?? ''
    if (!OF_API.test(path)) return
    const at = clock.now()
    const startedAt = performance.now()
    response.once('close', () => {
      kept.push({
        id: (lastId += 1),
        at,
        method,
        path: path.slice(0, PATH_MAX),
        status: response.writableFinished ? response.statusCode : null,
        ms: Math.round(performance.now() - startedAt),
      })
      if (kept.length > KEPT_MAX) kept.shift()
    })
  })
  return (after) => kept.filter(({ id }) => id > after)
}

/** For `malipo-dev listen`: merchants' requests, besides the callbacks that followed. */
export function serveRecentRequests(
  app: FastifyInstance,
  { realClock: clock, allowOnly }: Pick<RouteDeps, 'realClock' | 'allowOnly'>,
): void {
  const requestsAfter = keepRequests(app.server, clock)
  app.route({
    method: ['GET', 'HEAD'],
    url: URL_OF_ALL,
    handler: async (request, reply) =>
      sendJson(reply, { requests: requestsAfter(Number(parameter(request, 'after') ?? 0) || 0) }),
  })
  allowOnly(app, URL_OF_ALL, ['GET', 'HEAD'])
}
