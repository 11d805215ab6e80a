import type { IncomingMessage } from 'node:http'
import type { Context, Handler as BackendHandler, Operation } from 'openapi-backend'
import { refusalOf, type Actor } from '../../domain/people/actor.ts'
import { audienceOf, type Audience } from '../../domain/people/audience.ts'
import { MERCHANT_OPERATIONS } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import { BODY_MAX_BYTES, NAMES_MAX, checkMediaType, readJsonObject } from '../../http/body.ts'
import { nameOf, type IncomingRequest } from '../../http/contract-backend.ts'
import { nothingAt, refusals } from '../../http/contract-refusals.ts'
import { RequestFault } from '../../http/failures.ts'
import { isRequired } from '../../http/fault-message.ts'
import { headerCheckOf } from '../../http/header-checks.ts'
import type { QuotaHeaders, RateLimits } from '../../http/rate-limit.ts'
import { requestShapeOf } from '../../http/request-shape.ts'
import type { OperationContext } from '../operations/operation.ts'
import { actorOf } from '../queries/person.ts'
import { personOfToken } from '../queries/person-tokens.ts'

/** One request on its way through the checks. */
export interface Exchange {
  readonly request: IncomingRequest & { body?: unknown; headers: Record<string, string> }
  /** Absent for a call by a page. */
  readonly message?: IncomingMessage
  readonly address: string
  readonly requestId: string | undefined
  actor: Actor | undefined
  key: string | undefined
  operationId?: string
  quota?: QuotaHeaders
  unknownField?: string | undefined
}

export interface CheckDeps extends Pick<OperationContext, 'pool' | 'clock'> {
  readonly audience: Audience
  readonly rateLimits: Pick<RateLimits, 'request' | 'refusedKeys'>
}

/** The person of the token of a request; undefined unless it is one of this listener's audience. */
export async function bearerOf(
  { pool, clock, audience }: CheckDeps,
  { headers }: IncomingMessage,
  address: string,
): Promise<Actor | undefined> {
  const [, token] = /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? '') ?? []
  const person = token === undefined ? undefined : await personOfToken(pool, 'cli', token, clock.now())
  return person && audienceOf(person) === audience ? actorOf(person, address) : undefined
}

/** What openapi-backend calls between the match of a route and the check of its schema. */
export function checksOf(
  { audience, rateLimits }: CheckDeps,
  allowedMethods: (path: string) => readonly string[],
): Record<string, BackendHandler> {
  return {
    ...refusals(allowedMethods),
    unauthorizedHandler: async (_context: Context, exchange: Exchange) => {
      exchange.quota = await rateLimits.refusedKeys(exchange.address)
      throw new RequestFault(401, 'The token is missing, wrong or ended', CHALLENGE)
    },
    postSecurityHandler: async ({ operation, security }: Context, exchange: Exchange) => {
      exchange.operationId = nameOf(operation)
      if (!security.authorized) return // unauthorizedHandler runs next
      const actor = present(exchange.actor, 'the actor of an authorized request')
      const row = operationName(operation)
      if (audience === 'merchants' && !(row in MERCHANT_OPERATIONS)) throw nothingAt(exchange.request.path)
      if (exchange.message)
        exchange.quota = await rateLimits.request('personId' in actor ? `person ${actor.personId}` : actor.name, true)
      const refusal = refusalOf(actor, row)
      if (refusal !== undefined) throw new RequestFault(403, refusal)
      if (exchange.message) await readMessage(operation, exchange.message, exchange)
      fitBody(operation, exchange)
    },
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="malipo"' }

type Shape = ReturnType<typeof requestShapeOf>
/** The backends of one process share their operations (http/contract-backend.ts). */
const shapes = new WeakMap<Operation, { readonly shape: Shape }>()

function shapeOf(operation: Operation): Shape {
  const known = shapes.get(operation) ?? { shape: requestShapeOf(operation) }
  shapes.set(operation, known)
  return known.shape
}

async function readMessage(operation: Operation, message: IncomingMessage, exchange: Exchange): Promise<void> {
  const declared = headerCheckOf(operation)(message.headers)
  exchange.request.headers = { ...declared } as Record<string, string>
  const key = declared['idempotency-key']
  exchange.key = key === undefined ? undefined : String(key)
  const shape = shapeOf(operation)
  if (!shape) return
  checkMediaType(message.headers)
  exchange.request.body = (
    await readJsonObject(message, shape.isDeclared, {
      bytesMax: bytesMaxOf(operation) ?? BODY_MAX_BYTES,
      namesMax: NAMES_MAX,
    })
  ).value
}

/** Of the one operation that takes a file, more than of the others. */
const bytesMaxOf = (operation: Operation): number | undefined =>
  (operation as { readonly 'x-body-bytes-max'?: number })['x-body-bytes-max']

/** @throws RequestFault for a missing field, which is reported before any other fault */
function fitBody(operation: Operation, exchange: Exchange): void {
  const fitted = shapeOf(operation)?.fit((exchange.request.body ?? {}) as object)
  if (!fitted) return
  if (fitted.missing !== undefined) throw new RequestFault(400, isRequired(fitted.missing), undefined, 'missing_field')
  exchange.request.body = fitted.body
  exchange.unknownField = fitted.unknown
}

/** The row of `domain/people/roles.ts` of an operation. */
export const operationName = (operation: Operation): string =>
  present((operation as { readonly 'x-operation'?: string })['x-operation'], `x-operation of ${nameOf(operation)}`)
