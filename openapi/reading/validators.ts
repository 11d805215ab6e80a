import addFormats from 'ajv-formats'
import type { Ajv } from 'ajv'
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from './document.ts'
import { isObject } from './json.ts'

export type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'

/** Compiles schemas of one document, each once. @throws Error when a `$ref` leads nowhere or a schema is invalid */
export type Compile = (schema: Schema) => ValidateFunction

const SELF = 'contract'

/**
 * @param options those of Ajv. With `discriminator`, the errors of a union are those of the member that its tag names;
 *   each member must declare its value then, as ours do
 * @param Dialect another JSON Schema than that of OpenAPI 3.1
 */
export function compilerOf(
  document: object,
  options: Options = {},
  Dialect: typeof Ajv | typeof Ajv2020 = Ajv2020,
): Compile {
  const withUnions = options.discriminator === true
  // Made with the first schema: many read a contract and compile none of its schemas.
  let made: Ajv | undefined
  const ajvOf = (): Ajv =>
    (made ??= addFormats
      .default(new Dialect({ strict: false, ...options }))
      .addSchema(standingAlone(document, withUnions), SELF))
  const compiled = new WeakMap<Schema, ValidateFunction>()
  return (schema) => {
    const validate = compiled.get(schema) ?? ajvOf().compile(standingAlone(schema, withUnions))
    compiled.set(schema, validate)
    return validate
  }
}

/**
 * A copy whose references name their document, so that a piece of it can be compiled alone. Ajv does not support a
 * discriminator's `mapping`.
 */
const standingAlone = (node: object, withUnions: boolean): object =>
  JSON.parse(JSON.stringify(node), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return `${SELF}${value}`
    if (key !== 'discriminator' || !isObject(value) || typeof value.propertyName !== 'string') return value
    return withUnions ? { propertyName: value.propertyName } : undefined
  }) as object
