import document from '../../../../generated/admin.json' with { type: 'json' }

// For tests: the operations of the contract with their examples.

interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly example?: unknown
}

interface Examples {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Message {
  readonly content?: Readonly<Record<string, Examples>>
}

export interface ContractOperation {
  readonly path: string
  readonly method: string
  readonly operationId: string
  /** Its row of `domain/people/roles.ts`. */
  readonly operation: string
  readonly parameters: readonly Parameter[]
  /** The first example of a body. */
  readonly body: unknown
  readonly successes: readonly { readonly status: string; readonly example: string; readonly value: unknown }[]
}

type Node = Readonly<Record<string, unknown>>

/** What a node refers to, or the node itself. */
function resolved(node: unknown): unknown {
  const { $ref } = (node ?? {}) as { readonly $ref?: string }
  if ($ref === undefined) return node ?? {}
  const names = $ref.split('/').slice(1)
  return names.reduce<unknown>((at, name) => (at as Node)[name], document)
}

const examplesOf = (message: unknown) =>
  Object.values((resolved(message) as Message).content ?? {}).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([example, shown]) => ({ example, value: (resolved(shown) as typeof shown).value })),
  )

export const CONTRACT_OPERATIONS: readonly ContractOperation[] = Object.entries(document.paths).flatMap(
  ([path, item]: [string, Node]) =>
    ['get', 'post', 'put', 'delete'].flatMap((method) => {
      const found = item[method] as Node | undefined
      if (!found) return []
      const lists = [item['parameters'], found['parameters']] as (unknown[] | undefined)[]
      return {
        path,
        method: method.toUpperCase(),
        operationId: String(found['operationId']),
        operation: String(found['x-operation']),
        parameters: lists.flatMap((list = []) => list.map((one) => resolved(one) as Parameter)),
        body: examplesOf(found['requestBody'])[0]?.value,
        successes: Object.entries(found['responses'] as Node)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([status, response]) => examplesOf(response).map((each) => ({ status, ...each }))),
      }
    }),
)

/** The path with these values, or those of the examples. */
export const pathOf = (
  { path, parameters }: Pick<ContractOperation, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>> = {},
): string =>
  parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, values[name] ?? String(example)), path)
