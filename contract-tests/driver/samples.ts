import fc from 'fast-check'
import type { Contract, Schema } from '../../openapi/reading/contract.ts'

/** Valid texts by `format`. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: '6f1c2f0e-6c0e-4d2b-9a51-2f6f1f0e6c0e',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'somebody@example.com',
  uri: 'https://example.com/path',
  'uri-reference': '/path',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'AAAA',
}
const DEPTH_MAX = 8

/** A valid value of a schema: an example of its own, or the simplest possible value. Undefined: none was found. */
export function sampleOf(contract: Contract, node: Schema, depth = 0): unknown {
  const schema = contract.flat(node)
  const shown = [...(schema.examples ?? []), schema.example, schema.default, schema.enum?.[0], schema.const]
  const fits = (value: unknown): boolean => value !== undefined && contract.faultIn(node, value) === undefined
  const own = shown.find(fits)
  if (own !== undefined || depth > DEPTH_MAX) return own
  for (const member of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    const value = sampleOf(contract, member, depth + 1)
    if (fits(value)) return value
  }
  return [
    ...scalars(schema),
    ...ofPattern(schema),
    listOf(contract, schema, depth),
    objectOf(contract, schema, depth),
    null,
  ].find(fits)
}

function scalars(schema: Schema): readonly unknown[] {
  const { minLength = 0, maxLength = Infinity, minimum, maximum, format = '' } = schema
  const text = 'sample'.padEnd(minLength, 'x').slice(0, maxLength)
  return [
    FORMATS[format],
    text,
    '1'.padEnd(minLength, '1'),
    'A'.padEnd(minLength, 'A'),
    minimum,
    maximum,
    1,
    1.5,
    false,
  ]
}

const TEXTS_OF_PATTERN = 40

/** Texts that a pattern allows, plain ones first; none for a pattern that only other programs understand. */
function ofPattern({ pattern, minLength = 0, maxLength = Infinity }: Schema): readonly string[] {
  if (typeof pattern !== 'string') return []
  try {
    const texts = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: TEXTS_OF_PATTERN })
    return texts
      .filter(({ length }) => length >= minLength && length <= maxLength)
      .toSorted((one, other) => strangeness(one) - strangeness(other))
  } catch {
    return []
  }
}

/** Letters and digits cannot mean anything in a path. */
const strangeness = (text: string): number => (text === '' ? 1_000 : text.replaceAll(/[\w-]/g, '').length)

function listOf(contract: Contract, { items, minItems = 0 }: Schema, depth: number): unknown {
  if (minItems === 0 || !items) return []
  const item = sampleOf(contract, items, depth + 1)
  return Array.from({ length: minItems }, () => item)
}

const objectOf = (contract: Contract, { properties = {}, required = [] }: Schema, depth: number): unknown =>
  Object.fromEntries(
    required.flatMap((name) => {
      const property = properties[name]
      return property ? [[name, sampleOf(contract, property, depth + 1)]] : []
    }),
  )
