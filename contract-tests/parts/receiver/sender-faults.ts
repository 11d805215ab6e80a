import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { ProxyOptions, WireReply, WireRequest } from '../../harness/proxy.ts'
import { isObject } from '../../../openapi/reading/json.ts'
import type { SignatureKeys } from './signatures.ts'

// Wrong senders, for tests of the tests: each is a change of what passes between a gateway and the merchant, or between
// the merchant and the gateway. What they change they sign again, as a server would that is wrong from the start.

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>

type ToMerchant = (send: Send) => Hooks
type ToGateway = () => Hooks

export interface SenderFault {
  readonly name: string
  /** Names of the scenarios that show it. */
  readonly scenarios: readonly string[]
  /** Between the gateway and the receiver. Made anew for each run: it may count. */
  readonly toMerchant?: ToMerchant
  /** Between the receiver part and the gateway's API. */
  readonly toGateway?: ToGateway
  /** Exactly what must be reported: about, and a part of the text. */
  readonly found: readonly (readonly [about: string, what: string])[]
}

/** Sends a request to the receiver beside the one that passes. */
export type Send = (request: WireRequest) => Promise<void>
export type Keys = Pick<SignatureKeys, 'signingKey' | 'webhookSecret'>

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
const rsaKeyId = createHash('sha256')
  .update(rsa.publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex')
  .slice(0, 16)

/** Serves the wrong sender's RSA key where the contract says keys are. */
export const servesOwnKey = (request: WireRequest): { readonly answer: WireReply } | undefined =>
  request.path === `/.well-known/malipo-rsa/${rsaKeyId}.pem`
    ? { answer: { status: 200, headers: {}, body: Buffer.from(pem) } }
    : undefined

const isCallback = ({ path }: WireRequest): boolean => path.startsWith('/callbacks/')
const isHandshake = ({ path }: WireRequest): boolean => path.startsWith('/handshake')
const header = ({ headers }: WireRequest, name: string): string => headers[name]?.[0] ?? ''
const withHeaders = (
  request: WireRequest,
  headers: Readonly<Record<string, readonly string[] | string | undefined>>,
): WireRequest => ({
  ...request,
  headers: Object.fromEntries(
    Object.entries({ ...request.headers, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat()]],
    ),
  ),
})
const withBody = (request: WireRequest, body: string): WireRequest =>
  withHeaders({ ...request, body: Buffer.from(body) }, { 'content-length': String(Buffer.byteLength(body)) })

type Callback = { event: unknown; payload: Record<string, unknown> } & Record<string, unknown>
function callbackIn({ body }: WireRequest): Callback {
  const json: unknown = JSON.parse(body.toString('utf8'))
  if (!isObject(json) || !isObject(json.payload)) throw new Error('not a callback')
  return { ...json, event: json.event, payload: { ...json.payload } }
}

interface Signing {
  readonly id?: string
  readonly timestamp?: string
  readonly t?: string
  /** The text of the body, when it is not the plain JSON. */
  readonly text?: string
}

/** Signs a callback again, wholly, as it is now. */
export function signed(
  request: WireRequest,
  callback: Callback,
  keys: Keys,
  {
    id = header(request, 'webhook-id'),
    timestamp = header(request, 'webhook-timestamp'),
    t,
    text = JSON.stringify(callback),
  }: Signing = {},
): WireRequest {
  const { event, payload } = callback
  const state = [
    event,
    payload.merchant_reference,
    payload.internal_reference,
    payload.transaction_type,
    payload.transaction_status,
  ].join(':')
  return withHeaders(withBody(request, text), {
    'hmac-signature': `t=${t ?? /^t=(\d+)/.exec(header(request, 'hmac-signature'))?.[1]},s=${createHmac('sha256', keys.signingKey).update(state).digest('hex')}`,
    'rsa-key-id': rsaKeyId,
    'rsa-signature': sign('sha256', Buffer.from(state), rsa.privateKey).toString('base64'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': messageSignature(keys, id, timestamp, text),
  })
}

const messageSignature = ({ webhookSecret }: Keys, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(webhookSecret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

const without = <Value>(fields: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

/** Sends a request of its own and waits for the reply, whatever it is. */
export const sendTo =
  (port: number): Send =>
  ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const outgoing = httpRequest(
        { host: '127.0.0.1', port, method, path, headers: without(without(headers, 'host'), 'content-length') },
        (reply) => reply.resume().on('end', resolve),
      )
      outgoing.on('error', () => resolve()).end(body)
    })

const [COLLECTION, FAILING, RETRIED, PAYOUT, HOSTED] = [
  'collection 001',
  'collection 004',
  'retried',
  'payout 001',
  'collection on the page 001',
]

/** All wrong senders. */
export function senderFaults(keys: Keys): readonly SenderFault[] {
  const callbacks =
    (change: (request: WireRequest, nth: number) => WireRequest): ToMerchant =>
    () => {
      let nth = 0
      return { onRequest: (request) => (isCallback(request) ? change(request, nth++) : request) }
    }
  const handshakes =
    (change: (request: WireRequest) => WireRequest): ToMerchant =>
    () => ({ onRequest: (request) => (isHandshake(request) ? change(request) : request) })
  const payload = (change: (payload: Record<string, unknown>) => Record<string, unknown>): ToMerchant =>
    callbacks((request) => {
      const callback = callbackIn(request)
      return signed(request, { ...callback, payload: change(callback.payload) }, keys)
    })
  const answers =
    (change: (reply: WireReply, request: WireRequest) => WireReply): ToMerchant =>
    () => ({ onReply: change })
  const swallowed = { answer: { status: 200, headers: {}, body: Buffer.alloc(0) } }
  const redirects =
    (change: (location: string) => string): ToGateway =>
    () => ({
      onReply: (reply) => {
        const location = reply.headers.location?.[0]
        return location?.startsWith('https://shop.example')
          ? { ...reply, headers: { ...reply.headers, location: [change(location)] } }
          : reply
      },
    })
  const verified =
    (change: (data: Record<string, unknown>, times: number) => Record<string, unknown>): ToGateway =>
    () => {
      let times = 0
      return {
        onReply(reply, request) {
          if (!request.path.startsWith('/data/transaction/verify/') || reply.status !== 200) return reply
          const json: unknown = JSON.parse(reply.body.toString('utf8'))
          if (!isObject(json) || !isObject(json.data)) return reply
          const body = Buffer.from(JSON.stringify({ ...json, data: change(json.data, times++) }))
          return { ...reply, headers: { ...reply.headers, 'content-length': [String(body.length)] }, body }
        },
      }
    }
  const flipped = (text: string): string => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`)
  const drop = (name: string): SenderFault => ({
    name: `no ${name}`,
    scenarios: [COLLECTION],
    toMerchant: callbacks((request) => withHeaders(request, { [name]: undefined })),
    found: [['collectionCallback', `header ${name} is missing`]],
  })
  return [
    // Headers
    ...['hmac-signature', 'rsa-key-id', 'rsa-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      drop,
    ),
    {
      name: 'a header twice',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        withHeaders(request, { 'webhook-id': [header(request, 'webhook-id'), 'cb_OTHER'] }),
      ),
      found: [['collectionCallback', 'header webhook-id came 2 times']],
    },
    {
      name: 'webhook-timestamp in milliseconds',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        signed(request, callbackIn(request), keys, { timestamp: `${header(request, 'webhook-timestamp')}000` }),
      ),
      found: [['collectionCallback', 'header webhook-timestamp must NOT have more than 10 characters']],
    },
    {
      name: 'hmac time in seconds',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        signed(request, callbackIn(request), keys, { t: header(request, 'webhook-timestamp') }),
      ),
      found: [['collectionCallback', 'header hmac-signature must NOT have fewer than 82 characters']],
    },
    {
      name: 'PUT instead of POST',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => ({ ...request, method: 'PUT' })),
      found: [['collectionCallback', 'PUT came, the contract declares POST']],
    },
    {
      name: 'another media type',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => withHeaders(request, { 'content-type': 'text/plain' })),
      found: [['collectionCallback', 'content-type is text/plain']],
    },
    // Signatures
    {
      name: 'hmac of another key',
      scenarios: [COLLECTION, PAYOUT],
      toMerchant: callbacks((request) =>
        withHeaders(request, {
          'hmac-signature': header(
            signed(request, callbackIn(request), { ...keys, signingKey: 'ANOTHERKEY' }),
            'hmac-signature',
          ),
        }),
      ),
      found: [['hmac-signature', '2 times']],
    },
    {
      name: 'another rsa signature',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        withHeaders(request, { 'rsa-signature': flipped(header(request, 'rsa-signature')) }),
      ),
      found: [['rsa-signature', 'does not verify']],
    },
    {
      name: 'a key id that is not served',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => withHeaders(request, { 'rsa-key-id': '0123456789abcdef' })),
      found: [['rsa-key-id', 'not served: HTTP 404']],
    },
    {
      name: 'webhook secret used as text',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        withHeaders(request, {
          'webhook-signature': `v1,${createHmac('sha256', keys.webhookSecret)
            .update(`${header(request, 'webhook-id')}.${header(request, 'webhook-timestamp')}.`)
            .update(request.body)
            .digest('base64')}`,
        }),
      ),
      found: [['webhook-signature', 'no signature fits']],
    },
    {
      name: 'a space added after signing',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => withBody(request, `${request.body.toString('utf8')} `)),
      found: [['webhook-signature', 'no signature fits']],
    },
    {
      name: 'the amount changed after signing',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        withBody(request, request.body.toString('utf8').replace(/"transaction_amount":\d+/, '"transaction_amount":1')),
      ),
      found: [
        ['webhook-signature', 'no signature fits'],
        ['verify', 'payload.transaction_amount is 1'],
      ],
    },
    {
      name: 'an hour old',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        signed(request, callbackIn(request), keys, {
          timestamp: String(Number(header(request, 'webhook-timestamp')) - 3_600),
        }),
      ),
      found: [['webhook-timestamp', 's old, the contract allows 300']],
    },
    {
      name: 'an hmac time of tomorrow',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) =>
        signed(request, callbackIn(request), keys, {
          t: `${Number(header(request, 'webhook-timestamp')) + 86_400}000`,
        }),
      ),
      found: [['hmac-signature', 's ahead, the contract allows 300']],
    },
    // Bodies
    {
      name: 'an event that the status contradicts',
      scenarios: [FAILING],
      toMerchant: callbacks((request) =>
        signed(request, { ...callbackIn(request), event: 'transaction.completed' }, keys),
      ),
      found: [['collectionCallback', 'payload.transaction_status must be COMPLETED, is "FAILED"']],
    },
    {
      name: 'an event that is not declared',
      scenarios: [FAILING],
      toMerchant: callbacks((request) =>
        signed(request, { ...callbackIn(request), event: 'transaction.rejected' }, keys),
      ),
      found: [['collectionCallback', 'event is "transaction.rejected", which the contract does not declare']],
    },
    {
      name: 'an extra field',
      scenarios: [COLLECTION],
      toMerchant: payload((fields) => ({ ...fields, card_number: '4111' })),
      found: [['collectionCallback', 'payload.card_number is not declared']],
    },
    {
      name: 'an extra field beside the payload',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => signed(request, { ...callbackIn(request), id: 7 }, keys)),
      found: [['collectionCallback', 'body: id is not declared']],
    },
    {
      name: 'a missing field',
      scenarios: [COLLECTION],
      toMerchant: payload((fields) => without(fields, 'total_credit')),
      found: [['collectionCallback', 'payload.total_credit is missing']],
    },
    {
      name: 'no merchant reference',
      scenarios: [COLLECTION],
      toMerchant: payload((fields) => without(fields, 'merchant_reference')),
      found: [['collectionCallback', 'payload.merchant_reference is missing']],
    },
    {
      name: 'an amount as text',
      scenarios: [COLLECTION],
      toMerchant: payload((fields) => ({ ...fields, transaction_amount: String(fields.transaction_amount) })),
      found: [['collectionCallback', 'payload.transaction_amount must be number']],
    },
    {
      name: 'null for an absent name',
      scenarios: [COLLECTION],
      toMerchant: payload((fields) => ({ ...fields, customer_name: null })),
      found: [['collectionCallback', 'payload.customer_name must be string']],
    },
    {
      name: 'not JSON',
      scenarios: [PAYOUT],
      toMerchant: callbacks((request) =>
        signed(request, callbackIn(request), keys, { text: 'event=transaction.completed' }),
      ),
      found: [['payoutCallback', 'the body is not JSON']],
    },
    {
      name: 'no body',
      scenarios: [PAYOUT],
      toMerchant: callbacks((request) => signed(request, callbackIn(request), keys, { text: '' })),
      found: [['payoutCallback', 'the body is missing']],
    },
    {
      name: 'another amount than verify tells',
      scenarios: [COLLECTION],
      toMerchant: payload((fields) => ({ ...fields, transaction_amount: 7 })),
      found: [['verify', 'payload.transaction_amount is 7']],
    },
    {
      name: 'another transaction id than verify tells',
      scenarios: [PAYOUT],
      toMerchant: payload((fields) => ({ ...fields, id: 999_999 })),
      found: [['verify', 'payload.id is 999999']],
    },
    // Where to, and whether at all
    {
      name: 'a payout at the collection URL',
      scenarios: [PAYOUT],
      toMerchant: callbacks((request) => ({ ...request, path: '/callbacks/collections' })),
      found: [['collectionCallback', 'a valid payoutCallback came to the URL of collectionCallback']],
    },
    {
      name: 'a collection at the payout URL',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => ({ ...request, path: '/callbacks/payouts' })),
      found: [['payoutCallback', 'a valid collectionCallback came to the URL of payoutCallback']],
    },
    {
      name: 'a redirect followed',
      scenarios: ['redirected'],
      toMerchant: (send) => ({
        onReply: async (reply, request) => {
          const [location] = reply.headers.location ?? []
          if (location !== undefined)
            await send({ ...request, method: 'GET', path: location, body: Buffer.alloc(0), headers: {} })
          return reply
        },
      }),
      found: [['retries', 'a redirect was followed']],
    },
    {
      name: 'no callback',
      scenarios: [COLLECTION],
      toMerchant: () => ({ onRequest: (request) => (isCallback(request) ? swallowed : request) }),
      found: [['retries', 'callback of COMPLETED did not come']],
    },
    {
      name: 'a callback to a URL of nobody',
      scenarios: [COLLECTION],
      toMerchant: callbacks((request) => ({ ...request, path: '/hooks' })),
      found: [
        ['retries', "came to a URL that is not the merchant's"],
        ['retries', 'callback of COMPLETED did not come'],
      ],
    },
    {
      name: 'two outcomes',
      scenarios: [COLLECTION],
      toMerchant: (send) => ({
        onReply: async (reply, request) => {
          const callback = callbackIn(request)
          await send(
            signed(
              request,
              { event: 'transaction.failed', payload: { ...callback.payload, transaction_status: 'FAILED' } },
              keys,
              { id: 'cb_ANOTHER' },
            ),
          )
          return reply
        },
      }),
      found: [
        ['outcome', 'callbacks of COMPLETED and FAILED came, expected COMPLETED'],
        ['verify', 'payload.transaction_status is "FAILED", verify says "COMPLETED"'],
      ],
    },
    // Attempts
    {
      name: 'no retry',
      scenarios: [RETRIED],
      toMerchant: answers((reply, request) => (isCallback(request) ? { ...reply, status: 200 } : reply)),
      found: [['retries', 'callback 2 after HTTP 500 did not come']],
    },
    {
      name: 'a retry at once',
      scenarios: [RETRIED],
      toMerchant: (send) => ({
        onReply: async (reply, request) => {
          if (reply.status !== 500) return reply
          await send(request)
          return { ...reply, status: 200 }
        },
      }),
      found: [['retries', 'callback 2 came 0 s after HTTP 500, too early']],
    },
    {
      name: 'delivered twice',
      scenarios: [COLLECTION],
      toMerchant: (send) => ({
        onReply: async (reply, request) => {
          if (isCallback(request)) await send(request)
          return reply
        },
      }),
      found: [['retries', 'a callback came again after HTTP 200']],
    },
    {
      name: '204 does not acknowledge',
      scenarios: ['answered 204'],
      toMerchant: answers((reply) => (reply.status === 204 ? { ...reply, status: 500 } : reply)),
      found: [['retries', 'a callback came again after HTTP 204']],
    },
    {
      name: '410 does not stop',
      scenarios: ['answered 410'],
      toMerchant: answers((reply) => (reply.status === 410 ? { ...reply, status: 500 } : reply)),
      found: [['retries', 'a callback came again after HTTP 410']],
    },
    {
      name: 'Retry-After ignored',
      scenarios: ['asked to wait'],
      toMerchant: answers((reply) => ({ ...reply, headers: without(reply.headers, 'retry-after') })),
      found: [['retries', 'after HTTP 503 with Retry-After: 60, too early']],
    },
    {
      name: 'a new webhook-id at a retry',
      scenarios: [RETRIED],
      toMerchant: callbacks((request, nth) =>
        signed(request, callbackIn(request), keys, { id: `${header(request, 'webhook-id')}${nth}` }),
      ),
      found: [['webhook-id', '2 ids over the attempts of one message']],
    },
    {
      name: 'another body at a retry',
      scenarios: [RETRIED],
      toMerchant: callbacks((request, nth) =>
        signed(request, callbackIn(request), keys, { text: `${request.body.toString('utf8')}${' '.repeat(nth)}` }),
      ),
      found: [['webhook-id', 'the body changes over the attempts']],
    },
    {
      name: 'the first time at a retry',
      scenarios: [RETRIED],
      toMerchant: () => {
        let first: string | undefined
        return {
          onRequest: (request) =>
            isCallback(request)
              ? signed(request, callbackIn(request), keys, {
                  timestamp: (first ??= header(request, 'webhook-timestamp')),
                })
              : request,
        }
      },
      found: [['webhook-timestamp', 'a retry carries the time of the attempt before']],
    },
    {
      name: 'one webhook-id for everything',
      scenarios: [COLLECTION, FAILING],
      toMerchant: callbacks((request) => signed(request, callbackIn(request), keys, { id: 'cb_SAME' })),
      found: [['webhook-id', 'one id names two messages']],
    },
    // State
    {
      name: 'a callback before the state is final',
      scenarios: [COLLECTION],
      toGateway: verified((data, times) => (times === 0 ? { ...data, transaction_status: 'PROCESSING' } : data)),
      found: [['verify', 'a callback came while verify said PROCESSING']],
    },
    {
      name: 'the reply changes the state',
      scenarios: [RETRIED],
      toGateway: verified((data, times) => (times > 0 ? { ...data, transaction_status: 'FAILED' } : data)),
      found: [['state', 'says another thing after the reply (HTTP 500)']],
    },
    {
      name: 'another customer is charged',
      scenarios: [COLLECTION],
      toGateway: () => ({
        onRequest: (request) =>
          request.method === 'POST'
            ? withBody(request, request.body.toString('utf8').replace(/"msisdn":"\d+"/, '"msisdn":"256770000123"'))
            : request,
      }),
      found: [['verify', 'transaction_account is "256770000123"']],
    },
    {
      name: 'a failing number completes',
      scenarios: [FAILING],
      toGateway: () => ({
        onRequest: (request) =>
          request.method === 'POST'
            ? withBody(request, request.body.toString('utf8').replace('004"', '001"'))
            : request,
      }),
      found: [
        ['outcome', 'documented is FAILED "The customer declined the request"'],
        ['verify', 'transaction_account'],
      ],
    },
    {
      name: 'not accepted',
      scenarios: [COLLECTION],
      toGateway: () => ({
        onReply: (reply, request) => (request.method === 'POST' ? { ...reply, status: 201 } : reply),
      }),
      found: [['initializeCollection', 'HTTP 201 instead of 202']],
    },
    // Handshakes
    {
      name: 'a handshake without reference',
      scenarios: [PAYOUT],
      toMerchant: handshakes((request) => ({ ...request, path: '/handshake' })),
      found: [['payoutHandshake', 'query parameter reference is missing']],
    },
    {
      name: 'a handshake by POST',
      scenarios: [PAYOUT],
      toMerchant: handshakes((request) => ({ ...request, method: 'POST' })),
      found: [['payoutHandshake', 'POST came, the contract declares GET']],
    },
    {
      name: 'a handshake with a body',
      scenarios: [PAYOUT],
      toMerchant: handshakes((request) =>
        withHeaders(withBody(request, '{}'), {
          'webhook-signature': messageSignature(
            keys,
            header(request, 'webhook-id'),
            header(request, 'webhook-timestamp'),
            '{}',
          ),
        }),
      ),
      found: [['payoutHandshake', 'a body of 2 bytes came, the contract declares none']],
    },
    {
      name: 'a handshake signed with another secret',
      scenarios: [PAYOUT],
      toMerchant: handshakes((request) =>
        withHeaders(request, {
          'webhook-signature': messageSignature(
            { ...keys, webhookSecret: 'whsec_b3RoZXI=' },
            header(request, 'webhook-id'),
            header(request, 'webhook-timestamp'),
            '',
          ),
        }),
      ),
      found: [['webhook-signature', 'no signature fits']],
    },
    {
      name: 'a handshake when the payout has gone on already',
      scenarios: [PAYOUT],
      toGateway: verified((data, times) => (times === 0 ? { ...data, transaction_status: 'PROCESSING' } : data)),
      found: [['handshake', 'a handshake came while verify said PROCESSING']],
    },
    {
      name: 'no handshake',
      scenarios: [PAYOUT],
      toMerchant: () => ({ onRequest: (request) => (isHandshake(request) ? swallowed : request) }),
      found: [['retries', 'handshake did not come']],
    },
    {
      name: 'a handshake again after 200',
      scenarios: [PAYOUT],
      toMerchant: (send) => ({
        onReply: async (reply, request) => {
          if (isHandshake(request)) await send(request)
          return reply
        },
      }),
      found: [['retries', 'a handshake came again after HTTP 200']],
    },
    {
      name: 'a rejected payout is paid',
      scenarios: ['payout with a handshake answered 404'],
      toMerchant: answers((reply, request) => (isHandshake(request) ? { ...reply, status: 200 } : reply)),
      found: [
        ['handshake', 'the payout completed although the merchant did not confirm it'],
        ['outcome', 'documented is FAILED "Payout rejected by the merchant\'s verification URL (HTTP 404)"'],
      ],
    },
    // Redirects
    {
      name: 'a redirect with another status',
      scenarios: [HOSTED],
      toGateway: redirects((location) =>
        location.replace('transaction_status=COMPLETED', 'transaction_status=CANCELLED'),
      ),
      found: [
        ['customerRedirect', 'transaction_status is "CANCELLED", verify says "COMPLETED"'],
        ['hmac-signature', ''],
        ['rsa-signature', ''],
      ],
    },
    {
      name: 'a redirect without its signature',
      scenarios: [HOSTED],
      toGateway: redirects((location) => location.replace(/&rsa_signature=[^&]*/, '')),
      found: [['customerRedirect', 'query parameter rsa_signature is missing']],
    },
    {
      name: 'a redirect signed with another key',
      scenarios: [HOSTED],
      toGateway: redirects((location) => location.replace(/s%3D[0-9a-f]{64}/, `s%3D${'0'.repeat(64)}`)),
      found: [['hmac-signature', 'the digest is not that']],
    },
    // One signature in 200 has no plus sign: a slash takes its place there.
    {
      name: 'a redirect that is not encoded',
      scenarios: [HOSTED],
      toGateway: redirects((location) => location.replaceAll(location.includes('%2B') ? '%2B' : '%2F', '+')),
      found: [['customerRedirect', 'query parameter rsa_signature']],
    },
    {
      name: 'a redirect that loses the query of the shop',
      scenarios: [HOSTED],
      toGateway: redirects((location) => location.replace('order=7&', '')),
      found: [['customerRedirect', 'another address than redirect_url']],
    },
    {
      name: 'a page that leads nowhere',
      scenarios: [HOSTED],
      toGateway: () => ({
        onReply: (reply) =>
          reply.headers.location?.[0]?.startsWith('https://shop.example')
            ? { status: 200, headers: {}, body: Buffer.from('Thank you') }
            : reply,
      }),
      found: [['customerRedirect', 'the page of a final payment leads nowhere']],
    },
  ]
}
