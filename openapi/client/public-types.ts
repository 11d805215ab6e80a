import type { OpenApiDocument, Schema } from '../reading/document.ts'
import { operationsOf } from '../reading/operations.ts'
import { nameOf, schemaNamed } from '../reading/references.ts'
import { callsOf, typesNamedIn } from './calls-of-contract.ts'
import { typedContract } from './typed-contract.ts'

/**
 * Writes the module of the types that a merchant's program may name: everything that its calls and callbacks consist
 * of.
 */
export function publicTypesModule(document: OpenApiDocument): string {
  const typed = typedContract(document)
  const names = new Set<string>()
  const add = (name: string): void => {
    if (names.has(name)) return
    names.add(name)
    for (const part of partsOf(schemaNamed(typed, name))) add(part)
  }
  for (const name of [...callsOf(document).flatMap(typesNamedIn), ...typesOfWebhooks(document)]) add(name)
  const lines = [...names].filter((name) => isMore(schemaNamed(typed, name))).toSorted()
  return `// Written by \`npm run generate\` from openapi/.
export type {
${lines.map((name) => `  ${name},`).join('\n')}
} from './schema.d.ts'
`
}

const typesOfWebhooks = (document: OpenApiDocument): readonly string[] =>
  operationsOf(document).flatMap(({ kind, body }) => (kind === 'message' && body ? partsOf(body.schema) : []))

/** Names of the schemas that this one contains. */
const partsOf = ({ $ref, properties = {}, items, oneOf = [], allOf = [] }: Schema): readonly string[] => [
  ...($ref === undefined ? [] : [nameOf($ref)]),
  ...[...Object.values(properties), ...(items ? [items] : []), ...oneOf, ...allOf].flatMap(partsOf),
]

/** Whether it is more than a string or a number. */
const isMore = ({ properties, oneOf, allOf, enum: values }: Schema): boolean =>
  (properties ?? oneOf ?? allOf ?? values) !== undefined
