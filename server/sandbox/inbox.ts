import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../actions/ports/clock.ts'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import { checkHmac, checkRsa, checkWebhook, type KeysToTry } from './inbox-checks.ts'
import { readSummary, storable, type Checks, type InboxMessage, type NewInboxMessage } from './inbox-message.ts'
import { inboxPage, messagePage, PAGE_POLICY } from './inbox-page.ts'
import { DEMO_MERCHANT } from './providers.ts'

export interface InboxStore {
  add(message: NewInboxMessage): Promise<bigint>
  list(filter: { readonly merchantReference?: string }): Promise<readonly InboxMessage[]>
  find(id: bigint): Promise<InboxMessage | undefined>
  clear(): Promise<void>
}

export interface InboxDeps {
  readonly inbox: InboxStore
  readonly clock: Clock
  readonly reference: Pick<ReferenceData, 'merchantByPublicKey' | 'callbackSecrets'> & {
    findRsaPublicKey(id: string): Promise<{ readonly pem: string } | 'withdrawn' | undefined>
  }
  /** All merchants: a message that the demo merchant's keys do not fit may be for another. */
  readonly merchants: () => Promise<readonly { readonly id: bigint; readonly name: string }[]>
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
const BODY_MAX_BYTES = 256 * 1024
const DELAY_MAX_MS = 20_000
const MERCHANTS_TRIED_MAX = 100

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
    routes(scope, deps, pause)
  })
}

function routes(app: FastifyInstance, deps: InboxDeps, pause: (ms: number) => Promise<void>): void {
  const { inbox, refuse, allowOnly } = deps

  app.post(INBOX, async (request, reply) => {
    const rehearsal = readRehearsal(request)
    if (rehearsal.fault !== undefined) return refuse(request, reply, 400, rehearsal.fault)
    if (!isJson(request.headers['content-type']))
      return refuse(request, reply, 415, 'Content-Type must be application/json')
    const body = await readBody(request.raw)
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

  app.route({
    method: ['GET', 'HEAD'],
    url: INBOX,
    handler: async (request, reply) => {
      const merchantReference = parameter(request, 'reference')
      const messages = await inbox.list(
        merchantReference === undefined ? {} : { merchantReference: storable(merchantReference) },
      )
      if (wantsJson(request)) return json(reply, { messages: messages.map(messageToWire) })
      return html(reply, inboxPage({ messages, merchantReference, baseUrl: baseUrlOf(request, deps) }))
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
        ? json(reply, messageToWire(message))
        : html(reply, messagePage({ message, baseUrl: baseUrlOf(request, deps) }))
    },
  })

  app.post(`${INBOX}/clear`, async (request, reply) => {
    if (!isSameOrigin(request)) return refuse(request, reply, 403, 'The inbox can be emptied from its own page only')
    await inbox.clear()
    return reply.redirect(INBOX, 303)
  })

  allowOnly(app, INBOX, ['GET', 'HEAD', 'POST'])
  allowOnly(app, `${INBOX}/handshake`, ['GET'])
  allowOnly(app, `${INBOX}/clear`, ['POST'])
  allowOnly(app, `${INBOX}/:id`, ['GET', 'HEAD'])
}

async function receiveCallback(
  request: FastifyRequest,
  body: Buffer,
  answered: number,
  deps: InboxDeps,
): Promise<NewInboxMessage> {
  const receivedAt = deps.clock.now()
  const summary = readSummary(body)
  const headers = headersOf(request.raw)
  const rsaKey = await deps.reference.findRsaPublicKey(headers['rsa-key-id'] ?? '')
  const rsa = checkRsa(headers, summary.signedText, rsaKey)
  const { signer, ...checks } = await checkWithKeys(deps, (keys) => ({
    hmac: checkHmac(headers, summary.signedText, keys),
    rsa,
    webhook: checkWebhook(headers, body, keys, receivedAt),
  }))
  return {
    receivedAt,
    kind: 'callback',
    answered,
    summary,
    headers,
    checks,
    body,
    ...webhookIdOf(headers),
    ...(signer !== undefined && { signer }),
    ...(summary.merchantReference !== undefined && { merchantReference: summary.merchantReference }),
  }
}

async function receiveHandshake(
  request: FastifyRequest,
  merchantReference: string,
  answered: number,
  deps: InboxDeps,
): Promise<NewInboxMessage> {
  const receivedAt = deps.clock.now()
  const headers = headersOf(request.raw)
  const body = Buffer.alloc(0)
  const notExpected = { verdict: 'not_expected' } as const
  const { signer, ...checks } = await checkWithKeys(deps, (keys) => ({
    hmac: notExpected,
    rsa: notExpected,
    webhook: checkWebhook(headers, body, keys, receivedAt),
  }))
  return {
    receivedAt,
    kind: 'handshake',
    merchantReference,
    answered,
    summary: { merchantReference },
    headers,
    checks,
    body,
    ...webhookIdOf(headers),
    ...(signer !== undefined && { signer }),
  }
}

/**
 * The checks with the keys of the merchant that the message is for: the demo merchant first, then the others, and the
 * demo merchant's verdict when nobody's keys fit.
 */
async function checkWithKeys(
  { reference, merchants }: InboxDeps,
  check: (keys: KeysToTry) => Checks,
): Promise<Checks & { readonly signer?: string }> {
  const fits = ({ hmac, webhook }: Checks) => hmac.verdict === 'good' || webhook.verdict === 'good'
  const demo = reference.merchantByPublicKey(DEMO_MERCHANT.keys.publicKey)
  const first = check({
    secrets: demo ? reference.callbackSecrets(demo.id) : { signingKeys: [], webhookSecrets: [] },
    arePublic: true,
  })
  if (demo && fits(first)) return { ...first, signer: demo.name }
  for (const { id, name } of (await merchants())
    .filter((merchant) => merchant.id !== demo?.id)
    .slice(0, MERCHANTS_TRIED_MAX)) {
    const checks = check({ secrets: reference.callbackSecrets(id), arePublic: false })
    if (fits(checks)) return { ...checks, signer: name }
  }
  return first
}

type Rehearsal =
  { readonly fault?: undefined; readonly answer: number; readonly delayMs: number } | { readonly fault: string }

/**
 * `?answer=500` and `?delay=3000` let a developer see what the gateway does when a merchant's server fails or is slow.
 */
function readRehearsal(request: FastifyRequest): Rehearsal {
  const { answer: status = '200', delay = '0' } = {
    answer: parameter(request, 'answer'),
    delay: parameter(request, 'delay'),
  }
  if (!/^[2-5]\d\d$/.test(status)) return { fault: 'answer must be an HTTP status from 200 to 599' }
  if (!/^\d{1,5}$/.test(delay) || Number(delay) > DELAY_MAX_MS)
    return { fault: `delay must be a number of milliseconds from 0 to ${DELAY_MAX_MS}` }
  return { answer: Number(status), delayMs: Number(delay) }
}

const WITHOUT_BODY: readonly number[] = [204, 205, 304]

async function answer(
  reply: FastifyReply,
  rehearsal: Extract<Rehearsal, { answer: number }>,
  pause: (ms: number) => Promise<void>,
): Promise<FastifyReply> {
  if (rehearsal.delayMs > 0) await pause(rehearsal.delayMs)
  reply.code(rehearsal.answer)
  return WITHOUT_BODY.includes(rehearsal.answer) ? reply.send() : json(reply, { received: true })
}

/** Late answers come at once when the server is told to stop: it need not wait for a rehearsal. */
function pauses(app: FastifyInstance): (ms: number) => Promise<void> {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  app.addHook('preClose', async () => closing.abort())
  return (ms) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined)
}

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(contentType ?? '')

function readBody(message: IncomingMessage): Promise<Buffer | 'too_large' | 'incomplete'> {
  if (Number(message.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return Promise.resolve('too_large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_MAX_BYTES) {
        message.removeAllListeners('data').pause()
        resolve('too_large')
      } else {
        chunks.push(chunk)
      }
    })
    message.on('end', () => resolve(Buffer.concat(chunks)))
    message.on('error', () => resolve('incomplete'))
    message.on('close', () => resolve('incomplete')) // changes nothing when the end has come before
  })
}

const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

const webhookIdOf = (headers: Readonly<Record<string, string>>) =>
  headers['webhook-id'] ? { webhookId: storable(headers['webhook-id']) } : {}

/** The first value of a query parameter; an empty one counts as absent. */
function parameter(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return (Array.isArray(value) ? value[0] : value) || undefined
}

const wantsJson = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.includes('application/json') && !accept.includes('text/html')

/**
 * Browsers say where a form was sent from; programs that say nothing are not browsers, and cannot be tricked into
 * sending it.
 */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}

/** Goes into commands that people paste into a shell: a Host header that is no plain host name does not. */
const baseUrlOf = (request: FastifyRequest, { publicBaseUrl }: InboxDeps): string =>
  publicBaseUrl ??
  (/^[A-Za-z0-9.:[\]-]+$/.test(request.host) ? `${request.protocol}://${request.host}` : 'http://127.0.0.1:8080')

const json = (reply: FastifyReply, body: object): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', vary: 'accept' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))

const html = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({
      'cache-control': 'no-store',
      vary: 'accept',
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page)

const messageToWire = ({
  id,
  receivedAt,
  kind,
  summary,
  webhookId,
  delivery,
  answered,
  signer,
  merchantReference,
  checks,
  headers,
  body,
  bodyBytes,
}: InboxMessage) => ({
  id: Number(id),
  received_at: receivedAt.toISOString(),
  kind,
  event: summary.event ?? null,
  merchant_reference: merchantReference ?? null,
  internal_reference: summary.internalReference ?? null,
  transaction_status: summary.transactionStatus ?? null,
  webhook_id: webhookId ?? null,
  delivery,
  answered,
  signed_by: signer ?? null,
  checks,
  headers,
  body: body.toString('utf8'),
  body_bytes: bodyBytes,
  body_complete: body.length === bodyBytes,
})
