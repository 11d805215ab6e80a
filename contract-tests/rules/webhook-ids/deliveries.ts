import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'

/** A message without the attempts that deliver it. */
export interface Delivery {
  /** What it is about: a payment and its state, or a payout that is asked about. */
  readonly subject: string
  readonly digest: string
}

/** Compares an attempt with what came before. @param known the first message with its id @param before the first id of its subject */
export const deliveryFaults = (
  known: Delivery,
  { subject, digest }: Delivery,
  id: string,
  before: string,
): readonly Fault[] => [
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

/** What a message is about; undefined: that does not show. */
export function subjectOf({ exchange: { request }, path, query, record }: ObservedExchange): string | undefined {
  const { internal_reference: reference, transaction_status: status, batch_reference: batch } = record
  if (typeof batch === 'string') return `the end of batch ${batch} at ${path}`
  if (request.method !== 'GET') return typeof reference === 'string' ? `${String(status)} of ${reference}` : undefined
  const payout = new URLSearchParams(query).get('reference')
  return payout === null ? undefined : `handshake about ${payout} at ${path}`
}
