import { parseDocument } from '../../../openapi/reading/contract.ts'
import type { Parameter, Schema } from '../../../openapi/reading/document.ts'
import { operationsOf, type Kind, type Operation } from '../../../openapi/reading/operations.ts'
import { follow } from '../../../openapi/reading/references.ts'
import { compilerOf, type ErrorObject } from '../../../openapi/reading/validators.ts'
import { valueOf } from '../../../openapi/reading/wire.ts'

/** A request that a server sends on its own: declared in `webhooks`, or in the `callbacks` of an operation. */
export interface SentOperation {
  readonly method: string
  readonly parameters: readonly SentParameter[]
  /** Absent when the request has no body. */
  readonly body?: SentBody
}

export interface SentParameter {
  readonly name: string
  readonly in: 'header' | 'query'
  readonly isRequired: boolean
  faultsIn(text: string): readonly ErrorObject[]
}

interface SentBody {
  readonly isRequired: boolean
  /** By media type. */
  readonly content: ReadonlyMap<string, (value: unknown) => readonly ErrorObject[]>
}

export interface SentOperations {
  /** By the names of the webhooks; one operation per method. */
  readonly webhooks: ReadonlyMap<string, readonly SentOperation[]>
  /** By the names of the callbacks. */
  readonly callbacks: ReadonlyMap<string, readonly SentOperation[]>
}

const known = new Map<string, SentOperations>()

/**
 * Reads which requests a document's server sends. @throws Error for a `$ref` outside the document, or an invalid
 * schema
 */
export function readSentOperations(text: string): SentOperations {
  // Compiling takes longer than judging a hundred messages.
  const operations = known.get(text) ?? compileSentOperations(text)
  known.set(text, operations)
  return operations
}

function compileSentOperations(text: string): SentOperations {
  const document = parseDocument(text)
  // Errors are much shorter with `discriminator`, but Ajv accepts it only where each member names its value.
  const compiler = (discriminator: boolean) => compilerOf(document, { allErrors: true, verbose: true, discriminator })
  const [reported, undeclared] = [compiler(true), compiler(false)]
  const faultsOf = (schema: Schema) => {
    const validate = attempt(() => reported(schema)) ?? undeclared(schema)
    return (value: unknown): readonly ErrorObject[] => (validate(value) ? [] : (validate.errors ?? []))
  }

  function sentParameter({ name, in: where, required, schema }: Parameter): SentParameter[] {
    if (where !== 'header' && where !== 'query') return []
    const { type } = follow(document, schema)
    const faultsIn = faultsOf(schema)
    return [{ name, in: where, isRequired: required === true, faultsIn: (given) => faultsIn(valueOf(type, given)) }]
  }
  const sentOperation = ({ method, parameters, request }: Operation): SentOperation => ({
    method,
    parameters: parameters.flatMap(sentParameter),
    ...(request && {
      body: {
        isRequired: request.required,
        content: new Map(request.content.map(({ type, schema }) => [type.toLowerCase(), faultsOf(schema)])),
      },
    }),
  })
  function sent(wanted: Kind): Map<string, SentOperation[]> {
    const operations = operationsOf(document).filter(({ kind }) => kind === wanted)
    const named = Map.groupBy(operations, ({ name }) => name)
    return new Map([...named].map(([name, each]) => [name, each.map(sentOperation)]))
  }
  return { webhooks: sent('message'), callbacks: sent('redirect') }
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
