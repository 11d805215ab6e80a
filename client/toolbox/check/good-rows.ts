import type { OutgoingRequest } from '../exchange.ts'
import { callbackMessage } from '../messages.ts'
import { webhookSignature } from '../sign.ts'
import type { Event } from '../events.ts'
import type { RowContext, Row } from './row.ts'

// Messages that Malipo itself may send. A receiver accepts all of them, and moves goods or money once at most.

/** A callback as Malipo sends it. */
export const signed = (
  { url, keys, now, newWebhookId }: RowContext,
  event: Event,
  webhookId = newWebhookId(),
): OutgoingRequest & { readonly body: Uint8Array } => callbackMessage({ url, event, webhookId, at: now(), keys })

const shared = { group: 'callback', weight: 'must', answer: 'acknowledged' } as const

/** The rows of authentic callbacks. */
export const GOOD_ROWS: readonly Row[] = [
  {
    ...shared,
    id: 'good',
    title: 'A good event',
    fulfilled: 1,
    correct: 'answers 2xx within 15 seconds, and fulfils the order',
    why: 'Malipo retries a callback that is not acknowledged for three days, then gives up.',
    messages: (context, order) => [signed(context, context.eventOf(order, 'completed'))],
  },
  {
    ...shared,
    id: 'duplicate',
    title: 'The same event twice',
    fulfilled: 1,
    isAboutEffect: true,
    correct: 'answers 2xx both times, and fulfils the order once',
    why: 'Callbacks are delivered at least once: when your reply is lost, the same webhook-id comes again.',
    messages: (context, order) => {
      const webhookId = context.newWebhookId()
      return [1, 2].map(() => signed(context, context.eventOf(order, 'completed'), webhookId))
    },
  },
  {
    ...shared,
    id: 'duplicate_at_once',
    title: 'The same event five times at the same moment',
    answer: 'acknowledged_by_one',
    fulfilled: 1,
    isAboutEffect: true,
    together: true,
    correct: 'fulfils the order once, and answers 2xx; while it handles the first, 409 or 503 is as good',
    why: 'Reading first and writing later is a race: use one atomic step, such as an update with a condition.',
    messages: (context, order) => {
      const webhookId = context.newWebhookId()
      return Array.from({ length: 5 }, () => signed(context, context.eventOf(order, 'completed'), webhookId))
    },
  },
  {
    ...shared,
    id: 'second_id',
    title: 'The same outcome under a second webhook-id',
    fulfilled: 1,
    isAboutEffect: true,
    correct: 'answers 2xx both times, and fulfils the order once',
    why: 'A corrected status sends a second callback about the same payment: an order is fulfilled once, however many events report it.',
    messages: (context, order) => [1, 2].map(() => signed(context, context.eventOf(order, 'completed'))),
  },
  {
    ...shared,
    id: 'out_of_order',
    title: 'Two events out of order',
    fulfilled: 1,
    isAboutEffect: true,
    correct: 'answers 2xx to both, and the order stays fulfilled, once',
    why: 'A failed payment can be corrected to completed, and the older callback can arrive last. Paid stays paid.',
    messages: (context, order) => [
      signed(context, context.eventOf(order, 'completed')),
      signed(context, context.eventOf(order, 'failed')),
    ],
  },
  {
    ...shared,
    id: 'payout_out_of_order',
    title: 'Two events of a payout out of order',
    type: 'PAYOUT',
    fulfilled: 1,
    isAboutEffect: true,
    needsKnownReference: true,
    correct: 'answers 2xx to both, and the payout stays paid',
    why: 'The older callback can arrive last. A payout that is booked as failed though it was paid is paid again, by you.',
    messages: (context, order) => [
      signed(context, context.eventOf(order, 'completed')),
      signed(context, context.eventOf(order, 'failed')),
    ],
  },
  {
    ...shared,
    id: 'failed',
    title: 'A payment that failed, and one that was cancelled',
    fulfilled: 0,
    isAboutEffect: true,
    correct: 'answers 2xx, and fulfils nothing',
    why: 'A callback is not a payment: only transaction_status COMPLETED is.',
    messages: (context, order) => [
      signed(context, context.eventOf(order, 'failed')),
      signed(context, context.eventOf(order, 'cancelled')),
    ],
  },
  {
    ...shared,
    id: 'other_amount',
    title: 'A payment of less than the order costs',
    answer: 'no_crash',
    fulfilled: 0,
    isAboutEffect: true,
    correct: 'fulfils nothing: it compares amount and currency with its own order',
    why: 'Collections can be started with the public key alone, and that may have leaked: anybody with it may pay 50 under the reference of an order of 5000.',
    messages: (context, order) => [
      signed(context, context.eventOf({ ...order, amount: order.amount / 100 }, 'completed')),
    ],
  },
  {
    ...shared,
    id: 'extra_field',
    title: 'Fields that are not known yet',
    fulfilled: 1,
    correct: 'answers 2xx, and ignores them',
    why: 'New fields come without a new version of the API: a strict reader breaks on the day of a release.',
    messages: (context, order) => {
      const event = context.eventOf(order, 'completed')
      return [
        signed(context, {
          ...event,
          sent_by: 'malipo',
          payload: { ...event.payload, loyalty: { points: 12, tier: null } },
        }),
      ]
    },
  },
  {
    ...shared,
    id: 'raw_bytes',
    title: 'The same JSON, written in another way',
    fulfilled: 1,
    correct: 'answers 2xx: it verifies the received bytes',
    why: 'The signature covers bytes. JSON that is parsed and serialized again has other bytes: spaces and escapes change.',
    messages: (context, order) => {
      const event = context.eventOf(order, 'completed')
      const body = Buffer.from(JSON.stringify(event, null, 2).replace('COLLECTION', '\\u0043OLLECTION'))
      return [
        callbackMessage({
          url: context.url,
          event,
          body,
          webhookId: context.newWebhookId(),
          at: context.now(),
          keys: context.keys,
        }),
      ]
    },
  },
  {
    ...shared,
    id: 'rotated_secret',
    title: 'Two signatures, the second with your secret',
    fulfilled: 1,
    correct: 'answers 2xx: one valid v1 signature is enough',
    why: 'While a webhook secret is being rotated, Malipo signs with the old and the new one.',
    messages: (context, order) => {
      const message = signed(context, context.eventOf(order, 'completed'))
      const webhookId = message.headers['webhook-id'] ?? ''
      const at = new Date(Number(message.headers['webhook-timestamp']) * 1000)
      const other = webhookSignature({ webhookId, at, body: message.body }, context.otherKeys.webhookSecret)
      return [
        {
          ...message,
          headers: { ...message.headers, 'webhook-signature': `${other} ${message.headers['webhook-signature']}` },
        },
      ]
    },
  },
]
