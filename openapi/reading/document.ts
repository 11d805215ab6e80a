// The shape of a bundled OpenAPI 3.1 document, as far as it is read here; documents may contain more. `npm run lint`
// checks this shape for our contract, and third parties' own tools for theirs.

/** A reference that may stand in place of a piece: `{ "$ref": "#/components/…" }`. */
export interface Referable {
  readonly $ref?: string
}

/** Texts for readers. */
interface DescribedObject {
  readonly summary?: string
  readonly description?: string
}

/** An object by name. */
export type NameMap<Kind> = Readonly<Record<string, Kind>>

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
  readonly properties?: NameMap<Schema>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: NameMap<string> }
  readonly 'x-empty-is-absent'?: boolean
  readonly 'x-pattern-message'?: string
  /** Replacement messages for a refusal: that of the first pattern which the wrong value matches. */
  readonly 'x-fault-messages'?: readonly { readonly matches: string; readonly message: string }[]
  /** The table cells that no run can show (`name given`, `name left out`), and why. */
  readonly 'x-never-seen'?: Readonly<Record<string, string>>
  /** Known values; others may come without a new version. */
  readonly 'x-extensible-enum'?: readonly string[]
}

interface ExamplePiece extends Referable, DescribedObject {
  /** The example of a refusal that a request meets although it fits the schemas. */
  readonly 'x-business-rule'?: boolean
  readonly value?: unknown
}

/** A carrier of examples: the content of a body, a parameter, a header. */
export interface WithExamples {
  readonly example?: unknown
  readonly examples?: NameMap<ExamplePiece>
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

/** A possible next request after a reply. */
export interface Link extends Referable {
  readonly description?: string
  readonly operationId?: string
  readonly parameters?: NameMap<unknown>
  readonly requestBody?: NameMap<unknown>
}

interface MediaPiece extends WithExamples {
  readonly schema?: Schema
}

/** A body by its media types. */
interface Content extends Referable {
  readonly required?: boolean
  readonly content?: NameMap<MediaPiece>
}

/** A reply. */
export interface ResponsePiece extends Content {
  readonly description?: string
  readonly headers?: NameMap<HeaderPiece>
  readonly links?: NameMap<Link>
}

/** A sample program that makes the request, or receives it. */
export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** Instructions of the contract to the generator of the client. */
export interface ClientNotes {
  /** Its place in the client: `collections.initialize`. */
  readonly call: string
  /** The one field of the data that the call resolves to; absent: all of the data. */
  readonly result?: string
  /** The list in the data, when the call resolves to all of it: a page and its cursor. */
  readonly list?: string
  /** The query parameters that its code samples send; absent: all. */
  readonly asks?: readonly string[]
  /** Of a list: the fields of an item that its code samples print; they are then written from this. */
  readonly shows?: readonly string[]
  /** Kinds of errors by status, where they differ from the usual ones. */
  readonly errors?: NameMap<string>
  /** Narrower schemas, by name; those with `where` replace the schema that they narrow. */
  readonly variants?: NameMap<Variant>
  /** The result of each request: the first whose one field of `where` has its value; the last has none. */
  readonly choices?: readonly Choice[]
}

/** A request and its result, by the value of a field. */
interface Choice {
  readonly where?: NameMap<unknown>
  readonly request: string
  readonly result: string
}

/** A narrower schema that only the client has. */
export interface Variant {
  readonly description: string
  readonly of: string
  readonly where?: NameMap<unknown>
  readonly required?: readonly string[]
}

/** An operation as written in the document. */
export interface OperationPiece extends DescribedObject {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly security?: readonly NameMap<unknown>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses?: NameMap<ResponsePiece>
  readonly callbacks?: NameMap<Referable & Paths>
  readonly 'x-codeSamples'?: readonly CodeSample[]
  readonly 'x-client'?: ClientNotes
}

/** The keys of a path item that hold operations. */
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
interface Tag {
  readonly name: string
  readonly description?: string
  readonly 'x-displayName'?: string
  readonly 'x-traitTag'?: boolean
}

/** How a client authenticates. */
interface SecurityScheme {
  /** `apiKey`, `http`, `oauth2`, `openIdConnect`, `mutualTLS`. */
  readonly type?: string
  /** Of `http`: `bearer`, `basic`. */
  readonly scheme?: string
  /** Of `apiKey`: its location, and its name there. */
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
  readonly security?: readonly NameMap<unknown>[]
  readonly components?: {
    readonly schemas?: NameMap<Schema>
    readonly parameters?: NameMap<Parameter>
    readonly headers?: NameMap<HeaderPiece>
    readonly examples?: NameMap<ExamplePiece>
    readonly securitySchemes?: NameMap<Referable & SecurityScheme>
  }
}
