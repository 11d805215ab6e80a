import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountMessageStore } from '../../actions/ports/account-messages.ts'
import { serveConsoleAssets } from '../../admin/console/look/assets.ts'
import type { Viewer } from '../../admin/console/look/viewer.ts'
import { readCapped } from '../../http/body.ts'
import { giveBack, hasEnded, LOAN_PARAMETER } from './borrowed-urls.ts'
import type { InboxStore } from './inbox-store.ts'
import { filterUrl, INBOX_STATES, readFilter, type InboxFilter } from './inbox-filter.ts'
import { storable, type InboxMessage } from '../../domain/received/message.ts'
import { inboxPage, messagePage } from './inbox-page.ts'
import { receiveCallback, receiveHandshake, type ReceiverDeps } from './inbox-receiver.ts'
import { answer, pauses, readRehearsal } from './inbox-rehearsal.ts'
import {
  frameOf,
  headersOf,
  isJson,
  isSameOrigin,
  messageToWire,
  parameter,
  refuseWith,
  sendJson,
  sendPage,
  wantsJson,
  type RouteDeps,
} from './inbox-http.ts'
import { sendAgain } from './inbox-resend.ts'
import { serveStream } from './inbox-stream.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import { serveClock, type ClockDesk } from './serve-clock.ts'
import type { Scenarios } from './scenarios.ts'
import { serveScenario } from './serve-scenario.ts'
import { serveRecentRequests } from './recent-requests.ts'
import { serveBorrowedUrls } from './serve-borrowed-urls.ts'
import { waitingOnPhone } from './phone.ts'
import { serveUnrequested } from './serve-unrequested.ts'
import { paidProviders } from './unrequested.ts'
import { serveTransactions } from './serve-transactions.ts'
import { waitingList } from './waiting-list.ts'
import { waitingPayments } from './waiting-payments.ts'

interface InboxDeps extends ReceiverDeps, RouteDeps {
  readonly clockDesk: () => ClockDesk | undefined
  readonly scenarios: Scenarios | undefined
  readonly inbox: InboxStore
  readonly accountMessages: Pick<AccountMessageStore, 'receive'>
  /** Undefined: the address that the reader's browser used. */
  readonly publicBaseUrl: string | undefined
  /** Whether a request with this Host header, which arrived at this address, is meant for us. */
  readonly isOwnHost: (host: string | undefined, localAddress: string | undefined) => boolean
}

const INBOX = '/sandbox/inbox'
/** Of a callback URL: whose it is, also where no signature says so. */
const MERCHANT_PARAMETER = 'merchant'
/** Far above the size of any callback. */
const BODY_MAX_BYTES = 256 * 1024

/**
 * The built-in inbox: a merchant's callback and verification URLs that check every signature, and a page that shows
 * the received messages.
 */
export function serveInbox(app: FastifyInstance, deps: InboxDeps): void {
  const pause = pauses(app)
  // A scope of its own: the inbox requires no key, so it only accepts our own host names.
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { host } = request.headers
      if (deps.isOwnHost(host, request.socket.localAddress)) return
      return deps.refuse(
        request,
        reply,
        421,
        `The inbox does not answer to ${host?.slice(0, 100)}: use a name of this machine, or add that one to MALIPO_ALLOWED_HOSTS`,
        { connection: 'close' },
      )
    })
    serveConsoleAssets(scope)
    receiveMessages(scope, { ...deps, clock: deps.realClock }, pause)
    showMessages(scope, deps)
    changeMessages(scope, deps)
    keepPagesLive(scope, deps)
    serveTransactions(scope, deps)
    serveClock(scope, { ...deps, desk: deps.clockDesk })
    if (deps.scenarios) serveScenario(scope, { ...deps, scenarios: deps.scenarios })
    serveUnrequested(scope, deps)
    serveRecentRequests(scope, deps)
    serveBorrowedUrls(scope, deps, (request) => `${baseUrlOf(request, deps)}${INBOX}`)
    deps.allowOnly(scope, INBOX, ['GET', 'HEAD', 'POST'])
  })
}

/** The two URLs of a merchant. */
function receiveMessages(app: FastifyInstance, deps: InboxDeps, pause: (ms: number) => Promise<void>): void {
  const { inbox, refuse, allowOnly } = deps

  app.post(INBOX, async (request, reply) => {
    const rehearsal = readRehearsal(request)
    if (rehearsal.fault !== undefined) return refuse(request, reply, 400, rehearsal.fault)
    const loan = parameter(request, LOAN_PARAMETER)
    if (loan !== undefined && hasEnded(loan, deps.clock.now())) {
      await giveBack(deps.pool)
      // Malipo retries, to the URL where callbacks go now.
      return refuse(request, reply, 503, 'This URL was borrowed, and the lease has ended')
    }
    if (!isJson(request.headers['content-type']))
      return refuse(request, reply, 415, 'Content-Type must be application/json')
    const body = await readCapped(request.raw, BODY_MAX_BYTES)
    if (body === 'too_large')
      return refuse(request, reply, 413, `The request body is larger than ${BODY_MAX_BYTES} bytes`, {
        connection: 'close',
      })
    if (body === 'incomplete') return refuse(request, reply, 400, 'The request body is incomplete')
    const whose = /^\d{1,18}$/.exec(parameter(request, MERCHANT_PARAMETER) ?? '')?.[0]
    const arrived = {
      headers: headersOf(request.raw),
      requestLine: `${request.method} ${request.url.slice(0, 300)} HTTP/${request.raw.httpVersion}`,
      body,
      ...(whose !== undefined && { merchantId: BigInt(whose) }),
    }
    await inbox.add(await receiveCallback(arrived, rehearsal.answer, deps))
    return answer(reply, rehearsal, pause)
  })

  app.get(`${INBOX}/handshake`, async (request, reply) => {
    const rehearsal = readRehearsal(request)
    if (rehearsal.fault !== undefined) return refuse(request, reply, 400, rehearsal.fault)
    const reference = parameter(request, 'reference')
    if (reference === undefined) return refuse(request, reply, 400, 'reference is required')
    await inbox.add(await receiveHandshake(headersOf(request.raw), storable(reference), rehearsal.answer, deps))
    return answer(reply, rehearsal, pause)
  })

  app.post(`${INBOX}/handshake`, async (request, reply) => {
    const rehearsal = readRehearsal(request)
    if (rehearsal.fault !== undefined) return refuse(request, reply, 400, rehearsal.fault)
    const body = await readCapped(request.raw, BODY_MAX_BYTES)
    if (typeof body === 'string') return refuse(request, reply, 400, 'The request body is too large or incomplete')
    await inbox.add(await receiveHandshake(headersOf(request.raw), body, rehearsal.answer, deps))
    return answer(reply, rehearsal, pause)
  })

  allowOnly(app, `${INBOX}/handshake`, ['GET', 'POST'])
}

/** For people as pages, for scripts as JSON. */
function showMessages(app: FastifyInstance, deps: InboxDeps): void {
  const { inbox, allowOnly } = deps

  app.route({
    method: ['GET', 'HEAD'],
    url: INBOX,
    handler: async (request, reply) => {
      const filter = readFilter(request)
      if (filter === 'unknown_state')
        return refuseWith(deps, request, reply, {
          status: 400,
          title: 'There is no such state',
          why: `state must be one of ${INBOX_STATES.join(', ')}`,
        })
      if (wantsJson(request)) return sendJson(reply, { messages: (await inbox.list(filter)).map(messageToWire) })
      const frame = frameOf(deps, request, reply)
      // Reads the version first: a message that arrives in between is reported twice rather than lost.
      const version = await inbox.version()
      const [messages, counts, providers, waiting] = await Promise.all([
        inbox.list(filter),
        inbox.count(filter.reference),
        paidProviders(deps.pool),
        filter.state === undefined ? waitingOf(frame.viewer, filter, deps) : '',
      ])
      const sent = /^\d{1,15}$/.exec(parameter(request, 'sent') ?? '')?.[0]
      const paid = /^SIM[\dA-F]{12}$/.exec(parameter(request, 'paid') ?? '')?.[0]
      const baseUrl = baseUrlOf(request, deps)
      const flash = { ...(sent && { sent }), ...(paid && { paid }) }
      return sendPage(
        reply,
        inboxPage(frame, { messages, filter, counts, version, baseUrl, providers, waiting, ...flash }),
      )
    },
  })

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${INBOX}/:id`,
    handler: async (request, reply) => {
      const message = await messageNamed(request.params.id, inbox)
      if (!message) return refuseWith(deps, request, reply, NO_MESSAGE)
      return wantsJson(request)
        ? sendJson(reply, messageToWire(message))
        : sendPage(reply, messagePage(frameOf(deps, request, reply), message, baseUrlOf(request, deps)))
    },
  })
  allowOnly(app, `${INBOX}/:id`, ['GET', 'HEAD'])
}

const WAITING_MAX = 10

async function waitingOf(viewer: Viewer, { reference }: InboxFilter, deps: InboxDeps): Promise<string> {
  const payments = await waitingPayments(deps.pool, { reference, limit: WAITING_MAX })
  return waitingList(
    viewer,
    payments,
    await waitingOnPhone(
      deps,
      payments.map(({ transaction }) => transaction.internalReference),
    ),
  )
}

const NO_MESSAGE = {
  status: 404,
  title: 'There is no such message',
  why: 'There is no such message in the inbox, or no longer: it keeps the newest 500',
}

const messageNamed = async (id: string, inbox: InboxStore): Promise<InboxMessage | undefined> =>
  /^\d{1,15}$/.test(id) ? inbox.find(BigInt(id)) : undefined

/** The actions behind the buttons. */
function changeMessages(app: FastifyInstance, deps: InboxDeps): void {
  const { inbox, refuse, allowOnly } = deps

  app.post(`${INBOX}/clear`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'The inbox can be emptied from its own page only')
    await inbox.clear()
    return reply.redirect(INBOX, 303)
  })

  app.post<{ Params: { id: string } }>(`${INBOX}/:id/resend`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'Messages are sent again from their own page only')
    const message = await messageNamed(request.params.id, inbox)
    if (!message) return refuseWith(deps, request, reply, NO_MESSAGE)
    const fault = await sendAgain(message, deps)
    if (fault) return refuseWith(deps, request, reply, fault)
    if (wantsJson(request)) return sendJson(reply, { webhook_id: message.webhookId })
    const filter = readFilter(request)
    const url = filterUrl(filter === 'unknown_state' ? {} : filter)
    return reply.redirect(`${url}${url.includes('?') ? '&' : '?'}sent=${message.id}`, 303)
  })

  allowOnly(app, `${INBOX}/clear`, ['POST'])
  allowOnly(app, `${INBOX}/:id/resend`, ['POST'])
}

/** The routes for the pages' script. */
function keepPagesLive(app: FastifyInstance, { inbox, allowOnly }: InboxDeps): void {
  const stream = `${INBOX}/stream`
  serveStream(app, stream, inbox)
  app.get(LIVE_SCRIPT_PATH, (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
      .type('text/javascript; charset=utf-8')
      .send(LIVE_SCRIPT),
  )
  for (const url of [stream, LIVE_SCRIPT_PATH]) allowOnly(app, url, ['GET'])
}

/**
 * Becomes part of commands that people paste into a shell, so a Host header that is not a plain host name is rejected.
 */
const baseUrlOf = (request: FastifyRequest, { publicBaseUrl }: InboxDeps): string =>
  publicBaseUrl ??
  (/^[A-Za-z0-9.:[\]-]+$/.test(request.host) ? `${request.protocol}://${request.host}` : 'http://127.0.0.1:8080')
