import type { Fields } from '../../harness/json.ts'
import { randomBytes } from 'node:crypto'
import { type WireReply, type WireRequest, wireRequest } from '../../harness/proxy.ts'
import { fieldsOf, header, INITIALIZE, isOne, PAYMENTS, withBody, withHeader } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { callbacks, inReplies, OK, inAnyReplies, inData, remembering } from './rows.ts'
import { signMessage } from './sign.ts'

// Undeclared outgoing data: headers, secrets, handshakes, pages, and addresses that differ slightly from the given
// ones.

/** A header of some replies. @param value undefined: none for this reply */
const adding = (does: string, name: string, value: (reply: WireReply, request: WireRequest) => string | undefined) =>
  inAnyReplies(
    does,
    (reply, request) => value(reply, request) !== undefined,
    (reply, request) => withHeader(reply, name, value(reply, request)),
  )
const accepted = (does: string, change: (inner: Fields) => unknown) => inData(does, INITIALIZE, 202, change)
const isHosted = ({ payment_url }: Fields): boolean => payment_url !== undefined

export const outgoingRows: FaultRows = {
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
  'signing-key-in-page': inAnyReplies(
    'has the signing key in the payment page',
    ({ status }, { path }) => path.startsWith('/pay/collection/') && status === 200,
    (reply, _request, { signingKey }) =>
      withBody(reply, reply.body.toString().replace('</body>', `<!-- ${signingKey} --></body>`)),
  ),
  'request-ids-repeated': remembering(() => {
    const first: string[] = []
    let count = 0
    return inAnyReplies(
      'restarts its request ids after 40',
      (reply) => header(reply, 'x-request-id') !== undefined,
      (reply) => {
        const id = header(reply, 'x-request-id') ?? ''
        if (first.length < 40) first.push(id)
        return (count += 1) > 40 ? withHeader(reply, 'x-request-id', first[count % 40]) : reply
      },
    )
  }),
  'handshake-for-collections': inReplies(
    'sends handshakes for collections as well',
    INITIALIZE,
    202,
    async (reply, request, world) => {
      const reference = fieldsOf(request)?.['merchant_reference']
      if (typeof reference !== 'string') return reply
      const question = wireRequest('GET', `/handshake?reference=${reference}`, {
        'webhook-id': `hs_${randomBytes(13).toString('hex').toUpperCase()}`,
        'webhook-timestamp': String(Math.floor(Date.parse('2026-03-01T08:00:00Z') / 1000)),
      })
      // The address that the drill's gateway calls. No server may be there.
      await world.deliver(signMessage(question, world)).catch(() => undefined)
      return reply
    },
  ),
  'metrics-open': {
    does: 'shows its metrics to everybody',
    plant: () => ({
      api: {
        onRequest: (request) => {
          const metrics = withBody(OK, '# TYPE payments_total counter\npayments_total 7\n')
          const isMeant = request.method === 'GET' && request.path.split('?')[0] === '/metrics'
          return isMeant ? { answer: withHeader(metrics, 'content-type', 'text/plain') } : request
        },
      },
    }),
  },
  'page-address-of-another': remembering(() => {
    let before: unknown
    return accepted('gives the payment_url of the collection before', (inner) => {
      if (!isHosted(inner)) return inner
      const shown = before ?? inner['payment_url']
      before = inner['payment_url']
      return { ...inner, payment_url: shown }
    })
  }),
  'callback-with-authorization': callbacks.sent(
    'sends the webhook secret as a password with callbacks',
    (message, { webhookSecret }) =>
      withHeader(message, 'authorization', `Basic ${Buffer.from(`malipo:${webhookSecret}`).toString('base64')}`),
  ),
}
