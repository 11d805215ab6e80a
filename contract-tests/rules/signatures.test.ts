import { generateKeyPairSync, createHash, createHmac, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Exchange } from '../harness/proxy.ts'
import { rsaSignaturesRule } from './rsa-signatures.ts'
import { signaturesRule } from './signatures.ts'
import {
  accepted,
  collects,
  comes,
  HOSTED,
  JSON_TYPE,
  leads,
  received,
  REFERENCE,
  sendRequests,
  SIGNING,
  SENT_AT,
} from './testing/exchanges.ts'
import { reportsOf, testRows } from './testing/reports.ts'
import { webhookIdsRule } from './webhook-ids.ts'

const STATE = {
  merchant_reference: 'WATCH-0001',
  internal_reference: REFERENCE,
  transaction_type: 'COLLECTION',
  transaction_status: 'COMPLETED',
}
const TEXT = `transaction.completed:WATCH-0001:${REFERENCE}:COLLECTION:COMPLETED`
const BODY = { event: 'transaction.completed', payload: STATE }
const own = { publicKey: 'pub_of_the_tested', ...SIGNING }
const another = {
  publicKey: 'pub_of_another',
  signingKey: 'ANOTHERSIGNINGKEY001',
  webhookSecret: 'whsec_YW5vdGhlci1vbmU=',
}
const atUrls = { ...own, paths: ['/callbacks/collections', '/handshake'] }
const SPACED = JSON.stringify(BODY, undefined, 1)
const hmacOf = (key: string, text = TEXT): string => createHmac('sha256', key).update(text).digest('hex')

const calls = (headers: Readonly<Record<string, string>> = {}, body: unknown = BODY): Exchange =>
  comes('POST', '/callbacks/collections', { ...JSON_TYPE, ...headers }, body)
const asks = (headers: Readonly<Record<string, string>> = {}): Exchange =>
  comes('GET', '/handshake?reference=WATCH-0001', headers)
const withBody = (exchange: Exchange, body: string): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body: Buffer.from(body) },
})
const later = (exchange: Exchange, ms: number): Exchange => ({ ...exchange, at: new Date(SENT_AT.getTime() + ms) })
const paid = collects(accepted({ payment_url: 'x' }), HOSTED)
const outcome = (digest: string, atMs = 0): string =>
  `https://shop.example/done?order=7&${new URLSearchParams({ event: BODY.event, ...STATE, hmac_signature: `t=${String(atMs).padStart(13, '0')},s=${digest}`, rsa_key_id: '0123456789abcdef', rsa_signature: 'AAAA' }).toString()}`

testRows(signaturesRule, {
  'a callback': ['', received(calls())],
  'a handshake': ['', received(asks())],
  'one of two signatures': ['', received(rotated(calls()))],
  'a message that is 5 minutes old': ['', received(later(calls(), 300_000))],
  'a message by a clock that was moved': ['', received({ ...later(calls(), 9e9), serverTime: SENT_AT })],
  'a redirect': ['', paid, leads(outcome(hmacOf(SIGNING.signingKey)))],
  'an address as the merchant gave it': ['', paid, leads('https://shop.example/done?order=7')],
})
testRows(
  signaturesRule,
  { 'a message without keys as not judged': ['2 signatures need a SIGNING_KEY or WEBHOOK_SECRET', received(calls())] },
  { accounts: [] },
)

const hmac = (digest: string, time = String(SENT_AT.getTime())): Exchange =>
  calls({ 'hmac-signature': `t=${time},s=${digest}` })
const OTHERS_SECRET = 'made with the webhook secret of another merchant'
const OTHERS_KEY = 'made with the signing key of another merchant'
test.each<[string, string, ...Exchange[]]>([
  ['a body that was written again', 'the bytes that are sent must be signed', withBody(calls(), SPACED)],
  ['another body', "is not made with the merchant's webhook secret", withBody(calls(), '{"event":1}')],
  ['the secret of another merchant', OTHERS_SECRET, calls(signedWith(another.webhookSecret))],
  ['the key of another merchant', OTHERS_KEY, hmac(hmacOf(another.signingKey))],
  [
    'an HMAC over another text',
    `about ${TEXT} is not made with the merchant's signing key`,
    hmac(hmacOf(SIGNING.signingKey, `${TEXT}:`)),
  ],
  ['a time in seconds', 'not t=<epoch milliseconds>,s=<hex digest>', hmac(hmacOf(SIGNING.signingKey), '1795168648')],
  ['an old message', 's old when it comes, and merchants refuse more than 300 s', later(calls(), 300_001)],
  ['a message of the future', 's ahead when it comes', later(calls(), -300_001)],
  ['a handshake that is not signed', 'webhook-signature of a handshake', asks({ 'webhook-signature': 'v1,AAAA' })],
  ['a callback without a signature', 'a callback has no webhook-signature', withoutSignature(calls())],
])('signatures: reports %s', (_name, sentence, message) =>
  expect(reportsOf(signaturesRule, [received(message)], { accounts: [atUrls, another] })).toContainEqual(
    expect.stringContaining(sentence),
  ),
)
testRows(
  signaturesRule,
  { 'a redirect with the key of another merchant': [OTHERS_KEY, paid, leads(outcome(hmacOf(another.signingKey)))] },
  { accounts: [own, another] },
)
testRows(
  signaturesRule,
  { 'a message at the URL of another merchant': [OTHERS_SECRET, received(asks())] },
  { accounts: [own, { ...another, paths: ['/handshake'] }] },
)
testRows(
  signaturesRule,
  {
    'a message about a payment of another merchant': [
      'a callback about a payment of one merchant came to a URL of another one',
      sendRequests('POST', '/collections/initialize', accepted(), {}, { 'public-key': another.publicKey }),
      received(calls()),
    ],
  },
  { accounts: [atUrls, another] },
)
test('signatures: reports an outcome without a signature', () =>
  expect(reportsOf(signaturesRule, [leads('https://shop.example/done?transaction_status=COMPLETED')])).toEqual([
    expect.stringContaining('a redirect has no rsa_signature'),
    expect.stringContaining('a redirect has no hmac_signature'),
  ]))

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const keyId = createHash('sha256')
  .update(publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex')
  .slice(0, 16)
const key = (status: number, body = pem): Exchange =>
  sendRequests('GET', `/.well-known/malipo-rsa/${keyId}.pem`, { status, headers: {}, body: Buffer.from(body) })
const signedByRsa = (text = TEXT): Exchange =>
  calls({ 'rsa-key-id': keyId, 'rsa-signature': sign('sha256', Buffer.from(text), privateKey).toString('base64') })

const wrong = received(signedByRsa('other'))
testRows(rsaSignaturesRule, {
  'a message whose key came before': ['', key(200), received(signedByRsa())],
  'a wrong text': ['does not verify with the key', key(200), wrong],
  'a wrong text whose key comes after it': ['does not verify with the key', wrong, key(200)],
  'an id without a key': ['and none is served by that id', key(404, ''), received(signedByRsa())],
  'what has no key as not judged': ['no reply with the RSA key of a message', received(signedByRsa())],
})

const ids = (id: string, body: unknown = BODY): readonly [Exchange, 'received'] =>
  received(calls({ 'webhook-id': id }, body))
const question = (id: string) => received(asks({ 'webhook-id': id }))
const failed = { ...BODY, payload: { ...STATE, transaction_status: 'FAILED' } }
testRows(webhookIdsRule, {
  'a retry': ['', ids('cb_1'), ids('cb_1')],
  'two states': ['', ids('cb_1', failed), ids('cb_2')],
  'one id of two messages': ['names two messages', ids('cb_1', failed), ids('cb_1')],
  'another id at a retry': ['came with the webhook-ids cb_1 and cb_2', ids('cb_1'), ids('cb_2')],
  'another body at a retry': ['came again with another body', ids('cb_1'), ids('cb_1', { ...BODY, extra: 1 })],
  'one id of two handshakes': [
    'names two messages',
    question('a'),
    received(comes('GET', '/handshake?reference=B', { 'webhook-id': 'a' })),
  ],
  'another id of a handshake': ['came with the webhook-ids a and b', question('a'), question('b')],
})

function signedWith(secret: string): Readonly<Record<string, string>> {
  const { headers, body } = calls({ 'webhook-id': 'cb_x' }).request
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `cb_x.${headers['webhook-timestamp']![0]}.`
  const digest = createHmac('sha256', bytes).update(text).update(body).digest('base64')
  return { 'webhook-id': 'cb_x', 'webhook-signature': `v1,${digest}` }
}

function rotated(message: Exchange): Exchange {
  const [signature] = message.request.headers['webhook-signature']!
  const headers = { ...message.request.headers, 'webhook-signature': [`v1,AAAA ${signature}`] }
  return { ...message, request: { ...message.request, headers } }
}

function withoutSignature(exchange: Exchange): Exchange {
  const { 'webhook-signature': _gone, ...headers } = exchange.request.headers
  return { ...exchange, request: { ...exchange.request, headers } }
}
