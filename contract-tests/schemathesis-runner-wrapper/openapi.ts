// The shape of an OpenAPI 3.0 to 3.2 document, as far as it is read or changed here. Documents may contain more, which
// is passed through unchanged.

/** A value, or a reference to one: `{ "$ref": "#/components/…" }`. */
export interface Piece {
  $ref?: string
  [more: string]: unknown
}

export interface Schema extends Piece {
  type?: string
  enum?: unknown[]
  example?: unknown
  examples?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
}

export interface Parameter extends Piece {
  name?: string
  in?: string
  required?: boolean
  schema?: Schema
  example?: unknown
}

export interface Example extends Piece {
  value?: unknown
}

export interface Content extends Piece {
  content?: Record<string, { schema?: Schema; examples?: Record<string, Example> }>
}

export interface Link extends Piece {
  operationId?: string
}

export interface Response extends Content {
  links?: Record<string, Link>
}

export interface Operation {
  operationId?: string
  /** Alternative sets of required keys, by the name of their scheme. */
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Content
  responses?: Record<string, Response>
  [more: string]: unknown
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const
export type Method = (typeof METHODS)[number]
type PathItem = { [Name in Method]?: Operation } & { $ref?: string; parameters?: Parameter[] }

export interface SecurityScheme extends Piece {
  type?: string
  scheme?: string
  in?: string
  name?: string
}

/** An OpenAPI document, as parsed JSON. */
export interface OpenApiDocument {
  openapi: string
  paths?: Record<string, PathItem>
  security?: Record<string, string[]>[]
  components?: {
    schemas?: Record<string, Schema>
    parameters?: Record<string, Parameter>
    requestBodies?: Record<string, Content>
    responses?: Record<string, Response>
    links?: Record<string, Link>
    examples?: Record<string, Example>
    securitySchemes?: Record<string, SecurityScheme>
  }
  [more: string]: unknown
}
