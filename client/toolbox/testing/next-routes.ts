import { standardServer } from '../../recipes/testing/standard-server.ts'
import * as callbacks from '../templates/next/callbacks/route.ts'
import * as effects from '../templates/next/dev/effects/route.ts'
import * as handshake from '../templates/next/handshake/route.ts'
import * as pay from '../templates/next/pay/route.ts'
import { listening, type Listening } from '../../../server/verification/testing/listening.ts'

type Route = Readonly<Partial<Record<string, (request: Request) => Promise<Response>>>>
const ROUTES: Readonly<Record<string, Route>> = {
  '/callbacks': callbacks,
  '/handshake': handshake,
  '/dev/effects': effects,
  '/pay': pay,
}

/**
 * Serves the route handlers of the Next shop over HTTP as Next does: standard requests in, standard responses out, 405
 * for what they do not export.
 */
export async function serveNextRoutes(): Promise<Listening> {
  const server = standardServer(async (request) => {
    const route = ROUTES[new URL(request.url).pathname]
    return route?.[request.method]?.(request) ?? new Response(null, { status: route ? 405 : 404 })
  })
  return listening(server)
}
