import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../../../generated/operators/mtn-momo.d.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import { createTokens, type FetchedToken } from '../tokens.ts'
import type { Credentials, MtnSettings, Product } from './settings.ts'

/** The reply to a call of the contract, with `data` for success. */
export interface CallReply<Data> {
  readonly data?: Data | undefined
  readonly error?: unknown
  readonly response: Response
}

/** What every call has besides its own parameters. */
interface Access {
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (request: Request) => Promise<Response>
}

export type Send<Data> = (client: Client<paths>, access: Access) => Promise<CallReply<Data>>

/** One product of a rail account, with its own credentials. */
export interface ProductCalls {
  readonly targetEnvironment: { readonly 'X-Target-Environment': string }
  /**
   * Calls with a token. If MTN refuses it, the token is renewed once and the same call sent again: 401 is documented
   * as a token or key check that comes before anything else.
   * @throws NotSent
   * @throws NoAnswer
   */
  call<Data>(about: ExchangeAbout, send: Send<Data>): Promise<CallReply<Data>>
  /**
   * Calls with exactly this token.
   * @throws NotSent
   * @throws NoAnswer
   */
  callWith<Data>(token: string, about: ExchangeAbout, send: Send<Data>): Promise<CallReply<Data>>
  /**
   * Requests a new token, whatever is cached.
   * @throws NotSent
   * @throws NoAnswer
   * @throws TokenRefused
   */
  newToken(about: ExchangeAbout): Promise<FetchedToken>
}

/** MTN issued no token; the message excludes MTN's own text, which may contain anything. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly reply: CallReply<unknown>

  constructor(reply: CallReply<unknown>) {
    super(reportedOf(reply))
    this.reply = reply
  }
}

/** The default token lifetime: an hour is documented. It applies if the reply states none, or not as a number. */
const VALID_FOR_MS = 5 * 60 * 1000

/** @throws NoAnswer for a reply without a token that is valid in a header */
function tokenIn(reply: unknown): FetchedToken {
  const token = textOf(fieldAt(reply, 'access_token'))
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw new NoAnswer('MTN answered without a token')
  const seconds = Number(textOf(fieldAt(reply, 'expires_in')))
  return { token, validForMs: Number.isFinite(seconds) ? seconds * 1000 : VALID_FOR_MS }
}

/** Documented: renew about ten minutes before it ends. */
const RENEW_BEFORE_MS = 10 * 60 * 1000

const TOKEN_PATHS = {
  collection: '/collection/token/',
  disbursement: '/disbursement/token/',
} as const satisfies Readonly<Record<Product, keyof paths>>

export function createProductCalls(
  product: Product,
  { subscriptionKey, apiUser, apiKey }: Credentials,
  { baseUrl, targetEnvironment }: MtnSettings,
  world: RailWorld,
): ProductCalls {
  const client = createClient<paths>({ baseUrl })
  const basic = `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`
  const access = (about: ExchangeAbout, authorization: string): Access => ({
    headers: { Authorization: authorization, 'Ocp-Apim-Subscription-Key': subscriptionKey },
    fetch: world.fetchFor(about),
  })

  async function newToken(about: ExchangeAbout): Promise<FetchedToken> {
    const reply: CallReply<unknown> = await client.POST(TOKEN_PATHS[product], { ...access(about, basic) })
    if (!reply.response.ok) throw new TokenRefused(reply)
    return tokenIn(reply.data)
  }

  const callWith = <Data>(token: string, about: ExchangeAbout, send: Send<Data>): Promise<CallReply<Data>> =>
    send(client, access(about, `Bearer ${token}`))

  const tokens = createTokens({
    clock: world.clock,
    renewBeforeMs: RENEW_BEFORE_MS,
    fetchToken: () =>
      newToken({ purpose: 'token' }).catch((cause: unknown) => {
        throw new Error(faultOf(cause), { cause })
      }),
  })

  return {
    targetEnvironment: { 'X-Target-Environment': targetEnvironment },
    newToken,
    callWith,
    async call(about, send) {
      const once = async (token: string) => {
        const reply = await callWith(token, about, send).catch((error) => tokens.unread(token, error))
        if (reply.response.ok) tokens.worked(token)
        return reply
      }
      const token = await tokens.token()
      const reply = await once(token)
      return reply.response.status === 401 ? once(await tokens.renew(token)) : reply
    },
  }
}

/** The error code of a refusal from MTN itself; its API gateway sends none. */
export const codeIn = (error: unknown): string | undefined => textOf(fieldAt(error, 'code'))

/**
 * Describes a refusal in our own words. Of MTN's text it keeps only what has the form of a code: anything else may
 * contain a number.
 */
export function reportedOf({ response, error }: CallReply<unknown>): string {
  const code = codeIn(error)
  const named = code !== undefined && /^[A-Z_]{1,60}$/.test(code) ? ` ${code}` : ''
  return `MTN answered HTTP ${response.status}${named}`
}

/**
 * The data of a reply that must have some.
 * @throws NoAnswer for a refusal
 */
export function dataOf<Data>(reply: CallReply<Data>): Data {
  if (reply.data === undefined) throw new NoAnswer(reportedOf(reply))
  return reply.data
}

/**
 * Why a call brought no reply. For a bug of ours it reports only the error's type: its message may contain the
 * request.
 */
export function faultOf(error: unknown): string {
  if (error instanceof NotSent || error instanceof NoAnswer || error instanceof TokenRefused) return error.message
  return `a fault on our side: ${error instanceof Error ? error.name : typeof error}`
}
