import { OperationRefusal } from '../operations/operation.ts'

/** Fields by the names of the contract, in any form. */
export type Loose<Shape> = Shape extends unknown ? { readonly [Key in keyof Shape]: unknown } : never

/**
 * A record as the contract has it: ids as text, times in UTC, no field without a value. The names of the fields are
 * checked by their type; tests check every reply against the contract.
 */
export const wire = <Shape>(record: Loose<NoInfer<Shape>>): Shape => JSON.parse(JSON.stringify(record, plain)) as Shape

const plain = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : (value ?? undefined)

/** Splits off the one row more that a query has fetched: it says whether there is a next page. */
export function pageOf<Row>(found: readonly Row[], limit: number, placeOf: (row: Row) => string) {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(last !== undefined && found.length > limit && { next: placeOf(last) }) }
}

/** @throws OperationRefusal unless a page by ids ended there */
export function idOfCursor(after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined
  if (/^\d{1,18}$/.test(after)) return BigInt(after)
  throw wrongCursor()
}

export const wrongCursor = () => new OperationRefusal('invalid', 'after must be the next of a previous page')

/** `1 payment`, `2 payments`. */
export const counted = ({ length }: { readonly length: number }, one: string, many = `${one}s`): string =>
  `${length} ${length === 1 ? one : many}`
