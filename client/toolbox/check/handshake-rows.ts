import type { OutgoingRequest } from '../exchange.ts'
import { handshakeMessage } from '../messages.ts'
import type { Lab, Order, Row } from './row.ts'

// The question before a payout: any 2xx lets money go, so everything but the right question about your own payout must
// get another answer.

const MINUTE_MS = 60_000

const request = (
  { url, now, newWebhookId, keys }: Lab,
  merchantReference: string,
  given: { readonly secret?: string; readonly minutes?: number } = {},
): OutgoingRequest =>
  handshakeMessage({
    url,
    merchantReference,
    webhookId: newWebhookId(),
    at: new Date(now().getTime() + (given.minutes ?? 0) * MINUTE_MS),
    webhookSecret: given.secret ?? keys.webhookSecret,
  })

const shared = { group: 'handshake', weight: 'must', answer: 'rejected' } as const
const known = { ...shared, needsKnownReference: true } as const

/** The rows of handshakes, true and false ones. */
export const HANDSHAKE_ROWS: readonly Row[] = [
  {
    ...known,
    id: 'handshake_known',
    title: 'Handshake for a payout of yours',
    answer: 'confirmed',
    correct: 'answers 2xx within 5 seconds',
    why: 'Any other answer stops the payout: 4xx at once, everything else (408, 425 and 429 too) after three more questions.',
    messages: (lab, order) => [request(lab, order.merchantReference)],
  },
  {
    ...shared,
    id: 'handshake_unknown',
    title: 'Handshake for a payout that is not yours',
    correct: 'answers 404',
    why: 'The handshake is the last lock on your wallet: with stolen keys somebody can order a payout, but not put it into your records.',
    messages: (lab: Lab, order: Order) => [request(lab, `${order.merchantReference}-X`)],
  },
  {
    ...shared,
    id: 'handshake_malformed',
    title: 'Handshake with a reference that cannot be one',
    correct: 'answers 4xx',
    why: 'The signature does not cover the reference: treat it as what a stranger typed.',
    messages: (lab) =>
      ["' OR '1'='1", '../../etc/passwd', '', '__proto__', 'x'.repeat(4_000)].map((reference) =>
        request(lab, reference),
      ),
  },
  {
    ...known,
    id: 'handshake_forged',
    title: "Handshake with another merchant's signature",
    correct: 'answers 4xx',
    why: 'Otherwise anybody can find out, reference by reference, which payouts you make.',
    messages: (lab, order) => [request(lab, order.merchantReference, { secret: lab.otherKeys.webhookSecret })],
  },
  {
    ...known,
    id: 'handshake_unsigned',
    title: 'Handshake without a signature',
    correct: 'answers 4xx',
    why: 'A check that is skipped when the header is missing is no check.',
    messages: (lab, order) => [{ ...request(lab, order.merchantReference), headers: {} }],
  },
  {
    ...known,
    id: 'handshake_old',
    title: 'Handshake that was signed ten minutes ago',
    correct: 'answers 4xx',
    why: 'The signature covers no reference, so one recording would open every payout, for ever.',
    messages: (lab, order) => [request(lab, order.merchantReference, { minutes: -10 })],
  },
]
