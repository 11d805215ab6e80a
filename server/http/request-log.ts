import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the request in the log: an operationId or a route, never a path that contains a reference. */
    logName: string | undefined
  }
}

/** Called after each reply, with the same name as in the log; for metrics. */
export type RequestLogger = (operation: string | undefined, status: number, elapsedMs: number) => void

/** Logs one line per request after the reply: without keys, numbers, bodies or references. */
export class RequestLog extends LogController {
  readonly #answered: RequestLogger | undefined

  constructor(answered: RequestLogger | undefined) {
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
