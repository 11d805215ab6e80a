import type { OpenApiDocument } from '../../../reading/document.ts'
import { operationsOf } from '../../../reading/operations.ts'
import { compilerOf } from '../../../reading/validators.ts'
import { responseFor } from '../../../reading/wire.ts'
import type { OperatorReply } from '../operator.ts'

/** Checks the simulator's own messages against the contract. */
export interface OwnFaults {
  /** Whether the operation may be answered with this status. */
  declares(operation: string, status: number): boolean
  /** Where a reply differs from those that the contract declares for this operation; empty when it does not. */
  ofReply(operation: string, reply: OperatorReply): readonly string[]
  /** Where the body of a callback does not fit. */
  ofCallback(operation: string, body: object): readonly string[]
}

/** The contract judges requests; it also judges the simulator itself, in every exchange. */
export function ownFaults(document: object): OwnFaults {
  const contract = document as OpenApiDocument
  const operations = new Map(operationsOf(contract).map((operation) => [operation.id, operation]))
  const compile = compilerOf(contract)

  const faultsIn = (schema: object, value: unknown): readonly string[] => {
    const validate = compile(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message ?? ''}`)
  }

  return {
    declares(operation, status) {
      const declared = operations.get(operation)
      return declared !== undefined && responseFor(declared, status) !== undefined
    },
    ofReply(operation, { status, body, contentType = 'application/json' }) {
      const declared = operations.get(operation)
      if (declared === undefined) return [`there is no operation ${operation}`]
      const response = responseFor(declared, status)
      if (response === undefined) return [`${operation} declares no ${status}`]
      if (body === undefined) return response.content.length === 0 ? [] : [`${status} has no body`]
      const [type = ''] = contentType.split(';')
      const media = response.content.find((each) => each.type === type)
      if (media === undefined) return [`${status} declares no ${type}`]
      return faultsIn(media.schema, body)
    },
    ofCallback(operation, body) {
      const schema = operations.get(operation)?.body?.schema
      return schema === undefined ? [`there is no callback ${operation}`] : faultsIn(schema, body)
    },
  }
}
