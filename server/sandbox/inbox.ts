import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readCapped } from '../http/read-capped.ts'
import type { Pool } from '../storage/pool.ts'
import { giveBack, hasEnded, LOAN_PARAMETER } from './borrowed-urls.ts'
import type { InboxStore } from './inbox-store.ts'
import { storable } from './inbox-message.ts'
import { inboxPage, messagePage } from './inbox-page.ts'
import { receiveCallback, receiveHandshake, type ReceiverDeps } from './inbox-receiver.ts'
import { answer, pauses, readRehearsal } from './inbox-rehearsal.ts'
import { messageToWire, sendJson, sendPage } from './inbox-reply.ts'
import { isJson, isSameOrigin, parameter, wantsJson } from './inbox-request.ts'
import { serveBorrowedUrls } from './serve-borrowed-urls.ts'

export interface InboxDeps extends ReceiverDeps {
  readonly pool: Pool
  readonly inbox: InboxStore
  /** Absent: the address that the reader's browser used. */
  readonly publicBaseUrl: string | undefined
  /** Answers in the envelope. */
  readonly refuse: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    message: string,
    headers?: Readonly<Record<string, string>>,
  ) => FastifyReply
  /** Answers 405 with the exact `Allow` to all other methods of a route. */
  readonly allowOnly: (app: FastifyInstance, url: string, methods: readonly string[]) => void
  /** Whether a request with this Host header, which arrived at this address, is meant for us. */
  readonly isOwnHost: (host: string | undefined, localAddress: string | undefined) => boolean
}

const INBOX = '/sandbox/inbox'
/** Far above any callback. */
const BODY_MAX_BYTES = 256 * 1024

/**
 * The built-in inbox: a merchant's callback and verification URL that checks every signature, and a page that shows
 * what came.
 */
export function serveInbox(app: FastifyInstance, deps: InboxDeps): void {
  const pause = pauses(app)
  // A scope of its own: the inbox asks for no key, so it answers to our own names only.
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { host } = request.headers
      if (deps.isOwnHost(host, request.socket.localAddress)) return
      return deps.refuse(
        request,
        reply,
        421,
        `The inbox does not answer to ${host?.slice(0, 100)}: ask a name of this machine, or put that one into MALIPO_ALLOWED_HOSTS`,
        { connection: 'close' },
      )
    })
    receiveMessages(scope, deps, pause)
    showMessages(scope, deps)
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
      // Malipo sends it again, to where callbacks go now.
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
    await inbox.add(await receiveCallback(request, body, rehearsal.answer, deps))
    return answer(reply, rehearsal, pause)
  })

  app.get(`${INBOX}/handshake`, async (request, reply) => {
    const rehearsal = readRehearsal(request)
    if (rehearsal.fault !== undefined) return refuse(request, reply, 400, rehearsal.fault)
    const reference = parameter(request, 'reference')
    if (reference === undefined) return refuse(request, reply, 400, 'reference is required')
    await inbox.add(await receiveHandshake(request, storable(reference), rehearsal.answer, deps))
    return answer(reply, rehearsal, pause)
  })

  allowOnly(app, `${INBOX}/handshake`, ['GET'])
}

/** For people, and as JSON for scripts. */
function showMessages(app: FastifyInstance, deps: InboxDeps): void {
  const { inbox, refuse, allowOnly } = deps

  app.route({
    method: ['GET', 'HEAD'],
    url: INBOX,
    handler: async (request, reply) => {
      const merchantReference = parameter(request, 'reference')
      const messages = await inbox.list(
        merchantReference === undefined ? {} : { merchantReference: storable(merchantReference) },
      )
      if (wantsJson(request)) return sendJson(reply, { messages: messages.map(messageToWire) })
      return sendPage(reply, inboxPage({ messages, merchantReference, baseUrl: baseUrlOf(request, deps) }))
    },
  })

  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${INBOX}/:id`,
    handler: async (request, reply) => {
      const { id } = request.params
      const message = /^\d{1,15}$/.test(id) ? await inbox.find(BigInt(id)) : undefined
      if (!message)
        return refuse(
          request,
          reply,
          404,
          'There is no such message in the inbox, or no longer: it keeps the newest 500',
        )
      return wantsJson(request)
        ? sendJson(reply, messageToWire(message))
        : sendPage(reply, messagePage({ message, baseUrl: baseUrlOf(request, deps) }))
    },
  })

  app.post(`${INBOX}/clear`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'The inbox can be emptied from its own page only')
    await inbox.clear()
    return reply.redirect(INBOX, 303)
  })

  allowOnly(app, `${INBOX}/clear`, ['POST'])
  allowOnly(app, `${INBOX}/:id`, ['GET', 'HEAD'])
}

/** Goes into commands that people paste into a shell: a Host header that is no plain host name does not. */
const baseUrlOf = (request: FastifyRequest, { publicBaseUrl }: InboxDeps): string =>
  publicBaseUrl ??
  (/^[A-Za-z0-9.:[\]-]+$/.test(request.host) ? `${request.protocol}://${request.host}` : 'http://127.0.0.1:8080')
