import type { ErrorObject } from 'ajv'

/**
 * The parts of a schema that messages are built from; `x-pattern-message`, `x-fault-messages` and `x-length-message`
 * are the contract's own sentences.
 */
interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, unknown>>
  readonly 'x-pattern-message'?: string
  readonly 'x-fault-messages'?: readonly { readonly matches: string; readonly message: string }[]
  readonly 'x-length-message'?: string
  readonly 'x-limits'?: 'provider'
}

interface Fault {
  readonly reason: keyof typeof RANK
  readonly message: string
}

const RANK = { missing_field: 0, invalid_field: 1, repeated_field: 1, unknown_field: 2 } as const
const NAME_MAX = 64

/**
 * The one reason and sentence for a request that violates the contract: the first missing field in the order of declaration, else
 * the first wrong value, else the first unknown field. Deterministic for the same request.
 * @param isRequiredField whether this request must have the field: an empty text in it counts as missing
 */
export function firstFault(
  errors: readonly ErrorObject[],
  isRequiredField: (field: string) => boolean = () => false,
): Fault {
  const faults = errors.map((error) => toFault(error, isRequiredField))
  // The sort is stable: within a rank Ajv's order remains, which is that of declaration.
  const [first] = faults.sort((one, other) => RANK[one.reason] - RANK[other.reason])
  return first ?? { reason: 'invalid_field', message: 'The request does not match the contract' }
}

function toFault(error: ErrorObject, isRequiredField: (field: string) => boolean): Fault {
  const parent = fieldOf(error.instancePath)
  const child = (name: string) => (parent === '' ? name : `${parent}.${name}`).slice(0, NAME_MAX)
  switch (error.keyword) {
    case 'required': {
      const name = String(error.params.missingProperty)
      return name === 'requestBody' ? missing('The request body') : missing(child(name))
    }
    case 'discriminator': {
      const { tag, tagValue } = error.params as { tag: string; tagValue: unknown }
      return tagValue === undefined || tagValue === ''
        ? missing(child(tag))
        : wrong(child(tag), `must be one of ${tagsOf(error).join(', ')}`)
    }
    case 'additionalProperties': {
      const name = child(String(error.params.additionalProperty))
      return { reason: 'unknown_field', message: notAllowed(name) }
    }
    default:
      return wrongValue(error, parent, isRequiredField)
  }
}

function wrongValue(error: ErrorObject, field: string, isRequiredField: (field: string) => boolean): Fault {
  if (error.data === '' && isRequiredField(field)) return missing(field)
  if (Array.isArray(error.data) && error.instancePath.startsWith('/query/'))
    return { ...wrong(field, 'must be given once'), reason: 'repeated_field' }
  return wrong(field, sentenceFor(error.keyword, error.parentSchema as FieldSchema, error.data))
}

function sentenceFor(keyword: string, schema: FieldSchema, value: unknown): string {
  switch (keyword) {
    case 'type':
      return `must be ${/^[aeio]/.test(schema.type ?? '') ? 'an' : 'a'} ${schema.type}`
    case 'enum': {
      const { enum: allowed = [] } = schema
      return `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`
    }
    case 'minLength':
    case 'maxLength':
      if (schema['x-length-message'] !== undefined) return schema['x-length-message']
      return schema.minLength === schema.maxLength
        ? `must have ${schema.minLength} characters`
        : `must have ${schema.minLength ?? 0} to ${schema.maxLength} characters`
    case 'minItems':
    case 'maxItems':
      return `must have ${schema.minItems ?? 0} to ${schema.maxItems} items`
    case 'minimum':
    case 'maximum':
      return `must be between ${schema.minimum} and ${schema.maximum}`
    default:
      return patternSentence(schema, value)
  }
}

/** The reason for the first fault of the value, where the contract distinguishes several. */
function patternSentence(
  { 'x-pattern-message': sentence, 'x-fault-messages': faults = [] }: FieldSchema,
  value: unknown,
) {
  const fault = faults.find(({ matches }) => typeof value === 'string' && new RegExp(matches, 'u').test(value))
  return fault?.message ?? sentence ?? 'is not as the contract asks for'
}

export const isRequired = (field: string): string => `${field} is required`
export const notAllowed = (field: string): string => `${field.slice(0, NAME_MAX)} is not allowed`

/**
 * Whether the schema's message applies. Limits of the provider are narrower than those of the contract, and their
 * message names the currency.
 */
export const isOfSchema = ({ keyword, parentSchema }: ErrorObject): boolean =>
  !(keyword === 'minimum' || keyword === 'maximum') ||
  (parentSchema as FieldSchema | undefined)?.['x-limits'] !== 'provider'

const missing = (field: string): Fault => ({ reason: 'missing_field', message: isRequired(field) })
const wrong = (field: string, sentence: string): Fault => ({
  reason: 'invalid_field',
  message: `${field} ${sentence}`,
})

/** `/requestBody/extra_params/bank_code` → `extra_params.bank_code`; `/query/currency` → `currency`. */
const fieldOf = (instancePath: string): string =>
  instancePath.split('/').slice(2).map(unescapePointer).join('.').slice(0, NAME_MAX)
const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** The tags of a union: the single value that each branch allows. */
function tagsOf(error: ErrorObject): unknown[] {
  const { discriminator, oneOf } = error.parentSchema as {
    discriminator: { propertyName: string }
    oneOf: readonly { properties: Record<string, FieldSchema> }[]
  }
  return oneOf.flatMap(({ properties }) => properties[discriminator.propertyName]?.enum ?? [])
}
