import { randomBytes } from 'node:crypto'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import {
  data,
  fieldsOf,
  header,
  INITIALIZE,
  isOne,
  LOOKUPS,
  PAYMENTS,
  withBody,
  withFields,
  withHeader,
  withQuery,
} from './edit.ts'
import { edited, faultsOf, type Plant, type FaultContext } from './fault.ts'
import { callbacks, handshakes, inReplies, OK } from './rows.ts'
import { signMessage } from './sign.ts'

// Undeclared outgoing data: headers, secrets, handshakes, pages, and addresses that differ slightly from the given
// ones.

/** A header of some replies. @param value undefined: none for this reply */
const adding = (
  does: string,
  name: string,
  value: string | ((reply: WireReply, request: WireRequest, world: FaultContext) => string | undefined),
) => ({
  does,
  plant: (world: FaultContext): Plant => ({
    api: {
      onReply: (reply, request) => {
        const text = typeof value === 'string' ? value : value(reply, request, world)
        return text === undefined ? reply : withHeader(reply, name, text)
      },
    },
  }),
})
/** A resource that third parties find by trying common paths. */
const served = (does: string, path: string, type: string, text: string) => ({
  does,
  plant: (): Plant => ({
    api: {
      onRequest: (request) => {
        const answer = withHeader(withBody({ ...OK, status: 200 }, text), 'content-type', type)
        return request.method === 'GET' && request.path.split('?')[0] === path ? { answer } : request
      },
    },
  }),
})
/** Sequential request ids. */
const ids = (does: string, makeChange: () => (id: string) => string) => ({
  does,
  plant: (): Plant => {
    const change = makeChange()
    return { api: { onReply: (reply) => renamedId(reply, change) } }
  },
})
const renamedId = (reply: WireReply, change: (id: string) => string): WireReply => {
  const id = header(reply, 'x-request-id')
  return id === undefined ? reply : withHeader(reply, 'x-request-id', change(id))
}
const accepted = (does: string, change: (inner: Record<string, unknown>, reply: WireReply) => unknown) =>
  inReplies(does, INITIALIZE, 202, (reply) =>
    withFields(
      reply,
      data((inner) => change(inner, reply)),
    ),
  )
const isHosted = ({ payment_url }: Readonly<Record<string, unknown>>): boolean => payment_url !== undefined

export const outgoingFaults = faultsOf('outgoing', {
  'server-named': adding('names its program in every reply', 'server', 'malipo/1.4.2'),
  'cors-open': adding('lets every page read lookups', 'access-control-allow-origin', (_, request) =>
    isOne(LOOKUPS, request) ? '*' : undefined,
  ),
  'cors-echoes-origin': adding(
    'lets the page read a reply whose Origin it gets',
    'access-control-allow-origin',
    (_, request) => header(request, 'origin'),
  ),
  'date-an-hour-ago': adding('says that replies are an hour old', 'date', () =>
    new Date(Date.now() - 3_600_000).toUTCString(),
  ),
  'replies-cached': adding('lets caches keep what must not be stored', 'cache-control', (reply) =>
    header(reply, 'cache-control') === 'no-store' ? 'private, max-age=60' : undefined,
  ),
  'icon-cached-for-ever': edited('lets caches keep the icon of its pages for ever', [
    'http/icon.ts',
    "'cache-control': 'public, max-age=86400'",
    "'cache-control': 'public, max-age=31536000, immutable'",
  ]),
  'page-tells-referrer': edited('lets the payment page tell its address to other sites', [
    'payment-page/security-headers.ts',
    "'referrer-policy': 'no-referrer'",
    "'referrer-policy': 'unsafe-url'",
  ]),
  'page-redirects-by-302': edited('redirects from the payment page to the merchant by 302', [
    'payment-page/payment-page.ts',
    "reply.code(303).header('location', address)",
    "reply.code(302).header('location', address)",
  ]),
  'cookie-set': adding('sets a cookie with accepted payments', 'set-cookie', (reply, request) =>
    isOne(PAYMENTS, request) && reply.status === 202 ? 'sid=71f0c1; Path=/; HttpOnly' : undefined,
  ),
  'secret-key-in-header': adding(
    'repeats the secret-key in a header of payouts',
    'x-authenticated-by',
    (reply, request) =>
      isOne(['sendFunds'], request) && reply.status === 202 ? header(request, 'secret-key') : undefined,
  ),
  'signing-key-in-page': {
    does: 'has the signing key in the payment page',
    plant: ({ signingKey }: FaultContext): Plant => ({
      api: {
        onReply: (reply, { path }) =>
          path.startsWith('/pay/collection/') && reply.status === 200
            ? withBody(reply, reply.body.toString().replace('</body>', `<!-- ${signingKey} --></body>`))
            : reply,
      },
    }),
  },
  'request-ids-repeated': ids('restarts its request ids after 40', () => {
    const first: string[] = []
    let count = 0
    return (id) => {
      if (first.length < 40) first.push(id)
      return (count += 1) > 40 ? (first[count % 40] ?? id) : id
    }
  }),
  'handshake-for-collections': {
    does: 'sends handshakes for collections as well',
    plant: (world: FaultContext): Plant => ({
      api: {
        onReply: async (reply, request) => {
          const reference = fieldsOf(request)?.['merchant_reference']
          if (!isOne(INITIALIZE, request) || reply.status !== 202 || typeof reference !== 'string') return reply
          const question: WireRequest = {
            method: 'GET',
            path: `/handshake?reference=${reference}`,
            headers: {
              'webhook-id': [`hs_${randomBytes(13).toString('hex').toUpperCase()}`],
              'webhook-timestamp': [String(Math.floor(Date.parse('2026-03-01T08:00:00Z') / 1000))],
            },
            body: Buffer.alloc(0),
          }
          // The address that the drill's gateway calls. No server may be there.
          await world.deliver(signMessage(question, world)).catch(() => undefined)
          return reply
        },
      },
    }),
  },
  'metrics-open': served(
    'shows its metrics to everybody',
    '/metrics',
    'text/plain',
    '# TYPE payments_total counter\npayments_total 7\n',
  ),
  'env-file-served': served('serves its settings as a file', '/.env', 'text/plain', 'NODE_ENV=production\n'),
  'page-address-for-plain-payments': accepted('gives a payment_url where no page is needed', (inner) =>
    isHosted(inner)
      ? inner
      : { ...inner, payment_url: `http://127.0.0.1:8080/pay/collection/${String(inner['internal_reference'])}` },
  ),
  'page-address-of-another': {
    does: 'gives the payment_url of the collection before',
    plant: (world: FaultContext): Plant => {
      let before: unknown
      return accepted('', (inner) => {
        if (!isHosted(inner)) return inner
        const shown = before ?? inner['payment_url']
        before = inner['payment_url']
        return { ...inner, payment_url: shown }
      }).plant(world)
    },
  },
  'callback-with-authorization': callbacks.sent(
    'sends the webhook secret as a password with callbacks',
    (message, { webhookSecret }) =>
      withHeader(message, 'authorization', `Basic ${Buffer.from(`malipo:${webhookSecret}`).toString('base64')}`),
  ),
  'callback-query-added': callbacks.sent('adds the event to the address of callbacks', (message) =>
    withQuery(message, 'event', String(fieldsOf(message)?.['event'])),
  ),
  'handshake-with-signing-key': handshakes.sent('sends the signing key with handshakes', (message, { signingKey }) =>
    withHeader(message, 'x-signing-key', signingKey),
  ),
})
