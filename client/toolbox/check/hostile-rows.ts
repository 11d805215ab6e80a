import type { OutgoingRequest } from '../exchange.ts'
import { bytesOf, callbackMessage } from '../messages.ts'
import { signed } from './good-rows.ts'
import type { RowContext, Order, Row } from './row.ts'

// Messages that only third parties send. A receiver rejects all of them, cheaply, and does nothing.

const MINUTE_MS = 60_000

const completed = (context: RowContext, order: Order) => signed(context, context.eventOf(order, 'completed'))

const without = (headers: OutgoingRequest['headers'], pattern: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)))

const signedAt = (context: RowContext, order: Order, minutes: number): OutgoingRequest => {
  const at = new Date(context.now().getTime() + minutes * MINUTE_MS)
  return callbackMessage({
    url: context.url,
    event: context.eventOf(order, 'completed'),
    webhookId: context.newWebhookId(),
    at,
    keys: context.keys,
  })
}

/** The same letters and digits in another order: right in form, wrong in value. */
const damaged = (signature: string): string =>
  signature.replace(/[A-Za-z0-9+/]{20}/, (part) => [...part].reverse().join(''))

const shared = { group: 'callback', weight: 'must', answer: 'refused', fulfilled: 0 } as const
/** Malformed rather than hostile: nothing may move that should not. */
const clumsy = { group: 'callback', weight: 'should', answer: 'refused' } as const

/** The rows of callbacks that must not be trusted. */
export const HOSTILE_ROWS: readonly Row[] = [
  {
    ...shared,
    id: 'bad_signature',
    title: 'A wrong signature',
    correct: 'answers 4xx, and fulfils nothing',
    why: 'Anybody can post to a public URL. Without this check an order is free.',
    messages: (context, order) => {
      const message = completed(context, order)
      return [
        {
          ...message,
          headers: Object.fromEntries(
            Object.entries(message.headers).map(([name, value]) => [
              name,
              name.endsWith('-signature') ? damaged(value) : value,
            ]),
          ),
        },
      ]
    },
  },
  {
    ...shared,
    id: 'other_merchant',
    title: "Another merchant's signature",
    correct: 'answers 4xx, and fulfils nothing',
    why: 'Every merchant of Malipo can make well-formed signatures. Accept only those with your secret.',
    messages: (context, order) => [
      callbackMessage({
        url: context.url,
        event: context.eventOf(order, 'completed'),
        webhookId: context.newWebhookId(),
        at: context.now(),
        keys: context.otherKeys,
      }),
    ],
  },
  {
    ...shared,
    id: 'no_signature',
    title: 'No signature at all',
    correct: 'answers 4xx, and fulfils nothing',
    why: 'A check that is skipped when the header is missing is no check.',
    messages: (context, order) => {
      const message = completed(context, order)
      return [{ ...message, headers: without(message.headers, /signature|^webhook-|^rsa-/) }]
    },
  },
  {
    ...shared,
    id: 'old',
    title: 'A replay: signed ten minutes ago',
    correct: 'answers 4xx: webhook-timestamp may be 5 minutes away',
    why: 'Whoever reads a callback in a log or a proxy can replay it for ever, unless you check its age.',
    messages: (context, order) => [signedAt(context, order, -10)],
  },
  {
    ...shared,
    id: 'future',
    title: 'A timestamp ten minutes in the future',
    correct: 'answers 4xx: webhook-timestamp may be 5 minutes away, on either side',
    why: 'A message dated ahead could be replayed until that date.',
    messages: (context, order) => [signedAt(context, order, 10)],
  },
  {
    ...shared,
    id: 'altered_amount',
    title: 'Another amount under a valid hmac-signature',
    correct: 'answers 4xx, with webhook-signature or without it',
    why: 'hmac-signature covers five fields, and the amount is not one of them: a receiver that trusts it alone accepts any amount.',
    messages: (context, order) => {
      const cheap = signed(context, context.eventOf({ ...order, amount: order.amount / 100 }, 'completed'))
      const body = bytesOf(context.eventOf(order, 'completed'))
      return [
        { ...cheap, body },
        { ...cheap, body, headers: without(cheap.headers, /^webhook-/) },
      ]
    },
  },
  {
    ...shared,
    id: 'changed_body',
    title: 'A body that was changed in transit',
    correct: 'answers 4xx, and fulfils nothing',
    why: 'The signature must cover what you act on: names, accounts and amounts too.',
    messages: (context, order) => {
      const message = completed(context, order)
      const event = context.eventOf(order, 'completed')
      return [
        {
          ...message,
          body: bytesOf({
            ...event,
            payload: { ...event.payload, customer_name: 'Mallory', transaction_account: '256772000666' },
          }),
        },
      ]
    },
  },
  {
    ...shared,
    id: 'not_json',
    title: 'A body that is not JSON, unsigned',
    correct: 'answers 4xx',
    why: 'Parsing before verifying exposes your parser to third parties, and its errors become 500.',
    messages: (context, order) =>
      ['{"event":', '[]', 'null', '"text"', ''].map((body) => {
        const message = completed(context, order)
        return { ...message, body: Buffer.from(body), headers: without(message.headers, /signature|^webhook-/) }
      }),
  },
  {
    ...shared,
    id: 'huge',
    title: 'A body of 5 MB',
    answer: 'refused_or_cut',
    correct: 'answers 413, or stops reading',
    why: 'A callback has less than 10 kB. Without a limit anybody can exhaust your memory.',
    messages: (context, order) => {
      const event = context.eventOf(order, 'completed')
      return [signed(context, { ...event, filling: 'x'.repeat(5 * 1024 * 1024) })]
    },
  },
  {
    ...shared,
    id: 'slow',
    title: 'Twenty senders that never finish',
    answer: 'acknowledged',
    fulfilled: 1,
    correct: 'keeps answering good events meanwhile, and never acknowledges half a message',
    why: 'Slow connections cost the sender nothing. With one request at a time, or no time-out, they stop your orders.',
    messages: (context, order) => [
      ...Array.from({ length: 20 }, () => ({ ...completed(context, order), slow: true }) as const),
      completed(context, order),
    ],
  },
  {
    ...clumsy,
    id: 'media_type',
    title: 'A good event as text/plain',
    correct: 'answers 415: Malipo sends application/json',
    why: 'Browsers let any page post text/plain and forms without a preflight request. Refuse them before your code runs.',
    messages: (context, order) => {
      const message = completed(context, order)
      return [{ ...message, headers: { ...message.headers, 'content-type': 'text/plain' } }]
    },
  },
  {
    ...clumsy,
    id: 'get',
    title: 'GET in place of POST',
    correct: 'answers 405 or 404',
    why: 'Crawlers and previews open every address they find: GET must have no effect.',
    messages: ({ url }) => [{ method: 'GET', url, headers: {} }],
  },
]
