import { callsOf, typesNamedIn } from './calls-of-contract.ts'
import { followed, named, nameOf, type Contract, type Schema } from './contract.ts'
import { typedContract } from './typed-contract.ts'

/** The module of the types that a merchant's program may name: all that its calls and callbacks are made of. */
export function publicTypesModule(contract: Contract): string {
  const { schemas } = typedContract(contract).components
  const names = new Set<string>()
  const add = (name: string): void => {
    if (names.has(name)) return
    names.add(name)
    for (const part of partsOf(named(schemas, name))) add(part)
  }
  for (const name of [...callsOf(contract).flatMap(typesNamedIn), ...typesOfWebhooks(contract)]) add(name)
  const lines = [...names].filter((name) => isMore(named(schemas, name))).toSorted()
  return `// Written by \`npm run generate\` from openapi/.
export type {
${lines.map((name) => `  ${name},`).join('\n')}
} from './schema.d.ts'
`
}

const typesOfWebhooks = ({ webhooks, components }: Contract): readonly string[] =>
  Object.values(webhooks)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ requestBody }) => (requestBody ? [followed(requestBody, components.requestBodies)] : []))
    .flatMap(({ content }) => partsOf(content['application/json'].schema))

/** Names of the schemas that stand in this one. */
const partsOf = ({ $ref, properties = {}, items, oneOf = [], allOf = [] }: Schema): readonly string[] => [
  ...($ref === undefined ? [] : [nameOf($ref)]),
  ...[...Object.values(properties), ...(items ? [items] : []), ...oneOf, ...allOf].flatMap(partsOf),
]

/** Whether it is more than a text or a number of some form. */
const isMore = ({ properties, oneOf, allOf, enum: values }: Schema): boolean =>
  (properties ?? oneOf ?? allOf ?? values) !== undefined
