import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../../../generated/operators/mtn-momo.d.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import { createTokens, type FetchedToken } from '../tokens.ts'
import type { Credentials, MtnSettings, Product } from './settings.ts'

/** What a call of the contract answers, with `data` for success. */
export interface Reply<Data> {
  readonly data?: Data | undefined
  readonly error?: unknown
  readonly response: Response
}

/** What every call has beside its own parameters. */
export interface Access {
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: (request: Request) => Promise<Response>
}

export type Send<Data> = (client: Client<paths>, access: Access) => Promise<Reply<Data>>

/** One product of an installation, with its own credentials. */
export interface ProductCalls {
  readonly targetEnvironment: { readonly 'X-Target-Environment': string }
  /**
   * With a token. One that MTN refuses is renewed once, and the very same call sent again: 401 is documented as a token
   * or key that is looked at before anything else.
   * @throws NotSent, NoAnswer
   */
  call<Data>(about: ExchangeAbout, send: Send<Data>): Promise<Reply<Data>>
  /** With this token and no other. @throws NotSent, NoAnswer */
  callWith<Data>(token: string, about: ExchangeAbout, send: Send<Data>): Promise<Reply<Data>>
  /** Whatever is cached. @throws NotSent, NoAnswer, TokenRefused */
  newToken(about: ExchangeAbout): Promise<FetchedToken>
}

/** MTN gave no token; the message is without MTN's words, which may hold anything. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly reply: Reply<unknown>

  constructor(reply: Reply<unknown>) {
    super(toldOf(reply))
    this.reply = reply
  }
}

/** Documented is an hour; of one that does not say it, or not as a number, so much is used. */
const VALID_FOR_MS = 5 * 60 * 1000

/** @throws NoAnswer for an answer without a token that could go into a header */
function tokenIn(reply: unknown): FetchedToken {
  const token = textOf(fieldAt(reply, 'access_token'))
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw new NoAnswer('MTN answered without a token')
  const seconds = Number(textOf(fieldAt(reply, 'expires_in')))
  return { token, validForMs: Number.isFinite(seconds) ? seconds * 1000 : VALID_FOR_MS }
}

/** Documented: about ten minutes before it ends. */
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
    const reply: Reply<unknown> = await client.POST(TOKEN_PATHS[product], { ...access(about, basic) })
    if (!reply.response.ok) throw new TokenRefused(reply)
    return tokenIn(reply.data)
  }

  const callWith = <Data>(token: string, about: ExchangeAbout, send: Send<Data>): Promise<Reply<Data>> =>
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
        const reply = await callWith(token, about, send)
        if (reply.response.ok) tokens.worked(token)
        return reply
      }
      const token = await tokens.token()
      const reply = await once(token)
      return reply.response.status === 401 ? once(await tokens.renew(token)) : reply
    },
  }
}

/** The code of a refusal as MTN itself writes it; the front of its API names none. */
export const codeIn = (error: unknown): string | undefined => textOf(fieldAt(error, 'code'))

/** A refusal in words of ours. Of MTN's own only what has the form of a code: anything else may hold a number. */
export function toldOf({ response, error }: Reply<unknown>): string {
  const code = codeIn(error)
  const named = code !== undefined && /^[A-Z_]{1,60}$/.test(code) ? ` ${code}` : ''
  return `MTN answered HTTP ${response.status}${named}`
}

/** The data of a reply that has to have some. @throws NoAnswer for a refusal */
export function dataOf<Data>(reply: Reply<Data>): Data {
  if (reply.data === undefined) throw new NoAnswer(toldOf(reply))
  return reply.data
}

/** Why a call brought no answer. Of a fault of ours only its kind is told: its own words may hold what was sent. */
export function faultOf(error: unknown): string {
  if (error instanceof NotSent || error instanceof NoAnswer || error instanceof TokenRefused) return error.message
  return `a fault on our side: ${error instanceof Error ? error.name : typeof error}`
}
