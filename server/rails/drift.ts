import { isObject } from '../../openapi/reading/json.ts'
import type { ErrorObject } from '../../openapi/reading/validators.ts'
import type { Drift } from './drifted-field.ts'

/** The maximum number of deviations per message; further ones count as one. */
const DRIFT_MAX = 20

/** The field name for a fault of the whole message. */
const WHOLE = 'body'

/**
 * @param value the validated value
 * @param errors of a validator with `verbose` and `allErrors`
 * @param fieldNames all names of the contract: any other name is a value too, and could be somebody's number
 */
export function driftIn(
  value: unknown,
  errors: readonly ErrorObject[],
  fieldNames: ReadonlySet<string>,
): readonly Drift[] {
  const found = new Map<string, Drift>()
  for (const error of withUnionsAsOne(errors)) {
    const path = [...error.instancePath.split('/').slice(1).map(unescaped), ...missingIn(error)]
    const drift = { field: fieldOf(value, path, fieldNames), shape: shapeOf(error) }
    found.set(`${drift.field} ${drift.shape}`, drift)
    if (found.size >= DRIFT_MAX) break
  }
  return [...found.values()]
}

const UNIONS: ReadonlySet<string> = new Set(['oneOf', 'anyOf'])

/** For a union the validator reports the errors of each member. This reports one fault, at the place of the union. */
function withUnionsAsOne(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = errors
  for (const union of errors.filter(({ keyword }) => UNIONS.has(keyword))) {
    const within = kept.filter(
      (each) => each.schemaPath !== union.schemaPath && isAtOrBelow(each.instancePath, union.instancePath),
    )
    const others = kept.filter((each) => each !== union && !within.includes(each))
    // More than one member matches: nothing is missing.
    if (within.length === 0) kept = others
    else {
      const types = within.filter((each) => each.keyword === 'type' && each.instancePath === union.instancePath)
      const members = Array.isArray(union.schema) ? union.schema.length : 0
      if (types.length === members)
        kept = [...others, { ...union, keyword: 'type', params: { type: types.flatMap(typesOf) } }]
      else if (types.length === members - 1) kept = [...others, ...within.filter((each) => !types.includes(each))]
      else kept = [...others, union]
    }
  }
  return kept
}

const isAtOrBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`)

const missingIn = ({ keyword, params }: ErrorObject): readonly string[] => {
  if (keyword === 'required') return [String(params['missingProperty'])]
  return UNDECLARED.has(keyword) ? [String(params['additionalProperty'] ?? params['unevaluatedProperty'])] : []
}

const UNDECLARED: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

function fieldOf(value: unknown, path: readonly string[], fieldNames: ReadonlySet<string>): string {
  let at = value
  let field = ''
  for (const step of path) {
    field += Array.isArray(at) ? '[]' : `.${fieldNames.has(step) ? step : '*'}`
    at = at !== null && typeof at === 'object' ? (at as Readonly<Record<string, unknown>>)[step] : undefined
  }
  return field.replace(/^\./, '') || WHOLE
}

const SHAPES: Readonly<Record<string, string>> = {
  required: 'is missing',
  enum: 'is not in the list',
  const: 'is not in the list',
  additionalProperties: 'is not documented',
  unevaluatedProperties: 'is not documented',
  oneOf: 'has none of the documented forms',
  anyOf: 'has none of the documented forms',
}

function shapeOf({ keyword, params, data }: ErrorObject): string {
  if (keyword === 'type') return `${kindOf(data)} in the place of ${typesOf({ params }).map(called).join(' or ')}`
  return SHAPES[keyword] ?? 'is written otherwise'
}

const typesOf = ({ params }: Pick<ErrorObject, 'params'>): readonly string[] => [
  ...new Set([params['type'] as string | readonly string[]].flat()),
]

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'a list',
}
const called = (type: string): string => TYPES[type] ?? type

/** What a value is, in words. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : called(typeof value)
}
