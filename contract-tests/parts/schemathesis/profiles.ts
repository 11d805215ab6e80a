import {
  canonical,
  type FreshValue,
  type OpenApiDocument,
  type Profile,
  type Schema,
} from '../../schemathesis-runner-wrapper/index.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { isBusinessRefusal } from '../../harness/business-refusals.ts'
import { fieldsOf } from '../../harness/json.ts'
import { present } from '../../harness/part.ts'
import { withLiveExamples } from './live-examples.ts'

/**
 * Values that are accepted once, and numbers that take only so many payments in an hour; the last three digits choose
 * an outcome and stay. Prefixes of Kenya have up to three digits, all others two.
 */
const freshValues = (start: number): readonly FreshValue[] => [
  // A payout that was made before the run is named as it is.
  ...['merchant_reference', 'batch_reference'].map((name): FreshValue => {
    return {
      in: 'body',
      name,
      pattern: '(?!PAYOUT-[0-9]{8,9}$)(?P<fresh>[A-Za-z0-9._~-]{8})[A-Za-z0-9._~-]{0,28}',
      start,
    }
  }),
  { in: 'header', name: 'Idempotency-Key', pattern: '(?P<fresh>[ -~]{1,8})[ -~]{0,247}', start },
  ...['msisdn', 'account_number'].flatMap((name): FreshValue[] => [
    { in: 'body', name, pattern: '[+]?(?!254)[0-9]{5}(?P<fresh>[0-9]{4})[0-9]{3}', start },
    { in: 'body', name, pattern: '(?:[+]?[0-9]{6}|0[0-9]{3})(?P<fresh>[0-9]{3})[0-9]{3}', start },
  ]),
  { in: 'body', name: 'account_number', pattern: '(?P<fresh>[0-9]{3})[0-9]{3,17}', start },
]

const errorsIn = (reply: string): readonly string[] => {
  const { message, data } = fieldsOf(jsonOf(Buffer.from(reply)))
  const { errors } = fieldsOf(data)
  const texts = Array.isArray(errors) ? errors.map((error) => fieldsOf(error).message) : [message]
  return texts.map((text) => (typeof text === 'string' ? text : ''))
}

/** A single payout is refused so with 409. References of rows that are too short to be renewed may repeat. */
const USED = /^merchant_reference \(.*\) (?:has already been used|is also in line \d+)$/

/**
 * Whether the message of a 400 reply is a business rule's, which a valid request may meet; of a batch, those of its
 * rows.
 */
const isRefusedByRule = (reply: string): boolean =>
  errorsIn(reply).every((message) => isBusinessRefusal(message) || USED.test(message))

const FLAG = 'x-empty-is-absent'
const EMPTY: Schema = { enum: ['', null] }

/**
 * Writes into the schemas what the contract says in words and `x-empty-is-absent`: that an optional field may be empty
 * or null. The published contract keeps to one type per field, which every tool understands; Schemathesis expects a
 * refusal of each value outside of a schema.
 */
export function admitEmptyFields(contract: OpenApiDocument): OpenApiDocument {
  for (const schema of Object.values(contract.components?.schemas ?? {}))
    for (const each of [schema, ...(schema.oneOf ?? [])]) admitOptional(each)
  for (const parameter of Object.values(contract.components?.parameters ?? {})) {
    if (parameter[FLAG] === true && parameter.schema) parameter.schema = { anyOf: [parameter.schema, { enum: [''] }] }
  }
  return contract
}

function admitOptional(schema: Schema): void {
  if (schema[FLAG] !== true || !schema.properties) return
  schema.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => {
      if (property.properties) admitOptional(property)
      const isOptional = schema.required?.includes(name) !== true && property.enum?.includes(null) !== true
      return [name, isOptional ? { anyOf: [property, { ...EMPTY }] } : property]
    }),
  )
}

/** @param path of the contract @param start of the values that a server accepts once */
export const sandboxProfile = (path: string | URL, start = 0): Profile =>
  canonical({
    prepare: async (copy, { baseUrl: url, keys }) => {
      const publicKey = present(keys.publicKey, 'public key')
      const secretKey = present(keys.secretKey, 'secret key')
      return admitEmptyFields(await withLiveExamples(copy, path, { url, publicKey, secretKey }, start))
    },
    freshValues: freshValues(start),
    isBusinessRefusal: isRefusedByRule,
  })

/** The unchanged contract: for servers that cannot be prepared. */
export const BARE: Profile = canonical({
  prepare: async (contract) => admitEmptyFields(contract),
  isBusinessRefusal: isRefusedByRule,
})
