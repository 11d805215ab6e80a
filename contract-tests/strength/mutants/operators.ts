import { changed } from '../../../openapi/reading/changed.ts'
import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import { escapeKey } from '../../../openapi/reading/references.ts'
import { ofExample, ofHeader, ofLink, ofParameter, ofResponse } from './component-operators.ts'
import { change, type Change, fieldsOf, get, GONE, type Json, type Path, renamed } from './edit.ts'
import { ofOperation } from './operation-operators.ts'
import { ofSchema } from './schema-operators.ts'

/** One small change of the contract. */
export interface Mutant {
  readonly operator: string
  /** The place, as a JSON pointer without its leading slash. */
  readonly at: string
  readonly what: string
  readonly make: () => OpenApiDocument
}

/** Every mutant, in document order: the same at every run. */
export function mutantsOf(contract: OpenApiDocument): Mutant[] {
  return [...changesOf(contract)].map(({ operator, path, what, value }) => {
    const make = (): OpenApiDocument => {
      const mutated: Json = changed(contract, path, value)
      // The whole tree with one place changed: whether it is still a contract is part of the test.
      return mutated as OpenApiDocument
    }
    return { operator, at: path.map((key) => escapeKey(String(key))).join('/'), what, make }
  })
}

function* changesOf(contract: Json): Generator<Change> {
  const components = (kind: string): [string, Path][] =>
    Object.keys(fieldsOf(get(contract, ['components', kind]))).map((name) => [name, ['components', kind, name]])
  for (const [path, item] of Object.entries(fieldsOf(get(contract, ['paths'])))) {
    yield change('change a path', ['paths'], `${path} → ${path}s`, renamed(get(contract, ['paths']), path, `${path}s`))
    for (const method of Object.keys(fieldsOf(item))) yield* ofOperation(contract, ['paths', path, method], true)
  }
  for (const [webhook, item] of Object.entries(fieldsOf(get(contract, ['webhooks'])))) {
    yield change('remove a webhook', ['webhooks', webhook], webhook, GONE)
    for (const method of Object.keys(fieldsOf(item))) yield* ofOperation(contract, ['webhooks', webhook, method], false)
  }
  for (const [, at] of components('schemas')) yield* ofSchema(contract, at)
  for (const [, at] of components('parameters')) yield* ofParameter(contract, at)
  for (const [, at] of components('headers')) yield* ofHeader(contract, at)
  for (const [, at] of components('responses')) yield* ofResponse(contract, at)
  for (const [, at] of components('links')) yield* ofLink(contract, at)
  for (const [, at] of components('examples')) yield* ofExample(contract, at)
  for (const [name, at] of components('securitySchemes'))
    yield change('change a security scheme', [...at, 'name'], `${name} in another header`, `x-${name.toLowerCase()}`)
}
