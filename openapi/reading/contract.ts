import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  METHODS,
  type Content,
  type Link,
  type Named,
  type OpenApiDocument,
  type OperationPiece,
  type Parameter,
  type Paths,
  type Piece,
  type Schema,
} from './openapi.ts'

export type { Link, Parameter, Schema } from './openapi.ts'

/**
 * Who starts it: a client asks an `operation`, the server sends a `message` (webhook), a browser carries a `redirect`
 * (callback).
 */
export type Kind = 'operation' | 'message' | 'redirect'

export interface Operation {
  readonly kind: Kind
  readonly id: string
  /** Upper case. */
  readonly method: string
  /** `/payments/{id}`; of a message and a redirect only a name, because their addresses belong to somebody else. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The keys it asks for: name of the scheme, and of the header. */
  readonly keys: readonly { readonly scheme: string; readonly header: string }[]
  readonly body?: { readonly required: boolean; readonly schema: Schema; readonly examples: readonly Example[] }
  readonly responses: readonly Response[]
}

export interface Response {
  /** `202` or `4XX`. */
  readonly status: string
  readonly schema?: Schema
  readonly headers: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[]
  readonly examples: readonly Example[]
  readonly links: readonly { readonly name: string; readonly link: Link }[]
}

export interface Example {
  readonly name: string
  readonly value: unknown
}

export interface Contract {
  readonly operations: readonly Operation[]
  /** The schema with its references followed and its `allOf` put together; the same object for the same node. */
  flat(schema: Schema): Schema
  /** What is wrong with a value, or undefined. */
  faultIn(schema: Schema, value: unknown): string | undefined
}

const SELF = 'contract'

/** A bundled OpenAPI 3.1 document, ready to be asked. @throws Error when it cannot be read */
export const readContract = (path: string | URL): Contract => parseContract(readFileSync(path, 'utf8'))

export function parseContract(text: string): Contract {
  // Every reference names its document: so a piece of the contract can be compiled alone.
  const document = JSON.parse(text, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${SELF}${value}` : value,
  ) as OpenApiDocument
  // `discriminator` is left to us: Ajv does not know its `mapping`.
  const ajv = addFormats.default(new Ajv2020({ strict: false, discriminator: false, allErrors: false }))
  ajv.addSchema(document, SELF)

  const target = (ref: string): unknown =>
    ref
      .slice(SELF.length + 2)
      .split('/')
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce(memberOf, document)
  function follow<Kind extends Piece>(piece: Kind): Kind {
    if (piece.$ref === undefined) return piece
    const found = target(piece.$ref)
    if (typeof found !== 'object' || found === null)
      throw new Error(`nothing stands at ${piece.$ref.slice(SELF.length)}`)
    // It is of the kind that the reference stands for: that is what the contract's own lint looks at.
    return follow(found as Kind)
  }
  const entries = <Kind extends Piece>(named: Named<Kind> | undefined): [string, Kind][] =>
    Object.entries(named ?? {}).map(([name, piece]) => [name, follow(piece)])

  const flattened = new WeakMap<Schema, Schema>()
  function flat(schema: Schema): Schema {
    const known = flattened.get(schema)
    if (known) return known
    const { allOf = [], ...own } = follow(schema)
    const whole = [...allOf.map(flat), own].reduce(together, {})
    flattened.set(schema, whole)
    return whole
  }

  const validators = new WeakMap<Schema, ValidateFunction>()
  function faultIn(schema: Schema, value: unknown): string | undefined {
    const validate = validators.get(schema) ?? ajv.compile(schema)
    validators.set(schema, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' })
  }

  const json = (holder: Content) => holder.content?.['application/json']
  const examplesOf = (holder: Content): Example[] =>
    entries(json(holder)?.examples).map(([name, { value }]) => ({ name, value }))

  function operation(
    kind: Kind,
    path: string,
    method: string,
    shared: readonly Parameter[],
    piece: OperationPiece,
  ): Operation {
    const schemes = Object.keys((piece.security ?? document.security ?? [])[0] ?? {})
    const body = piece.requestBody && follow(piece.requestBody)
    const schema = body && json(body)?.schema
    return {
      kind,
      path,
      id: piece.operationId,
      method: method.toUpperCase(),
      parameters: [...shared, ...(piece.parameters ?? [])].map(follow),
      keys: schemes.map((scheme) => ({ scheme, header: headerOf(scheme) })),
      ...(body && schema && { body: { required: body.required === true, schema, examples: examplesOf(body) } }),
      responses: entries(piece.responses).map(([status, response]) => {
        const replied = json(response)?.schema
        return {
          status: status.toUpperCase(),
          ...(replied && { schema: replied }),
          headers: entries(response.headers).map(([name, header]) => ({
            name,
            required: header.required === true,
            schema: header.schema ?? {},
          })),
          examples: examplesOf(response),
          links: entries(response.links).map(([name, link]) => ({ name, link })),
        }
      }),
    }
  }

  function headerOf(scheme: string): string {
    const piece = document.components?.securitySchemes?.[scheme]
    return String(piece && follow(piece).name).toLowerCase()
  }

  const within = (kind: Kind, paths: Paths | undefined): Operation[] =>
    entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const piece = item[method]
        if (!piece) return []
        return [
          operation(kind, path, method, item.parameters ?? [], piece),
          ...entries(piece.callbacks).flatMap(([, callback]) => within('redirect', callback)),
        ]
      }),
    )

  return {
    operations: [...within('operation', document.paths), ...within('message', document.webhooks)],
    flat,
    faultIn,
  }
}

/** What stands under a name in a value that may be anything. */
export const memberOf = (node: unknown, key: string): unknown =>
  typeof node === 'object' && node !== null ? Object.getOwnPropertyDescriptor(node, key)?.value : undefined

/** Two schemas that both hold, as one: properties of both, and of lists of values what is in both. */
function together(one: Schema, other: Schema): Schema {
  const property = ([name, schema]: [string, Schema]): [string, Schema] => {
    const same = one.properties?.[name]
    return [name, same ? { allOf: [same, schema] } : schema]
  }
  return {
    ...one,
    ...other,
    ...((one.properties ?? other.properties) && {
      properties: { ...one.properties, ...Object.fromEntries(Object.entries(other.properties ?? {}).map(property)) },
    }),
    ...((one.required ?? other.required) && {
      required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
    }),
    ...(one.enum && other.enum && { enum: one.enum.filter((value) => other.enum?.includes(value)) }),
  }
}
