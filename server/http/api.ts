import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { IncomingMessage } from 'node:http'
import {
  OpenAPIBackend,
  type Context,
  type Operation,
  type ParsedRequest,
  type Request,
  type ValidationResult,
} from 'openapi-backend'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import { exactly } from '../domain/decimal.ts'
import type { Merchant } from '../domain/merchant.ts'
import { checkMediaType, readJsonObject } from './body.ts'
import { readContract } from './contract.ts'
import type { Envelope, Reply } from './envelope.ts'
import { failureReply, RequestFault } from './failures.ts'
import { faultMessage, isOfSchema, isRequired, notAllowed } from './fault-message.ts'
import { compileHeaderChecks, type DeclaredHeaders } from './header-checks.ts'
import type { Call, OperationHandlers } from './handlers/handler.ts'
import type { RateLimits } from './rate-limit.ts'
import type { NumberTexts } from './json-text.ts'
import { requestShapeOf } from './request-shape.ts'
import { ContractRouter, nameOf, type IncomingRequest } from './router.ts'
import { merchantByPublicKey, secretKeyMatches, unauthorized } from './security.ts'

/** One request on its way through the checks. */
interface Exchange {
  readonly message: IncomingMessage
  /** Whose request it is as far as the network tells: behind a proxy that is trusted, what that says. */
  readonly address: () => string
  readonly request: IncomingRequest & { body?: unknown; headers: Record<string, string | string[]> }
  operationId?: string
  merchant?: Merchant | undefined
  declared?: DeclaredHeaders
  numbers?: NumberTexts
  /** A body field that the contract does not know: told when nothing else is wrong. */
  unknownField?: string | undefined
}

/** What openapi-backend tells a handler; the router has parsed the request. */
type ParsedContext = Context<unknown, Call['params'], Call['query']>

export interface ApiOptions {
  readonly reference: ReferenceData
  readonly handlers: OperationHandlers
  readonly rateLimits: RateLimits
  /**
   * Keyed, for what is stored to be recognised again: a body or a key without entropy (a password, a card number) could
   * be guessed from a bare digest.
   */
  readonly digest: (text: string) => Uint8Array
  /** Holds every reply against the contract too, and fails when it does not fit: for tests. */
  readonly checkReplies: boolean
}

export interface Answer {
  readonly reply: Reply
  /** For the log; absent when no operation matched. */
  readonly operationId: string | undefined
  /** A fault of ours. */
  readonly error?: unknown
}

export interface Api {
  handle(
    message: IncomingMessage,
    path: string,
    query: IncomingRequest['query'],
    address: () => string,
  ): Promise<Answer>
}

/** openapi-backend made to fail closed on a 3.1 contract. */
class ContractBackend extends OpenAPIBackend {
  // Its built-in check knows OpenAPI 3.0 only and refuses 3.1 keywords; `npm run lint` checks the contract instead.
  override validateDefinition() {
    return this.document
  }

  // Quick mode leaves compiling to us: with the fast router it takes a tenth of the time, and reply schemas are
  // compiled only where replies are checked.
  override async init(): Promise<this> {
    await super.init()
    this.router = new ContractRouter({ definition: this.definition })
    this.validator.router = this.router
    this.validator.preCompileRequestValidators()
    this.validator.validateRequest = (request, operation) => this.#validateParsed(request, operation as Operation)
    return this
  }

  /**
   * The same compiled validators; the original parses the request once more and walks over it with lodash (65 → 50 µs
   * for a lookup).
   */
  #validateParsed(request: Request, operation: Operation): ValidationResult<Request> {
    const parsed: ParsedRequest<unknown, unknown, unknown, unknown> = this.router.parseRequest(request, operation)
    const parts = {
      path: parsed.params,
      query: parsed.query,
      header: parsed.headers,
      cookie: {},
      ...(parsed.requestBody !== undefined && { requestBody: parsed.requestBody }),
    }
    const errors = (this.validator.getRequestValidatorsForOperation(nameOf(operation)) ?? [])
      .flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])))
      .filter(isOfSchema)
    return { valid: errors.length === 0, errors: errors.length === 0 ? null : errors, coerced: request }
  }
}

/**
 * The contract as a request handler. Order of checks (decisions): route, method, authentication, rate limit, headers,
 * media type, size, JSON, schema; business rules follow in the actions.
 */
export async function createApi({ reference, handlers, rateLimits, digest, checkReplies }: ApiOptions): Promise<Api> {
  const backend = new ContractBackend({
    definition: readContract(),
    strict: true,
    quick: true,
    // 3.1 schemas are JSON Schema 2020-12; all errors are wanted, because the message names the first by our order, not
    // Ajv's.
    customizeAjv: (_draft07, options) =>
      addFormats.default(
        new Ajv2020({ ...options, strict: false, allErrors: true, verbose: true, discriminator: true }),
      ),
    securityHandlers: {
      publicKey: (_context: Context, exchange: Exchange) =>
        (exchange.merchant = merchantByPublicKey(exchange.message.headers, reference)) !== undefined,
      secretKey: (_context: Context, { message }: Exchange) =>
        secretKeyMatches(message.headers, merchantByPublicKey(message.headers, reference)),
    },
    handlers: {
      ...Object.fromEntries(
        Object.entries(handlers).map(([operationId, handler]) => [
          operationId,
          (context: ParsedContext, exchange: Exchange) => handler(toCall(context, exchange, digest)),
        ]),
      ),
      notFound: (_context: Context, { request }: Exchange) => {
        throw new RequestFault(404, `There is nothing at ${request.path.slice(0, 100)}`)
      },
      methodNotAllowed: (_context: Context, { request }: Exchange) => {
        throw methodNotAllowed(router(), request)
      },
      notImplemented: ({ operation }: Context) => {
        throw new Error(`${operation.operationId} has no handler`)
      },
      unauthorizedHandler: async ({ operation }: Context, { message, address }: Exchange) => {
        await rateLimits.refusedKeys(address())
        throw unauthorized(message.headers, needsSecretKey(operation))
      },
      postSecurityHandler: (context: Context, exchange: Exchange) => readRequest(context, exchange),
      validationFail: ({ validation }: Context) => {
        throw new RequestFault(400, faultMessage(validation.errors ?? []))
      },
      preOperationHandler: (_context: Context, { unknownField }: Exchange) => {
        if (unknownField !== undefined) throw new RequestFault(400, notAllowed(unknownField))
      },
    },
  })
  await backend.init()
  const router = () => backend.router as ContractRouter
  const headerChecks = compileHeaderChecks(router().getOperations())
  const shapes = new Map(
    router()
      .getOperations()
      .map((operation) => [nameOf(operation), requestShapeOf(operation)]),
  )

  async function readRequest({ operation, security }: Context, exchange: Exchange): Promise<void> {
    const operationId = nameOf(operation)
    exchange.operationId = operationId
    if (!security.authorized) return // unauthorizedHandler comes next
    await rateLimits.request(merchantOf(exchange).publicKey, needsSecretKey(operation))
    const checkHeaders = headerChecks.get(operationId)
    if (!checkHeaders) throw new Error(`${operationId} has no check of its headers`)
    exchange.declared = checkHeaders(exchange.message.headers)
    exchange.request.headers = { ...exchange.declared } as Record<string, string>
    const shape = shapes.get(operationId)
    if (!shape) return
    checkMediaType(exchange.message.headers)
    const { value, numbers } = await readJsonObject(exchange.message, shape.isDeclared)
    const { body, missing, unknown } = shape.fit(value)
    // What is missing is told before anything else that is wrong.
    if (missing !== undefined) throw new RequestFault(400, isRequired(missing))
    exchange.request.body = body
    exchange.numbers = numbers
    exchange.unknownField = unknown
  }

  return {
    async handle(message, path, query, address) {
      const exchange: Exchange = {
        message,
        address,
        request: { method: message.method ?? 'GET', path, query, headers: {} },
      }
      try {
        const reply = (await backend.handleRequest(exchange.request, exchange)) as Reply
        if (checkReplies) assertReply(backend, exchange.operationId, reply)
        return { reply, operationId: exchange.operationId }
      } catch (error) {
        const { reply, unexpected } = failureReply(error)
        if (exchange.operationId === 'verifyTransaction' && reply.status === 404)
          await rateLimits.miss(merchantOf(exchange).publicKey)
        if (checkReplies && exchange.operationId !== undefined) assertReply(backend, exchange.operationId, reply)
        return { reply, operationId: exchange.operationId, ...(unexpected && { error }) }
      }
    },
  }
}

/** Whose request it is: known as soon as its keys have been checked. */
function merchantOf({ merchant }: Exchange): Merchant {
  if (!merchant) throw new Error('the keys of the request have not been checked')
  return merchant
}

const needsSecretKey = ({ security }: Operation): boolean =>
  (security ?? []).some((requirement) => 'secretKey' in requirement)

function methodNotAllowed(router: ContractRouter, { path, method }: IncomingRequest): RequestFault {
  const allow = router.allowedMethods(path).join(', ')
  return new RequestFault(405, `${method} is not allowed here: use ${allow}`, { allow })
}

const NO_NUMBERS: NumberTexts = new Map()

function toCall({ operation, request: parsed }: ParsedContext, exchange: Exchange, digest: ApiOptions['digest']): Call {
  const { declared, request, numbers = NO_NUMBERS } = exchange
  const merchant = merchantOf(exchange)
  const operationId = nameOf(operation)
  const key = declared?.['idempotency-key']
  return {
    merchant,
    params: parsed.params,
    query: parsed.query,
    body: request.body,
    numbers,
    ...(typeof key === 'string' && {
      idempotency: {
        // Only ever compared: nobody needs to know what a merchant put into it. Of one operation: who has the public
        // key alone could burn the keys of payouts.
        merchantId: merchant.id,
        key: Buffer.from(digest(`key\n${operationId}\n${key}`)).toString('base64url'),
        digest: digest(canonicalRequest(operationId, request.body, numbers)),
      },
    }),
  }
}

/**
 * Operation and body, the body's keys sorted: the same request written in another order is the same. Card data is left
 * out: it is kept nowhere, in no form.
 */
function canonicalRequest(operationId: string, body: unknown, numbers: NumberTexts): string {
  const canonical = JSON.stringify(body, (key, value: unknown) => {
    if (key === 'card_cipher') return undefined
    // 5000 and 5e3 are the same request; 5000.0000000000001, which JSON.parse makes 5000, is another.
    if (typeof value === 'number') return exactly(value, numbers.get(key) ?? String(value))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
  return `${operationId}\n${canonical}`
}

/** validateResponse calls a status that the contract does not declare valid, so membership is checked first. */
function assertReply(
  backend: OpenAPIBackend,
  operationId: string | undefined,
  { status, body }: { status: number; body: Envelope },
): void {
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
