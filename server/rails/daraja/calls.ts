import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../../generated/operators/daraja.d.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import { createTokens, type FetchedToken } from '../tokens.ts'
import type { Installation } from './installation.ts'

type Schemas = components['schemas']
export type StkPushRequest = Schemas['StkPushRequest']
export type StkPushReply = Schemas['StkPushReply']
export type StkQueryReply = Schemas['StkQueryReply']
export type PayoutRequest = Schemas['PayoutRequest']
export type QueuedReply = Schemas['QueuedReply']
export type StatusRequest = Schemas['StatusRequest']
export type PullReply = Schemas['PullReply']
export type PulledTransaction = Schemas['PulledTransaction']

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

/** The calls of the contract that move money or ask about it, with a token each. */
export interface Calls {
  stkPush(orderId: string, body: StkPushRequest): Promise<Answer<StkPushReply>>
  stkQuery(orderId: string, body: Schemas['StkQueryRequest']): Promise<Answer<StkQueryReply>>
  payOut(orderId: string, body: PayoutRequest): Promise<Answer<QueuedReply>>
  queryStatus(orderId: string, body: StatusRequest): Promise<Answer<QueuedReply>>
  pull(purpose: ExchangeAbout['purpose'], body: Schemas['PullRequest']): Promise<Answer<PullReply>>
  /** A new token, whatever is cached. */
  tryToken(): Promise<Answer<{ readonly serverTime?: Date }>>
}

/** They live for about an hour. */
const RENEW_BEFORE_MS = 5 * 60 * 1000

/** HTTP 404 with a code of its own, at some calls 401 [documented]. */
const isTokenRefused = ({ status, code }: Refused): boolean => status === 401 || code === '404.001.03'

/**
 * Answers of the front of Safaricom's API: the token is invalid, there is no such path, the method is not allowed
 * [documented]. So nothing has looked at the order.
 */
export const isTurnedAway = (refused: Refused): boolean =>
  isTokenRefused(refused) || refused.code === '404.001.01' || refused.code === '405.001'

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
  async function withToken<Data>(
    about: ExchangeAbout,
    send: (client: Client<paths>, headers: { readonly authorization: string }) => Promise<Reply<Data>>,
  ): Promise<Answer<Data>> {
    const once = async (token: string): Promise<Answer<Data>> => {
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
  return answer.got === 'refused' ? `M-PESA answered ${answer.code}` : answer.error
}

interface Reply<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

function answerOf<Data>({ data, error, response }: Reply<Data>): Answer<Data> {
  if (data !== undefined) return { got: 'data', data }
  const { errorCode, errorMessage } = (error ?? {}) as { readonly errorCode?: unknown; readonly errorMessage?: unknown }
  if (typeof errorCode !== 'string') return { got: 'no_answer', error: `HTTP ${response.status} without an answer` }
  const { status } = response
  return { got: 'refused', status, code: errorCode, ...(typeof errorMessage === 'string' && { words: errorMessage }) }
}

/** @throws Error when it is refused */
function tokenOf(reply: Reply<Schemas['TokenReply']>): FetchedToken {
  const answer = answerOf(reply)
  if (answer.got !== 'data') throw new Error(toldOf(answer))
  return { token: answer.data.access_token, validForMs: Number(answer.data.expires_in) * 1000 }
}

/** Of an answer with a token; empty when it does not say what time it is there. */
function serverTimeOf(reply: Reply<unknown>): Answer<{ readonly serverTime?: Date }> {
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
