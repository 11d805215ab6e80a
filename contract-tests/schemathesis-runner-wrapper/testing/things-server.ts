import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { OpenApiDocument, Schema } from '../openapi.ts'

/** A contract of two operations behind one key, small enough to test within seconds. */
export const THINGS_CONTRACT: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        security: [{ apiKey: [] }],
        parameters: [
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 10 } },
        ],
        responses: {
          200: json({
            type: 'object',
            required: ['items'],
            properties: { items: { type: 'array', items: { type: 'string' } } },
          }),
          400: json({}),
          401: json({}),
        },
      },
      post: {
        operationId: 'addThing',
        security: [{ apiKey: [] }],
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: { name: { type: 'string', minLength: 1, maxLength: 5, pattern: '^[a-z]+$' } },
          }),
        },
        responses: {
          201: json({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
          400: json({}),
          401: json({}),
          415: json({}),
        },
      },
    },
  },
  components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'api-key' } } },
}

function json(schema: Schema) {
  return { description: 'A reply or a request.', content: { 'application/json': { schema } } }
}

/** The fault of the server. */
export type Fault =
  'none' | 'many' | 'hangs' | 'hangs on things' | 'business rule' | 'undeclared rule' | 'refuses a name'

interface ThingsServer {
  readonly baseUrl: string
  /** Method, address, headers and body of every request, in order. */
  readonly received: readonly string[]
  stop(): Promise<void>
}

export async function startThings({
  key,
  fault,
  port = 0,
}: {
  readonly key: string
  readonly fault: Fault
  readonly port?: number
}): Promise<ThingsServer> {
  const received: string[] = []
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const headers = request.rawHeaders.filter(
      (_, index) => request.rawHeaders[index - (index % 2)]?.toLowerCase() !== 'host',
    )
    if (request.url !== '/')
      received.push(JSON.stringify([request.method, request.url, headers, body.toString('latin1')]))
    if (fault === 'hangs' || (fault === 'hangs on things' && request.url !== '/')) return
    const [status, reply, more] = answer(request, body, key, fault)
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(reply))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Reply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

function answer(request: IncomingMessage, body: Buffer, key: string, fault: Fault): Reply {
  const url = new URL(request.url ?? '/', 'http://things.example')
  if (url.pathname !== '/things') return [404, { error: 'not found' }]
  if (request.method !== 'GET' && request.method !== 'POST')
    return [405, { error: 'method not allowed' }, { allow: 'GET, POST' }]
  if (fault !== 'many' && request.headers['api-key'] !== key) return [401, { error: 'wrong key' }]
  return request.method === 'GET' ? list(url, fault) : add(request, body, key, fault)
}

function list(url: URL, fault: Fault): Reply {
  const [text = '', ...others] = url.searchParams.getAll('limit')
  const limit = Number(text)
  if (fault === 'many' && limit === 10) return [500, { error: 'limit 10 was too much' }]
  if (others.length > 0 || !/^([1-9]|10)$/.test(text)) return [400, { error: 'limit' }]
  return [200, fault === 'many' ? { items: [1] } : { items: Array(limit).fill('thing') }]
}

function add(request: IncomingMessage, body: Buffer, key: string, fault: Fault): Reply {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return [415, { error: 'not json' }]
  if ((request.headers['x-version'] ?? '1') !== '1') return [400, { error: 'version' }]
  const thing = parsed(body)
  // A careless server echoes a key, which must not reach a kept file.
  if (fault === 'many') return [201, { name: 'anything', echo: key }, { 'x-echo': key }]
  if (typeof thing !== 'object' || thing === null || Object.keys(thing).join() !== 'name' || !('name' in thing))
    return [400, { error: 'thing' }]
  if (typeof thing.name !== 'string' || !/^[a-z]{1,5}$/.test(thing.name)) return [400, { error: 'name' }]
  if (fault === 'business rule') return [400, { error: 'no more things today' }]
  if (fault === 'refuses a name' && thing.name.length > 3) return [400, { error: 'name' }]
  if (fault === 'undeclared rule') return [400, { error: 'I do not like it' }]
  return [201, { name: thing.name }]
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
