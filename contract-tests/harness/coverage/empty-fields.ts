import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { isFields } from '../json.ts'

/** What counts as no value where the contract says `x-empty-is-absent`; in an optional object also `{}`. */
export const EMPTY_VALUES: readonly unknown[] = ['', null]

/** A body without the fields that `x-empty-is-absent` makes absent. */
export function withoutEmptyFields(contract: Contract, node: Schema, value: unknown): unknown {
  if (!isFields(value)) return value
  const objects = objectsFor(contract, node, value)
  const emptyIsAbsent = objects.some((object) => object['x-empty-is-absent'] === true)
  const properties: Readonly<Record<string, Schema>> = Object.fromEntries(
    objects.flatMap((object) => Object.entries(object.properties ?? {})),
  )
  const isRequired = (name: string) => objects.every(({ required }) => required?.includes(name) === true)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (property === undefined) return [[name, each]]
      const field = withoutEmptyFields(contract, property, each)
      const isObject = contract.flat(property).properties !== undefined
      const isAbsent = EMPTY_VALUES.includes(each) || (isObject && isEmptyObject(field) && !isRequired(name))
      return emptyIsAbsent && isAbsent ? [] : [[name, field]]
    }),
  )
}

const isEmptyObject = (value: unknown): boolean => isFields(value) && Object.keys(value).length === 0

/** The branch that the tag of a union selects; all branches, if it selects none. */
function objectsFor(contract: Contract, node: Schema, value: Readonly<Record<string, unknown>>): readonly Schema[] {
  const schema = contract.flat(node)
  if (!schema.oneOf) return [schema]
  const tag = schema.discriminator?.propertyName ?? ''
  const members = schema.oneOf.map((member) => contract.flat(member))
  const chosen = members.filter(({ properties }) => {
    const property = properties?.[tag]
    return property !== undefined && contract.flat(property).enum?.includes(value[tag])
  })
  return chosen.length > 0 ? chosen : members
}
