import type { Event } from '../events.ts'
import type { OutgoingRequest } from '../exchange.ts'
import { redirectMessage } from '../messages.ts'
import type { Lab, Row } from './row.ts'

// The page that customers come back to. They bring the outcome in their own browser, where they can change it.

const visit = ({ url, now }: Lab, event: Event, signingKey: string): OutgoingRequest =>
  redirectMessage({ url, event, at: now(), signingKey })

const shared = { group: 'redirect', weight: 'must' } as const
const SCRIPT = '<script>alert(1)</script>'

/** The rows of redirects, true and false ones. */
export const REDIRECT_ROWS: readonly Row[] = [
  {
    ...shared,
    id: 'redirect_good',
    title: 'A customer who has paid',
    answer: 'shown',
    correct: 'shows a page',
    why: 'An error page after a payment makes customers pay again.',
    messages: (lab, order) => [visit(lab, lab.eventOf(order, 'completed'), lab.keys.signingKey)],
  },
  {
    ...shared,
    id: 'redirect_forged',
    title: 'A customer who writes "completed" into the address',
    answer: 'no_crash',
    fulfilled: 0,
    isAboutEffect: true,
    correct: 'fulfils nothing',
    why: 'The address belongs to the browser: without its signature it says what the customer likes.',
    messages: (lab, order) => {
      const forged = visit(lab, lab.eventOf(order, 'completed'), lab.otherKeys.signingKey)
      const unsigned = new URL(forged.url)
      for (const name of ['hmac_signature', 'rsa_signature', 'rsa_key_id']) unsigned.searchParams.delete(name)
      return [forged, { ...forged, url: unsigned }]
    },
  },
  {
    ...shared,
    id: 'redirect_other_order',
    title: "A signature of one order under another's reference",
    answer: 'no_crash',
    fulfilled: 0,
    isAboutEffect: true,
    correct: 'fulfils nothing',
    why: 'A customer who once paid for a coffee holds a good signature for that coffee, and for nothing else.',
    messages: (lab, order) => {
      const coffee = visit(
        lab,
        lab.eventOf({ ...order, merchantReference: `${order.merchantReference}-COFFEE` }, 'completed'),
        lab.keys.signingKey,
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
    why: 'No signature covers status_message: a link to your shop would run anything in the name of your shop.',
    messages: (lab, order) => {
      const event = lab.eventOf(order, 'failed')
      return [visit(lab, { ...event, payload: { ...event.payload, status_message: SCRIPT } }, lab.keys.signingKey)]
    },
  },
]
