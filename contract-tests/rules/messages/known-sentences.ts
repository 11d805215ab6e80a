import type { Contract, Operation, Response, Schema } from '../../../openapi/reading/contract.ts'
import { sentencesOf, wordsOfPage, type DeclaredSentence } from '../../harness/declared-words.ts'
import { BoundedMap } from '../bounded-map.ts'
import { possibleSentences } from './field-sentences.ts'

export type KnownSentences = ReturnType<typeof readSentences>

/** The sentences of a contract, each read once. */
export function readSentences(contract: Contract) {
  const known = new BoundedMap<Response, readonly DeclaredSentence[]>()
  const ofSchemas = new BoundedMap<Operation, ReadonlySet<string>>()
  return {
    /** Of the page "Errors". */
    page: wordsOfPage(contract, 'errors'),
    /** In the examples of a response. */
    of: (response: Response) => known.of(response, () => sentencesOf(response)),
    /** Whether some request makes the schemas of the operation cause this message. */
    isOfSchemas: (operation: Operation, message: string): boolean =>
      ofSchemas.of(operation, () => allSentences(contract, operation)).has(message),
  }
}

/** Every message that the schemas of an operation can cause, whatever is sent. */
export function allSentences(contract: Contract, { parameters, body }: Operation): ReadonlySet<string> {
  const said = (name: string, schema: Schema): string[] =>
    possibleSentences(contract.flat(schema)).map((sentence) => `${name} ${sentence}`)
  const within = (node: Schema, at: string): string[] => {
    const schema = contract.flat(node)
    return [
      ...(schema.oneOf ?? []).flatMap((branch) => within(branch, at)),
      ...tagSentences(contract, schema),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
        `${at}${name} is required`,
        ...said(at + name, property),
        ...within(property, `${at}${name}.`),
      ]),
    ]
  }
  return new Set([
    ...parameters.flatMap(({ name, schema }) => [`${name} is required`, ...said(name, schema)]),
    ...(body ? within(body.schema, '') : []),
  ])
}

/** The tag of a union: the values of all branches. */
function tagSentences(contract: Contract, { oneOf = [], discriminator }: Schema): string[] {
  const tag = discriminator?.propertyName
  if (tag === undefined) return []
  const values = oneOf.flatMap((branch) => {
    const property = contract.flat(branch).properties?.[tag]
    return property ? (contract.flat(property).enum ?? []) : []
  })
  return [`${tag} must be one of ${values.join(', ')}`]
}
