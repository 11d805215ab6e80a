import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived, also one that got no answer. */
export interface OperatorRequest {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Empty where the answer was to close before reading. */
  readonly body: string
  /** What the body says in JSON. @throws SyntaxError when it does not */
  json(): unknown
  /** The fields of a body that is a form. */
  form(): Record<string, string>
}

/**
 * What a route answers. A number is a status with an empty body; a function makes the answer from the request.
 *
 * - `hang`: it reads, and never answers
 * - `close_before_reading`: the connection ends as soon as the head of the request is there
 * - `close_after_reading`: the request has arrived whole, the connection ends without a byte
 * - `raw`: these bytes instead of an answer in HTTP, then the connection ends
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
  /** Text goes out as it is; anything else as JSON, with its content type. */
  readonly body?: unknown
  /**
   * - `chunked`: no Content-Length
   * - `truncated`: Content-Length says the whole, half of it comes, the connection ends
   * - `drip`: a byte every `dripMs` milliseconds
   * - `stall`: half of it comes, the rest never
   */
  readonly delivery?: 'chunked' | 'truncated' | 'drip' | 'stall'
  /** 20 when it is left out. */
  readonly dripMs?: number
}

/** An operator that does what a test says, on a real port of the loopback interface. */
export interface ScriptedOperator {
  /** Without a slash at its end. */
  readonly url: string
  /** All that came, in the order of arrival. */
  readonly requests: readonly OperatorRequest[]
  /**
   * From now on the route answers these, one after another, the last one for ever. Of scripts that fit a request the
   * latest counts. What has no script is answered 501, and named in the text.
   * @param route `GET /accounts/{id}/balance`: what is in braces stands for any one segment
   */
  on(route: string, ...answers: readonly ScriptedAnswer[]): void
  requestsTo(route: string): readonly OperatorRequest[]
  /** Forgets what came; the scripts stay. */
  forget(): void
  /** From now on connections to the port are refused. */
  close(): Promise<void>
}

/** @param port that of an operator that was closed, to bring it back */
export async function startScriptedOperator({ port = 0 }: { readonly port?: number } = {}): Promise<ScriptedOperator> {
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
      form: () => Object.fromEntries(new URLSearchParams(body)),
    }
    requests.push(request)
    send(await settled(next ?? { status: 501, body: `no script for ${route}` }, request), incoming, response)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    on: (route, ...answers) => void scripts.unshift({ pattern: patternOf(route), answers: [...answers] }),
    requestsTo: (route) => requests.filter(({ method, path }) => patternOf(route).test(`${method} ${path}`)),
    forget: () => void (requests.length = 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
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

type Settled = Exclude<ScriptedAnswer, (request: OperatorRequest) => unknown>

async function settled(answer: ScriptedAnswer, request: OperatorRequest): Promise<Settled> {
  return typeof answer === 'function' ? settled(await answer(request), request) : answer
}

function send(answer: Settled, { socket }: IncomingMessage, response: ServerResponse): void {
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
    ...(delivery === 'chunked' ? {} : { 'content-length': bytes.length }),
    ...headers,
  })
  switch (delivery) {
    case undefined:
    case 'chunked':
      return void response.end(bytes)
    case 'truncated':
      // Not before the half has left: a connection that is cut at once would lose the head as well.
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
