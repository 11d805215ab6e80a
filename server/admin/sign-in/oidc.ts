import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers, fetchUserInfo } from 'openid-client'
import type { SignInDeps } from './password-sign-in.ts'
import type { Person } from '../queries/person.ts'
import { findPersonByEmail } from './person.ts'
import { RECENT_MS } from '../../domain/people/session-times.ts'
import { newToken, storeToken, takeToken, tokenDigest } from './tokens.ts'

const LOGIN_MS = 10 * 60_000
export const OIDC_CALLBACK = '/oidc/callback'

/** The identity provider of the company. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What we remember of a login at the provider until the browser comes back. */
interface PendingLogin {
  readonly verifier: string
  readonly nonce: string
  /** The digest of the browser's cookie: the reply works in the browser that asked. */
  readonly browser: string
  /** The path to go on with afterwards. */
  readonly next: string
  /** The session whose person proves once more who they are. */
  readonly sessionId?: string
}

export interface Oidc {
  /**
   * Where to send the browser.
   * @param next the path to go on with afterwards
   * @param sessionId of the session that asks for the person once more
   */
  start(browser: string, next: string, sessionId?: bigint): Promise<URL>
  /** @returns who came back, and for which session; undefined for nobody of ours */
  finish(
    url: URL,
    browser: string,
  ): Promise<{ person: Person; sessionId: bigint | undefined; next: string } | undefined>
}

/** Signs people in by the authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export function createOidc(deps: SignInDeps, settings: OidcSettings): Oidc {
  const { pool, random, clock } = deps
  const connect = connection(settings)
  return {
    async start(browser, next, sessionId) {
      const [{ calculatePKCECodeChallenge, buildAuthorizationUrl }, provider] = await connect()
      const [state, verifier, nonce] = [newToken(random), newToken(random), newToken(random)]
      const pending: PendingLogin = {
        verifier,
        nonce,
        browser: tokenDigest(browser).toString('hex'),
        next,
        ...(sessionId !== undefined && { sessionId: String(sessionId) }),
      }
      const expiresAt = new Date(clock.now().getTime() + LOGIN_MS)
      await storeToken(pool, state, { purpose: 'oidc', detail: JSON.stringify(pending) }, expiresAt)
      return buildAuthorizationUrl(provider, {
        redirect_uri: `${deps.baseUrl()}${OIDC_CALLBACK}`,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(sessionId !== undefined && { max_age: '0', prompt: 'login' }),
      })
    },
    async finish(url, browser) {
      const state = url.searchParams.get('state') ?? ''
      const token = await takeToken(pool, state, ['oidc'], clock.now())
      if (token?.detail === undefined) return undefined
      const { verifier, nonce, browser: startedBy, sessionId, next } = JSON.parse(token.detail) as PendingLogin
      if (startedBy !== tokenDigest(browser).toString('hex')) return undefined
      const [library, provider] = await connect()
      const {
        authorizationCodeGrant,
        AuthorizationResponseError,
        ResponseBodyError,
        WWWAuthenticateChallengeError,
        ClientError,
      } = library
      try {
        const tokens = await authorizationCodeGrant(provider, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          ...(sessionId !== undefined && { maxAge: RECENT_MS / 1_000 }),
        })
        const person = await personOf(deps, await claimsOf(library, provider, tokens))
        return person && { person, sessionId: sessionId === undefined ? undefined : BigInt(sessionId), next }
      } catch (error) {
        // Refused there, or not as the protocol demands; anything else is a fault of ours or of the network.
        const refusals = [AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError, ClientError]
        const isRefusal = refusals.some((kind) => error instanceof kind)
        if (isRefusal) return undefined
        throw error
      }
    },
  }
}

/** What the provider says of the person: many keep the address out of the ID token and tell it only on request. */
async function claimsOf(
  library: { readonly fetchUserInfo: typeof fetchUserInfo },
  provider: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Promise<Claims | undefined> {
  const claims = tokens.claims()
  const isComplete = claims?.['email'] !== undefined || provider.serverMetadata().userinfo_endpoint === undefined
  if (!claims || isComplete) return claims
  return { ...(await library.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims }
}

/** The library and what the provider publishes about itself, both fetched with the first login. */
function connection({ issuer, clientId, clientSecret }: OidcSettings) {
  let known: Promise<Configuration> | undefined
  return async () => {
    const library = await import('openid-client')
    const isPlain = issuer.startsWith('http:')
    known ??= library.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      // By default the library trusts an ID token that came over TLS; we check its signature as well. The setting
      // allows http for loopback only.
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    })
    known.catch(() => {
      known = undefined
    })
    return [library, await known] as const
  }
}

interface Claims {
  readonly iss: string
  readonly sub: string
  readonly email?: unknown
  readonly email_verified?: unknown
}

/** The person with this verified address, who has come with no other account of the provider before. */
async function personOf({ pool, audience }: SignInDeps, claims: Claims | undefined): Promise<Person | undefined> {
  if (!claims || typeof claims.email !== 'string' || claims.email_verified !== true) return undefined
  const person = await findPersonByEmail(pool, claims.email, audience)
  if (!person) return undefined
  const { rowCount } = await pool.query(
    `insert into sign_in_credentials as c (person_id, oidc_subject) values ($1, $2)
     on conflict (person_id) do update set oidc_subject = excluded.oidc_subject
       where c.oidc_subject is null or c.oidc_subject = excluded.oidc_subject`,
    [person.id, JSON.stringify([claims.iss, claims.sub])],
  )
  return rowCount === 1 ? person : undefined
}
