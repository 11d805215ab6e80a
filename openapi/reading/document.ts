// The shape of a bundled OpenAPI 3.1 document, as far as it is read here; every document may say more. That pieces have
// this shape is what `npm run lint` sees to, and for a contract of somebody else its own tools.

/** Where another piece may be told to stand instead: `{ "$ref": "#/components/…" }`. */
export interface Referable {
  readonly $ref?: string
}

/** What people read of a thing. */
interface DescribedObject {
  readonly summary?: string
  readonly description?: string
}

/** What stands under a name. */
export type Named<Kind> = Readonly<Record<string, Kind>>

/** A JSON Schema. */
export interface Schema extends Referable {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Named<Schema>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Named<string> }
  readonly 'x-empty-is-absent'?: boolean
  readonly 'x-pattern-message'?: string
  /** What a refusal says instead, by the first of these patterns that the wrong value matches. */
  readonly 'x-fault-messages'?: readonly { readonly matches: string; readonly message: string }[]
  /** Which of its cells no run can show (`name given`, `name left out`), and why. */
  readonly 'x-never-seen'?: Readonly<Record<string, string>>
  /** Values that are known so far; others may come without a new version. */
  readonly 'x-extensible-enum'?: readonly string[]
}

interface ExamplePiece extends Referable, DescribedObject {
  readonly value?: unknown
}

/** What may carry examples: the content of a body, a parameter, a header. */
export interface WithExamples {
  readonly example?: unknown
  readonly examples?: Named<ExamplePiece>
}

/** Of a path, query or header. */
export interface Parameter extends Referable, WithExamples {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly 'x-empty-is-absent'?: boolean
}

/** A header of a reply. */
export interface HeaderPiece extends Referable, WithExamples {
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
}

/** What a reply says about a next request. */
export interface Link extends Referable {
  readonly description?: string
  readonly operationId?: string
  readonly parameters?: Named<unknown>
  readonly requestBody?: Named<unknown>
}

interface MediaPiece extends WithExamples {
  readonly schema?: Schema
}

/** A body by its media types. */
export interface Content extends Referable {
  readonly required?: boolean
  readonly content?: Named<MediaPiece>
}

/** A reply. */
export interface ResponsePiece extends Content {
  readonly description?: string
  readonly headers?: Named<HeaderPiece>
  readonly links?: Named<Link>
}

/** A program that makes the request, or receives it. */
export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** What the contract says to the generator of the client, beside what it says to everybody. */
export interface ClientNotes {
  /** Its place in the client: `collections.initialize`. */
  readonly call: string
  /** The one field of the data that the call resolves to; absent: all of the data. */
  readonly result?: string
  /** Kinds of errors by status, where they are not the usual ones. */
  readonly errors?: Named<string>
  /** Narrower schemas, by name; those with `where` take the place of the one that they narrow. */
  readonly variants?: Named<Variant>
  /** Which request has which result: the first whose one field of `where` has its value; the last has none. */
  readonly choices?: readonly Choice[]
}

/** A request and its result, by the value of a field. */
export interface Choice {
  readonly where?: Named<unknown>
  readonly request: string
  readonly result: string
}

/** A narrower schema, which only the client has. */
export interface Variant {
  readonly description: string
  readonly of: string
  readonly where?: Named<unknown>
  readonly required?: readonly string[]
}

/** An operation as it is written. */
export interface OperationPiece extends DescribedObject {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly security?: readonly Named<unknown>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses?: Named<ResponsePiece>
  readonly callbacks?: Named<Referable & Paths>
  readonly 'x-codeSamples'?: readonly CodeSample[]
  readonly 'x-client'?: ClientNotes
}

/** What an item of a path may hold operations under. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** The operations of one path. */
export type PathItem = Referable & { readonly parameters?: readonly Parameter[] } & {
  readonly [Method in (typeof METHODS)[number]]?: OperationPiece
}
/** Paths, webhooks, or the expressions of a callback. */
export interface Paths {
  readonly [path: string]: PathItem
}

/** A group of operations; with `x-traitTag` a page of text, without operations. */
export interface Tag {
  readonly name: string
  readonly description?: string
  readonly 'x-displayName'?: string
  readonly 'x-traitTag'?: boolean
}

/** How a client shows who it is. */
export interface SecurityScheme {
  /** `apiKey`, `http`, `oauth2`, `openIdConnect`, `mutualTLS`. */
  readonly type?: string
  /** Of `http`: `bearer`, `basic`. */
  readonly scheme?: string
  /** Of `apiKey`: its place, and its name there. */
  readonly in?: string
  readonly name?: string
  readonly description?: string
}

/** The whole document. */
export interface OpenApiDocument {
  readonly openapi?: string
  readonly info?: DescribedObject & { readonly title?: string; readonly version?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly tags?: readonly Tag[]
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths?: Paths
  readonly webhooks?: Paths
  readonly security?: readonly Named<unknown>[]
  readonly components?: {
    readonly schemas?: Named<Schema>
    readonly parameters?: Named<Parameter>
    readonly headers?: Named<HeaderPiece>
    readonly examples?: Named<ExamplePiece>
    readonly securitySchemes?: Named<Referable & SecurityScheme>
  }
}
