import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { memberOf } from '../../../openapi/reading/references.ts'
import { compilerOf } from '../../../openapi/reading/validators.ts'

/** Messages allowed for a value of a field: one for each thing wrong with it. Undefined: the contract has none. */
export type FieldSentences = (schema: Schema, value: unknown) => readonly string[] | undefined

/**
 * The messages of the contract for an invalid value: its own (`x-pattern-message`, `x-fault-messages`,
 * `x-length-message`) and the forms that its page "Errors" shows.
 */
export function createFieldSentences({ document, flat }: Contract): FieldSentences {
  const compile = compilerOf(document, { allErrors: true, verbose: true })
  return (node, value) => {
    const schema = flat(node)
    const validate = compile(node)
    if (validate(value)) return []
    // A fault inside an object is reported for the field in it.
    const errors = (validate.errors ?? []).filter(({ instancePath }) => instancePath === '' && isFinite(value))
    const reported = errors
      .filter(({ keyword }) => !OF_OBJECTS.has(keyword) && !isOfProvider(schema, keyword))
      .map(({ keyword }) => (keyword === 'pattern' ? patternSentence(schema, value) : sentenceFor(keyword, schema)))
    return reported.includes(undefined) || !isFinite(value)
      ? undefined
      : reported.filter((sentence) => sentence !== undefined)
  }
}

const OF_OBJECTS = new Set(['required', 'additionalProperties', 'allOf', '$ref'])
/** Digits that a double cannot hold: a reader that rounds may report something else. */
const isFinite = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value)
/** The provider's own limits are narrower, and reported with their currency. */
const isOfProvider = (schema: Schema, keyword: string): boolean =>
  memberOf(schema, 'x-limits') === 'provider' && (keyword === 'minimum' || keyword === 'maximum')

/** All messages for values of a schema. */
export const possibleSentences = (schema: Schema): string[] =>
  ['type', 'enum', 'maxLength', 'maximum', 'maxItems', 'pattern']
    .filter((keyword) => keyword === 'pattern' || schema[keyword as keyof Schema] !== undefined)
    .flatMap((keyword) => [sentenceFor(keyword, schema), ...(keyword === 'pattern' ? faultSentences(schema) : [])])
    .filter((sentence) => sentence !== undefined)

const faultSentences = ({ 'x-fault-messages': faults = [] }: Schema): string[] => faults.map(({ message }) => message)

/** The contract may distinguish several faults of one pattern. */
function patternSentence(schema: Schema, value: unknown): string | undefined {
  const fault = schema['x-fault-messages']?.find(({ matches }) => new RegExp(matches, 'u').test(String(value)))
  return fault?.message ?? sentenceFor('pattern', schema)
}

function sentenceFor(keyword: string, schema: Schema): string | undefined {
  const { type, enum: allowed = [], minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems } = schema
  const ownLength = memberOf(schema, 'x-length-message')
  switch (keyword) {
    case 'type':
      return `must be ${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`
    case 'enum':
      return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`
    case 'minLength':
    case 'maxLength':
      if (typeof ownLength === 'string') return ownLength
      return minLength === maxLength
        ? `must have ${minLength} characters`
        : `must have ${minLength} to ${maxLength} characters`
    case 'minItems':
    case 'maxItems':
      return `must have ${minItems} to ${maxItems} items`
    case 'minimum':
    case 'maximum':
      return `must be between ${minimum} and ${maximum}`
    default:
      return schema['x-pattern-message']
  }
}
