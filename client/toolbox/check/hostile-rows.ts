import type { OutgoingRequest } from '../exchange.ts'
import { bytesOf, callbackMessage } from '../messages.ts'
import { signed } from './good-rows.ts'
import type { Lab, Order, Row } from './row.ts'

// What only others send. A receiver refuses all of it, cheaply, and does nothing.

const MINUTE_MS = 60_000

const completed = (lab: Lab, order: Order) => signed(lab, lab.eventOf(order, 'completed'))

const without = (headers: OutgoingRequest['headers'], pattern: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)))

const signedAt = (lab: Lab, order: Order, minutes: number): OutgoingRequest => {
  const at = new Date(lab.now().getTime() + minutes * MINUTE_MS)
  return callbackMessage({
    url: lab.url,
    event: lab.eventOf(order, 'completed'),
    webhookId: lab.newWebhookId(),
    at,
    keys: lab.keys,
  })
}

/** The same letters and digits in another order: right in form, wrong in value. */
const damaged = (signature: string): string =>
  signature.replace(/[A-Za-z0-9+/]{20}/, (part) => [...part].reverse().join(''))

const shared = { group: 'callback', weight: 'must', answer: 'refused', fulfilled: 0 } as const
/** Clumsy, not hostile: nothing moves that should not. */
const clumsy = { group: 'callback', weight: 'should', answer: 'refused' } as const

/** The rows of callbacks that nobody may believe. */
export const HOSTILE_ROWS: readonly Row[] = [
  {
    ...shared,
    id: 'bad_signature',
    title: 'A wrong signature',
    correct: 'answers 4xx, and fulfils nothing',
    why: 'Anybody can post to a public URL. Without this check an order is free.',
    messages: (lab, order) => {
      const message = completed(lab, order)
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
    why: 'Every merchant of Malipo can make signatures that are right in form. Only yours may count.',
    messages: (lab, order) => [
      callbackMessage({
        url: lab.url,
        event: lab.eventOf(order, 'completed'),
        webhookId: lab.newWebhookId(),
        at: lab.now(),
        keys: lab.otherKeys,
      }),
    ],
  },
  {
    ...shared,
    id: 'no_signature',
    title: 'No signature at all',
    correct: 'answers 4xx, and fulfils nothing',
    why: 'A check that is skipped when the header is missing is no check.',
    messages: (lab, order) => {
      const message = completed(lab, order)
      return [{ ...message, headers: without(message.headers, /signature|^webhook-|^rsa-/) }]
    },
  },
  {
    ...shared,
    id: 'old',
    title: 'A recording: signed ten minutes ago',
    correct: 'answers 4xx: webhook-timestamp may be 5 minutes away',
    why: 'Who has read a callback from a log or a proxy can play it again, for ever, unless its age is checked.',
    messages: (lab, order) => [signedAt(lab, order, -10)],
  },
  {
    ...shared,
    id: 'future',
    title: 'A timestamp ten minutes in the future',
    correct: 'answers 4xx: webhook-timestamp may be 5 minutes away, on either side',
    why: 'A message dated ahead stays playable for as long as it likes.',
    messages: (lab, order) => [signedAt(lab, order, 10)],
  },
  {
    ...shared,
    id: 'altered_amount',
    title: 'Another amount under a good hmac-signature',
    correct: 'answers 4xx, with webhook-signature there or taken away',
    why: 'hmac-signature covers five fields, and the amount is not one of them: whoever trusts it alone believes any amount.',
    messages: (lab, order) => {
      const cheap = signed(lab, lab.eventOf({ ...order, amount: order.amount / 100 }, 'completed'))
      const body = bytesOf(lab.eventOf(order, 'completed'))
      return [
        { ...cheap, body },
        { ...cheap, body, headers: without(cheap.headers, /^webhook-/) },
      ]
    },
  },
  {
    ...shared,
    id: 'changed_body',
    title: 'A body that was changed on the way',
    correct: 'answers 4xx, and fulfils nothing',
    why: 'The signature must cover what you act on: names, accounts and amounts too.',
    messages: (lab, order) => {
      const message = completed(lab, order)
      const event = lab.eventOf(order, 'completed')
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
    why: 'Reading before verifying lets strangers reach your parser, and its errors become 500.',
    messages: (lab, order) =>
      ['{"event":', '[]', 'null', '"text"', ''].map((body) => {
        const message = completed(lab, order)
        return { ...message, body: Buffer.from(body), headers: without(message.headers, /signature|^webhook-/) }
      }),
  },
  {
    ...shared,
    id: 'huge',
    title: 'A body of 5 MB',
    answer: 'refused_or_cut',
    correct: 'answers 413, or stops reading',
    why: 'A callback has less than 10 kB. Whoever reads without a limit can be filled up by anybody.',
    messages: (lab, order) => {
      const event = lab.eventOf(order, 'completed')
      return [signed(lab, { ...event, filling: 'x'.repeat(5 * 1024 * 1024) })]
    },
  },
  {
    ...shared,
    id: 'slow',
    title: 'Twenty senders that never finish',
    answer: 'acknowledged',
    fulfilled: 1,
    correct: 'goes on answering good events meanwhile, and never says yes to half a message',
    why: 'Slow connections cost the sender nothing. One request at a time, or no time limit, and your orders stand still.',
    messages: (lab, order) => [
      ...Array.from({ length: 20 }, () => ({ ...completed(lab, order), slow: true }) as const),
      completed(lab, order),
    ],
  },
  {
    ...clumsy,
    id: 'media_type',
    title: 'A good event as text/plain',
    correct: 'answers 415: Malipo sends application/json',
    why: 'Browsers let any page post text/plain and forms to you without asking. Refused early, they never reach your code.',
    messages: (lab, order) => {
      const message = completed(lab, order)
      return [{ ...message, headers: { ...message.headers, 'content-type': 'text/plain' } }]
    },
  },
  {
    ...clumsy,
    id: 'get',
    title: 'GET in place of POST',
    correct: 'answers 405 or 404',
    why: 'Crawlers and previews open every address they find: reading must never do anything.',
    messages: ({ url }) => [{ method: 'GET', url, headers: {} }],
  },
]
