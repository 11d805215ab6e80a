import createClient, { defaultPathSerializer, type Middleware } from 'openapi-fetch'
import { callRules } from '../generated/calls.ts'
import { checkDecimals, checkedNumber } from './amount-check.ts'
import type { CallRule, ClientPaths, MalipoHttp } from './caller.ts'
import { toHex } from './encoding.ts'
import { MalipoError } from './errors.ts'
import { exchange } from './exchange.ts'
import { checkedRetries, checkedTimeout, type CallOptions, type Settings } from './options.ts'
import { USER_AGENT } from './user-agent.ts'

/** openapi-fetch with everything that all calls share: keys, version, language, retries, time-outs and errors. */
export function createHttp(settings: Settings): MalipoHttp {
  const http = createClient<ClientPaths, 'application/json'>({
    baseUrl: settings.baseUrl,
    headers: {
      'public-key': settings.publicKey,
      'x-api-version': '1',
      'accept-language': settings.language,
      accept: 'application/json',
      'user-agent': USER_AGENT,
    },
    bodySerializer: (body) => {
      checkDecimals(body)
      return JSON.stringify(body, checkedNumber)
    },
    pathSerializer: (path, values) => defaultPathSerializer(path, checkedPath(values)),
    fetch: fetchWith(settings),
  })
  http.use(secretKeyMiddleware(settings))
  return http
}

/** The secret key is sent with the operations that need it or may have it, and with no other. */
const secretKeyMiddleware = ({ baseUrl, secretKey }: Settings): Middleware => ({
  onRequest({ request }) {
    const needed = ruleOf(request, baseUrl)?.needsSecretKey
    if (!needed || (needed !== true && secretKey === undefined)) return
    if (secretKey === undefined)
      throw new MalipoError('secretKey is required for this call: pass it to createMalipo', {
        kind: 'authentication',
        retryable: false,
      })
    request.headers.set('secret-key', secretKey)
  },
})

/** A `fetch` that retries where that is safe, and resolves to successes only. */
export const fetchWith =
  (settings: Settings, options: CallOptions = {}) =>
  async (request: Request): Promise<Response> => {
    const isRead = request.method === 'GET'
    const maxRetries = checkedRetries(options.maxRetries ?? settings.maxRetries)
    const callersKey = request.headers.get('idempotency-key') ?? undefined
    const idempotencyKey = callersKey ?? (!isRead && maxRetries > 0 ? newKey() : undefined)
    return exchange({
      method: request.method,
      url: request.url,
      headers: {
        ...Object.fromEntries(request.headers),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: (await request.text()) || undefined,
      kinds: ruleOf(request, settings.baseUrl)?.kinds ?? {},
      idempotencyKey,
      repeatable: isRead || callersKey !== undefined,
      maxRetries,
      timeoutMs: checkedTimeout(options.timeoutMs ?? settings.timeoutMs),
      signal: options.signal ?? request.signal,
      fetch: settings.fetch,
      waiting: settings.waiting,
    })
  }

/** For the client's own retries. */
const newKey = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)).buffer)

/** The metadata of the operation. Looked up by its URL: other middleware may have replaced the request. */
function ruleOf({ method, url }: Request, baseUrl: string): CallRule | undefined {
  const [path = ''] = url.slice(baseUrl.length).split('?')
  return Object.entries(callRules).find(([operation]) =>
    new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`),
  )?.[1]
}

/** An empty value, one of dots, or the text "undefined" would address another path, whose 404 says nothing. */
function checkedPath(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  for (const [name, value] of Object.entries(values))
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new MalipoError(`${name} is required`, { kind: 'validation', retryable: false })
  return values
}
