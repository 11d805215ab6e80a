import { createServer, type IncomingMessage } from 'node:http'
import type { ListeningServer } from '../../harness/listen.ts'
import { listen } from '../../harness/listen.ts'

/** Keys of the doors: one for each way in which HTTP transports them. */
export const DOOR_KEYS = {
  basic: 'somebody:p+ss word/1',
  bearer: 'bearer-token-1',
  header: 'key-in-a-header',
  query: 'key+in/a query',
  cookie: 'session-in-a-cookie',
} as const

const REFUSED = "{ description: 'Another key, or none.' }"
const operation = (name: string) => `
  /${name}:
    get:
      operationId: ${name}Door
      tags: [${name === 'oauth' ? 'tokens' : 'keys'}]
      security: [{ ${name}: [${name === 'oauth' ? 'doors' : ''}] }]
      responses: { 200: { $ref: 'shared.yaml#/Open' }, 401: ${REFUSED} }`

/** A contract in YAML that references another file, of any version from 3.0 on. */
export const doorsContract = (version: string): string => `openapi: ${version}
info: { title: Doors, version: 2026-11-22 }
paths:${['basic', 'bearer', 'header', 'query', 'cookie', 'oauth'].map(operation).join('')}
components:
  securitySchemes:
    basic: { type: http, scheme: Basic }
    bearer: { type: http, scheme: bearer }
    header: { type: apiKey, in: header, name: x-key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    oauth:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: /token, scopes: { doors: Opens doors } } }
`

/** The other file. */
export const SHARED = `Open:
  description: The door is open.
  content: { application/json: { schema: { type: object, required: [open], properties: { open: { enum: [true] } } } } }
`

export interface DoorsServer extends ListeningServer {
  /** Issued tokens. */
  readonly tokens: readonly string[]
}

/** Serves the doors; `open` ones check no key. Each token expires when the next one is issued. */
export async function startDoors(open: readonly string[] = []): Promise<DoorsServer> {
  const tokens: string[] = []
  const isLetIn = (name: string, { headers }: IncomingMessage, url: URL): boolean => {
    const { authorization, cookie = '' } = headers
    if (name === 'basic') return authorization === `Basic ${Buffer.from(DOOR_KEYS.basic).toString('base64')}`
    if (name === 'bearer') return authorization === `Bearer ${DOOR_KEYS.bearer}`
    if (name === 'oauth') return authorization === `Bearer ${tokens.at(-1)}`
    if (name === 'header') return headers['x-key'] === DOOR_KEYS.header
    if (name === 'query') return url.searchParams.get('key') === DOOR_KEYS.query
    return cookie.split('; ').includes(`session=${DOOR_KEYS.cookie}`)
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://doors.example')
    const name = url.pathname.slice(1)
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (name === 'token') {
      const isClient = request.headers.authorization === `Basic ${Buffer.from('doors:s%26cret').toString('base64')}`
      if (!isClient) return answer(401, { error: 'invalid_client' })
      tokens.push(`access-token-${tokens.length + 1}`)
      return answer(200, { access_token: tokens.at(-1), token_type: 'bearer', expires_in: 11 })
    }
    if (!/^(basic|bearer|header|query|cookie|oauth)$/.test(name)) return answer(404, {})
    if (request.method !== 'GET') return answer(405, {}, { allow: 'GET' })
    if (!open.includes(name) && !isLetIn(name, request, url)) return answer(401, {})
    return answer(200, { open: true })
  })
  return { tokens, ...(await listen(server)) }
}
