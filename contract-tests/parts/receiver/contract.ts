import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

/**
 * A request that a server sends by itself, as an OpenAPI 3.1 document declares it in `webhooks`, or in the `callbacks`
 * of an operation.
 */
export interface SentOperation {
  readonly method: string
  readonly parameters: readonly SentParameter[]
  /** Absent when the request has no body. */
  readonly body?: SentBody
}

export interface SentParameter {
  readonly name: string
  readonly in: 'header' | 'query'
  readonly isRequired: boolean
  faultsIn(text: string): readonly ErrorObject[]
}

export interface SentBody {
  readonly isRequired: boolean
  /** By media type. */
  readonly content: ReadonlyMap<string, (value: unknown) => readonly ErrorObject[]>
}

export interface SentOperations {
  /** By the names of the webhooks; one operation per method. */
  readonly webhooks: ReadonlyMap<string, readonly SentOperation[]>
  /** By the names of the callbacks. */
  readonly callbacks: ReadonlyMap<string, readonly SentOperation[]>
}

type Json = Readonly<Record<string, unknown>>

/** A thing of the document and where it really stands, `$ref`s followed. */
interface Place {
  readonly pointer: string
  readonly node: unknown
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
const unescapeKey = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

const known = new Map<string, SentOperations>()

/**
 * Reads what a bundled OpenAPI 3.1 document says its server sends. @throws Error when a `$ref` leads out of the
 * document, or a schema cannot be compiled
 */
export function readSentOperations(text: string): SentOperations {
  // Compiling takes longer than judging a hundred messages.
  const operations = known.get(text) ?? compileSentOperations(text)
  known.set(text, operations)
  return operations
}

function compileSentOperations(text: string): SentOperations {
  const document: unknown = JSON.parse(text)
  const compile = compiler(text)

  function follow({ pointer, node }: Place): Place {
    if (!isObject(node) || typeof node.$ref !== 'string') return { pointer, node }
    if (!node.$ref.startsWith('#/')) throw new Error(`${node.$ref} leads out of the document: bundle it first`)
    const target = node.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (parent, key) =>
          isObject(parent) || Array.isArray(parent) ? Reflect.get(parent, unescapeKey(key)) : undefined,
        document,
      )
    return follow({ pointer: node.$ref, node: target })
  }
  const child = ({ pointer, node }: Place, key: string): Place =>
    follow({
      pointer: `${pointer}/${escapeKey(key)}`,
      node: isObject(node) || Array.isArray(node) ? Reflect.get(node, key) : undefined,
    })
  const children = (place: Place): [string, Place][] =>
    typeof place.node === 'object' && place.node !== null
      ? Object.keys(place.node).map((key) => [key, child(place, key)])
      : []
  const nodeOf = ({ node }: Place): Json => (isObject(node) ? node : {})

  function parameterAt(place: Place): SentParameter[] {
    const { name, in: where, required } = nodeOf(place)
    if (typeof name !== 'string' || (where !== 'header' && where !== 'query')) return []
    const schema = child(place, 'schema')
    const validate = compile(schema.pointer)
    const { type } = nodeOf(schema)
    return [
      {
        name,
        in: where,
        isRequired: required === true,
        faultsIn: (given) => validate(type === 'integer' || type === 'number' ? numberIn(given) : given),
      },
    ]
  }

  function operationAt(item: Place, method: string): SentOperation {
    const operation = child(item, method)
    const parameters = [...children(child(item, 'parameters')), ...children(child(operation, 'parameters'))].flatMap(
      ([, place]) => parameterAt(place),
    )
    const body = child(operation, 'requestBody')
    const content = new Map(
      children(child(body, 'content')).map(([type, media]) => [
        type.toLowerCase(),
        compile(child(media, 'schema').pointer),
      ]),
    )
    return {
      method: method.toUpperCase(),
      parameters,
      ...(body.node !== undefined && { body: { isRequired: nodeOf(body).required === true, content } }),
    }
  }
  const operationsAt = (item: Place): SentOperation[] =>
    METHODS.filter((method) => method in nodeOf(item)).map((method) => operationAt(item, method))

  const root: Place = { pointer: '#', node: document }
  const ofPaths = children(child(root, 'paths')).flatMap(([, path]) =>
    METHODS.flatMap((method) => children(child(child(path, method), 'callbacks'))),
  )
  return {
    webhooks: new Map(children(child(root, 'webhooks')).map(([name, item]) => [name, operationsAt(item)])),
    callbacks: new Map(
      ofPaths.map(([name, callback]) => [name, children(callback).flatMap(([, item]) => operationsAt(item))]),
    ),
  }
}

const numberIn = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

function compiler(text: string): (pointer: string) => (value: unknown) => readonly ErrorObject[] {
  // Ajv follows `discriminator` without its `mapping` only, and only where each member names its value; the errors are
  // much shorter with it.
  const reader = (discriminator: boolean) => {
    const document = JSON.parse(text, (key, value: unknown) => {
      if (key !== 'discriminator' || !isObject(value)) return value
      return discriminator ? { propertyName: value.propertyName } : undefined
    }) as Json
    return addFormats
      .default(new Ajv2020({ strict: false, allErrors: true, verbose: true, discriminator }))
      .addSchema(document, 'contract')
  }
  const [told, untold] = [reader(true), reader(false)]
  const compiled = new Map<string, ValidateFunction>()
  return (pointer) => {
    // A pointer inside a `$ref` is a URI fragment, where the braces of a path need escaping.
    const $ref = `contract#${pointer
      .slice(1)
      .split('/')
      .map((key) => encodeURIComponent(decodeURIComponent(key)))
      .join('/')}`
    const validate = compiled.get($ref) ?? attempt(() => told.compile({ $ref })) ?? untold.compile({ $ref })
    compiled.set($ref, validate)
    return (value) => (validate(value) ? [] : (validate.errors ?? []))
  }
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
