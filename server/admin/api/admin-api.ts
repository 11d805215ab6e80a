import type { IncomingMessage } from 'node:http'
import type { Context, Handler as BackendHandler, Operation } from 'openapi-backend'
import type { Actor } from '../../domain/people/actor.ts'
import { present } from '../../domain/present.ts'
import { assertReply, ContractBackend, nameOf, type IncomingRequest } from '../../http/contract-backend.ts'
import { failure, type Reply } from '../../http/envelope.ts'
import { failureReply } from '../../http/failures.ts'
import { OperationRefusal, type OperationContext } from '../operations/operation.ts'
import type { RailDesk } from '../operations/rail-desk.ts'
import type { TestReceiver } from '../operations/test-receiver.ts'
import { ActorRefused } from '../queries/audit-log.ts'
import { bearerOf, checksOf, operationName, type CheckDeps, type Exchange } from './admin-checks.ts'
import { createAdminHandlers } from './handlers/index.ts'
import type { AdminBody, AdminCall, AdminData, AdminOperationName, AdminPart, AdminReply } from './handler.ts'
import type { Loose } from './wire.ts'

export interface AdminApiDeps extends Omit<OperationContext, 'actor' | 'requestId'>, CheckDeps {
  /** The connections to operators of this process. */
  readonly rails: RailDesk
  readonly testReceiver: TestReceiver
  /** Recognizes a request that is sent again: keyed, because it may hold credentials. */
  readonly digests: (purpose: string, text: string) => Buffer
  /** Validates every reply against the contract as well, and fails on a mismatch: for tests. */
  readonly checkReplies: boolean
}

/** A call by a page of the console, which knows who is signed in. */
export interface PageCall<Name extends AdminOperationName> {
  readonly actor: Actor
  readonly requestId?: string
  readonly params?: AdminPart<Name, 'path'>
  /** As the address of the page has it: empty values count as absent. */
  readonly query?: { readonly [Key in keyof AdminPart<Name, 'query'>]?: string | undefined }
  /** As a form has it; the contract says what is wrong with it. */
  readonly body?: Loose<AdminBody<Name>>
  /** The form's idempotency key. */
  readonly key?: string
}

/** `waits`: a second person must approve it. */
export type PageReply<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: 'waits'; readonly approvalId: string }
  | { readonly ok: false; readonly status: number; readonly message: string }

export interface AdminApiReply {
  readonly reply: AdminReply
  readonly operationId: string | undefined
  /** Set when the failure is an internal error. */
  readonly error?: unknown
}

export interface AdminApi {
  /** A request over HTTP. @param path below `/api` */
  handle(
    message: IncomingMessage,
    path: string,
    query: IncomingRequest['query'],
    about: { readonly address: string; readonly requestId: string },
  ): Promise<AdminApiReply>
  /** The same operation for a page, with the same checks of role, input and idempotency key. */
  call<Name extends AdminOperationName>(name: Name, call: PageCall<Name>): Promise<PageReply<AdminData<Name>>>
  /** An export for a page, as a stream. */
  stream<Name extends AdminOperationName>(name: Name, call: PageCall<Name>): Promise<AdminReply>
  /** The row of `domain/people/roles.ts` of an operation. */
  operationOf(name: AdminOperationName): string
}

type ParsedContext = Context<unknown, Record<string, string>, Record<string, string>>

const ADMIN_CONTRACT = new URL('../../../generated/admin.json', import.meta.url)

/**
 * The second contract as a request handler. Order of checks: route, method, token, rate limit, role, headers, media
 * type, size, JSON, schema; then the operation.
 */
export async function createAdminApi(deps: AdminApiDeps): Promise<AdminApi> {
  const backend: ContractBackend = new ContractBackend(
    {
      // openapi-backend takes any error in it for a wrong token.
      securityHandlers: { personToken: async (_context: Context, exchange: Exchange) => exchange.actor !== undefined },
      handlers: { ...handlersOf(deps), ...checksOf(deps, (path) => backend.routes.allowedMethods(path)) },
    },
    ADMIN_CONTRACT,
  )
  await backend.init()
  const operations = new Map(backend.routes.getOperations().map((operation) => [nameOf(operation), operation]))
  const operationNamed = (name: string) => present(operations.get(name), `the operation ${name}`)

  async function replyTo(exchange: Exchange): Promise<AdminApiReply> {
    try {
      const reply = (await backend.handleRequest(exchange.request, exchange)) as AdminReply
      if (deps.checkReplies && 'body' in reply) assertReply(backend, exchange.operationId, reply)
      return { reply: withQuota(reply, exchange), operationId: exchange.operationId }
    } catch (error) {
      const { reply, unexpected } = refusalReply(error)
      if (deps.checkReplies && exchange.operationId !== undefined) assertReply(backend, exchange.operationId, reply)
      return { reply: withQuota(reply, exchange), operationId: exchange.operationId, ...(unexpected && { error }) }
    }
  }

  return {
    async handle(message, path, query, { address, requestId }) {
      const request = { method: message.method ?? 'GET', path, query, headers: {} }
      const exchange: Exchange = { message, request, address, requestId, actor: undefined, key: undefined }
      try {
        exchange.actor = await bearerOf(deps, message, address)
      } catch (error) {
        return { reply: refusalReply(error).reply, operationId: undefined }
      }
      return replyTo(exchange)
    },
    async call(name, call) {
      const { reply, error } = await replyTo(exchangeOf(operationNamed(name), call))
      if (error !== undefined) throw new Error(`${name} failed`, { cause: error })
      if (!('body' in reply)) throw new Error(`${name} is an export`)
      const { status, body } = reply
      if (status === 202) return { ok: 'waits', approvalId: (body.data as { approval_id: string }).approval_id }
      return status === 200
        ? { ok: true, data: body.data as AdminData<typeof name> }
        : { ok: false, status, message: body.message }
    },
    stream: async (name, call) => (await replyTo(exchangeOf(operationNamed(name), call))).reply,
    operationOf: (name) => operationName(operationNamed(name)),
  }
}

/** A call by a page, as the request that it would be over HTTP. */
function exchangeOf<Name extends AdminOperationName>(operation: Operation, call: PageCall<Name>): Exchange {
  const params = (call.params ?? {}) as Readonly<Record<string, string>>
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, key: string) => encodeURIComponent(params[key] ?? ''))
  const query = Object.fromEntries(Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined))
  const { actor, key, requestId, body } = call
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const request = { method: operation.method, path, query: query as IncomingRequest['query'], headers, body }
  return { request, address: actor.address, requestId, actor, key }
}

const REFUSAL_STATUS = { invalid: 400, not_found: 404, conflict: 409, forbidden: 403 } as const

function refusalReply(error: unknown): { readonly reply: Reply; readonly unexpected: boolean } {
  if (error instanceof OperationRefusal)
    return { reply: failure(REFUSAL_STATUS[error.kind], error.message), unexpected: false }
  if (error instanceof ActorRefused)
    return { reply: failure(403, error.message.replaceAll('\n', ' ')), unexpected: false }
  return failureReply(error)
}

/** An internal error carries no quota headers: clients should not slow down because of it. */
const withQuota = (reply: AdminReply, { quota }: Exchange): AdminReply =>
  quota === undefined || reply.status >= 500 ? reply : { ...reply, headers: { ...quota, ...reply.headers } }

function handlersOf(deps: AdminApiDeps): Record<string, BackendHandler> {
  const byName = createAdminHandlers(deps) as unknown as Readonly<
    Record<string, (call: AdminCall) => Promise<AdminReply>>
  >
  return Object.fromEntries(
    Object.entries(byName).map(([operationId, handler]) => [
      operationId,
      ({ request: { params, query } }: ParsedContext, { request, actor, key, requestId }: Exchange) => {
        const who = present(actor, 'the actor of an authorized request')
        const said = [operationId, params, query, request.body ?? null]
        const claim =
          key === undefined || !('personId' in who)
            ? undefined
            : {
                personId: who.personId,
                key,
                digest: deps.digests('admin request', JSON.stringify(said)).toString('hex'),
              }
        return handler({ context: { ...deps, actor: who, requestId }, params, query, body: request.body, claim })
      },
    ]),
  )
}
