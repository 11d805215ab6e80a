import type { OpenApiDocument, Schema } from '../reading/document.ts'
import { follow } from '../reading/references.ts'
import { capitalized, type Call } from './calls-of-contract.ts'

/** The types of a call whose request and result depend on the values of some fields of the request. */
interface ChosenTypes {
  /** The declarations that they need. */
  readonly declarations: readonly string[]
  /** Type parameters of the call, one for each discriminating field. */
  readonly parameters: string
  readonly request: string
  readonly result: string
}

interface ChoosingField {
  readonly name: string
  /** Name of its type parameter. */
  readonly parameter: string
  readonly isOptional: boolean
  readonly default: unknown
}

/** @returns undefined for a call that has one request and one result */
export function chosenOf(
  document: OpenApiDocument,
  { operation: { id, body }, request, notes }: Call,
): ChosenTypes | undefined {
  const { choices = [] } = notes
  if (choices.length === 0 || !body || request === undefined) return undefined
  const names = [...new Set(choices.flatMap(({ where = {} }) => Object.keys(where)))]
  const fields = names.map((name) => fieldOf(document, follow(document, body.schema), name))
  const [type, given] = [capitalized(id), fields.map(({ parameter }) => parameter).join(', ')]
  const chosenBy = (kind: 'request' | 'result'): string =>
    choices
      .map(({ where = {}, [kind]: name }) => [...fields.flatMap((field) => conditionOf(field, where)), name].join(' '))
      .join(' : ')
  const choosing = fields.map(({ name, parameter, isOptional }) => `${name}${isOptional ? '?' : ''}: ${parameter}`)
  return {
    declarations: [
      `/** The fields that choose what \`${notes.call}\` takes and gives. */
export interface ${type}Choice<${given}> { ${choosing.join('; ')} }
/** What it takes, by the fields that choose. */
export type ${type}Request<${given}> = ${chosenBy('request')}
/** What it gives, by the fields that choose. */
export type ${type}Result<${given}> = ${chosenBy('result')}
`,
    ],
    parameters: `<${fields.map((field) => parameterOf(request, field)).join(', ')}>`,
    request: `${type}Choice<${given}> & ${type}Request<${given}>`,
    result: `${type}Result<${given}>`,
  }
}

const conditionOf = ({ name, parameter }: ChoosingField, where: Readonly<Record<string, unknown>>): string[] =>
  name in where ? [`${parameter} extends ${literal(where[name])} ?`] : []

const parameterOf = (request: string, { name, parameter, isOptional, default: value }: ChoosingField): string =>
  isOptional
    ? `${parameter} extends NonNullable<${request}['${name}']> = ${literal(value)}`
    : `${parameter} extends ${request}['${name}']`

function fieldOf(document: OpenApiDocument, schema: Schema, name: string): ChoosingField {
  const members = (schema.oneOf ?? [schema]).map((member) => follow(document, member))
  const [property] = members.flatMap(({ properties }) => properties?.[name] ?? [])
  if (property === undefined) throw new Error(`no request has the field ${name}, which shall choose`)
  return {
    name,
    parameter: name.split('_').map(capitalized).join(''),
    isOptional: !members.every(({ required = [] }) => required.includes(name)),
    default: property.default,
  }
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
