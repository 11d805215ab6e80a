import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Exchange } from '../harness/proxy.ts'
import { cachingRule } from './caching.ts'
import { cookiesRule } from './cookies.ts'
import { credentialsRule } from './credentials.ts'
import { crossOriginRule } from './cross-origin.ts'
import { datesRule } from './dates.ts'
import { declaredHeadersRule } from './declared-headers.ts'
import { pageHeadersRule } from './page-headers.ts'
import { pageTriesRule } from './payments/page-tries.ts'
import { pageRedirectsRule } from './page-redirects.ts'
import { quotasRule } from './quotas.ts'
import { replaysRule } from './replays.ts'
import * as made from './testing/exchanges.ts'
import { testRows } from './testing/reports.ts'

const { accepted, json, replied, sendRequests, verifies } = made
type Headers = Readonly<Record<string, string>>

const lookup = (headers: Headers = {}, more: Headers = {}): Exchange =>
  sendRequests('GET', made.providers, json(200, 'Retrieved', {}, headers), undefined, more)
const without = (exchange: Exchange, name: string): Exchange => replied(exchange, { [name]: undefined })
const at = (exchange: Exchange, ms: number): Exchange => ({ ...exchange, at: new Date(ms) })
const file = (path: string, name: string, value: string): Exchange =>
  sendRequests('GET', path, { status: 200, headers: { [name]: [value] }, body: Buffer.alloc(0) })
const astray = sendRequests('GET', '/nothing', json(404, 'x'))

testRows(datesRule, {
  'a date that is 5 minutes away': ['', at(lookup(), 300_000)],
  'dates that differ by as much as before': ['', at(lookup(), 200_000), at(lookup(), 260_000)],
  'a failure without a date': ['', without(verifies(json(503, 'x')), 'date')],
  'a reply without a date': ['has no Date, or several', without(lookup(), 'date')],
  'another form of date': ['has Date: 1970-01-01T00:00:00Z; it needs one', lookup({ date: '1970-01-01T00:00:00Z' })],
  'a date of an hour ago': ['3600 s later; 300 s are allowed', at(lookup(), 3_600_000)],
  'a date of the future': ['400 s earlier', at(lookup(), -400_000)],
  'a date that stands still': ['so the Date is not that of the reply', lookup(), at(lookup(), 61_000)],
})

/** Lookups a tenth of a second apart, with what they say is left of 100 in a window of ten seconds. */
const quotas = (...left: readonly number[]): readonly Exchange[] =>
  left.map((rest, index) => {
    const headers = { 'ratelimit-policy': '"public-key";q=100;w=10', ratelimit: `"public-key";r=${rest};t=9` }
    return { ...lookup(headers), startedAt: new Date(index * 100), at: new Date(index * 100 + 50) }
  })
testRows(quotasRule, {
  'a quota that falls': ['', ...quotas(100, 99, 98, 88, 87, 86, 85)],
  'quotas of two processes': ['', ...quotas(50, 99, 49, 98, 48, 97, 47, 96)],
  'a quota that rises': ['told 5 times in a row of more requests than before', ...quotas(1, 2, 3, 4, 5, 6)],
  'more left than the limit': ['101 requests are left, and RateLimit-Policy that the limit is 100', ...quotas(101)],
})

testRows(declaredHeadersRule, {
  'declared headers': ['', lookup(), verifies(json(404, 'x'))],
  'the envelope of a wrong path': ['', astray],
  'a reply that caches keep': [
    'has Cache-Control: private; the contract allows ["no-store"]',
    lookup({ 'cache-control': 'private' }),
  ],
  'a header that is missing': [
    'has no header X-Content-Type-Options, which the contract requires',
    without(lookup(), 'x-content-type-options'),
  ],
  'a wrong path in caches': ['a reply 404 to GET has no header Cache-Control', without(astray, 'cache-control')],
})

const STYLE = '/docs/assets/style-0123456789ab.css'
testRows(cachingRule, {
  'a file that is polled again': ['', file('/docs', 'cache-control', 'no-cache')],
  'a file that is named by its content': ['', file(STYLE, 'cache-control', 'public, max-age=31536000, immutable')],
  'a page that is kept for a day': ['/docs may be cached for 86400 s', file('/docs', 'cache-control', 'max-age=86400')],
})

const ORIGIN = { origin: 'https://a.example' }
const ALLOWED = 'access-control-allow-origin'
testRows(crossOriginRule, {
  'a reply to a request with an Origin': ['', lookup({}, ORIGIN)],
  'a page that any site reads': [`has ${ALLOWED}: *`, file('/docs', ALLOWED, '*')],
  'an origin that comes back': [
    `with Origin: https://a.example has ${ALLOWED}`,
    lookup({ [ALLOWED]: ORIGIN.origin }, ORIGIN),
  ],
})

const led = made.leads('https://shop.example/done?order=7')
const page = (name: string, value: string): Exchange => replied(led, { [name]: value })
const cookie = (value: string): Exchange => page('set-cookie', value)
const ofApi = lookup({ 'set-cookie': 'sid=1; Path=/pay; HttpOnly; SameSite=Lax' })
testRows(cookiesRule, {
  'the cookie of a page': ['', cookie(`a=x; Path=/pay/collection/${made.REFERENCE}; HttpOnly; SameSite=Lax`)],
  'a cookie of the API': ['sets the cookie sid, which is set outside of the payment page', ofApi],
  'a cookie that scripts read': ['is not HttpOnly', cookie('a=1; Path=/pay; SameSite=Lax')],
  'a cookie that other sites send': ['has no SameSite=Lax or Strict', cookie('a=1; Path=/pay; HttpOnly')],
  'a cookie of the whole host': ['has no Path below /pay', cookie('a=1; Path=/; HttpOnly; SameSite=Lax')],
  'a cookie of other hosts': ['has a Domain', cookie('a=1; Path=/pay; HttpOnly; SameSite=Lax; Domain=b.example')],
})

const SECRET = 'sec_of_the_tested'
const wallets = (keys: Readonly<Record<string, string[]>>, status = 200): Exchange => {
  const exchange = sendRequests('GET', '/data/wallet-balances', json(status, 'x'))
  const headers = { ...exchange.request.headers, 'secret-key': [SECRET], ...keys }
  return { ...exchange, request: { ...exchange.request, headers } }
}
const keyed = (...values: string[]): Exchange => wallets({ 'secret-key': values })
const known = (...values: string[]): Exchange => wallets({ 'public-key': values })
testRows(credentialsRule, {
  'outer blanks and tabs of a key': ['', keyed(` \t${SECRET}\t `)],
  'another key that is right as well': ['', keyed('sec_of_somebody')],
  'an empty key that is refused': ['', wallets({ 'secret-key': [''] }, 401)],
  'success without a key': ['whose secret-key is none was answered 200', keyed()],
  'success with an empty key': ['is an empty one', keyed('')],
  'success with blanks for a key': ['is an empty one', keyed(' \t')],
  'success with two keys': ['is 2 lines', known('pub_of_the_tested', 'pub_of_the_tested')],
  'success with a padded key': ['is one that is padded', keyed(`${SECRET}\u00a0`)],
  'success with a key in quotes': ['is one in another spelling', keyed(`"${SECRET}"`)],
  'success with a key in capitals': ['is one in another spelling', known('PUB_OF_THE_TESTED')],
})

const repeats = (page: object, isReplay = true): Exchange => {
  const keys = { 'idempotency-key': 'K-1' }
  const first = sendRequests('POST', '/collections/initialize', accepted(page), made.PAYMENT, keys)
  return isReplay ? replied(first, made.REPLAYED) : first
}
const PAGE = { payment_url: 'https://pay.example/1' }
testRows(replaysRule, {
  'the same reply again': ['', repeats(PAGE, false), repeats(PAGE)],
  'another first reply, a day later': ['', repeats(PAGE, false), repeats({}, false)],
  'a reply without its page': ['and the first reply had {', repeats(PAGE, false), repeats({})],
})

const POLICY = 'content-security-policy'
const FRAMED = "default-src 'none'; form-action 'self'; base-uri 'none'"
const status = sendRequests('GET', `/pay/collection/${made.REFERENCE}/status`, {
  ...json(200, 'x', {}, { ...made.OF_PAGES, 'referrer-policy': 'origin' }),
  body: Buffer.from('{"state":"x"}'),
})
testRows(pageHeadersRule, {
  'the headers of a page': ['', led],
  'a page in a cache': ['has cache-control: private, not no-store', page('cache-control', 'private')],
  'a page that tells its address': ['has referrer-policy: origin', page('referrer-policy', 'origin')],
  'a page in a frame': ['has no x-frame-options', without(led, 'x-frame-options')],
  'a page whose policy lacks frames': ["has no frame-ancestors 'none' or 'self'", page(POLICY, FRAMED)],
  'a page that runs inline scripts': [
    'allows what the page does not need',
    page(POLICY, `${made.OF_PAGES[POLICY]}; script-src 'unsafe-inline'`),
  ],
  'a status of a payment that a script reads': ['has referrer-policy: origin', status],
})

testRows(pageRedirectsRule, {
  'a redirect by 303': ['', led],
  'a redirect by 302': ['is answered 302 with a Location', { ...led, reply: { ...led.reply, status: 302 } }],
  'an operation that redirects': [
    'no operation redirects',
    made.collects({ ...made.accepted(), status: 308 }, made.HOSTED),
  ],
})

const triesLeft = (count: number, coding?: string, packed: (html: string) => Buffer = Buffer.from): Exchange => {
  const field = '<input autocomplete="one-time-code" aria-describedby="help">'
  const headers = { 'content-type': ['text/html; charset=utf-8'], ...(coding && { 'content-encoding': [coding] }) }
  const body = packed(`<html lang="en">${field}<span id="help">${count} tries left.</span></html>`)
  return sendRequests('GET', `/pay/collection/${made.REFERENCE}`, { status: 200, headers, body })
}
testRows(pageTriesRule, {
  'a page of five tries': ['', triesLeft(5)],
  'a page of six tries': ['that 6 tries are left', triesLeft(6)],
  'such a page in gzip': ['that 6 tries are left', triesLeft(6, 'gzip', gzipSync)],
  'such a page in Brotli': ['that 6 tries are left', triesLeft(6, 'br', brotliCompressSync)],
  'such a page in deflate': ['that 6 tries are left', triesLeft(6, 'deflate', deflateSync)],
  'what is not in its coding': ['', triesLeft(5, 'gzip')],
})
