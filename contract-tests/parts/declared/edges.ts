import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { sampleOf } from '../../driver/samples.ts'

/** A value on one side of a limit of its schema. */
interface EdgeValue {
  /** In words: `the largest number`, `one item too many`. */
  readonly what: string
  readonly value: unknown
}

/** Longer lists and texts cost more than they show. */
const LENGTH_MAX = 10_000

/** Values at every limit of a schema, on both sides: whether one is valid, the contract says. */
export function edgesOf(contract: Contract, node: Schema): readonly EdgeValue[] {
  const schema = contract.flat(node)
  const edges = [...numberEdges(schema), ...listEdges(contract, schema), ...textEdges(contract, node)]
  const isNullable = contract.faultIn(node, null) === undefined
  return isNullable ? [...edges, { what: 'null', value: null }] : edges
}

function numberEdges({ type, minimum, maximum, enum: values }: Schema): readonly EdgeValue[] {
  if ((type !== 'number' && type !== 'integer') || values) return []
  const step = type === 'integer' ? 1 : 0.01
  const edges: EdgeValue[] = [
    ...(minimum === undefined ? [] : around('smallest', minimum, -step)),
    ...(maximum === undefined ? [] : around('largest', maximum, step)),
    { what: '0', value: 0 },
  ]
  return edges.filter(({ value }, index) => edges.findIndex((other) => other.value === value) === index)
}

const around = (which: string, limit: number, beyond: number): readonly EdgeValue[] => [
  { what: `the ${which} number, ${limit}`, value: limit },
  { what: `beyond the ${which} number, ${limit + beyond}`, value: limit + beyond },
]

function listEdges(contract: Contract, { items, minItems, maxItems, properties }: Schema): readonly EdgeValue[] {
  if (!items || properties) return []
  const item = sampleOf(contract, items)
  if (item === undefined) return []
  const of = (length: number, what: string): EdgeValue[] =>
    length < 0 || length > LENGTH_MAX ? [] : [{ what, value: Array.from({ length }, () => item) }]
  return [
    // Equal objects may break a rule of their own, such as a reference that is used once.
    ...(maxItems === undefined || typeof item === 'object' ? [] : of(maxItems, `${maxItems} items`)),
    ...(maxItems === undefined ? [] : of(maxItems + 1, 'one item too many')),
    ...(minItems === undefined ? [] : of(minItems - 1, 'one item too few')),
  ]
}

function textEdges(contract: Contract, node: Schema): readonly EdgeValue[] {
  const { type, minLength = 0, maxLength, enum: values, format, pattern } = contract.flat(node)
  // The characters that a pattern or a format allows are not known.
  if (type !== 'string' || values || format !== undefined || pattern !== undefined) return []
  return [
    ...(maxLength === undefined || maxLength > LENGTH_MAX
      ? []
      : [{ what: `${maxLength} characters`, value: 'a'.repeat(maxLength) }]),
    ...(minLength > 1 ? [{ what: 'one character too few', value: 'a'.repeat(minLength - 1) }] : []),
  ]
}
