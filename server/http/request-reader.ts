import type { Operation } from 'openapi-backend'
import { checkMediaType, readJsonObject } from './body.ts'
import { merchantOf, type Exchange } from './exchange.ts'
import { RequestFault } from './failures.ts'
import { isRequired } from './fault-message.ts'
import { headerCheckOf } from './header-checks.ts'
import type { RateLimits } from './rate-limit.ts'
import { requestShapeOf } from './request-shape.ts'
import { nameOf } from './router.ts'
import { needsSecretKey } from './security.ts'

/** Checks the headers of an authorised request and reads its body; the schema is checked afterwards. */
export type RequestReader = (operation: Operation, exchange: Exchange) => Promise<void>

/** A reader for these operations; each request counts toward its merchant's rate limit. @throws RequestFault */
export function createRequestReader(operations: readonly Operation[], rateLimits: RateLimits): RequestReader {
  const shapes = new Map(operations.map((operation) => [nameOf(operation), requestShapeOf(operation)]))
  return async (operation, exchange) => {
    const operationId = nameOf(operation)
    exchange.quota = await rateLimits.request(merchantOf(exchange).publicKey, needsSecretKey(operation))
    exchange.declared = headerCheckOf(operation)(exchange.message.headers)
    exchange.request.headers = { ...exchange.declared } as Record<string, string>
    const shape = shapes.get(operationId)
    if (!shape) return
    checkMediaType(exchange.message.headers)
    const { value, numbers } = await readJsonObject(exchange.message, shape.isDeclared)
    const { body, missing, unknown } = shape.fit(value)
    // A missing field is reported before any other fault.
    if (missing !== undefined) throw new RequestFault(400, isRequired(missing))
    exchange.request.body = body
    exchange.numbers = numbers
    exchange.unknownField = unknown
  }
}
