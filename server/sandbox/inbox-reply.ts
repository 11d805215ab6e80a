import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InboxMessage } from './inbox-message.ts'
import { missingPage, PAGE_POLICY } from './sandbox-page.ts'

/** Answers in the envelope. */
export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
) => FastifyReply

/** Why nothing of what was asked for is shown or done. */
export interface Fault {
  readonly status: number
  readonly title: string
  readonly why: string
}

/** As a page to browsers, in the envelope to everybody else. */
export function refuseWith(
  { refuse }: { readonly refuse: Refuse },
  request: FastifyRequest,
  reply: FastifyReply,
  { status, title, why }: Fault,
): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return refuse(request, reply, status, why)
  return sendPage(reply.code(status), missingPage(title, `${why}.`))
}

/** JSON that no cache keeps. */
export const sendJson = (reply: FastifyReply, body: object): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', vary: 'accept' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))

/** A page that no cache keeps, and that may load nothing from elsewhere. */
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

/** A message as the JSON of the inbox shows it. */
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
