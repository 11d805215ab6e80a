import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageCookie, languageRequested } from '../../admin/console/look/languages.ts'
import { viewerOfRequest } from '../../admin/console/look/viewer.ts'
import { advancedTime } from '../../admin/console/look/page.ts'
import type { RenderedPage } from '../../payment-page/layout.ts'
import type { Clock } from '../../actions/ports/clock.ts'
import type { Pool } from '../../storage/pool.ts'
import type { InboxMessage } from '../../domain/received/message.ts'
import { missingPage, type Frame } from './sandbox-page.ts'

/** The first value of a query parameter; an empty one counts as absent. */
export function parameter(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return (Array.isArray(value) ? value[0] : value) || undefined
}

/** Whether a Content-Type is JSON, whatever its parameters. */
export const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '')

/** Headers with lower-case names. */
export const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** Whether the client requests JSON rather than a page, as browsers do. */
export const wantsJson = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.includes('application/json') && !accept.includes('text/html')

/**
 * Browsers send the origin of a form. A client that sends none is not a browser, and cannot be tricked into submitting
 * a form.
 */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}

/** Sends an error in the envelope. */
type RefuseRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
) => FastifyReply

/** What every route of the sandbox needs. */
export interface RouteDeps {
  readonly clock: Clock
  /** For what meets the world's clocks: signatures and leases. */
  readonly realClock: Clock
  readonly pool: Pool
  readonly refuse: RefuseRequest
  /** Replies 405 with the exact `Allow` to all other methods of a route. */
  readonly allowOnly: (app: FastifyInstance, url: string, methods: readonly string[]) => void
  readonly consoles: Frame['consoles']
}

/** Why a request is refused. */
export interface Fault {
  readonly status: number
  readonly title: string
  readonly why: string
}

/** Replies with a page to browsers, and with the envelope to all other clients. */
export function refuseWith(
  deps: Pick<RouteDeps, 'refuse'> & FrameDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, title, why }: Fault,
): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return deps.refuse(request, reply, status, why)
  return sendPage(reply.code(status), missingPage(frameOf(deps, request, reply), title, `${why}.`))
}

/** Sends uncacheable JSON. */
export const sendJson = (reply: FastifyReply, body: object): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', vary: 'accept' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))

type FrameDeps = Pick<RouteDeps, 'consoles' | 'clock' | 'realClock'>

/** The frame of a page, in the language of who asks; one that the address names is remembered. */
export function frameOf({ consoles, ...clocks }: FrameDeps, request: FastifyRequest, reply: FastifyReply): Frame {
  const language = languageRequested(request.query)
  if (language) reply.header('set-cookie', languageCookie(language, request.protocol === 'https'))
  const url = request.method === 'GET' ? request.url : '/sandbox/inbox'
  return { viewer: viewerOfRequest(request), url, sandboxTime: advancedTime(clocks), consoles }
}

/** Sends an uncacheable page that may load nothing from elsewhere. */
export const sendPage = (reply: FastifyReply, { html, policy }: RenderedPage): FastifyReply =>
  reply
    .headers({
      'cache-control': 'no-store',
      vary: 'accept',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html)

/** A message in the inbox's JSON format. */
export const messageToWire = ({ summary, body, bodyBytes, ...message }: InboxMessage) => ({
  id: Number(message.id),
  received_at: message.receivedAt.toISOString(),
  kind: message.kind,
  event: summary.event ?? null,
  merchant_reference: message.merchantReference ?? null,
  internal_reference: summary.internalReference ?? null,
  transaction_status: summary.transactionStatus ?? null,
  webhook_id: message.webhookId ?? null,
  delivery: message.delivery,
  answered: message.answered,
  signed_by: message.signer ?? null,
  checks: message.checks,
  headers: message.headers,
  body: body.toString('utf8'),
  body_bytes: bodyBytes,
  body_complete: body.length === bodyBytes,
})
