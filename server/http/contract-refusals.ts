import type { Context, Handler as BackendHandler } from 'openapi-backend'
import type { IncomingRequest } from './contract-backend.ts'
import { RequestFault } from './failures.ts'
import { firstFault, notAllowed } from './fault-message.ts'

/** What the refusals read of a request on its way through the checks of a contract. */
interface CheckedExchange {
  readonly request: IncomingRequest
  /** A body field that the contract does not declare: reported when nothing else is wrong. */
  unknownField?: string | undefined
}

/** Of a path that no route has. */
export const nothingAt = (path: string): RequestFault =>
  new RequestFault(404, `There is nothing at ${path.slice(0, 100)}`)

/** The handlers that openapi-backend calls when a request fails one of its checks. */
export const refusals = (allowedMethods: (path: string) => readonly string[]): Record<string, BackendHandler> => ({
  notFound: (_context: Context, { request }: CheckedExchange) => {
    throw nothingAt(request.path)
  },
  methodNotAllowed: (_context: Context, { request: { method, path } }: CheckedExchange) => {
    const allow = allowedMethods(path).join(', ')
    throw new RequestFault(405, `${method} is not allowed here: use ${allow}`, { allow })
  },
  notImplemented: ({ operation }: Context) => {
    throw new Error(`${operation.operationId} has no handler`)
  },
  validationFail: ({ validation }: Context) => {
    const { reason, message } = firstFault(validation.errors ?? [])
    throw new RequestFault(400, message, undefined, reason)
  },
  preOperationHandler: (_context: Context, { unknownField }: CheckedExchange) => {
    if (unknownField !== undefined) throw new RequestFault(400, notAllowed(unknownField), undefined, 'unknown_field')
  },
})
