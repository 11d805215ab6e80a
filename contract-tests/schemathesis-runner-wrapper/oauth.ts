import { ConfigError, type ExpiringKey, type KeySource } from './options.ts'

const TOKEN_MS_MAX = 30_000

export interface ClientCredentials {
  readonly tokenUrl: string | URL
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
  /** How the client authenticates: HTTP Basic (the default, which every server must accept) or in the form. */
  readonly authentication?: 'basic' | 'form'
  /** Further fields of the form: `audience`, `resource`. */
  readonly more?: Readonly<Record<string, string>>
  /** Default: the global one. */
  readonly fetch?: typeof fetch
}

/**
 * Access tokens of the OAuth client credentials grant (RFC 6749, section 4.4), renewed before they expire. The secret
 * is sent to the token's URL only.
 *
 * @throws ConfigError when the server refuses the client, with its `error` code
 */
export const oauthClientCredentials =
  ({
    tokenUrl,
    clientId,
    clientSecret,
    scope,
    authentication = 'basic',
    more,
    fetch = globalThis.fetch,
  }: ClientCredentials): KeySource =>
  async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }), ...more })
    const headers = new Headers({ accept: 'application/json' })
    if (authentication === 'basic') headers.set('authorization', basic(clientId, clientSecret))
    else
      for (const [name, value] of Object.entries({ client_id: clientId, client_secret: clientSecret }))
        form.set(name, value)
    const requestedAt = Date.now()
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers,
      body: form,
      redirect: 'error',
      signal: AbortSignal.timeout(TOKEN_MS_MAX),
    })
    const reply: unknown = await response.json().catch(() => undefined)
    if (response.status >= 400 && response.status < 500)
      throw new ConfigError(`${String(tokenUrl)} refuses the client: ${textOf(reply, 'error') ?? response.status}`)
    return tokenOf(reply, requestedAt, `${String(tokenUrl)} (${response.status})`)
  }

/** Both halves are form-encoded first (RFC 6749, section 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ x: text }).toString().slice(2)).join(':')
  return `Basic ${Buffer.from(encoded).toString('base64')}`
}

function tokenOf(reply: unknown, requestedAt: number, who: string): ExpiringKey {
  const value = textOf(reply, 'access_token')
  if (value === undefined) throw new Error(`${who} gave no access_token`)
  const seconds = fieldOf(reply, 'expires_in')
  return { value, ...(typeof seconds === 'number' && { expiresAt: requestedAt + seconds * 1000 }) }
}

const fieldOf = (reply: unknown, name: string): unknown =>
  typeof reply === 'object' && reply !== null ? Object.getOwnPropertyDescriptor(reply, name)?.value : undefined

function textOf(reply: unknown, name: string): string | undefined {
  const field = fieldOf(reply, name)
  return typeof field === 'string' ? field : undefined
}
