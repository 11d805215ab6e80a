import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { METHODS, type IncomingMessage } from 'node:http'
import type { Random } from '../domain/references.ts'
import type { Api } from './api.ts'
import { answerBesideRequests, answerUnreadableRequest, type MalformedRequestReply } from './below-requests.ts'
import { closed, PendingReplies, boundConnections, CONNECTION_TIMES, type ConnectionTimes } from './connections.ts'
import { trustedProxy } from './client-address.ts'
import { drain } from './drain.ts'
import { refuseEarly } from './early-refusals.ts'
import { ENVELOPE_HEADERS, failure, type Reply } from './envelope.ts'
import { failureReply } from './failures.ts'
import type { IncomingRequest } from './contract-backend.ts'
import { formFaultOf } from './message-form.ts'
import { RequestLog, type RequestLogger } from './request-log.ts'

type PathRefusal = (
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'unknown' | 'malformed',
) => FastifyReply | undefined

export interface AppOptions {
  readonly api: Pick<Api, 'handle'> & Partial<Api>
  readonly logger: FastifyBaseLogger
  readonly random: Random
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** The limit of simultaneous connections for each other address; absent: unlimited. */
  readonly connectionsPerAddressMax?: number
  readonly times?: ConnectionTimes
  /** Routes beside the contract: docs, health, payment page, operators' messages, the sandbox's inbox. */
  readonly routes: (app: FastifyInstance) => void
  /**
   * Replies at an unknown path that people visit rather than programs; undefined: the path gets the envelope like all
   * others.
   */
  readonly lost?: PathRefusal
  /** The same for bytes that never became a request. */
  readonly unreadable?: MalformedRequestReply
  readonly answered?: RequestLogger
  /** The process is about to stop: replies close their connections, so that the next request goes elsewhere. */
  readonly isEnding?: () => boolean
}

/**
 * Longer than a proxy in front keeps an idle connection (60 s in `deploy/compose/Caddyfile`). So the proxy closes it
 * first, and never sends a request into a connection that we have just closed. Node's default is 5 s.
 */
const KEEP_ALIVE_MS = 72_000
/**
 * The limit of pipelined requests that wait on one connection: far more than any client pipelines, few enough to hold
 * in memory.
 */
const WAITING_MAX = 1_000
const TOO_MANY_CONNECTIONS =
  'connections of one address are refused, because it has MALIPO_CONNECTIONS_PER_ADDRESS already: a proxy in front belongs into MALIPO_TRUSTED_PROXIES (said once)'

/**
 * The HTTP server: openapi-backend serves the contract's operations, plain routes everything else, and every failure
 * uses the envelope.
 */
export function createApp({
  api,
  logger,
  random,
  trustedProxies = [],
  connectionsPerAddressMax = Infinity,
  times = CONNECTION_TIMES,
  routes,
  lost = () => undefined,
  unreadable = () => undefined,
  answered,
  isEnding = () => false,
}: AppOptions): FastifyInstance {
  const pending = new PendingReplies()
  const isProxy = trustedProxy(trustedProxies)
  const requestId = (): string => Buffer.from(random.bytes(12)).toString('base64url')
  const app = fastify({
    loggerInstance: logger,
    logController: new RequestLog(answered),
    genReqId: requestId,
    trustProxy: trustedProxies.length > 0 ? isProxy : false,
    requestTimeout: times.requestMs,
    connectionTimeout: times.stillMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // Requests that arrive during the shutdown get the usual replies: Fastify's own 503 has no envelope.
    return503OnClosing: false,
    http: {
      headersTimeout: times.headersMs,
      connectionsCheckingInterval: times.checkMs,
      requireHostHeader: false,
    },
    frameworkErrors: withoutRoute(lost),
    clientErrorHandler: (error, socket) =>
      void answerUnreadableRequest(error, socket, pending.on(socket), unreadable, times.lingerMs),
    exposeHeadRoutes: false,
    // A longer parameter cannot be a reference: the route's own handler says so, not the router.
    routerOptions: { maxParamLength: 1_000 },
    rewriteUrl: originForm,
  })
  app.decorateRequest('logName', undefined)
  takeInOrder(app, pending, isEnding)
  if (api.turnAway) refuseEarly(app.server, { turnAway: api.turnAway, requestId, isEnding, answered })
  matchLiterally(app, lost)
  readBeforeEnding(app)
  app.setErrorHandler((error, request, reply) => {
    const { reply: answer, unexpected } = failureReply(error)
    if (unexpected) request.log.error({ err: error }, 'request failed')
    return send(reply, answer)
  })
  readNoBodies(app)
  answerBesideRequests(app, times.lingerMs)
  const onRefused = (): void => logger.warn(TOO_MANY_CONNECTIONS)
  boundConnections(app.server, { perAddressMax: connectionsPerAddressMax, isProxy, onRefused }, times.lingerMs)
  app.register(async (scope) => routes(scope))
  serveContract(app, api, lost)
  return app
}

/** What Fastify rejects before it matches a route. */
const withoutRoute =
  (lost: PathRefusal): NonNullable<FastifyServerOptions['frameworkErrors']> =>
  (error, request, reply) => {
    const isMalformed = error.code === 'FST_ERR_BAD_URL'
    reply.header('x-request-id', request.id)
    if (lost(request, reply, isMalformed ? 'malformed' : 'unknown')) return
    const [status, message] = isMalformed
      ? ([400, 'The path is not valid percent-encoding'] as const)
      : ([404, 'There is nothing at this path'] as const)
    send(reply, failure(status, message))
  }

/**
 * Fastify treats every method as one without a body: the contract's checks run first and read bodies themselves
 * (http/body.ts).
 */
function readNoBodies(app: FastifyInstance): void {
  for (const method of METHODS)
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
}

/** Handles the requests of each connection one after the other, and rejects those whose form is ambiguous. */
function takeInOrder(app: FastifyInstance, pending: PendingReplies, isEnding: () => boolean): void {
  app.server.on('request', (request, response) => pending.add(request, response))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (isEnding()) reply.header('connection', 'close')
    const fault = formFaultOf(request.raw)
    if (fault?.endsConnection) reply.header('connection', 'close')
    if (fault) return void send(reply, failure(400, fault.message))
    const before = pending.on(request.raw.socket)
    if (before.length === 0) return done()
    if (before.length > WAITING_MAX) return void request.raw.socket.destroy()
    // One request at a time per connection: a request pipelined behind a reply that closes the connection is not
    // executed, because its client would never get the result (RFC 9112, sections 9.3.2 and 9.6).
    void closed(before.slice(-1)).then(() => (request.raw.socket.writable ? done() : void reply.hijack()))
  })
}

/**
 * Fixed parts of a path match literally. The router decodes `/%6fperators/` first; a proxy in front with a rule for
 * `/operators/` does not.
 */
function matchLiterally(app: FastifyInstance, lost: PathRefusal): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions
    if (route === undefined || isLiterally(route, (request.raw.url ?? '').split('?', 1)[0] ?? '')) return done()
    void (lost(request, reply, 'unknown') ?? send(reply, failure(404, 'There is nothing at this path')))
  })
}

/** Whether the fixed parts of a route appear literally in the path. */
function isLiterally(route: string, path: string): boolean {
  const written = path.split('/')
  return route.split('/').every((part, place) => part.startsWith(':') || part === '*' || part === written[place])
}

/**
 * Reads the rest of a request before a reply that closes the connection: a client that is still sending would see a
 * reset instead.
 */
function readBeforeEnding(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw: message }, reply, payload, done) => {
    const endsConnection = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive
    if (!endsConnection || message.complete || message.destroyed) return done(null, payload)
    void drain(message).then(() => done(null, payload))
  })
}

function serveContract(app: FastifyInstance, api: Pick<Api, 'handle'>, lost: PathRefusal): void {
  const othersHandled = createBursts()
  app.route({
    method: app.supportedMethods,
    url: '/*',
    handler: async (request, reply) => {
      const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
      const {
        reply: answer,
        operationId,
        error,
      } = await api.handle(request.raw, path, request.query as IncomingRequest['query'], () => request.ip)
      request.logName = operationId
      await othersHandled()
      if (error !== undefined) request.log.error({ err: error, operationId }, 'request failed')
      const leadsNowhere = operationId === undefined && answer.status === 404
      return (leadsNowhere ? lost(request, reply, 'unknown') : undefined) ?? send(reply, answer)
    },
  })
}

/**
 * Resolves when the requests that were read in this turn of the event loop are handled: their replies are then sent one
 * behind the other. A client or proxy that sleeps between two replies is woken up for each, which costs a lookup a third
 * of its processor time (75 → 50 µs).
 */
function createBursts(): () => Promise<void> {
  let burst: Promise<void> | undefined
  return () =>
    (burst ??= new Promise((resolve) => {
      setImmediate(() => {
        burst = undefined
        resolve()
      })
    }))
}

/** Sends a reply in the contract's envelope. */
export function send(reply: FastifyReply, { status, body, headers, file }: Reply): FastifyReply {
  reply.code(status).headers(ENVELOPE_HEADERS)
  if (headers) reply.headers(headers)
  return file ? reply.type(file.type).send(file.text) : reply.send(JSON.stringify(body))
}

/**
 * Makes targets without a leading slash (`*`, an empty path) lead to no route: the router would otherwise match them
 * without their first character.
 */
const asPath = (target: string): string => (target.startsWith('/') ? target : `/${target}`)

/** The path and query of a request. The absolute form must be supported as well (RFC 9112, section 3.2.2). */
export const originForm = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string =>
  asPath(url.replace(/^https?:\/\/[^/?#]*/i, ''))

/** Replies 405 with the exact `Allow` header to all other methods of a route. */
export function allowOnly(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = methods.join(', ')
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    handler: async (request, reply) =>
      send(reply, failure(405, `${request.method} is not allowed here: use ${allow}`, { allow })),
  })
}
