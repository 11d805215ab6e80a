import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../../generated/operators/daraja.d.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import { createTokens, sharedBy, type FetchedToken } from '../tokens.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { DarajaRailAccount } from './rail-account.ts'

type Schemas = components['schemas']
export type StkPushRequest = Schemas['StkPushRequest']

/**
 * The result of a call. `refused`: the operator replied with an error, whatever it says about the order. `not_sent`:
 * the call never arrived. `no_answer`: nobody knows whether it arrived.
 */
export type CallResult<Data> =
  | { readonly got: 'data'; readonly data: Data }
  | CallRefusal
  | { readonly got: 'not_sent'; readonly error: string }
  | { readonly got: 'no_answer'; readonly error: string }

export interface CallRefusal {
  readonly got: 'refused'
  readonly status: number
  readonly code: string
  /** For staff; never shown to a customer. */
  readonly words?: string
}

/**
 * The calls of the contract that move money or query its status, each with a token. Their replies are read field by
 * field (`foreign-fields.ts`): their shape is not guaranteed.
 */
export type Calls = ReturnType<typeof createCalls>

/** Tokens live for about an hour. */
const RENEW_BEFORE_MS = 5 * 60 * 1000
/**
 * The assumed lifetime of a token whose reply states none; if it ends earlier, the token is refused and then renewed.
 */
const USUAL_LIFE_SECONDS = 3599

/** HTTP 404 or 400 with a specific code, for some calls 401 [documented]. */
const TOKEN_REFUSED: ReadonlySet<string> = new Set(['404.001.03', '400.003.01', '401.002.01'])
const isTokenRefused = ({ status, code }: CallRefusal): boolean =>
  status === 401 || (status >= 400 && TOKEN_REFUSED.has(code))

/**
 * Replies of Safaricom's API gateway: the token is invalid, the path does not exist, the method is not allowed
 * [documented]. They mean that the order was not processed. The same code inside a success says nothing.
 */
export const isTurnedAway = (refused: CallRefusal): boolean =>
  isTokenRefused(refused) || (refused.status >= 400 && ['404.001.01', '405.001'].includes(refused.code))

/** A field is invalid [documented]: no payment was started. */
export const isInvalidField = ({ status, code }: CallRefusal): boolean => status >= 400 && code === '400.002.02'

const submitting = (orderId: string): ExchangeAbout => ({ purpose: 'submit', orderId })
const asking = (orderId: string): ExchangeAbout => ({ purpose: 'ask', orderId })

type WithToken = (
  about: ExchangeAbout,
  send: (client: Client<paths>, headers: { readonly authorization: string }) => Promise<RawReply>,
) => Promise<CallResult<unknown>>

export function createCalls(railAccount: DarajaRailAccount, world: RailWorld) {
  const { baseUrl, consumerKey, consumerSecret } = railAccount
  const clientFor = (about: ExchangeAbout): Client<paths> =>
    createClient<paths>({ baseUrl, fetch: world.fetchFor(about) })
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  const queryForToken = (purpose: 'token' | 'check') =>
    clientFor({ purpose }).GET('/oauth/v1/generate', {
      params: { query: { grant_type: 'client_credentials' } },
      headers: { authorization },
    })

  const tokens = createTokens({
    clock: world.clock,
    ...sharedBy(world, 'api'), // a new token ends the previous one, say integrators
    renewBeforeMs: RENEW_BEFORE_MS,
    fetchToken: async () => tokenOf(await queryForToken('token')),
  })

  /**
   * Renews a refused token once and sends the same order again. The refusal is documented as a token check that runs
   * before the order is accepted, so even an order that must not be sent twice may go out again.
   */
  const withToken: WithToken = (about, send) => {
    const once = async (token: string): Promise<CallResult<unknown>> => {
      const sent = send(clientFor(about), { authorization: `Bearer ${token}` })
      const answer = answerOf(await sent.catch((error: unknown) => tokens.unread(token, error)))
      if (answer.got === 'data') tokens.worked(token)
      return answer
    }
    return settled(async () => {
      const token = await tokens.token()
      const answer = await once(token)
      return answer.got === 'refused' && isTokenRefused(answer) ? once(await tokens.renew(token)) : answer
    })
  }

  return {
    ...callsWith(withToken),
    /** Requests a new token, whatever is cached. */
    tryToken: () => settled(async () => serverTimeOf(await queryForToken('check'))),
  }
}

/** Each call of the contract, by its path. */
const callsWith = (withToken: WithToken) => ({
  stkPush: (orderId: string, body: StkPushRequest) =>
    withToken(submitting(orderId), ({ POST }, headers) => POST('/mpesa/stkpush/v1/processrequest', { body, headers })),
  stkQuery: (orderId: string, body: Schemas['StkQueryRequest']) =>
    withToken(asking(orderId), ({ POST }, headers) => POST('/mpesa/stkpushquery/v1/query', { body, headers })),
  payOut: (orderId: string, body: Schemas['PayoutRequest']) =>
    withToken(submitting(orderId), ({ POST }, headers) => POST('/mpesa/b2c/v3/paymentrequest', { body, headers })),
  payBusiness: (orderId: string, body: Schemas['BusinessPaymentRequest']) =>
    withToken(submitting(orderId), ({ POST }, headers) => POST('/mpesa/b2b/v1/paymentrequest', { body, headers })),
  queryStatus: (orderId: string, body: Schemas['StatusRequest']) =>
    withToken(asking(orderId), ({ POST }, headers) => POST('/mpesa/transactionstatus/v1/query', { body, headers })),
  reverse: (orderId: string, body: Schemas['ReversalRequest']) =>
    withToken(submitting(orderId), ({ POST }, headers) => POST('/mpesa/reversal/v1/request', { body, headers })),
  pull: (purpose: ExchangeAbout['purpose'], body: Schemas['PullRequest']) =>
    withToken({ purpose }, ({ POST }, headers) => POST('/pulltransactions/v1/query', { body, headers })),
  queryBalance: (body: Schemas['BalanceRequest']) =>
    withToken({ purpose: 'statement' }, ({ POST }, headers) =>
      POST('/mpesa/accountbalance/v1/query', { body, headers }),
    ),
  registerPull: (body: Schemas['PullRegisterRequest']) =>
    withToken({ purpose: 'check' }, ({ POST }, headers) => POST('/pulltransactions/v1/register', { body, headers })),
  registerUrls: (body: Schemas['RegisterUrlsRequest']) =>
    withToken({ purpose: 'check' }, ({ POST }, headers) => POST('/mpesa/c2b/v2/registerurl', { body, headers })),
})

/**
 * Describes an operator's refusal or missing reply for staff. The operator's own text may contain an account number,
 * so it is excluded.
 */
export function reportedOf(answer: Exclude<CallResult<unknown>, { got: 'data' }>): string {
  return answer.got === 'refused' ? `M-PESA answered ${loggableCode(answer.code)}` : answer.error
}

/** Error codes are short; a longer text, or one with special characters, may contain anything. */
const loggableCode = (code: string): string => (/^[A-Za-z0-9_.]{1,80}$/.test(code) ? code : 'an error without a code')

interface RawReply {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * A body with an `errorCode` is an error, whatever its status: M-PESA answers some queries so with HTTP 200. A body
 * that also names an accepted order contradicts itself: it counts as HTTP 200, where no error means that nothing
 * arrived.
 */
function answerOf({ data, error, response: { status } }: RawReply): CallResult<unknown> {
  const body = data ?? error
  // Apigee, Safaricom's API gateway, has an error envelope of its own.
  const code = textOf(fieldAt(body, 'errorCode')) ?? textOf(fieldAt(body, 'fault', 'detail', 'errorcode'))
  const words = textOf(fieldAt(body, 'errorMessage')) ?? textOf(fieldAt(body, 'fault', 'faultstring'))
  if (code !== undefined)
    return { got: 'refused', status: namesOrder(body) ? 200 : status, code, ...(words !== undefined && { words }) }
  return data === undefined ? { got: 'no_answer', error: `HTTP ${status} without an answer` } : { got: 'data', data }
}

const namesOrder = (body: unknown): boolean =>
  ['CheckoutRequestID', 'ConversationID'].some((name) => textOf(fieldAt(body, name)) !== undefined)

/** @throws Error when the token request is refused */
function tokenOf(reply: RawReply): FetchedToken {
  const answer = answerOf(reply)
  if (answer.got !== 'data') throw new Error(reportedOf(answer))
  const token = fieldAt(answer.data, 'access_token')
  if (typeof token !== 'string' || token.trim() === '') throw new Error('M-PESA answered without a token')
  return { token: token.trim(), validForMs: lifeSeconds(fieldAt(answer.data, 'expires_in')) * 1000 }
}

function lifeSeconds(expiresIn: unknown): number {
  const seconds = Number(textOf(expiresIn) ?? NaN)
  return Number.isFinite(seconds) ? seconds : USUAL_LIFE_SECONDS
}

/** The server time of a token reply; empty when the reply does not state it. */
function serverTimeOf(reply: RawReply): CallResult<{ readonly serverTime?: Date }> {
  const answer = answerOf(reply)
  if (answer.got !== 'data') return answer
  const serverTime = new Date(reply.response.headers.get('date') ?? '')
  return { got: 'data', data: Number.isNaN(serverTime.getTime()) ? {} : { serverTime } }
}

async function settled<Data>(call: () => Promise<CallResult<Data>>): Promise<CallResult<Data>> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof NotSent) return { got: 'not_sent', error: error.message }
    if (error instanceof NoAnswer) return { got: 'no_answer', error: error.message }
    throw error
  }
}
