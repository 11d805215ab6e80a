import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { memberOf } from '../../../openapi/reading/references.ts'
import { compilerOf } from '../../../openapi/reading/validators.ts'

/** What a message may say of a value in a field: each thing that is wrong with it. Undefined: the contract has no words. */
export type FieldSentences = (schema: Schema, value: unknown) => readonly string[] | undefined

/**
 * The sentences that the contract has for the faults of a value: its own (`x-pattern-message`, `x-fault-messages`, `x-length-message`) and
 * the forms that its page "Errors" shows.
 */
export function createFieldSentences({ document, flat }: Contract): FieldSentences {
  const compile = compilerOf(document, { allErrors: true, verbose: true })
  return (node, value) => {
    const schema = flat(node)
    const validate = compile(node)
    if (validate(value)) return []
    // What is wrong inside an object is told of the field in it.
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
/** Digits that no number holds: who reads them otherwise may say something else. */
const isFinite = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value)
/** The provider's own limits are narrower, and told with their currency. */
const isOfProvider = (schema: Schema, keyword: string): boolean =>
  memberOf(schema, 'x-limits') === 'provider' && (keyword === 'minimum' || keyword === 'maximum')

/** All that can be said of values of a schema. */
export const possibleSentences = (schema: Schema): string[] =>
  ['type', 'enum', 'maxLength', 'maximum', 'pattern']
    .filter((keyword) => keyword === 'pattern' || schema[keyword as keyof Schema] !== undefined)
    .flatMap((keyword) => [sentenceFor(keyword, schema), ...(keyword === 'pattern' ? faultSentences(schema) : [])])
    .filter((sentence) => sentence !== undefined)

const faultSentences = ({ 'x-fault-messages': faults = [] }: Schema): string[] => faults.map(({ message }) => message)

/** The contract may tell one fault of a pattern from another. */
function patternSentence(schema: Schema, value: unknown): string | undefined {
  const fault = schema['x-fault-messages']?.find(({ matches }) => new RegExp(matches, 'u').test(String(value)))
  return fault?.message ?? sentenceFor('pattern', schema)
}

function sentenceFor(keyword: string, schema: Schema): string | undefined {
  const { type, enum: allowed = [], minLength = 0, maxLength, minimum, maximum } = schema
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
    case 'minimum':
    case 'maximum':
      return `must be between ${minimum} and ${maximum}`
    default:
      return schema['x-pattern-message']
  }
}
