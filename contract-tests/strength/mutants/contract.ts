// The parts of a bundled OpenAPI 3.1 document that are held against the wire, and how to find one's way in them.

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> }
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly examples?: readonly unknown[]
  readonly 'x-pattern-message'?: string
}

export interface Ref {
  readonly $ref: string
}
export interface Example {
  readonly value: unknown
}
export interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, Example | Ref>>
}
export interface Header {
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example | Ref>>
}
export interface Parameter extends Header {
  readonly name: string
  readonly in: string
}
export interface Link {
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, unknown>>
}
export interface Response {
  readonly headers?: Readonly<Record<string, Header | Ref>>
  readonly content?: Readonly<Record<string, Media>>
  readonly links?: Readonly<Record<string, Link | Ref>>
}
export interface RequestBody {
  readonly required?: boolean
  readonly content: Readonly<Record<string, Media>>
}
export interface Operation {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter | Ref)[]
  readonly requestBody?: RequestBody | Ref
  readonly responses: Readonly<Record<string, Response | Ref>>
  readonly callbacks?: Readonly<Record<string, Callback | Ref>>
}
export type PathItem = Readonly<Record<string, Operation>>
export type Callback = Readonly<Record<string, PathItem>>

/** No interface: its kinds are walked through like those of a record. */
export type Components = {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly examples: Readonly<Record<string, Example>>
  readonly responses: Readonly<Record<string, Response>>
  readonly requestBodies: Readonly<Record<string, RequestBody>>
  readonly links: Readonly<Record<string, Link>>
  readonly callbacks: Readonly<Record<string, Callback>>
  readonly securitySchemes: Readonly<Record<string, { readonly name: string; readonly in: string }>>
}

export interface Contract {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** What a `$ref` into one kind of components leads to, or the thing itself. @throws Error when it leads nowhere */
export function follow<Thing extends object>(named: Readonly<Record<string, Thing>>, node: Thing | Ref): Thing {
  if (!isRef(node)) return node
  const found = named[node.$ref.slice(node.$ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`${node.$ref} leads nowhere`)
  return found
}

const isRef = (node: object): node is Ref => '$ref' in node

/** Schemas may refer to one another in a row. */
export const schemaOf = (contract: Contract, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : schemaOf(contract, follow(contract.components.schemas, { $ref: schema.$ref }))

/** An operation with everything it names looked up. */
export interface Declared {
  readonly operationId: string
  /** `payment-gateway`: we answer; `merchant`: we ask. */
  readonly answeredBy: 'gateway' | 'merchant'
  readonly method: string
  /** The template of its path, the name of its webhook, or the expression of its callback. */
  readonly path: string
  readonly security: readonly (readonly string[])[]
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly responses: Readonly<Record<string, Response>>
  readonly operation: Operation
}

/**
 * All operations: those under `paths`, the callbacks in them, and the webhooks. @throws Error when a `$ref` leads
 * nowhere
 */
export function declaredIn(contract: Contract): Declared[] {
  const ours = [...inItems(contract, contract.paths, 'gateway')]
  const callbacks = ours.flatMap(({ operation }) =>
    Object.values(operation.callbacks ?? {}).flatMap((callback) => [
      ...inItems(contract, follow(contract.components.callbacks, callback), 'merchant'),
    ]),
  )
  return [...ours, ...callbacks, ...inItems(contract, contract.webhooks, 'merchant')]
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

function* inItems(
  contract: Contract,
  items: Readonly<Record<string, PathItem>>,
  answeredBy: Declared['answeredBy'],
): Generator<Declared> {
  const { components } = contract
  for (const [path, item] of Object.entries(items)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.includes(method)) continue
      yield {
        operationId: operation.operationId,
        answeredBy,
        method,
        path,
        operation,
        security: (operation.security ?? []).map((requirement) => Object.keys(requirement)),
        parameters: (operation.parameters ?? []).map((parameter) => follow(components.parameters, parameter)),
        body: operation.requestBody && follow(components.requestBodies, operation.requestBody),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status,
            follow(components.responses, response),
          ]),
        ),
      }
    }
  }
}

/** The response that holds for a status: its own, or that of its range (`2XX`). */
export const responseFor = (responses: Declared['responses'], status: number): string | undefined =>
  [String(status), `${Math.floor(status / 100)}XX`].find((key) => responses[key] !== undefined)
