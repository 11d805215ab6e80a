import type { IncomingMessage } from 'node:http'
import type { Context, Handler as BackendHandler, Operation } from 'openapi-backend'
import { BatchRefusal } from '../actions/create-payout-batch.ts'
import type { Merchants, ReferenceData } from '../actions/ports/reference-data.ts'
import type { TraceRequest } from '../actions/ports/tracing.ts'
import { present } from '../domain/present.ts'
import { merchantSuspended } from '../domain/merchant.ts'
import { ContractBackend, nameOf, type IncomingRequest, assertReply } from './contract-backend.ts'
import { refusals } from './contract-refusals.ts'
import type { Reply } from './envelope.ts'
import { failureReply, RequestFault } from './failures.ts'
import { isRequired } from './fault-message.ts'
import type { Call, OperationHandlers, OperationName } from './handlers/handler.ts'
import { idempotencyClaim, type Digest, withAllRows, withStoredNumber } from './idempotency-claim.ts'
import { BATCH_BOUNDS, type NumberTexts, checkMediaType, readJsonObject } from './body.ts'
import { OVERLOADED, type Admission } from './admission.ts'
import { amountsIn, fittedRows, type FittedRow } from './batch-rows.ts'
import type { RateLimits } from './rate-limit.ts'
import { createKeyChecks, merchantOf, needsSecretKey, type KeyedRequest } from './key-checks.ts'
import { headerCheckOf, type DeclaredHeaders } from './header-checks.ts'
import { requestShapeOf } from './request-shape.ts'

/** The context that openapi-backend passes to a handler; the router has parsed the request. */
type ParsedContext = Context<unknown, Record<string, string>, Record<string, string>>

/** One request on its way through the checks: each check adds its results. */
interface Exchange extends KeyedRequest {
  readonly request: IncomingRequest & { body?: unknown; headers: Record<string, string | string[]> }
  operationId?: string
  /** The path template of the contract, with the names of its parameters. */
  route?: string
  /** Its own span, when its trace is sampled. */
  readonly traceparent?: string | undefined
  declared?: DeclaredHeaders
  numbers?: NumberTexts
  rows?: readonly FittedRow[]
  /** A body field that the contract does not declare: reported when nothing else is wrong. */
  unknownField?: string | undefined
}

export interface ApiOptions {
  readonly reference: Merchants & Pick<ReferenceData, 'option'>
  readonly handlers: OperationHandlers
  readonly rateLimits: RateLimits
  readonly admission: Pick<Admission, 'turnAway' | 'admit'>
  readonly digest: Digest
  /** Validates every reply against the contract as well, and fails on a mismatch: for tests. */
  readonly checkReplies: boolean
  /** Absent: requests are not traced. */
  readonly trace?: TraceRequest
}

interface ApiReply {
  readonly reply: Reply
  /** For the log; absent when no operation matched. */
  readonly operationId: string | undefined
  /** Set when the failure is an internal error. */
  readonly error?: unknown
}

export interface Api {
  /** For a request that nobody has read yet. @returns its refusal in an overload; undefined: handle it */
  turnAway(message: IncomingMessage, path: string): ApiReply | undefined
  handle(
    message: IncomingMessage,
    path: string,
    query: IncomingRequest['query'],
    address: () => string,
  ): Promise<ApiReply>
}

/**
 * The contract as a request handler. Order of checks (decisions): route, method, authentication, rate limit, overload,
 * headers, media type, size, JSON, schema. Business rules follow in the actions.
 */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { reference, handlers, checkReplies, trace, rateLimits } = options
  const keyChecks = createKeyChecks(reference, rateLimits)
  const backend: ContractBackend = new ContractBackend({
    securityHandlers: keyChecks.handlers,
    handlers: {
      ...operationHandlers(handlers, options),
      ...refusals((path) => backend.routes.allowedMethods(path)),
      unauthorizedHandler: keyChecks.refuse,
      postSecurityHandler: async ({ operation, security }: Context, exchange: Exchange) => {
        exchange.operationId = nameOf(operation)
        exchange.route = operation.path
        if (!security.authorized) return // unauthorizedHandler runs next
        await keyChecks.authorized(exchange)
        await readRequest(operation, exchange)
      },
    },
  })
  await backend.init()
  const operations = backend.routes.getOperations()
  const readRequest = createRequestReader(operations, options, backend.validator)
  const turnAway = createTurnAway(operations, options)

  async function answerOf(exchange: Exchange): Promise<ApiReply> {
    try {
      const reply = withQuota((await backend.handleRequest(exchange.request, exchange)) as Reply, exchange)
      if (checkReplies) assertReply(backend, exchange.operationId, reply)
      return { reply, operationId: exchange.operationId }
    } catch (error) {
      const { reply: refusal, unexpected } = failureReply(error)
      if (exchange.operationId === 'verifyTransaction' && refusal.status === 404)
        exchange.quota = await rateLimits.miss(merchantOf(exchange).publicKey)
      const reply = withQuota(refusal, exchange)
      if (checkReplies && exchange.operationId !== undefined) assertReply(backend, exchange.operationId, reply)
      return { reply, operationId: exchange.operationId, ...(unexpected && { error }) }
    }
  }

  return {
    turnAway,
    async handle(message, path, query, address) {
      const refused = turnAway(message, path)
      if (refused) return refused
      const request = { method: message.method ?? 'GET', path, query, headers: {} }
      const span = spanOf(message, trace)
      const exchange: Exchange = { message, address, request, traceparent: span?.traceparent }
      const answer = await answerOf(exchange)
      span?.end({ status: answer.reply.status, ...(exchange.route !== undefined && { route: exchange.route }) })
      return answer
    },
  }
}

/** An internal error carries no quota headers: clients should not slow down because of it. */
const withQuota = (reply: Reply, { quota }: Exchange): Reply =>
  quota === undefined || reply.status >= 500 ? reply : { ...reply, headers: { ...quota, ...reply.headers } }

function operationHandlers(handlers: OperationHandlers, deps: ClaimDeps): Record<string, BackendHandler> {
  // openapi-backend does not type operations: it calls each handler after validating the request against the
  // operation's schemas.
  const byName = handlers as Readonly<Record<OperationName, (call: Call) => Promise<Reply> | Reply>>
  return Object.fromEntries(
    Object.entries(byName).map(([operationId, handler]) => [
      operationId,
      (context: ParsedContext, exchange: Exchange) => handler(toCall(context, exchange, deps)),
    ]),
  )
}

const NO_NUMBERS: NumberTexts = new Map()

type ClaimDeps = Pick<ApiOptions, 'reference' | 'digest'>

function toCall(
  { operation, request: parsed }: ParsedContext,
  exchange: Exchange,
  { reference, digest }: ClaimDeps,
): Call {
  const { declared, request, numbers = NO_NUMBERS } = exchange
  const merchant = merchantOf(exchange)
  const key = declared?.['idempotency-key']
  return {
    merchant,
    withSecretKey: exchange.withSecretKey === true,
    params: parsed.params,
    query: parsed.query,
    body: request.body,
    numbers,
    ...(exchange.rows && { rows: exchange.rows }),
    traceparent: exchange.traceparent,
    accepts: exchange.message.headers.accept,
    ...(typeof key === 'string' && {
      idempotency: idempotencyClaim(
        merchant,
        key,
        nameOf(operation),
        exchange.rows ? withAllRows(request.body, exchange.rows, reference) : withStoredNumber(request.body, reference),
        numbers,
        digest,
      ),
    }),
  }
}

/** Checks the headers of an authorised request and reads its body; the schema is checked afterwards. */
type RequestReader = (operation: Operation, exchange: Exchange) => Promise<void>

const BATCH: OperationName = 'createPayoutBatch'
const SINGLE: OperationName = 'sendFunds'
/** As the contract has it; more are left to its schema. */
const BATCH_MAX = 1_000

/** The POST of a suspended merchant that is carried out: it ends what waits. */
const CANCELLING: OperationName = 'cancelPayout'

/** Operations that accept a payment. A payment that is accepted goes on, however much there is to do. */
const ACCEPTING: ReadonlySet<string> = new Set<OperationName>([
  'initializeCollection',
  'sendFunds',
  'createPayoutBatch',
  'refundCollection',
  'expectPayment',
])
const isAccepting = (operation: Operation): boolean => ACCEPTING.has(nameOf(operation))

// Several headers are joined into one text, which is not a valid traceparent.
const spanOf = ({ method = 'GET', headers }: IncomingMessage, trace: TraceRequest | undefined) =>
  trace?.({ method, traceparent: headers['traceparent']?.toString() })

function createTurnAway(
  operations: readonly Operation[],
  { admission, trace }: Pick<ApiOptions, 'admission' | 'trace'>,
): Api['turnAway'] {
  const acceptingAt = new Map(
    operations.filter(isAccepting).map((each) => [`${each.method.toUpperCase()} ${each.path}`, nameOf(each)]),
  )
  return (message, path) => {
    const operationId = acceptingAt.get(`${message.method} ${path}`)
    if (operationId === undefined || !admission.turnAway()) return undefined
    spanOf(message, trace)?.end({ status: OVERLOADED.reply.status })
    return { reply: OVERLOADED.reply, operationId }
  }
}

/** A reader for these operations; each request counts toward its merchant's rate limit. @throws RequestFault */
function createRequestReader(
  operations: readonly Operation[],
  { rateLimits, admission }: Pick<ApiOptions, 'rateLimits' | 'admission'>,
  validator: ContractBackend['validator'],
): RequestReader {
  const shapes = new Map(operations.map((operation) => [nameOf(operation), requestShapeOf(operation)]))
  const single = present(
    operations.find((operation) => nameOf(operation) === SINGLE),
    'the operation of a single payout',
  )
  const shape = present(shapes.get(SINGLE), 'the body of a single payout')

  /** @returns the body with its good rows alone: its schema judges the rest. @throws BatchRefusal when none is good */
  function readRows(exchange: Exchange, body: Readonly<Record<string, unknown>>, text: string) {
    const { payouts } = body
    if (!Array.isArray(payouts) || payouts.length === 0 || payouts.length > BATCH_MAX) return body
    const { value, amountOf } = amountsIn(text)
    const request = { ...exchange.request, method: single.method, path: single.path, query: {} }
    const errorsOf = (row: object) => validator.validateRequest({ ...request, body: row }, single).errors ?? []
    const rows = fittedRows((value as { readonly payouts: readonly unknown[] }).payouts, { shape, errorsOf, amountOf })
    const good = rows.flatMap((row) => ('body' in row ? [row.body] : []))
    const faults = rows.flatMap((row) => ('fault' in row ? [{ line: row.line, message: row.fault }] : []))
    if (good.length === 0) throw new BatchRefusal(faults, rows.length)
    exchange.rows = rows
    return { ...body, payouts: good }
  }

  return async (operation, exchange) => {
    const operationId = nameOf(operation)
    exchange.quota = await rateLimits.request(merchantOf(exchange).publicKey, needsSecretKey(operation))
    if (operation.method === 'post' && merchantOf(exchange).suspendedAt && operationId !== CANCELLING)
      throw merchantSuspended()
    if (isAccepting(operation)) admission.admit()
    exchange.declared = headerCheckOf(operation)(exchange.message.headers)
    exchange.request.headers = { ...exchange.declared } as Record<string, string>
    const shape = shapes.get(operationId)
    if (!shape) return
    checkMediaType(exchange.message.headers)
    const isBatch = operationId === BATCH
    const bounds = isBatch ? BATCH_BOUNDS : undefined
    const { value, numbers, text } = await readJsonObject(exchange.message, shape.isDeclared, bounds)
    const { body, missing, unknown } = shape.fit(value)
    // A missing field is reported before any other fault.
    if (missing !== undefined) throw new RequestFault(400, isRequired(missing), undefined, 'missing_field')
    exchange.request.body = isBatch ? readRows(exchange, body, text) : body
    exchange.numbers = numbers
    exchange.unknownField = unknown
  }
}
