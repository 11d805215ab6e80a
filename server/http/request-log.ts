import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request line of the log names: an operationId or a route, never a path with a reference in it. */
    logName: string | undefined
  }
}

/** Told of every request when it has been answered, with the same name as in the log; for metrics. */
export type Answered = (operation: string | undefined, status: number, elapsedMs: number) => void

/** One line per request, when it has been answered: no key, number, body or reference in it. */
export class RequestLog extends LogController {
  readonly #answered: Answered | undefined

  constructor(answered: Answered | undefined) {
    super()
    this.#answered = answered
  }

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const route = request.logName ?? (request.routeOptions.url === '/*' ? undefined : request.routeOptions.url)
    this.#answered?.(route, reply.statusCode, reply.elapsedTime)
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (error) request.log.warn({ ...line, err: error }, 'request broken off')
    else request.log.info(line, 'request')
  }
}
