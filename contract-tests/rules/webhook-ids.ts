import { createHash } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { faultIf, onlyHeader, type Judge, type ObservedExchange } from './observed-exchange.ts'
import type { Rule } from './rule.ts'

/** A retry is the same message: it has the id and the bytes of the first attempt, and no other message has that id. */
function webhookIdJudge(): Judge {
  /** By id: the first message that had it. */
  const byId = new BoundedMap<string, { readonly subject: string; readonly digest: string }>()
  const idOf = new BoundedMap<string, string>()
  return (seen) => {
    const id = onlyHeader(seen.exchange.request.headers, 'webhook-id')
    const subject = subjectOf(seen)
    if (seen.direction !== 'received' || id === undefined || subject === undefined) return []
    const digest = createHash('sha256').update(seen.exchange.request.body).digest('base64')
    const known = byId.of(id, () => ({ subject, digest }))
    const before = idOf.of(subject, () => id)
    return [
      ...faultIf(
        known.subject !== subject,
        'webhook-id of two messages',
        `the webhook-id ${id} names two messages, ${known.subject} and ${subject}: a merchant who handles each id once drops the second`,
      ),
      ...faultIf(
        known.subject === subject && known.digest !== digest,
        'body of a retry',
        `the message ${subject} (webhook-id ${id}) came again with another body: a retry repeats the bytes of the first attempt`,
      ),
      ...faultIf(
        before !== id,
        'webhook-id of a retry',
        `the message ${subject} came with the webhook-ids ${before} and ${id}: a retry keeps the first one, and nothing is sent twice`,
      ),
    ]
  }
}

/** A payment and its state, a batch, or a payout that is asked about; undefined: that does not show. */
function subjectOf({ exchange: { request }, path, query, record }: ObservedExchange): string | undefined {
  const { internal_reference: reference, transaction_status: status, batch_reference: batch } = record
  if (typeof batch === 'string') return `the end of batch ${batch} at ${path}`
  if (request.method !== 'GET') return typeof reference === 'string' ? `${String(status)} of ${reference}` : undefined
  const payout = new URLSearchParams(query).get('reference')
  return payout === null ? undefined : `handshake about ${payout} at ${path}`
}

export const webhookIdsRule: Rule = {
  name: 'webhook ids',
  reason: 'A merchant handles each `webhook-id` once: it is the same over the retries of a message, and of no other.',
  plantedFault: 'webhook-id-per-attempt',
  judging: () => ({ each: webhookIdJudge() }),
}
