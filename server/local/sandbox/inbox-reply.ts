import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InboxMessage } from './inbox-message.ts'
import { missingPage, PAGE_POLICY } from './sandbox-page.ts'

/** Sends an error in the envelope. */
export type RefuseRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
) => FastifyReply

/** Why a request is refused. */
export interface Fault {
  readonly status: number
  readonly title: string
  readonly why: string
}

/** Replies with a page to browsers, and with the envelope to all other clients. */
export function refuseWith(
  { refuse }: { readonly refuse: RefuseRequest },
  request: FastifyRequest,
  reply: FastifyReply,
  { status, title, why }: Fault,
): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return refuse(request, reply, status, why)
  return sendPage(reply.code(status), missingPage(title, `${why}.`))
}

/** Sends uncacheable JSON. */
export const sendJson = (reply: FastifyReply, body: object): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', vary: 'accept' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))

/** Sends an uncacheable page that may load nothing from elsewhere. */
export const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
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

/** A message in the inbox's JSON format. */
export const messageToWire = ({
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
