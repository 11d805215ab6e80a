import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '../../verification/testing/listening.ts'

/** A received request, including one that got no reply. */
export interface OperatorRequest {
  readonly method: string
  /** Without the query string. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Empty if the script closes the connection before reading. */
  readonly body: string
  /**
   * Parses the body as JSON.
   * @throws SyntaxError when it is not JSON
   */
  json(): unknown
}

/**
 * The scripted reply of a route. A number is a status with an empty body; a function builds the reply from the
 * request.
 *
 * - `hang`: it reads, and never replies
 * - `close_before_reading`: the connection closes as soon as the request's headers have arrived
 * - `close_after_reading`: the whole request has arrived, and the connection closes without a byte
 * - `raw`: sends these bytes instead of an HTTP response, then closes the connection
 */
export type ScriptedAnswer =
  | number
  | WholeAnswer
  | 'hang'
  | 'close_before_reading'
  | 'close_after_reading'
  | { readonly raw: string }
  | ((request: OperatorRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

export interface WholeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged; anything else as JSON, with its content type. */
  readonly body?: unknown
  /**
   * - `truncated`: Content-Length states the full size, half of it is sent, the connection closes
   * - `drip`: a byte every `dripMs` milliseconds
   * - `stall`: half of it is sent, the rest never
   */
  readonly delivery?: 'truncated' | 'drip' | 'stall'
  /** Defaults to 20. */
  readonly dripMs?: number
}

/** An operator that a test scripts, on a real port of the loopback interface. */
export interface ScriptedOperator {
  /** Without a trailing slash. */
  readonly url: string
  /** All requests, in the order of arrival. */
  readonly requests: readonly OperatorRequest[]
  /**
   * Sets the replies of a route: one after another, then the last one repeatedly. If several scripts match a request,
   * the latest wins. A request without a script gets a 501 that names it.
   * @param route `GET /accounts/{id}/balance`: a name in braces matches any one segment
   */
  on(route: string, ...answers: readonly ScriptedAnswer[]): void
  requestsTo(route: string): readonly OperatorRequest[]
  /** Refuses connections to the port from now on. */
  close(): Promise<void>
}

export async function startScriptedOperator(): Promise<ScriptedOperator> {
  const scripts: { readonly pattern: RegExp; readonly answers: ScriptedAnswer[] }[] = []
  const requests: OperatorRequest[] = []
  const server = createServer((incoming, response) => {
    void respond(incoming, response).catch(() => incoming.socket.destroy())
  })

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(incoming.url ?? '/', 'http://operator.invalid')
    const route = `${incoming.method} ${target.pathname}`
    const script = scripts.find(({ pattern }) => pattern.test(route))?.answers ?? []
    const next = script.length > 1 ? script.shift() : script[0]
    const body = next === 'close_before_reading' ? '' : await textOf(incoming)
    const request: OperatorRequest = {
      method: incoming.method ?? '',
      path: target.pathname,
      query: target.searchParams,
      headers: incoming.headers,
      body,
      json: (): unknown => JSON.parse(body),
    }
    requests.push(request)
    send(await settled(next ?? { status: 501, body: `no script for ${route}` }, request), incoming, response)
  }

  const { url, close } = await listening(server)
  return {
    url,
    requests,
    on: (route, ...answers) => void scripts.unshift({ pattern: patternOf(route), answers: [...answers] }),
    requestsTo: (route) => requests.filter(({ method, path }) => patternOf(route).test(`${method} ${path}`)),
    close,
  }
}

const patternOf = (route: string): RegExp =>
  new RegExp(
    `^${route
      .split(/\{[^}]*\}/)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^/]+')}$`,
  )

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

type StaticAnswer = Exclude<ScriptedAnswer, (request: OperatorRequest) => unknown>

async function settled(answer: ScriptedAnswer, request: OperatorRequest): Promise<StaticAnswer> {
  return typeof answer === 'function' ? settled(await answer(request), request) : answer
}

function send(answer: StaticAnswer, { socket }: IncomingMessage, response: ServerResponse): void {
  if (answer === 'hang') return
  if (answer === 'close_before_reading' || answer === 'close_after_reading') return void socket.destroy()
  if (typeof answer === 'number') return void response.writeHead(answer, { 'content-length': 0 }).end()
  if ('raw' in answer) return void socket.end(answer.raw)
  sendWhole(answer, response)
}

function sendWhole({ status, headers, body, delivery, dripMs = 20 }: WholeAnswer, response: ServerResponse): void {
  const isText = body === undefined || typeof body === 'string'
  const bytes = Buffer.from(isText ? (body ?? '') : JSON.stringify(body), 'utf8')
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  response.writeHead(status, {
    ...(isText ? {} : { 'content-type': 'application/json' }),
    'content-length': bytes.length,
    ...headers,
  })
  switch (delivery) {
    case undefined:
      return void response.end(bytes)
    case 'truncated':
      // Waits until the half is sent: closing the connection at once would lose the headers as well.
      return void response.write(half, () => response.socket?.end())
    case 'stall':
      return void response.write(half)
    case 'drip':
      return drip(bytes, dripMs, response)
  }
}

function drip(bytes: Buffer, everyMs: number, response: ServerResponse): void {
  let sent = 0
  const timer = setInterval(() => {
    if (sent === bytes.length) return void response.end()
    sent += 1
    response.write(bytes.subarray(sent - 1, sent))
  }, everyMs)
  response.once('close', () => clearInterval(timer))
}
