import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { load } from 'js-yaml'
import { listen } from '../../harness/listen.ts'
import type { OpenApiDocument } from '../openapi.ts'

/** A contract of two operations behind one key, small enough to test within seconds. */
export const THINGS_CONTRACT = load(`
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      security: [{ apiKey: [] }]
      parameters: [{ name: limit, in: query, required: true, schema: { type: integer, minimum: 1, maximum: 10 } }]
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema: { type: object, required: [items], properties: { items: { type: array, items: { type: string } } } }
        '400': &refused { description: Refused., content: { application/json: { schema: {} } } }
        '401': *refused
    post:
      operationId: addThing
      security: [{ apiKey: [] }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [name]
              properties: { name: { type: string, minLength: 1, maxLength: 5, pattern: '^[a-z]+$' } }
      responses:
        '201':
          description: The thing.
          content:
            application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } }
        '400': *refused
        '401': *refused
        '415': *refused
components: { securitySchemes: { apiKey: { type: apiKey, in: header, name: api-key } } }
`) as OpenApiDocument

/** The fault of the server. */
export type Fault = 'none' | 'many' | 'hangs' | 'hangs on things' | 'business rule' | 'refuses a name'

interface ThingsOptions {
  readonly key: string
  readonly fault: Fault
  readonly port?: number
}

/** @returns also method, address, headers and body of every request, in order */
export async function startThings({ key, fault, port = 0 }: ThingsOptions) {
  const received: string[] = []
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { host: _port, ...headers } = request.headers
    if (request.url !== '/')
      received.push(JSON.stringify([request.method, request.url, headers, body.toString('latin1')]))
    if (fault === 'hangs' || (fault === 'hangs on things' && request.url !== '/')) return
    const [status, reply, more] = answer(request, body, key, fault)
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(reply))
  }
  const { url, close } = await listen(
    createServer((request, response) => void respond(request, response)),
    port,
  )
  return { baseUrl: url, received, stop: close }
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
  return [201, { name: thing.name }]
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
