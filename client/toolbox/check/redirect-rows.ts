import type { Event } from '../events.ts'
import type { OutgoingRequest } from '../exchange.ts'
import { redirectMessage } from '../messages.ts'
import type { RowContext, Row } from './row.ts'

// The page to which customers return. They bring the outcome in their own browser, where they can change it.

const visit = ({ url, now }: RowContext, event: Event, signingKey: string): OutgoingRequest =>
  redirectMessage({ url, event, at: now(), signingKey })

const shared = { group: 'redirect', weight: 'must' } as const
const SCRIPT = '<script>alert(1)</script>'

/** The rows of redirects, authentic and forged. */
export const REDIRECT_ROWS: readonly Row[] = [
  {
    ...shared,
    id: 'redirect_good',
    title: 'A customer who has paid',
    answer: 'shown',
    correct: 'shows a page',
    why: 'An error page after a payment makes customers pay again.',
    messages: (context, order) => [visit(context, context.eventOf(order, 'completed'), context.keys.signingKey)],
  },
  {
    ...shared,
    id: 'redirect_forged',
    title: 'A customer who writes "completed" into the address',
    answer: 'no_crash',
    fulfilled: 0,
    isAboutEffect: true,
    correct: 'fulfils nothing',
    why: 'The customer controls the address: without a valid signature it may say anything.',
    messages: (context, order) => {
      const forged = visit(context, context.eventOf(order, 'completed'), context.otherKeys.signingKey)
      const unsigned = new URL(forged.url)
      for (const name of ['hmac_signature', 'rsa_signature', 'rsa_key_id']) unsigned.searchParams.delete(name)
      return [forged, { ...forged, url: unsigned }]
    },
  },
  {
    ...shared,
    id: 'redirect_other_order',
    title: "The signature of one order under another's reference",
    answer: 'no_crash',
    fulfilled: 0,
    isAboutEffect: true,
    correct: 'fulfils nothing',
    why: 'A customer who paid for one coffee has a valid signature for that coffee, and for nothing else.',
    messages: (context, order) => {
      const coffee = visit(
        context,
        context.eventOf({ ...order, merchantReference: `${order.merchantReference}-COFFEE` }, 'completed'),
        context.keys.signingKey,
      )
      const url = new URL(coffee.url)
      url.searchParams.set('merchant_reference', order.merchantReference)
      return [{ ...coffee, url }]
    },
  },
  {
    ...shared,
    id: 'redirect_script',
    title: 'A status text with a script in it',
    answer: 'no_crash',
    forbiddenInReply: SCRIPT,
    correct: 'shows the text as text, or not at all',
    why: 'No signature covers status_message: a link to your shop could run any script in the name of your shop.',
    messages: (context, order) => {
      const event = context.eventOf(order, 'failed')
      return [
        visit(context, { ...event, payload: { ...event.payload, status_message: SCRIPT } }, context.keys.signingKey),
      ]
    },
  },
]
