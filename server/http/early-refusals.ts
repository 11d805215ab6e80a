import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Api } from './api.ts'
import { ENVELOPE_HEADERS } from './envelope.ts'
import { formFaultOf } from './message-form.ts'
import type { RequestLogger } from './request-log.ts'

interface EarlyRefusals {
  readonly turnAway: Api['turnAway']
  readonly requestId: () => string
  readonly isEnding: () => boolean
  readonly answered: RequestLogger | undefined
}

/** Less than the first bound of the histogram. */
const ELAPSED_MS = 0

/**
 * Load shedding in front of Fastify: at twice the peak, its routing, hooks and log line for what is refused take the
 * processor from what was accepted. The reply is the same, without a line in the log for each: the overload control
 * reports how many were refused. Only plain requests are refused here; Fastify replies to the others as always.
 */
export function refuseEarly(server: Server, { turnAway, requestId, isEnding, answered }: EarlyRefusals): void {
  const isPlain = (request: IncomingMessage, response: ServerResponse): boolean =>
    response.shouldKeepAlive && !isEnding() && !formFaultOf(request)

  // Replaces the listeners that would begin to handle requests.
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refused = isPlain(request, response) ? turnAway(request, request.url ?? '') : undefined
    if (!refused) {
      for (const listener of listeners) listener.call(server, request, response)
      return
    }
    const { reply, operationId } = refused
    const text = JSON.stringify(reply.body)
    // Node keeps the order of pipelined replies, and discards the body, so that the connection can be used again.
    response
      .writeHead(reply.status, {
        'x-request-id': requestId(),
        ...ENVELOPE_HEADERS,
        ...reply.headers,
        'content-length': Buffer.byteLength(text),
      })
      .end(text)
    answered?.(operationId, reply.status, ELAPSED_MS)
  })
}
