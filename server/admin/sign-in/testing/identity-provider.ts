import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '../../../verification/testing/listening.ts'

// For tests: an identity provider that signs in whoever the test says, and can break each rule of the protocol.

export const CLIENT = { id: 'malipo-test', secret: 'a secret of the client' } as const

interface Login {
  readonly sub: string
  readonly email: string
  readonly email_verified?: unknown
  /** Seconds since the person signed in there. */
  readonly age?: number
}

/** Claims of the ID token that differ from honest ones, and how it is signed. */
interface Deviation {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly signature?: 'none' | 'other key'
  /** The address is not in the ID token: the provider tells it, of this subject, to whoever asks with the access token. */
  readonly toldOf?: string
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
})

/** An ID token for what the client asked, signed unless the test wants another one. */
function idToken(
  { issuer, query, login: { age = 0, ...login } }: { issuer: string; query: URLSearchParams; login: Login },
  { claims, signature, toldOf }: Deviation,
  key: KeyObject,
): string {
  const now = Math.floor(Date.now() / 1_000)
  const honest = {
    iss: issuer,
    aud: CLIENT.id,
    iat: now,
    exp: now + 60,
    auth_time: now - age,
    nonce: query.get('nonce'),
  }
  const header = { alg: signature === 'none' ? 'none' : 'RS256', kid: 'one' }
  const who = toldOf === undefined ? { email_verified: true, ...login } : { sub: login.sub }
  const text = `${part(header)}.${part({ ...honest, ...who, ...claims })}`
  return `${text}.${signature === 'none' ? '' : sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

export async function startIdentityProvider() {
  const [{ publicKey, privateKey }, other] = [keys(), keys()]
  const pending = new Map<string, { readonly query: URLSearchParams; readonly login: Login }>()
  let deviation: Deviation = {}
  let signedIn: Login | undefined

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = new URLSearchParams(Buffer.concat(chunks).toString())
    const code = body.get('code') ?? ''
    const found = pending.get(code)
    pending.delete(code)
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = found?.query.get('code_challenge') === challenge && body.get('client_secret') === CLIENT.secret
    if (!found || !isRight) return reply(response, { error: 'invalid_grant' }, 400)
    const key = deviation.signature === 'other key' ? other.privateKey : privateKey
    signedIn = found.login
    const token = idToken({ issuer: url, ...found }, deviation, key)
    reply(response, { access_token: 'x', token_type: 'Bearer', id_token: token })
  }

  const reply = (response: ServerResponse, body: unknown, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const server = createServer((request, response) => {
    if (request.url === '/token') return void exchange(request, response)
    if (request.url === '/jwks')
      return reply(response, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      })
    if (request.url === '/userinfo') {
      const isKnown = request.headers.authorization === 'Bearer x' && deviation.toldOf !== undefined
      return isKnown
        ? reply(response, { email_verified: true, ...signedIn, sub: deviation.toldOf })
        : void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()
    }
    reply(response, metadataOf(url))
  })
  const { url, close } = await listening(server)
  return {
    url,
    close,
    /** What the person's browser gets after signing in there: the way back. */
    signIn(
      authorizeUrl: string,
      login: Login,
      how: Deviation = {},
    ): { readonly path: string; readonly query: URLSearchParams } {
      deviation = how
      const query = new URL(authorizeUrl).searchParams
      const code = randomUUID()
      pending.set(code, { query, login })
      const back = new URLSearchParams({ code, state: query.get('state') ?? '' })
      return { path: `/oidc/callback?${back.toString()}`, query }
    },
  }
}
