import type { OpenApiDocument, Schema } from '../../../openapi/reading/document.ts'
import { schemaNamed } from '../../../openapi/reading/references.ts'
import { compilerOf } from '../../../openapi/reading/validators.ts'
import { expectations, sightings } from './sightings.ts'

/** One schema of one contract, compiled for checking values. */
export interface Shape {
  readonly fits: (value: unknown) => boolean
  /** Why a value is invalid, in a few words. */
  readonly why: (value: unknown) => string
  /** What must occur at least once, if everything declared exists (see sightings.ts). */
  readonly expected: ReadonlySet<string>
  readonly seenIn: (value: unknown) => readonly string[]
}

/** Cached by the text of the schema and of all that it references: a mutant recompiles only what it changed. */
const shapes = new Map<string, Shape>()
const idByText = new Map<string, number>()
const texts = new WeakMap<object, { readonly id: number; readonly refs: readonly string[] }>()

/** The same number for the same text, and the names of the schemas that it references. */
const textOf = (schema: Schema): { readonly id: number; readonly refs: readonly string[] } =>
  remembered(texts, schema, () => {
    const text = JSON.stringify(schema)
    const id = idByText.get(text) ?? idByText.size
    idByText.set(text, id)
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"/]+)"/g)].map(([, name = '']) => name)
    return { id, refs: [...new Set(names)] }
  })

/** Names of all schemas that this one reaches. */
function reachable(contract: OpenApiDocument, schema: Schema): string[] {
  const names = new Set<string>()
  const visit = ({ refs }: { readonly refs: readonly string[] }): void => {
    for (const name of refs) {
      if (names.has(name)) continue
      names.add(name)
      visit(textOf(schemaNamed(contract, name)))
    }
  }
  visit(textOf(schema))
  return [...names].sort()
}

/** @param where name for a schema that is no component: `header X-Request-Id`. @throws Error for an invalid schema */
export function shapeOf(contract: OpenApiDocument, schema: Schema, where: string): Shape {
  const names = reachable(contract, schema)
  const key = [
    where,
    textOf(schema).id,
    ...names.map((name) => `${name}=${textOf(schemaNamed(contract, name)).id}`),
  ].join(' ')
  const known = shapes.get(key)
  if (known) return known
  const shape = newShape(contract, schema, names, where)
  shapes.set(key, shape)
  return shape
}

function newShape(contract: OpenApiDocument, schema: Schema, names: readonly string[], where: string): Shape {
  // A compiler of its own, because Ajv keeps every schema that it has compiled. It ignores tags: the walk over
  // sightings checks a mapping.
  const reached = Object.fromEntries(names.map((name) => [name, schemaNamed(contract, name)]))
  const validate = compilerOf({ components: { schemas: reached } }, { validateSchema: false })(schema)
  const verdicts = new WeakMap<object, boolean>()
  const seen = new WeakMap<object, readonly string[]>()
  return {
    fits: (value) => value !== undefined && remembered(verdicts, value, () => validate(value)),
    why: (value) =>
      (validate(value) ? [] : (validate.errors ?? []))
        .slice(0, 2)
        .map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`)
        .join(', ') || 'it does not fit',
    expected: new Set(expectations(contract, schema, where)),
    seenIn: (value) => remembered(seen, value, () => [...new Set(sightings(contract, schema, value, where))]),
  }
}

/** Facts about an object, computed once. */
export function remembered<Result>(known: WeakMap<object, Result>, value: unknown, find: () => Result): Result {
  if (typeof value !== 'object' || value === null) return find()
  const before = known.get(value)
  if (before !== undefined) return before
  const result = find()
  known.set(value, result)
  return result
}
