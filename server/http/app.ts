import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { METHODS } from 'node:http'
import type { Random } from '../domain/references.ts'
import type { Api } from './api.ts'
import { answerBesideRequests, answerUnreadableRequest, type Unreadable } from './below-requests.ts'
import { closed, PendingReplies } from './pending-replies.ts'
import { trustedProxy } from './client-address.ts'
import { boundConnections, CONNECTION_TIMES, type ConnectionTimes } from './connections.ts'
import { drain } from './drain.ts'
import { ENVELOPE_HEADERS, failure, type Reply } from './envelope.ts'
import { failureReply } from './failures.ts'
import { formFaultOf } from './message-form.ts'
import type { IncomingRequest } from './router.ts'
import { RequestLog, type Answered } from './request-log.ts'

type Lost = (request: FastifyRequest, reply: FastifyReply, how: 'unknown' | 'malformed') => FastifyReply | undefined

export interface AppOptions {
  readonly api: Api
  readonly logger: FastifyBaseLogger
  readonly random: Random
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[]
  /** How many connections each other address may have at once; absent: any number. */
  readonly connectionsPerAddressMax?: number
  readonly times?: ConnectionTimes
  /** Docs, health, inbox …: what is served beside the contract. */
  readonly routes: (app: FastifyInstance) => void
  /**
   * Answers an address that leads nowhere, where people and no programs come to; undefined: it gets the envelope like
   * all others.
   */
  readonly lost?: Lost
  /** The same for what never became a request. */
  readonly unreadable?: Unreadable
  readonly answered?: Answered
  /** The process is about to stop: replies end their connections, so that the next request goes elsewhere. */
  readonly isEnding?: () => boolean
}

const KEEP_ALIVE_MS = 72_000
/** Requests of one connection that wait for their turn: far more than anybody sends ahead, few enough to be kept. */
const WAITING_MAX = 1_000
const TOO_MANY_CONNECTIONS =
  'connections of one address are refused, because it has MALIPO_CONNECTIONS_PER_ADDRESS already: a proxy in front belongs into MALIPO_TRUSTED_PROXIES (said once)'

/**
 * The HTTP server: the contract's operations by openapi-backend, everything else as plain routes, every failure in the
 * envelope.
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
  const app = fastify({
    loggerInstance: logger,
    logController: new RequestLog(answered),
    genReqId: () => Buffer.from(random.bytes(12)).toString('base64url'),
    trustProxy: trustedProxies.length > 0 ? isProxy : false,
    requestTimeout: times.requestMs,
    connectionTimeout: times.stillMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // What arrives while we stop is answered as always: Fastify's own 503 has no envelope.
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
    // A longer reference is no reference: the route's own answer says so, not the router.
    routerOptions: { maxParamLength: 1_000 },
    // The absolute form of a request target must be understood as well (RFC 9112, section 3.2.2).
    rewriteUrl: (request) => asPath((request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')),
  })
  app.decorateRequest('logName', undefined)
  takeInOrder(app, pending, isEnding)
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

/** What Fastify refuses before it looks for a route. */
const withoutRoute =
  (lost: Lost): NonNullable<FastifyServerOptions['frameworkErrors']> =>
  (error, request, reply) => {
    const isMalformed = error.code === 'FST_ERR_BAD_URL'
    reply.header('x-request-id', request.id)
    if (lost(request, reply, isMalformed ? 'malformed' : 'unknown')) return
    const [status, message] = isMalformed
      ? ([400, 'The path is not valid percent-encoding'] as const)
      : ([404, 'There is nothing at this path'] as const)
    send(reply, failure(status, message))
  }

/** To Fastify no method has a body: the contract's checks come before it, and read it themselves (http/body.ts). */
function readNoBodies(app: FastifyInstance): void {
  for (const method of METHODS)
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
}

/** One request after the other on each connection, and none whose host is in doubt. */
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
    // One at a time on a connection: what stands behind a request whose reply ends the connection is not carried out,
    // because nobody would be told of it (RFC 9112, sections 9.3.2 and 9.6).
    void closed(before.slice(-1)).then(() => (request.raw.socket.writable ? done() : void reply.hijack()))
  })
}

/**
 * Fixed parts of a path are taken as they are written: the router decodes `/%6fperators/` first, and a proxy in front
 * that has a rule on `/operators/` does not.
 */
function matchLiterally(app: FastifyInstance, lost: Lost): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions
    if (route === undefined || isLiterally(route, (request.raw.url ?? '').split('?', 1)[0] ?? '')) return done()
    void (lost(request, reply, 'unknown') ?? send(reply, failure(404, 'There is nothing at this path')))
  })
}

/** Whether the fixed parts of a route stand in the path letter by letter. */
function isLiterally(route: string, path: string): boolean {
  const written = path.split('/')
  return route.split('/').every((part, place) => part.startsWith(':') || part === '*' || part === written[place])
}

/** Of a request whose reply ends the connection the rest is read first: a client that still sends would see a reset. */
function readBeforeEnding(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw: message }, reply, payload, done) => {
    const endsConnection = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive
    if (!endsConnection || message.complete || message.destroyed) return done(null, payload)
    void drain(message).then(() => done(null, payload))
  })
}

function serveContract(app: FastifyInstance, api: Api, lost: Lost): void {
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
      if (error !== undefined) request.log.error({ err: error, operationId }, 'request failed')
      const leadsNowhere = operationId === undefined && answer.status === 404
      return (leadsNowhere ? lost(request, reply, 'unknown') : undefined) ?? send(reply, answer)
    },
  })
}

/** Sends a reply in the contract's envelope. */
export function send(reply: FastifyReply, { status, body, headers }: Reply): FastifyReply {
  reply.code(status).headers(ENVELOPE_HEADERS)
  if (headers) reply.headers(headers)
  return reply.send(JSON.stringify(body))
}

/**
 * Targets without a slash in front (`*`, an empty path) lead nowhere, instead of to the route that is left without its
 * first character.
 */
const asPath = (target: string): string => (target.startsWith('/') ? target : `/${target}`)
