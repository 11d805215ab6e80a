import type { KeyObject } from 'node:crypto'
import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../../../generated/operators/airtel.d.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { ExchangeAbout, RailWorld } from '../rail-kind.ts'
import { createTokens, type FetchedToken } from '../tokens.ts'
import { publicKeyIn, signatureOf, type SignatureHeaders } from './encryption.ts'
import type { AirtelSettings } from './settings.ts'

/** The reply to a call of the contract. */
export interface CallReply {
  readonly status: number
  /** The body, of any shape. */
  readonly said: unknown
}

interface RawReply {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/** What every call has besides its own parameters. */
export type Access = {
  readonly headers: { readonly authorization: string }
  readonly params: { readonly header: { readonly 'X-Country': string; readonly 'X-Currency': string } }
  readonly fetch: (request: Request) => Promise<Response>
}

export type Send = (client: Client<paths>, access: Access) => Promise<RawReply>

export interface Calls {
  /**
   * Calls with a token. If it is refused, it is renewed once and the same call sent again: 401 comes before the order
   * is read, so that a refund may go out again too.
   * @throws NotSent
   * @throws NoAnswer
   */
  call(about: ExchangeAbout, send: Send): Promise<CallReply>
  /** Requests a new token, whatever is cached. @throws as `call`, and TokenRefused */
  newToken(about: ExchangeAbout): Promise<FetchedToken>
  /** The public key of signatures and PINs, kept for an hour. @throws NotSent when there is none: nothing went out */
  encryptionKey(): Promise<KeyObject>
  /** Forgets that key: Airtel could not read what it encrypted. */
  forgetKey(): void
  /** @throws as `encryptionKey` */
  signed(body: string): Promise<SignatureHeaders>
}

/** Airtel issued no token; the message excludes its own text. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}

/** Documented: three minutes, as a text. */
const USUAL_LIFE_MS = 180_000
const RENEW_BEFORE_MS = 30_000
/** `valid_upto` is in a zone that nobody names. */
const KEY_LIFE_MS = 3_600_000

export function createCalls(settings: AirtelSettings, world: RailWorld): Calls {
  const { baseUrl, clientId, clientSecret, country, currency } = settings
  const client = createClient<paths>({ baseUrl })
  const header = { 'X-Country': country, 'X-Currency': currency }

  async function newToken(about: ExchangeAbout): Promise<FetchedToken> {
    const reply = replyOf(
      await client.POST('/auth/oauth2/token', {
        body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
        fetch: world.fetchFor(about),
      }),
    )
    const token = textOf(fieldAt(reply.said, 'access_token'))
    if (reply.status !== 200 || token === undefined || !/^[\x21-\x7e]+$/.test(token))
      throw new TokenRefused(reportedOf(reply))
    const seconds = Number(textOf(fieldAt(reply.said, 'expires_in')))
    return { token, validForMs: Number.isFinite(seconds) ? seconds * 1000 : USUAL_LIFE_MS }
  }

  const tokens = createTokens({
    clock: world.clock,
    renewBeforeMs: RENEW_BEFORE_MS,
    fetchToken: () =>
      newToken({ purpose: 'token' }).catch((cause: unknown) => {
        throw new Error(faultOf(cause), { cause })
      }),
  })

  async function call(about: ExchangeAbout, send: Send): Promise<CallReply> {
    const once = async (token: string): Promise<CallReply> => {
      const access = {
        headers: { authorization: `Bearer ${token}` },
        params: { header },
        fetch: world.fetchFor(about),
      }
      const reply = replyOf(await send(client, access).catch((error: unknown) => tokens.unread(token, error)))
      if (reply.status === 200) tokens.worked(token)
      return reply
    }
    const token = await tokens.token()
    const reply = await once(token)
    return reply.status === 401 ? once(await tokens.renew(token)) : reply
  }

  return { call, newToken, ...createEncryption(call, world) }
}

/** The key of signatures and PINs. */
function createEncryption(call: Calls['call'], { clock, random }: RailWorld) {
  let known: { readonly key: KeyObject; readonly untilMs: number } | undefined
  const forgetKey = (): void => {
    known = undefined
  }
  async function encryptionKey(): Promise<KeyObject> {
    const now = clock.now().getTime()
    if (known && now < known.untilMs) return known.key
    try {
      const { said } = await call({ purpose: 'token' }, ({ GET }, access) => GET('/v1/rsa/encryption-keys', access))
      const key = publicKeyIn(textOf(fieldAt(said, 'data', 'key')) ?? '')
      if (!key) throw new NoAnswer('Airtel answered without a key')
      known = { key, untilMs: now + KEY_LIFE_MS }
      return key
    } catch (cause) {
      throw new NotSent(`no encryption key: ${faultOf(cause)}`, { cause })
    }
  }
  return {
    encryptionKey,
    forgetKey,
    signed: async (body: string) => signatureOf(body, await encryptionKey(), random),
  }
}

const replyOf = ({ data, error, response }: RawReply): CallReply => ({
  status: response.status,
  said: data ?? error,
})

/** The code of a reply: its own, the deprecated one, or that of Airtel's front. Only what has the form of a code. */
export function codeIn(said: unknown): string | undefined {
  const places = [['status', 'response_code'], ['status', 'result_code'], ['status_code']] as const
  return places
    .map((place) => textOf(fieldAt(said, ...place)))
    .find((code) => code && /^[A-Z]{2,8}\d{1,12}$/.test(code))
}

/** Describes a reply in our own words: Airtel's text has numbers and our balance in it. */
export function reportedOf({ status, said }: CallReply): string {
  const code = codeIn(said)
  return `Airtel answered HTTP ${status}${code === undefined ? '' : ` ${code}`}`
}

/** Why a call brought no reply. For a bug of ours it reports only the error's type. */
export function faultOf(error: unknown): string {
  if (error instanceof NotSent || error instanceof NoAnswer || error instanceof TokenRefused) return error.message
  return `a fault on our side: ${error instanceof Error ? error.name : typeof error}`
}
