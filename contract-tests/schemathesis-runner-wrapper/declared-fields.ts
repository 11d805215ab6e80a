import { operations, resolve } from './contract.ts'
import type { OpenApiDocument, Piece, Schema } from './openapi.ts'

const KEYWORDS = ['allOf', 'oneOf', 'anyOf'] as const

/** Names of the parameters and body fields of an operation: `POST /things`. */
export function declaredFields(contract: OpenApiDocument, label: string): string[] {
  const [path, , operation] =
    operations(contract).find(([at, method]) => `${method.toUpperCase()} ${at}` === label) ?? []
  if (!operation) return []
  const parameters = [...(contract.paths?.[path ?? '']?.parameters ?? []), ...(operation.parameters ?? [])]
  const bodies = Object.values(resolve(contract, operation.requestBody)?.content ?? {})
  const names = new Set(parameters.flatMap((parameter) => resolve(contract, parameter)?.name ?? []))
  const visited = new Set<Piece>()
  for (const { schema } of bodies) collect(schema)
  return [...names]

  function collect(piece: Schema | undefined): void {
    const schema = resolve(contract, piece)
    if (!schema || visited.has(schema)) return
    visited.add(schema)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      names.add(name)
      collect(property)
    }
    for (const keyword of KEYWORDS) for (const each of listOf(schema[keyword])) collect(each)
    collect(schema['items'] as Schema | undefined)
  }
}

const listOf = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : [])
