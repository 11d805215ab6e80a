import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReceivedCallback } from '../actions/ports/rail.ts'
import type { RailCallback, Reception } from '../actions/ports/rail-callbacks.ts'
import { ACCOUNT_ADDRESS, checkToken, type CallbackKeys } from '../domain/callback-tokens.ts'
import { send, allowOnly } from './app.ts'
import { failure } from './envelope.ts'
import { readCapped } from './body.ts'

export interface OperatorCallbackDeps {
  /** From memory: the database may be down. @returns undefined when there is no such rail account */
  readonly addressesOf: (railAccount: string) => OperatorAddresses | undefined
  readonly now: () => Date
  /**
   * Stores the message before the reply is sent, in the database or in the spool of this process.
   * @throws StorageUnavailable
   */
  readonly receive: (callback: RailCallback) => Promise<Reception | 'spooled'>
  /**
   * Answers an operator's question before a payment that nobody asked for.
   * @returns undefined for what is no such question, or cannot be read now
   */
  readonly answerQuestion: (railAccount: string, message: ReceivedCallback) => Promise<string | undefined>
  readonly counted: (railAccount: string, reception: Reception | 'spooled' | 'refused') => void
  /** Called for an address that we never issued. @returns the seconds to wait after too many attempts */
  readonly guessed: (address: string) => Promise<number | undefined>
}

/** The callback addresses of one rail account. */
export interface OperatorAddresses {
  readonly keys: CallbackKeys
  /**
   * As `RailKind.callbackTails`. Absent: this version does not know the rail's kind, and stores the message for one
   * that does.
   */
  readonly tails?: readonly string[]
  /** The same for the addresses of the rail account itself: as `RailKind.accountTails`. */
  readonly accountTails?: readonly string[]
  /** As `RailKind.paymentQuestionTail`. */
  readonly questionTail?: string
}

/** The path under which operators send messages; the rest is in every address that a rail registers. */
const OPERATOR_CALLBACKS = '/operators'

/**
 * @param orderId or `ACCOUNT_ADDRESS`
 * @param tail the word that an operator's address ends with, where it has several
 */
export const operatorCallbackPath = (railAccount: string, token: string, orderId: string, tail?: string): string =>
  [OPERATOR_CALLBACKS, railAccount, token, orderId, ...(tail === undefined ? [] : [tail])].join('/')

/** Above anything that an operator sends about one order. */
const BODY_MAX_BYTES = 64 * 1024
const ORDER_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const TAIL = /^[a-z_]{1,32}$/
const WITHOUT_TAIL = `${OPERATOR_CALLBACKS}/:railAccount/:token/:order`

interface Params {
  readonly railAccount: string
  readonly token: string
  readonly order: string
  readonly tail?: string
}
type MessageRequest = FastifyRequest<{ Params: Params }>

/**
 * Where operators report the result of an order, by POST or PUT. The content is not trusted, and no operator is
 * queried before the message is stored: some operators never retry a failed delivery. A wrong token, an unknown order
 * and an unknown tail get the same reply.
 */
export function serveOperatorCallbacks(app: FastifyInstance, deps: OperatorCallbackDeps): void {
  for (const url of [WITHOUT_TAIL, `${WITHOUT_TAIL}/:tail`]) {
    app.route<{ Params: Params }>({
      method: ['POST', 'PUT'],
      url,
      handler: (request, reply) => take(deps, request, reply),
    })
    allowOnly(app, url, ['POST', 'PUT'])
  }
}

async function take(deps: OperatorCallbackDeps, request: MessageRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { railAccount, token, order } = request.params
  // A trailing slash, as proxies add it, is not a tail.
  const tail = request.params.tail === '' ? undefined : request.params.tail
  const addresses = deps.addressesOf(railAccount)
  const orderId = order.toLowerCase()
  const check = checkToken(addresses?.keys ?? NO_KEYS, token, { railAccount, orderId }, deps.now())
  const isAccount = orderId === ACCOUNT_ADDRESS
  if (!check.isValid || !(isAccount || ORDER_ID.test(order)) || !isTail(tail, addresses, isAccount))
    return refuse(deps, request, reply, addresses && railAccount)
  const body = await readCapped(request.raw, BODY_MAX_BYTES)
  if (body === 'too_large')
    return send(reply, failure(413, `The request body is larger than ${BODY_MAX_BYTES} bytes`, { connection: 'close' }))
  if (body === 'incomplete') return send(reply, failure(400, 'The request body is incomplete'))
  const message: ReceivedCallback = {
    method: request.method === 'PUT' ? 'PUT' : 'POST',
    ...(tail !== undefined && { tail }),
    // NUL is not allowed in a PostgreSQL text, nor in JSON.
    body: body.toString('utf8').replaceAll('\0', ''),
  }
  if (isAccount && tail !== undefined && tail === addresses?.questionTail) {
    const answer = await deps.answerQuestion(railAccount, message)
    return answer === undefined ? send(reply, failure(400, NO_QUESTION)) : reply.code(200).type(JSON_TYPE).send(answer)
  }
  const reception = await deps.receive({
    railAccount,
    orderId,
    ...message,
    ...(check.orderedUntil && { orderedUntilMs: check.orderedUntil.getTime() }),
  })
  deps.counted(railAccount, reception)
  if (reception === 'unknown_order') return refuse(deps, request, reply, undefined)
  if (reception === 'too_many')
    return send(reply, failure(503, TOO_MANY, { 'retry-after': String(TOO_MANY_RETRY_SECONDS) }))
  return reply.code(200).type(JSON_TYPE).send(TAKEN)
}

const JSON_TYPE = 'application/json; charset=utf-8'
const NO_QUESTION = 'This is no question about a payment'

/** A message that is not stored is never acknowledged. */
const TOO_MANY = 'Too many messages about this order: try again later'
const TOO_MANY_RETRY_SECONDS = 600

/** The reply in Safaricom's examples; nobody is known to read it. */
const TAKEN = JSON.stringify({ ResultCode: 0, ResultDesc: 'Accepted' })

async function refuse(
  deps: OperatorCallbackDeps,
  request: MessageRequest,
  reply: FastifyReply,
  counted: string | undefined,
): Promise<FastifyReply> {
  if (counted !== undefined) deps.counted(counted, 'refused')
  const seconds = await deps.guessed(request.ip)
  return send(
    reply,
    seconds === undefined
      ? failure(404, 'There is nothing at this path')
      : failure(429, `Too many requests: try again in ${seconds} s`, { 'retry-after': String(seconds) }),
  )
}

const NO_KEYS: CallbackKeys = { keys: [] }

function isTail(tail: string | undefined, addresses: OperatorAddresses | undefined, isAccount: boolean): boolean {
  if (!addresses?.tails) return tail === undefined || TAIL.test(tail)
  return ((isAccount ? addresses.accountTails : addresses.tails) ?? []).includes(tail ?? '')
}
