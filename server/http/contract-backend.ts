// Does not use the validators of openapi/reading: openapi-backend compiles the parts of each request with an Ajv that
// it creates itself.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  OpenAPIBackend,
  type Operation,
  type Options,
  type ParsedRequest,
  type Request,
  type ValidationResult,
  OpenAPIRouter,
} from 'openapi-backend'
import { present } from '../domain/present.ts'
import { MERCHANT_CONTRACT, readContract } from './contract.ts'
import { isOfSchema } from './fault-message.ts'
import type { Reply } from './envelope.ts'

interface CompiledContract {
  readonly routes: ContractRouter
  readonly validator: OpenAPIBackend['validator']
}

/**
 * Each contract, by its file, as compiled by its first backend of the process: it never changes, and nothing in it depends on a
 * server.
 */
const compiled = new Map<string, CompiledContract>()

/**
 * openapi-backend, made to fail closed on a 3.1 contract. All instances of a process share the compiled contract: a
 * second server in the process starts half a second faster, and tests have hundreds.
 */
export class ContractBackend extends OpenAPIBackend {
  readonly #contract: URL
  #routes: ContractRouter | undefined

  /** @param contract the bundled file; the merchants' by default */
  constructor(handlers: Pick<Options, 'handlers' | 'securityHandlers'>, contract = MERCHANT_CONTRACT) {
    super({
      definition: readContract(contract),
      strict: true,
      quick: true,
      // 3.1 schemas are JSON Schema 2020-12. All errors are collected, because the message names the first in our
      // order, not in Ajv's.
      customizeAjv: (_draft07, options) =>
        addFormats.default(
          new Ajv2020({
            ...options,
            strict: false,
            validateSchema: false,
            allErrors: true,
            verbose: true,
            discriminator: true,
          }),
        ),
      ...handlers,
    })
    this.#contract = contract
  }

  /** Available once `init` has read the contract. */
  get routes(): ContractRouter {
    return present(this.#routes, 'the routes of the contract')
  }

  // The built-in check supports OpenAPI 3.0 only and rejects 3.1 keywords; `npm run lint` checks the contract instead.
  override validateDefinition() {
    return this.document
  }

  // Quick mode compiles the schemas of an operation on its first call, in some 15 ms: compiling all of them would delay
  // the start by a quarter of a second. Reply schemas are compiled only where replies are checked.
  override async init(): Promise<this> {
    await super.init()
    const known = compiled.get(this.#contract.href) ?? compile(this)
    compiled.set(this.#contract.href, known)
    this.router = this.#routes = known.routes
    this.validator = known.validator
    return this
  }
}

function compile({ definition, validator }: OpenAPIBackend): CompiledContract {
  const routes = new ContractRouter({ definition })
  validator.router = routes
  validator.validateRequest = (request, operation) => validateParsed({ routes, validator }, request, operation)
  return { routes, validator }
}

/**
 * Uses the same compiled validators; the original parses the request again and walks over it with lodash (65 → 50 µs
 * for a lookup).
 */
function validateParsed(
  { routes, validator }: CompiledContract,
  request: Request,
  operation: Parameters<OpenAPIBackend['validator']['validateRequest']>[1],
): ValidationResult<Request> {
  const parsed: ParsedRequest<unknown, unknown, unknown, unknown> = routes.parseRequest(request, operation as Operation)
  const parts = {
    path: parsed.params,
    query: parsed.query,
    header: parsed.headers,
    cookie: {},
    ...(parsed.requestBody !== undefined && { requestBody: parsed.requestBody }),
  }
  const errors = (validator.getRequestValidatorsForOperation(nameOf(operation as Operation)) ?? [])
    .flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])))
    .filter(isOfSchema)
  return { valid: errors.length === 0, errors: errors.length === 0 ? null : errors, coerced: request }
}

/**
 * A request as read by Fastify and the checks before the body. Header values are those that the contract declares, by
 * lower-case name.
 */
export interface IncomingRequest extends Request {
  /** Path without query, still percent-encoded. */
  readonly path: string
  readonly query: Record<string, string | string[]>
}

interface Route {
  readonly operation: Operation
  readonly pattern: RegExp
  readonly paramNames: readonly string[]
}

/**
 * openapi-backend's router, with its work done once at the start. The original rebuilds its operation list several
 * times for every request, with lodash, and parses query, cookies and headers three times (5,800 requests/s; 8,300
 * with the list kept; more with both).
 */
class ContractRouter extends OpenAPIRouter {
  readonly #operations: readonly Operation[]
  readonly #routes: readonly Route[]
  readonly #exact: ReadonlyMap<string, Operation>

  constructor(options: ConstructorParameters<typeof OpenAPIRouter>[0]) {
    super({ ...options, ignoreTrailingSlashes: false })
    this.#operations = super.getOperations()
    this.#exact = new Map(
      this.#operations
        .filter(({ path }) => !path.includes('{'))
        .map((operation) => [`${operation.method} ${operation.path}`, operation]),
    )
    this.#routes = this.#operations.map(toRoute)
  }

  override getOperations(): Operation[] {
    return [...this.#operations]
  }

  override matchOperation(request: Request): Operation | undefined
  override matchOperation(request: Request, strict: boolean): Operation
  override matchOperation(request: Request, strict?: boolean): Operation | undefined {
    const method = request.method.toLowerCase()
    const exact = this.#exact.get(`${method} ${request.path}`)
    if (exact) return exact
    const onPath = this.#routesAt(request.path)
    const match = onPath.find(({ operation }) => operation.method === method)
    // openapi-backend distinguishes failures by these message prefixes.
    if (!match && strict) throw new Error(onPath.length > 0 ? '405-methodNotAllowed' : '404-notFound')
    return match?.operation
  }

  /** The contract's methods at this path, for the `Allow` header. */
  allowedMethods(path: string): string[] {
    return this.#routesAt(path).map(({ operation }) => operation.method.toUpperCase())
  }

  /** OpenAPI: a concrete path comes before one whose parameter it could be, for all methods. */
  #routesAt(path: string): readonly Route[] {
    const routes = this.#routes.filter(({ pattern }) => pattern.test(path))
    const parametersMin = Math.min(...routes.map(({ paramNames }) => paramNames.length))
    return routes.filter(({ paramNames }) => paramNames.length === parametersMin)
  }

  override parseRequest(request: Request, operation?: Operation): ParsedRequest {
    const { path, query } = request as IncomingRequest
    return {
      ...request,
      params: operation ? this.#params(path, operation) : {},
      headers: request.headers,
      query: operation ? (declaredOnly(query, operation) as IncomingRequest['query']) : query,
      cookies: {},
      requestBody: request.body as unknown,
    }
  }

  #params(path: string, operation: Operation): Record<string, string> {
    if (!operation.path.includes('{')) return {}
    const route = this.#routes.find((each) => each.operation === operation)
    const values = route?.pattern.exec(path)
    if (!route || !values) throw new Error(`the path is none of ${nameOf(operation)}`)
    return Object.fromEntries(
      route.paramNames.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? '')]),
    )
  }
}

/** Its operationId, which the linter requires for every operation of the contract. */
export function nameOf({ operationId, method, path }: Operation): string {
  if (operationId === undefined) throw new Error(`${method} ${path} has no operationId`)
  return operationId
}

function toRoute(operation: Operation): Route {
  const paramNames = [...operation.path.matchAll(/(?<=\{)[^}]+(?=\})/g)].map(([name]) => name)
  const pattern = operation.path
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)')
  return { operation, paramNames, pattern: new RegExp(`^${pattern}$`) }
}

/** Unknown query parameters are ignored, and an empty one counts as absent (decisions: requests and errors). */
function declaredOnly(query: Record<string, string | string[]>, operation: Operation): Record<string, QueryValue> {
  const declared: Record<string, QueryValue> = {}
  for (const parameter of operation.parameters ?? []) {
    if (!('in' in parameter) || parameter.in !== 'query') continue
    const value = query[parameter.name]
    if (value !== undefined && value !== '')
      declared[parameter.name] = typedValue(value, parameter.schema as { type?: string })
  }
  return declared
}

type QueryValue = string | string[] | number | boolean

/** The text of a parameter in the type of its schema; the schema refuses what is none. */
function typedValue(value: string | string[], { type }: { readonly type?: string }): QueryValue {
  // Another spelling of a number would be valid for the schema, and stay a text: NaN is no integer.
  if (type === 'integer' && typeof value === 'string') return /^-?\d+$/.test(value) ? Number(value) : Number.NaN
  return type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value
}

/** validateResponse accepts a status that the contract does not declare, so membership is checked first. */
export function assertReply(backend: OpenAPIBackend, operationId: string | undefined, { status, body }: Reply): void {
  const operation = operationId === undefined ? undefined : backend.router.getOperation(operationId)
  if (!operation) throw new Error(`${operationId} is no operation of the contract`)
  if (!Object.hasOwn(operation.responses ?? {}, String(status)))
    throw new Error(`${operationId} answered ${status}, which the contract does not declare`)
  const { errors } = backend.validateResponse(JSON.parse(JSON.stringify(body)), operation, status)
  if (errors)
    throw new Error(
      `${operationId} answered ${status} with a body that breaks the contract: ${JSON.stringify(errors[0])}`,
    )
}
