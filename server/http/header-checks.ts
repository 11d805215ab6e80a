// Does not use the validators of openapi/reading: openapi-backend has already dereferenced the operations, so the
// document is neither needed nor compiled again at each start.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from 'openapi-backend'
import { RequestFault } from './failures.ts'
import { firstFault } from './fault-message.ts'

interface HeaderParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: HeaderSchema
}

interface HeaderSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
}

/** The headers that an operation declares, typed as in the contract, by lower-case name. */
export type DeclaredHeaders = Readonly<Record<string, string | number>>
type HeaderCheck = (headers: IncomingHttpHeaders) => DeclaredHeaders

// The contract itself is checked when it is generated: compiling the meta-schema would cost each start 0.1 s.
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true })

/** The backends of one process share their operations (contract-backend.ts). */
const known = new WeakMap<Operation, HeaderCheck>()

/**
 * Headers are checked before media type and body (decisions: order of checks), so each operation has a separate check
 * for them, compiled on its first call. Headers arrive as text and are converted to the type in the contract.
 */
export function headerCheckOf(operation: Operation): HeaderCheck {
  const check = known.get(operation) ?? headerCheck((operation.parameters ?? []) as readonly HeaderParameter[])
  known.set(operation, check)
  return check
}

function headerCheck(parameters: readonly HeaderParameter[]): HeaderCheck {
  const declared = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, required = false, schema }) => ({
      name,
      required,
      key: name.toLowerCase(),
      read: reading(schema),
      schema,
    }))
  const required = new Set(declared.filter((header) => header.required).map(({ name }) => name))
  const validate: ValidateFunction = ajv.compile({
    type: 'object',
    properties: Object.fromEntries(declared.map(({ name, schema }) => [name, schema])),
    required: [...required],
  })
  return (headers) => {
    // Hot path: `fromEntries`, or reading the schema again, costs several times what the check does.
    const values: Record<string, string | number> = {}
    const byKey: Record<string, string | number> = {}
    for (const { name, key, read } of declared) {
      const value = headers[key]
      if (typeof value === 'string') values[name] = byKey[key] = read(value)
    }
    if (!validate(values)) throw headerFault(validate.errors ?? [], headers, (name) => required.has(name))
    return byKey
  }
}

// Ajv's coercion is not used: it also accepts 0x1 as a number.
const DECIMAL = /^\d{1,9}(\.\d{1,9})?$/

/** Converts the text of a header to the type in its schema. */
function reading({ type, enum: allowed = [] }: HeaderSchema): (value: string) => string | number {
  if (type === 'number' || type === 'integer') return (value) => (DECIMAL.test(value) ? Number(value) : value)
  // Client generators treat a version as a string and cannot write a number into a header. A client that sends the
  // number 1 as `1.0` is still understood.
  const isOfNumbers = allowed.length > 0 && allowed.every((each) => typeof each === 'string' && DECIMAL.test(each))
  return isOfNumbers ? (value) => (DECIMAL.test(value) ? String(Number(value)) : value) : (value) => value
}

function headerFault(
  errors: readonly ErrorObject[],
  headers: IncomingHttpHeaders,
  isRequired: (name: string) => boolean,
): RequestFault {
  const version = headers['x-api-version']
  if (version && errors.some(({ instancePath }) => instancePath === '/x-api-version'))
    return new RequestFault(
      400,
      `x-api-version (${String(version).slice(0, 64)}) is not supported`,
      undefined,
      'unsupported_version',
    )
  // fault-message expects `/part/field`: headers have no part, so one is prefixed.
  const { reason, message } = firstFault(
    errors.map((error) => ({ ...error, instancePath: `/header${error.instancePath}` })),
    isRequired,
  )
  return new RequestFault(400, message, undefined, reason)
}
