// The shape of a bundled OpenAPI 3.1 document, as far as it is read here; every document may say more. That pieces have
// this shape is what `npm run lint` sees to, and for a contract of somebody else its own tools.

/** Where another piece may be told to stand instead: `{ "$ref": "#/components/…" }`. */
export interface Piece {
  readonly $ref?: string
}

/** What stands under a name. */
export type Named<Kind> = Readonly<Record<string, Kind>>

/** A JSON Schema. */
export interface Schema extends Piece {
  readonly type?: string
  readonly title?: string
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
}

interface ExamplePiece extends Piece {
  readonly value?: unknown
}

/** What may carry examples: the content of a body, a parameter, a header. */
export interface Exemplified {
  readonly example?: unknown
  readonly examples?: Named<ExamplePiece>
}

export interface Parameter extends Piece, Exemplified {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
  readonly 'x-empty-is-absent'?: boolean
}

export interface HeaderPiece extends Piece, Exemplified {
  readonly required?: boolean
  readonly schema?: Schema
}

/** What a reply says about a next request. */
export interface Link extends Piece {
  readonly operationId?: string
  readonly parameters?: Named<unknown>
  readonly requestBody?: Named<unknown>
}

interface MediaPiece extends Exemplified {
  readonly schema?: Schema
}

export interface Content extends Piece {
  readonly required?: boolean
  readonly content?: Named<MediaPiece>
}

export interface ResponsePiece extends Content {
  readonly headers?: Named<HeaderPiece>
  readonly links?: Named<Link>
}

export interface OperationPiece {
  readonly operationId: string
  readonly security?: readonly Named<unknown>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses?: Named<ResponsePiece>
  readonly callbacks?: Named<Piece & Paths>
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

export type PathItem = Piece & { readonly parameters?: readonly Parameter[] } & {
  readonly [Method in (typeof METHODS)[number]]?: OperationPiece
}
export interface Paths {
  readonly [path: string]: PathItem
}

export interface OpenApiDocument {
  readonly paths?: Paths
  readonly webhooks?: Paths
  readonly security?: readonly Named<unknown>[]
  readonly components?: {
    readonly schemas?: Named<Schema>
    readonly parameters?: Named<Parameter>
    readonly headers?: Named<HeaderPiece>
    readonly securitySchemes?: Named<Piece & { readonly name?: string }>
  }
}
