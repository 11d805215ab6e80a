import { dereferenced } from '../reading/references.ts'

/** The bundled contract, as far as the docs show it: with the texts for people, which nobody else reads. */
export interface Contract {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly tags: readonly Tag[]
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly name: string }>>
    readonly examples: Readonly<Record<string, Example>>
  }
}

export interface Tag {
  readonly name: string
  readonly description: string
  readonly 'x-displayName': string
  /** A page of text, without operations. */
  readonly 'x-traitTag'?: boolean
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Reply>>
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Operation>>>>>>
  readonly 'x-codeSamples'?: readonly CodeSample[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  readonly example: string | number
}

export interface Body {
  readonly content?: Readonly<Record<string, Media>>
}

export interface Reply extends Body {
  readonly description: string
  readonly links?: Readonly<Record<string, Link>>
}

export interface Media {
  readonly schema: Schema
  readonly examples: Readonly<Record<string, Example>>
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

export interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, string | number>>
}

export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

export interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly (string | number)[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string | number | boolean
}

/**
 * A contract from its bundle, with every `$ref` followed: the docs show things where they are used, and each with what is
 * said beside its reference (OpenAPI 3.1, JSON Schema 2020-12).
 */
export const readContract = (bundle: string): Contract =>
  // `npm run lint` has held the contract against OpenAPI and our own rules: the shape above is certain.
  dereferenced(JSON.parse(bundle)) as Contract

/** An operation with the place where it is asked for; a webhook has the name of its request instead of a path. */
export interface PlacedOperation {
  readonly method: string
  /** Absent: Malipo sends this request to the merchant. */
  readonly path: string | undefined
  readonly operation: Operation
}

/** What merchants call, in the order of the contract. */
export const operationsOf = ({ paths }: Contract): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** What Malipo and its customers' browsers send to merchants. */
export function requestsToMerchants(contract: Contract): PlacedOperation[] {
  const placed = (methods: Readonly<Record<string, Operation>>): PlacedOperation[] =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path: undefined, operation }))
  const redirects = operationsOf(contract).flatMap(({ operation }) =>
    Object.values(operation.callbacks ?? {}).flatMap((urls) => Object.values(urls).flatMap(placed)),
  )
  return [...Object.values(contract.webhooks).flatMap(placed), ...redirects]
}

/** The headers that carry the keys which an operation needs. */
export const keyHeadersOf = ({ components }: Contract, { security }: Operation): string[] =>
  security
    .flatMap((schemes) => Object.keys(schemes))
    .flatMap((scheme) => components.securitySchemes[scheme]?.name ?? [])
