import type { OutgoingRequest } from '../exchange.ts'
import { handshakeMessage } from '../messages.ts'
import type { RowContext, Order, Row } from './row.ts'

// The handshake before a payout: any 2xx releases the money, so only a valid handshake about your own payout may get
// one.

const MINUTE_MS = 60_000

const request = (
  { url, now, newWebhookId, keys }: RowContext,
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

/** The rows of handshakes, authentic and forged. */
export const HANDSHAKE_ROWS: readonly Row[] = [
  {
    ...known,
    id: 'handshake_known',
    title: 'Handshake for a payout of yours',
    answer: 'confirmed',
    correct: 'answers 2xx within 5 seconds',
    why: 'Any other answer stops the payout: 4xx at once, everything else (408, 425 and 429 too) after three retries.',
    messages: (context, order) => [request(context, order.merchantReference)],
  },
  {
    ...shared,
    id: 'handshake_unknown',
    title: 'Handshake for a payout that is not yours',
    correct: 'answers 404',
    why: 'The handshake is the last protection of your wallet: a thief of your keys can order a payout, but not add it to your records.',
    messages: (context: RowContext, order: Order) => [request(context, `${order.merchantReference}-X`)],
  },
  {
    ...shared,
    id: 'handshake_malformed',
    title: 'Handshake with an invalid reference',
    correct: 'answers 4xx',
    why: 'The signature does not cover the reference: treat it as untrusted input.',
    messages: (context) =>
      ["' OR '1'='1", '../../etc/passwd', '', '__proto__', 'x'.repeat(4_000)].map((reference) =>
        request(context, reference),
      ),
  },
  {
    ...known,
    id: 'handshake_forged',
    title: "Handshake with another merchant's signature",
    correct: 'answers 4xx',
    why: 'Otherwise anybody can enumerate your payouts, reference by reference.',
    messages: (context, order) => [
      request(context, order.merchantReference, { secret: context.otherKeys.webhookSecret }),
    ],
  },
  {
    ...known,
    id: 'handshake_unsigned',
    title: 'Handshake without a signature',
    correct: 'answers 4xx',
    why: 'A check that is skipped when the header is missing is no check.',
    messages: (context, order) => [{ ...request(context, order.merchantReference), headers: {} }],
  },
  {
    ...known,
    id: 'handshake_old',
    title: 'Handshake that was signed ten minutes ago',
    correct: 'answers 4xx',
    why: 'The signature covers no reference, so one recording would open every payout, for ever.',
    messages: (context, order) => [request(context, order.merchantReference, { minutes: -10 })],
  },
]
