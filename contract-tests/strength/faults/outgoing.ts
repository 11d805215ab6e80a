import { randomBytes } from 'node:crypto'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import {
  ALL,
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
import { ruleFaultsOf, type Plant, type FaultContext } from './fault.ts'
import { callbacks, handshakes, inReplies, OK, reported } from './rows.ts'
import { signMessage } from './sign.ts'

// Undeclared outgoing data: headers, secrets, handshakes, pages, and addresses that differ slightly from the given
// ones.

/** A header of some replies. @param value undefined: none for this reply */
const adding = (
  what: string,
  name: string,
  value: string | ((reply: WireReply, request: WireRequest, world: FaultContext) => string | undefined),
) => ({
  what,
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
const served = (what: string, path: string, type: string, text: string) => ({
  what,
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
const ids = (what: string, makeChange: () => (id: string) => string) => ({
  what,
  plant: (): Plant => {
    const change = makeChange()
    return { api: { onReply: (reply) => renamedId(reply, change) } }
  },
})
const renamedId = (reply: WireReply, change: (id: string) => string): WireReply => {
  const id = header(reply, 'x-request-id')
  return id === undefined ? reply : withHeader(reply, 'x-request-id', change(id))
}
/** The merchant's address that the customer is redirected to. */
const going = (what: string, change: (address: string, world: FaultContext) => string) => ({
  what,
  plant: (world: FaultContext): Plant => ({
    api: {
      onReply: (reply, { path }) => {
        const location = header(reply, 'location')
        const isOutcome = path.startsWith('/pay/collection/') && /[?&]transaction_status=/.test(location ?? '')
        return location !== undefined && isOutcome ? withHeader(reply, 'location', change(location, world)) : reply
      },
    },
  }),
})
/** Only the merchant's own query, without the added parameters. */
const ownQuery = (what: string, change: (query: string) => string) =>
  going(what, (address) => address.replace(/\?(.*?)&(?=id=\d+&event=)/, (_, query: string) => `?${change(query)}&`))
const accepted = (what: string, change: (inner: Record<string, unknown>, reply: WireReply) => unknown) =>
  inReplies(what, INITIALIZE, 202, (reply) =>
    withFields(
      reply,
      data((inner) => change(inner, reply)),
    ),
  )
const isHosted = ({ payment_url }: Readonly<Record<string, unknown>>): boolean => payment_url !== undefined

export const outgoingFaults = ruleFaultsOf('outgoing', {
  'server-named': adding('names its program in every reply', 'server', 'malipo/1.4.2'),
  'program-named-on-wrong-paths': adding('names its framework where there is nothing', 'x-powered-by', ({ status }) =>
    status === 404 ? 'Fastify' : undefined,
  ),
  'cors-open': adding('lets every page read lookups', 'access-control-allow-origin', (_, request) =>
    isOne(LOOKUPS, request) ? '*' : undefined,
  ),
  'cookie-set': adding('sets a cookie with accepted payments', 'set-cookie', (reply, request) =>
    isOne(PAYMENTS, request) && reply.status === 202 ? 'sid=71f0c1; Path=/; HttpOnly' : undefined,
  ),
  'etag-on-lists': adding('gives lists an ETag', 'etag', (reply, request) =>
    isOne(LOOKUPS, request) && reply.status === 200 ? `"${reply.body.length.toString(16)}"` : undefined,
  ),
  'cache-reported-on-replays': adding('says X-Cache with repeated replies', 'x-cache', (reply) =>
    header(reply, 'idempotency-replayed') === undefined ? undefined : 'HIT',
  ),
  'timing-reported': adding('discloses how long the database took', 'server-timing', (_, request) =>
    isOne(ALL, request) ? 'db;dur=4.1' : undefined,
  ),
  'location-of-accepted': adding('gives accepted payments a Location', 'location', (reply, request) =>
    isOne(PAYMENTS, request) && reply.status === 202
      ? `/data/transaction/verify/${String(fieldsOf(request)?.['merchant_reference'])}`
      : undefined,
  ),
  'secret-key-in-header': adding(
    'repeats the secret-key in a header of payouts',
    'x-authenticated-by',
    (reply, request) =>
      isOne(['sendFunds'], request) && reply.status === 202 ? header(request, 'secret-key') : undefined,
  ),
  'public-key-in-header': adding('names the account by its public-key in a header', 'x-account', (reply, request) =>
    isOne(ALL, request) && reply.status < 300 ? header(request, 'public-key') : undefined,
  ),
  'signing-key-in-page': {
    what: 'has the signing key in the payment page',
    plant: ({ signingKey }: FaultContext): Plant => ({
      api: {
        onReply: (reply, { path }) =>
          path.startsWith('/pay/collection/') && reply.status === 200
            ? withBody(reply, reply.body.toString().replace('</body>', `<!-- ${signingKey} --></body>`))
            : reply,
      },
    }),
  },
  'password-in-header': adding('discloses the one-time password in a header', 'x-debug-otp', (reply, request) =>
    isOne(INITIALIZE, request) && reply.status === 202 ? '123456' : undefined,
  ),
  'password-in-status': reported('discloses the one-time password in the status message', (state) => ({
    ...state,
    status_message: String(state['status_message']).replace(/one-time password$/, 'one-time password 123456'),
  })),
  'request-ids-repeated': ids('restarts its request ids after 40', () => {
    const first: string[] = []
    let count = 0
    return (id) => {
      if (first.length < 40) first.push(id)
      return (count += 1) > 40 ? (first[count % 40] ?? id) : id
    }
  }),
  'request-ids-cut': ids('makes request ids of two characters', () => (id) => id.slice(0, 2)),
  'request-id-of-first-for-replay': {
    what: 'repeats the request id with a repeated reply',
    plant: (): Plant => {
      const first = new Map<string, string>()
      return {
        api: {
          onReply: (reply, request) => {
            const key = header(request, 'idempotency-key')
            if (key === undefined) return reply
            return renamedId(reply, (id) => {
              const kept = header(reply, 'idempotency-replayed') === undefined ? id : (first.get(key) ?? id)
              first.set(key, kept)
              return kept
            })
          },
        },
      }
    },
  },
  'handshake-for-collections': {
    what: 'sends handshakes for collections as well',
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
  'git-served': served('serves its repository', '/.git/config', 'text/plain', '[core]\n\tbare = false\n'),
  'actuator-open': served('shows its state to everybody', '/actuator/health', 'application/json', '{"status":"UP"}'),
  'admin-page-there': served(
    'has a page for administrators',
    '/admin',
    'text/html',
    '<!doctype html><title>Sign in</title>',
  ),
  'debug-pages-there': served('exposes its memory', '/debug/pprof/', 'text/plain', 'heap profile\n'),
  'redirect-spaces-as-plus': going('writes blanks of the redirect as plus signs', (address) =>
    address.replaceAll('%20', '+'),
  ),
  'redirect-key-in-query': going(
    'adds the public-key to the redirect',
    (address, { publicKey }) => `${address}&merchant=${publicKey}`,
  ),
  'redirect-amount-in-query': going('adds the amount to the redirect', (address) => `${address}&amount=5000`),
  'redirect-id-twice': going('says the id of the redirect twice', (address) =>
    address.replace(/([?&])(id=\d+)&(?=event=)/, '$1$2&$2&'),
  ),
  'redirect-to-a-fragment': going('puts the outcome behind a fragment sign', (address) =>
    address.replace(/\?(?=[^?]*transaction_status=)/, '#'),
  ),
  'redirect-with-userinfo': going('puts a name before the host', (address) => address.replace('://', '://malipo@')),
  'redirect-to-a-longer-host': going("adds a domain to the merchant's host", (address) =>
    address.replace(/^(https?:\/\/[^/?:#]+)/, '$1.example'),
  ),
  'redirect-host-with-a-dot': going("writes a full stop behind the merchant's host", (address) =>
    address.replace(/^(https?:\/\/[^/?:#]+)/, '$1.'),
  ),
  'redirect-port-lost': going("loses the port of the merchant's address", (address) =>
    address.replace(/^(https?:\/\/[^/?:#]+):\d+/, '$1'),
  ),
  'redirect-path-with-slash': going("adds a slash to the merchant's path", (address) =>
    address.replace(/([^/?])\?/, '$1/?'),
  ),
  'redirect-scheme-changed': going('sends customers by the other of http and https', (address) =>
    address.replace(/^http(s?):/, (_, s) => (s === '' ? 'https:' : 'http:')),
  ),
  'redirect-own-plus-changed': ownQuery("changes plus signs of the merchant's own query", (query) =>
    query.replaceAll('+', '%20'),
  ),
  'redirect-own-encoding-undone': ownQuery("decodes the merchant's own query", (query) => {
    try {
      return decodeURIComponent(query)
    } catch {
      return query
    }
  }),
  'redirect-own-query-sorted': ownQuery("sorts the merchant's own query", (query) =>
    query.split('&').toSorted().join('&'),
  ),
  'redirect-own-query-last': going("puts the merchant's own query after its own", (address) =>
    address.replace(/\?(.*?)&(id=\d+&event=.*)$/, '?$2&$1'),
  ),
  'page-address-for-plain-payments': accepted('gives a payment_url where no page is needed', (inner) =>
    isHosted(inner)
      ? inner
      : { ...inner, payment_url: `http://127.0.0.1:8080/pay/collection/${String(inner['internal_reference'])}` },
  ),
  'page-address-of-another': {
    what: 'gives the payment_url of the collection before',
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
  'callback-names-attempt': callbacks.sent('counts attempts in a header of callbacks', (message) =>
    withHeader(message, 'x-malipo-attempt', '1'),
  ),
  'callback-with-public-key': callbacks.sent('sends the public-key with callbacks', (message, { publicKey }) =>
    withHeader(message, 'public-key', publicKey),
  ),
  'callback-with-authorization': callbacks.sent(
    'sends the webhook secret as a password with callbacks',
    (message, { webhookSecret }) =>
      withHeader(message, 'authorization', `Basic ${Buffer.from(`malipo:${webhookSecret}`).toString('base64')}`),
  ),
  'callback-with-cookie': callbacks.sent('sends a cookie with callbacks', (message) =>
    withHeader(message, 'cookie', 'malipo=1'),
  ),
  'callback-query-added': callbacks.sent('adds the event to the address of callbacks', (message) =>
    withQuery(message, 'event', String(fieldsOf(message)?.['event'])),
  ),
  'callback-of-latin-1': callbacks.sent('calls the body of callbacks Latin 1', (message) =>
    withHeader(message, 'content-type', 'application/json; charset=iso-8859-1'),
  ),
  'handshake-names-amount': handshakes.sent('adds the amount to the handshake', (message) =>
    withQuery(message, 'amount', '500'),
  ),
  'handshake-with-signing-key': handshakes.sent('sends the signing key with handshakes', (message, { signingKey }) =>
    withHeader(message, 'x-signing-key', signingKey),
  ),
  'handshake-with-media-type': handshakes.sent('says that a handshake without a body is JSON', (message) =>
    withHeader(message, 'content-type', 'application/json'),
  ),
})
