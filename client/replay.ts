import type { EventsCalls } from '../generated/calls.ts'
import type { EventPage, EventsQuery, PayoutBatchCallback } from '../generated/schema.d.ts'
import { assertCallback, isUnknown } from './callback-shape.ts'
import type { CallbackEvent } from './contract-types.ts'
import type { CallOptions } from './options.ts'
import { bytesOf, jsonIn } from './raw-body.ts'
import type { Secrets } from './secrets.ts'
import { verifyMessage, type SignedMessage, type VerifyOptions } from './standard-webhook.ts'

/** A verified event: what a callback told, with its place among your events. */
export type ReplayedEvent = (CallbackEvent | PayoutBatchCallback) &
  SignedMessage & {
    /** Its place among your events: remember it, and begin after it. */
    readonly number: number
  }

/** Where to begin, and how to verify. */
export interface ReplayOptions extends Omit<EventsQuery, 'limit'>, CallOptions, Pick<VerifyOptions, 'now'> {}

const PAGE = 100

/**
 * The events after a number until there are no more, each verified. Those that this version does not know are skipped.
 * @throws WebhookVerificationError for an event that your secrets do not verify
 */
export async function* replay(
  list: EventsCalls['list'],
  secrets: Secrets,
  { after, from, now, ...call }: ReplayOptions = {},
): AsyncGenerator<ReplayedEvent, void, undefined> {
  let begin: EventsQuery = { ...(after !== undefined && { after }), ...(from !== undefined && { from }) }
  for (;;) {
    const { events } = await list({ ...begin, limit: PAGE }, call)
    // All at once: the signatures of a page are as old as the page, however long each event takes you.
    const page = events.map((event) => verified(event, secrets, { now }))
    await Promise.allSettled(page)
    for (const one of page) {
      const known = await one
      if (known) yield known
    }
    const last = events.at(-1)
    if (last === undefined || events.length < PAGE) return
    begin = { after: last.number }
  }
}

async function verified(
  { number, webhook_id, webhook_timestamp, webhook_signature, body }: EventPage['events'][number],
  secrets: Secrets,
  options: VerifyOptions,
): Promise<ReplayedEvent | undefined> {
  const bytes = bytesOf(body)
  const headers = {
    'webhook-id': webhook_id,
    'webhook-timestamp': webhook_timestamp,
    'webhook-signature': webhook_signature,
  }
  const message = await verifyMessage(bytes, headers, secrets, options)
  const told = jsonIn(bytes)
  if (isBatch(told)) return { ...told, ...message, number }
  if (isUnknown(told)) return undefined
  assertCallback(told)
  return { ...told, ...message, number }
}

/** The signature was verified: it is as the gateway has written it. */
const isBatch = (told: unknown): told is PayoutBatchCallback =>
  typeof told === 'object' && told !== null && 'event' in told && told.event === 'payout_batch.completed'
