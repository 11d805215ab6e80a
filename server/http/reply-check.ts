import type { OpenAPIBackend } from 'openapi-backend'
import type { Reply } from './envelope.ts'

/** validateResponse accepts a status that the contract does not declare, so membership is checked first. */
export function assertReply(backend: OpenAPIBackend, operationId: string | undefined, { status, body }: Reply): void {
  const operation = operationId === undefined ? undefined : backend.router.getOperation(operationId)
  if (!operation) throw new Error(`${operationId} is no operation of the contract`)
  if (!Object.hasOwn(operation.responses ?? {}, String(status)))
    throw new Error(`${operationId} answered ${status}, which the contract does not declare`)
  const { errors } = backend.validateResponse(JSON.parse(JSON.stringify(body)), operation, status)
  if (errors)
    throw new Error(
      `${operationId} answered ${status} with a body that breaks the contract: ${JSON.stringify(errors[0])}`,
    )
}
