import { generateKeyPairSync, createHash, createHmac, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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
import { reportsOf } from './testing/reports.ts'
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

describe('signatures: finds nothing wrong with', () => {
  test.each<[string, Exchange]>([
    ['a callback', calls()],
    ['a handshake', asks()],
    ['one of two signatures', rotated(calls())],
    ['a message that is 5 minutes old', later(calls(), 300_000)],
    ['a message of a server whose clock was moved', { ...later(calls(), 9e9), serverTime: SENT_AT }],
  ])('%s', (_name, message) => expect(reportsOf(signaturesRule, [received(message)])).toEqual([]))
  test('a redirect', () =>
    expect(reportsOf(signaturesRule, [paid, leads(outcome(hmacOf(SIGNING.signingKey)))])).toEqual([]))
  test('an address as the merchant gave it', () =>
    expect(reportsOf(signaturesRule, [paid, leads('https://shop.example/done?order=7')])).toEqual([]))
})

describe('signatures: reports', () => {
  test.each<[string, Exchange, string]>([
    [
      'a body that was written again',
      withBody(calls(), JSON.stringify(BODY, undefined, 1)),
      'the bytes that are sent must be signed',
    ],
    ['another body', withBody(calls(), '{"event":1}'), "is not made with the merchant's webhook secret"],
    [
      'the secret of another merchant',
      calls({ 'webhook-id': 'cb_x', 'webhook-signature': signedWith(another.webhookSecret) }),
      'made with the webhook secret of another merchant',
    ],
    [
      'the key of another merchant',
      calls({ 'hmac-signature': `t=${SENT_AT.getTime()},s=${hmacOf(another.signingKey)}` }),
      'made with the signing key of another merchant',
    ],
    [
      'an HMAC over another text',
      calls({ 'hmac-signature': `t=${SENT_AT.getTime()},s=${hmacOf(SIGNING.signingKey, `${TEXT}:`)}` }),
      `about ${TEXT} is not made with the merchant's signing key`,
    ],
    [
      'a time in seconds',
      calls({ 'hmac-signature': `t=1795168648,s=${hmacOf(SIGNING.signingKey)}` }),
      'not t=<epoch milliseconds>,s=<hex digest>',
    ],
    ['an old message', later(calls(), 300_001), 's old when it comes, and merchants refuse more than 300 s'],
    ['a message of the future', later(calls(), -300_001), 's ahead when it comes'],
    ['a handshake that is not signed', asks({ 'webhook-signature': 'v1,AAAA' }), 'webhook-signature of a handshake'],
    [
      'a callback without a signature',
      withoutHeader(calls(), 'webhook-signature'),
      'a callback has no webhook-signature',
    ],
  ])('%s', (_name, message, what) =>
    expect(reportsOf(signaturesRule, [received(message)], { accounts: [atUrls, another] })).toContainEqual(
      expect.stringContaining(what),
    ),
  )
  test('a redirect with the key of another merchant', () =>
    expect(
      reportsOf(signaturesRule, [paid, leads(outcome(hmacOf(another.signingKey)))], { accounts: [own, another] }),
    ).toEqual([expect.stringContaining('made with the signing key of another merchant')]))
  test('an outcome without a signature', () =>
    expect(reportsOf(signaturesRule, [leads('https://shop.example/done?transaction_status=COMPLETED')])).toEqual([
      expect.stringContaining('a redirect has no rsa_signature'),
      expect.stringContaining('a redirect has no hmac_signature'),
    ]))
  test('the message of one merchant at the URL of another', () =>
    expect(
      reportsOf(signaturesRule, [received(asks())], { accounts: [own, { ...another, paths: ['/handshake'] }] }),
    ).toEqual([expect.stringContaining('made with the webhook secret of another merchant')]))
})

test('says that signatures without a key are not judged', () =>
  expect(reportsOf(signaturesRule, [received(calls())], { accounts: [] })).toEqual([
    expect.stringContaining('2 signatures need a SIGNING_KEY or WEBHOOK_SECRET'),
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

test.each<[string, readonly Exchange[], readonly Exchange[], readonly string[]]>([
  ['nothing of a message whose key came before', [key(200)], [signedByRsa()], []],
  ['a wrong text', [key(200)], [signedByRsa('other')], ['does not verify with the key']],
  ['an id without a key', [key(404, '')], [signedByRsa()], ['and none is served by that id']],
  ['what has no key in the recording', [], [signedByRsa()], ['no reply with the RSA key of a message']],
])('RSA signatures: reports %s', (_name, before, messages, found) => {
  expect(reportsOf(rsaSignaturesRule, [...before, ...messages.map(received)])).toEqual(
    found.map((what): unknown => expect.stringContaining(what)),
  )
})

test('RSA signatures: judges a message when its key comes after it', () =>
  expect(reportsOf(rsaSignaturesRule, [received(signedByRsa('other')), key(200)])).toEqual([
    expect.stringContaining('does not verify with the key'),
  ]))

const ids = (id: string, body: unknown = BODY): readonly [Exchange, 'received'] =>
  received(calls({ 'webhook-id': id }, body))
const failed = { ...BODY, payload: { ...STATE, transaction_status: 'FAILED' } }
test.each<[string, readonly (readonly [Exchange, 'received'])[], readonly string[]]>([
  ['nothing of a retry', [ids('cb_1'), ids('cb_1')], []],
  ['nothing of two states', [ids('cb_1', failed), ids('cb_2')], []],
  ['one id of two messages', [ids('cb_1', failed), ids('cb_1')], ['names two messages']],
  ['another id at a retry', [ids('cb_1'), ids('cb_2')], ['came with the webhook-ids cb_1 and cb_2']],
  ['another body at a retry', [ids('cb_1'), ids('cb_1', { ...BODY, extra: 1 })], ['came again with another body']],
  [
    'another id of a handshake',
    [received(asks({ 'webhook-id': 'a' })), received(asks({ 'webhook-id': 'b' }))],
    ['came with the webhook-ids a and b'],
  ],
])('webhook ids: reports %s', (_name, messages, found) => {
  expect(reportsOf(webhookIdsRule, messages)).toEqual(found.map((what): unknown => expect.stringContaining(what)))
})

function signedWith(secret: string): string {
  const { headers, body } = calls({ 'webhook-id': 'cb_x' }).request
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `cb_x.${headers['webhook-timestamp']![0]}.`
  return `v1,${createHmac('sha256', bytes).update(text).update(body).digest('base64')}`
}

function rotated(message: Exchange): Exchange {
  const [signature] = message.request.headers['webhook-signature']!
  const headers = { ...message.request.headers, 'webhook-signature': [`v1,AAAA ${signature}`] }
  return { ...message, request: { ...message.request, headers } }
}

function withoutHeader(exchange: Exchange, name: string): Exchange {
  const { [name]: _gone, ...headers } = exchange.request.headers
  return { ...exchange, request: { ...exchange.request, headers } }
}
