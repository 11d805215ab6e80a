import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../../generated/operators/daraja.d.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import { createTokens, type FetchedToken } from '../tokens.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { Installation } from './installation.ts'

type Schemas = components['schemas']
export type StkPushRequest = Schemas['StkPushRequest']
export type PayoutRequest = Schemas['PayoutRequest']
export type StatusRequest = Schemas['StatusRequest']

/**
 * What came of a call. `refused`: the answer is an error of the operator, whatever it says of the order. `not_sent`: the
 * call itself never arrived. `no_answer`: nobody knows whether it did.
 */
export type Answer<Data> =
  | { readonly got: 'data'; readonly data: Data }
  | Refused
  | { readonly got: 'not_sent'; readonly error: string }
  | { readonly got: 'no_answer'; readonly error: string }

export interface Refused {
  readonly got: 'refused'
  readonly status: number
  readonly code: string
  /** For people; never shown to a customer. */
  readonly words?: string
}

/**
 * The calls of the contract that move money or ask about it, with a token each. Their replies are read field by field
 * (`foreign-fields.ts`): nobody promises their shape.
 */
export interface Calls {
  stkPush(orderId: string, body: StkPushRequest): Promise<Answer<unknown>>
  stkQuery(orderId: string, body: Schemas['StkQueryRequest']): Promise<Answer<unknown>>
  payOut(orderId: string, body: PayoutRequest): Promise<Answer<unknown>>
  queryStatus(orderId: string, body: StatusRequest): Promise<Answer<unknown>>
  pull(purpose: ExchangeAbout['purpose'], body: Schemas['PullRequest']): Promise<Answer<unknown>>
  /** A new token, whatever is cached. */
  tryToken(): Promise<Answer<{ readonly serverTime?: Date }>>
}

/** They live for about an hour. */
const RENEW_BEFORE_MS = 5 * 60 * 1000
/** The life of a token that comes without one; a token that ends earlier is refused, and renewed then. */
const USUAL_LIFE_SECONDS = 3599

/** HTTP 404 or 400 with a code of its own, at some calls 401 [documented]. */
const TOKEN_REFUSED: ReadonlySet<string> = new Set(['404.001.03', '400.003.01', '401.002.01'])
const isTokenRefused = ({ status, code }: Refused): boolean =>
  status === 401 || (status >= 400 && TOKEN_REFUSED.has(code))

/**
 * Answers of the front of Safaricom's API: the token is invalid, there is no such path, the method is not allowed
 * [documented]. So nothing has looked at the order. The same code inside a success says nothing.
 */
export const isTurnedAway = (refused: Refused): boolean =>
  isTokenRefused(refused) || (refused.status >= 400 && ['404.001.01', '405.001'].includes(refused.code))

/** A field is invalid [documented]: nothing was started. */
export const isInvalidField = ({ status, code }: Refused): boolean => status >= 400 && code === '400.002.02'

export function createCalls(installation: Installation, world: RailWorld): Calls {
  const { baseUrl, consumerKey, consumerSecret } = installation
  const clientFor = (about: ExchangeAbout): Client<paths> =>
    createClient<paths>({ baseUrl, fetch: world.fetchFor(about) })
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  const askForToken = (purpose: 'token' | 'check') =>
    clientFor({ purpose }).GET('/oauth/v1/generate', {
      params: { query: { grant_type: 'client_credentials' } },
      headers: { authorization },
    })

  const tokens = createTokens({
    clock: world.clock,
    renewBeforeMs: RENEW_BEFORE_MS,
    fetchToken: async () => tokenOf(await askForToken('token')),
  })

  /**
   * A refused token is renewed once and the same order sent again: the refusal is documented as one of the token, which
   * is looked at before the order is taken, so that also what must not be sent twice may go out.
   */
  async function withToken(
    about: ExchangeAbout,
    send: (client: Client<paths>, headers: { readonly authorization: string }) => Promise<Reply>,
  ): Promise<Answer<unknown>> {
    const once = async (token: string): Promise<Answer<unknown>> => {
      const answer = answerOf(await send(clientFor(about), { authorization: `Bearer ${token}` }))
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
    stkPush: (orderId, body) =>
      withToken({ purpose: 'submit', orderId }, (client, headers) =>
        client.POST('/mpesa/stkpush/v1/processrequest', { body, headers }),
      ),
    stkQuery: (orderId, body) =>
      withToken({ purpose: 'ask', orderId }, (client, headers) =>
        client.POST('/mpesa/stkpushquery/v1/query', { body, headers }),
      ),
    payOut: (orderId, body) =>
      withToken({ purpose: 'submit', orderId }, (client, headers) =>
        client.POST('/mpesa/b2c/v3/paymentrequest', { body, headers }),
      ),
    queryStatus: (orderId, body) =>
      withToken({ purpose: 'ask', orderId }, (client, headers) =>
        client.POST('/mpesa/transactionstatus/v1/query', { body, headers }),
      ),
    pull: (purpose, body) =>
      withToken({ purpose }, (client, headers) => client.POST('/pulltransactions/v1/query', { body, headers })),
    tryToken: () => settled(async () => serverTimeOf(await askForToken('check'))),
  }
}

/** For people: what an operator's refusal or silence was. Its own words may hold a number, so they are left out. */
export function toldOf(answer: Exclude<Answer<unknown>, { got: 'data' }>): string {
  return answer.got === 'refused' ? `M-PESA answered ${loggableCode(answer.code)}` : answer.error
}

/** Error codes are short; a longer text, or one with signs of its own, may hold anything. */
const loggableCode = (code: string): string => (/^[A-Za-z0-9_.]{1,80}$/.test(code) ? code : 'an error without a code')

interface Reply {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * A body with an `errorCode` is an error, whatever its status: M-PESA answers some questions so with HTTP 200. One that
 * also names an order that was taken says two things: it counts as HTTP 200, where no error means that nothing arrived.
 */
function answerOf({ data, error, response: { status } }: Reply): Answer<unknown> {
  const body = data ?? error
  // Apigee, the front of Safaricom's API, has an envelope of its own.
  const code = textOf(fieldAt(body, 'errorCode')) ?? textOf(fieldAt(body, 'fault', 'detail', 'errorcode'))
  const words = textOf(fieldAt(body, 'errorMessage')) ?? textOf(fieldAt(body, 'fault', 'faultstring'))
  if (code !== undefined)
    return { got: 'refused', status: namesOrder(body) ? 200 : status, code, ...(words !== undefined && { words }) }
  return data === undefined ? { got: 'no_answer', error: `HTTP ${status} without an answer` } : { got: 'data', data }
}

const namesOrder = (body: unknown): boolean =>
  ['CheckoutRequestID', 'ConversationID'].some((name) => textOf(fieldAt(body, name)) !== undefined)

/** @throws Error when it is refused */
function tokenOf(reply: Reply): FetchedToken {
  const answer = answerOf(reply)
  if (answer.got !== 'data') throw new Error(toldOf(answer))
  const token = fieldAt(answer.data, 'access_token')
  if (typeof token !== 'string' || token.trim() === '') throw new Error('M-PESA answered without a token')
  return { token: token.trim(), validForMs: lifeSeconds(fieldAt(answer.data, 'expires_in')) * 1000 }
}

function lifeSeconds(expiresIn: unknown): number {
  const seconds = Number(textOf(expiresIn) ?? NaN)
  return Number.isFinite(seconds) ? seconds : USUAL_LIFE_SECONDS
}

/** Of an answer with a token; empty when it does not say what time it is there. */
function serverTimeOf(reply: Reply): Answer<{ readonly serverTime?: Date }> {
  const answer = answerOf(reply)
  if (answer.got !== 'data') return answer
  const serverTime = new Date(reply.response.headers.get('date') ?? '')
  return { got: 'data', data: Number.isNaN(serverTime.getTime()) ? {} : { serverTime } }
}

async function settled<Data>(call: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof NotSent) return { got: 'not_sent', error: error.message }
    if (error instanceof NoAnswer) return { got: 'no_answer', error: error.message }
    throw error
  }
}
