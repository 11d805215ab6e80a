import { expect, test } from 'vitest'
import type { Exchange, WireReply } from '../harness/proxy.ts'
import { cachingRule } from './caching.ts'
import { cookiesRule } from './cookies.ts'
import { credentialsRule } from './credentials.ts'
import { crossOriginRule } from './cross-origin.ts'
import { datesRule } from './dates.ts'
import { declaredHeadersRule } from './declared-headers.ts'
import { pageHeadersRule } from './page-headers.ts'
import { pageRedirectsRule } from './page-redirects.ts'
import type { Rule } from './rule.ts'
import {
  accepted,
  collects,
  HOSTED,
  json,
  leads,
  providers,
  REFERENCE,
  sendRequests,
  verifies,
} from './testing/exchanges.ts'
import { reportsOf } from './testing/reports.ts'

const FOUND = 'Transaction retrieved successfully'
const lookup = (
  headers: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Exchange =>
  sendRequests('GET', providers, json(200, 'Payment providers retrieved successfully', {}, headers), undefined, more)
const without = (exchange: Exchange, name: string): Exchange => {
  const { [name]: _gone, ...headers } = exchange.reply.headers
  return { ...exchange, reply: { ...exchange.reply, headers } }
}
const withHeader = (exchange: Exchange, name: string, ...values: readonly string[]): Exchange => ({
  ...exchange,
  reply: { ...exchange.reply, headers: { ...exchange.reply.headers, [name]: [...values] } },
})
const at = (exchange: Exchange, ms: number): Exchange => ({ ...exchange, at: new Date(ms) })
const file = (path: string, headers: Readonly<Record<string, readonly string[]>>): Exchange => {
  const reply = { status: 200, headers, body: Buffer.alloc(0) } as unknown as WireReply
  return sendRequests('GET', path, reply)
}
const led = leads('https://shop.example/done?order=7')
const wallets = (keys: Readonly<Record<string, readonly string[]>>, status = 200): Exchange => {
  const exchange = sendRequests('GET', '/data/wallet-balances', json(status, 'x'))
  const headers = {
    ...exchange.request.headers,
    'secret-key': ['sec_of_the_tested'],
    ...keys,
  } as Exchange['request']['headers']
  return { ...exchange, request: { ...exchange.request, headers } }
}

const RIGHT: readonly (readonly [string, Rule, readonly Exchange[]])[] = [
  ['a date that is 5 minutes away', datesRule, [at(lookup(), 300_000)]],
  ['dates that differ by as much as before', datesRule, [at(lookup(), 200_000), at(lookup(), 260_000)]],
  ['a failure without a date', datesRule, [without(verifies(json(503, 'x')), 'date')]],
  ['declared headers', declaredHeadersRule, [lookup(), verifies(json(404, 'x'))]],
  ['the envelope of a wrong path', declaredHeadersRule, [sendRequests('GET', '/nothing', json(404, 'x'))]],
  ['a file that is polled again', cachingRule, [file('/docs', { 'cache-control': ['no-cache'] })]],
  [
    'a file that is named by its content',
    cachingRule,
    [file('/docs/assets/style-0123456789ab.css', { 'cache-control': ['public, max-age=31536000, immutable'] })],
  ],
  ['a reply to a request with an Origin', crossOriginRule, [lookup({}, { origin: 'https://shop.example' })]],
  [
    'the cookie of a page',
    cookiesRule,
    [withHeader(led, 'set-cookie', `malipo_pay=x; Path=/pay/collection/${REFERENCE}; HttpOnly; SameSite=Lax`)],
  ],
  ['outer blanks and tabs of a key', credentialsRule, [wallets({ 'secret-key': [' \tsec_of_the_tested\t '] })]],
  ['another key that is right as well', credentialsRule, [wallets({ 'secret-key': ['sec_of_somebody'] })]],
  ['an empty key that is refused', credentialsRule, [wallets({ 'secret-key': [''] }, 401)]],
  ['the headers of a page', pageHeadersRule, [led]],
  ['a redirect by 303', pageRedirectsRule, [led]],
]
test.each(RIGHT)('finds nothing wrong with %s', (_name, rule, exchanges) =>
  expect(reportsOf(rule, exchanges)).toEqual([]),
)

const WRONG: readonly (readonly [string, Rule, readonly Exchange[], string])[] = [
  ['a reply without a date', datesRule, [without(lookup(), 'date')], 'has no Date, or several'],
  [
    'a date in another form',
    datesRule,
    [lookup({ date: '1970-01-01T00:00:00Z' })],
    'has Date: 1970-01-01T00:00:00Z; it needs one',
  ],
  ['a date of an hour ago', datesRule, [at(lookup(), 3_600_000)], '3600 s later; 300 s are allowed'],
  ['a date of the future', datesRule, [at(lookup(), -400_000)], '400 s earlier'],
  ['a date that stands still', datesRule, [lookup(), at(lookup(), 61_000)], 'so the Date is not that of the reply'],
  [
    'a reply that caches keep',
    declaredHeadersRule,
    [lookup({ 'cache-control': 'private' })],
    'has Cache-Control: private; the contract allows ["no-store"]',
  ],
  [
    'a header that is missing',
    declaredHeadersRule,
    [without(lookup(), 'x-content-type-options')],
    'has no header X-Content-Type-Options, which the contract requires',
  ],
  [
    'a wrong path that caches keep',
    declaredHeadersRule,
    [without(sendRequests('GET', '/nothing', json(404, 'x')), 'cache-control')],
    'a reply 404 to GET has no header Cache-Control',
  ],
  [
    'a page that is kept for a day',
    cachingRule,
    [file('/docs', { 'cache-control': ['max-age=86400'] })],
    '/docs may be cached for 86400 s',
  ],
  [
    'a page that any site reads',
    crossOriginRule,
    [file('/docs', { 'access-control-allow-origin': ['*'] })],
    'has access-control-allow-origin: *',
  ],
  [
    'an origin that comes back',
    crossOriginRule,
    [lookup({ 'access-control-allow-origin': 'https://a.example' }, { origin: 'https://a.example' })],
    'with Origin: https://a.example has access-control-allow-origin',
  ],
  [
    'a cookie of the API',
    cookiesRule,
    [lookup({ 'set-cookie': 'sid=1; Path=/pay; HttpOnly; SameSite=Lax' })],
    'sets the cookie sid, which is set outside of the payment page',
  ],
  [
    'a cookie that scripts read',
    cookiesRule,
    [withHeader(led, 'set-cookie', 'a=1; Path=/pay; SameSite=Lax')],
    'is not HttpOnly',
  ],
  [
    'a cookie that other sites send',
    cookiesRule,
    [withHeader(led, 'set-cookie', 'a=1; Path=/pay; HttpOnly')],
    'has no SameSite=Lax or Strict',
  ],
  [
    'a cookie of the whole host',
    cookiesRule,
    [withHeader(led, 'set-cookie', 'a=1; Path=/; HttpOnly; SameSite=Lax')],
    'has no Path below /pay',
  ],
  [
    'a cookie of other hosts',
    cookiesRule,
    [withHeader(led, 'set-cookie', 'a=1; Path=/pay; HttpOnly; SameSite=Lax; Domain=b.example')],
    'has a Domain',
  ],
  [
    'success without a key',
    credentialsRule,
    [wallets({ 'secret-key': [] })],
    'whose secret-key is none was answered 200',
  ],
  ['success with an empty key', credentialsRule, [wallets({ 'secret-key': [''] })], 'is an empty one'],
  ['success with blanks for a key', credentialsRule, [wallets({ 'secret-key': [' \t'] })], 'is an empty one'],
  [
    'success with two keys',
    credentialsRule,
    [wallets({ 'public-key': ['pub_of_the_tested', 'pub_of_the_tested'] })],
    'is 2 lines',
  ],
  [
    'success with a padded key',
    credentialsRule,
    [wallets({ 'secret-key': ['sec_of_the_tested\u00a0'] })],
    'is one that is padded',
  ],
  [
    'success with a key in quotes',
    credentialsRule,
    [wallets({ 'secret-key': ['"sec_of_the_tested"'] })],
    'is one in another spelling',
  ],
  [
    'success with a key in capitals',
    credentialsRule,
    [wallets({ 'public-key': ['PUB_OF_THE_TESTED'] })],
    'is one in another spelling',
  ],
  [
    'a page in a cache',
    pageHeadersRule,
    [withHeader(led, 'cache-control', 'private')],
    'has cache-control: private, not no-store',
  ],
  [
    'a page that tells its address',
    pageHeadersRule,
    [withHeader(led, 'referrer-policy', 'origin')],
    'has referrer-policy: origin',
  ],
  ['a page in a frame', pageHeadersRule, [without(led, 'x-frame-options')], 'has no x-frame-options'],
  [
    'a page whose policy lacks frames',
    pageHeadersRule,
    [withHeader(led, 'content-security-policy', "default-src 'none'; form-action 'self'; base-uri 'none'")],
    "has no frame-ancestors 'none' or 'self'",
  ],
  [
    'a page that runs inline scripts',
    pageHeadersRule,
    [
      withHeader(
        led,
        'content-security-policy',
        `${led.reply.headers['content-security-policy']![0]}; script-src 'unsafe-inline'`,
      ),
    ],
    'allows what the page does not need',
  ],
  [
    'a redirect by 302',
    pageRedirectsRule,
    [{ ...led, reply: { ...led.reply, status: 302 } }],
    'is answered 302 with a Location',
  ],
  [
    'an operation that redirects',
    pageRedirectsRule,
    [collects({ ...accepted(), status: 308 }, HOSTED)],
    'no operation redirects',
  ],
]
test.each(WRONG)('reports %s', (_name, rule, exchanges, what) =>
  expect(reportsOf(rule, exchanges)).toEqual([expect.stringContaining(what)]),
)

test('a status of a payment that is read by a script is a page as well', () => {
  const status = sendRequests('GET', `/pay/collection/${REFERENCE}/status`, json(200, FOUND))
  const plain = { ...status, reply: { ...status.reply, body: Buffer.from('{"state":"x"}') } }
  expect(reportsOf(pageHeadersRule, [plain])).toContainEqual(expect.stringContaining('has no referrer-policy'))
})
