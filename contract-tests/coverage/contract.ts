import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** A piece of an OpenAPI document. A contract of anybody's has no type that would say more than this. */
export interface Node { readonly [key: string]: any }

/** Who starts it: a client asks an `operation`, the server sends a `message` (webhook), a browser carries a `redirect` (callback). */
export type Kind = 'operation' | 'message' | 'redirect'

export interface Operation {
  readonly kind: Kind
  readonly id: string
  /** Upper case. */
  readonly method: string
  /** `/payments/{id}`; of a message and a redirect only a name, because their addresses belong to somebody else. */
  readonly path: string
  readonly parameters: readonly Node[]
  /** The keys it asks for: name of the scheme, and of the header. */
  readonly keys: readonly { readonly scheme: string; readonly header: string }[]
  readonly body?: { readonly required: boolean; readonly schema: Node; readonly examples: readonly Example[] }
  readonly responses: readonly Response[]
}

export interface Response {
  /** `202` or `4XX`. */
  readonly status: string
  readonly schema?: Node
  readonly headers: readonly { readonly name: string; readonly required: boolean; readonly schema: Node }[]
  readonly examples: readonly Example[]
  readonly links: readonly { readonly name: string; readonly link: Node }[]
}

export interface Example {
  readonly name: string
  readonly value: unknown
}

export interface Contract {
  readonly operations: readonly Operation[]
  /** The schema with its references followed and its `allOf` put together; the same object for the same node. */
  flat(schema: Node): Node
  /** What is wrong with a value, or undefined. */
  faultIn(schema: Node, value: unknown): string | undefined
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const SELF = 'contract'

/** A bundled OpenAPI 3.1 document, ready to be asked. @throws Error when it cannot be read */
export const readContract = (path: string | URL): Contract => parseContract(readFileSync(path, 'utf8'))

export function parseContract(text: string): Contract {
  // Every reference names its document: so a piece of the contract can be compiled alone.
  const document: Node = JSON.parse(text, (key, value) => (key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${SELF}${value}` : value))
  // `discriminator` is left to us: Ajv does not know its `mapping`.
  const ajv = addFormats.default(new Ajv2020({ strict: false, discriminator: false, allErrors: false }))
  ajv.addSchema(document, SELF)

  const target = (ref: string): Node => ref.slice(SELF.length + 2).split('/').reduce((node: Node, key) => node[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], document)
  const follow = (node: Node | undefined): Node => (node?.$ref === undefined ? node ?? {} : follow(target(node.$ref)))
  const entries = (node: Node | undefined): [string, Node][] => Object.entries<Node>(node ?? {}).map(([key, value]) => [key, follow(value)])

  const flattened = new WeakMap<Node, Node>()
  function flat(schema: Node): Node {
    const known = flattened.get(schema)
    if (known) return known
    const { allOf = [], ...own } = follow(schema)
    const whole = [...allOf.map(flat), own].reduce(together)
    flattened.set(schema, whole)
    return whole
  }

  const validators = new WeakMap<Node, ValidateFunction>()
  function faultIn(schema: Node, value: unknown): string | undefined {
    const validate = validators.get(schema) ?? ajv.compile(schema)
    validators.set(schema, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' })
  }

  const examplesOf = (holder: Node | undefined): Example[] => entries(holder?.examples).map(([name, { value }]) => ({ name, value }))
  const json = (holder: Node): Node | undefined => holder.content?.['application/json']

  function operation(kind: Kind, path: string, method: string, shared: readonly Node[], node: Node): Operation {
    const schemes = Object.keys((node.security ?? document.security ?? [])[0] ?? {})
    const body = node.requestBody && follow(node.requestBody)
    const media = body && json(body)
    return {
      kind, path, id: node.operationId, method: method.toUpperCase(),
      parameters: [...shared, ...(node.parameters ?? [])].map(follow),
      keys: schemes.map((scheme) => ({ scheme, header: String(follow(document.components.securitySchemes[scheme]).name).toLowerCase() })),
      ...(media && { body: { required: body.required === true, schema: media.schema, examples: examplesOf(media) } }),
      responses: entries(node.responses).map(([status, response]) => ({
        status: status.toUpperCase(),
        ...(json(response)?.schema !== undefined && { schema: json(response)!.schema }),
        headers: entries(response.headers).map(([name, header]) => ({ name, required: header.required === true, schema: header.schema ?? {} })),
        examples: examplesOf(json(response)),
        links: entries(response.links).map(([name, link]) => ({ name, link })),
      })),
    }
  }

  const within = (kind: Kind, paths: Node | undefined): Operation[] => entries(paths).flatMap(([path, item]) =>
    Object.entries<Node>(item).filter(([method]) => METHODS.has(method)).flatMap(([method, node]) => [
      operation(kind, path, method, item.parameters ?? [], node),
      ...entries(node.callbacks).flatMap(([, callback]) => within('redirect', callback)),
    ]))

  return { operations: [...within('operation', document.paths), ...within('message', document.webhooks)], flat, faultIn }
}

/** Two schemas that both hold, as one: properties of both, and of lists of values what is in both. */
function together(one: Node, other: Node): Node {
  const names = new Set([...Object.keys(one.properties ?? {}), ...Object.keys(other.properties ?? {})])
  const property = (name: string): Node => {
    const [first, second] = [one.properties?.[name], other.properties?.[name]]
    return first && second ? { allOf: [first, second] } : first ?? second
  }
  return {
    ...one, ...other,
    ...(names.size > 0 && { properties: Object.fromEntries([...names].map((name) => [name, property(name)])) }),
    ...((one.required ?? other.required) && { required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])] }),
    ...(one.enum && other.enum && { enum: one.enum.filter((value: unknown) => other.enum.includes(value)) }),
  }
}
