import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { isFields } from '../json.ts'

/** What counts as no value where the contract says `x-empty-is-absent`. */
export const EMPTY_VALUES: readonly unknown[] = ['', null]

/** A body as the contract counts it: where it says `x-empty-is-absent`, empty texts and nulls are not there. */
export function withoutEmptyFields(contract: Contract, node: Schema, value: unknown): unknown {
  if (!isFields(value)) return value
  const schema = contract.flat(node)
  // A field that only another branch has may be there, too, as long as it is empty.
  const objects = [schema, ...(schema.oneOf ?? []).map((member) => contract.flat(member))]
  const emptyIsAbsent = objects.some((object) => object['x-empty-is-absent'] === true)
  const properties: Readonly<Record<string, Schema>> = Object.fromEntries(
    objects.flatMap((object) => Object.entries(object.properties ?? {})),
  )
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (property === undefined) return [[name, each]]
      return emptyIsAbsent && EMPTY_VALUES.includes(each) ? [] : [[name, withoutEmptyFields(contract, property, each)]]
    }),
  )
}
