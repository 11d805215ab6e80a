import type { WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  ALL,
  data,
  fieldsOf,
  header,
  INITIALIZE,
  isOne,
  PAYMENTS,
  POSTS,
  refusal,
  replies,
  requests,
  setting,
  VERIFY,
  withFields,
  withHeader,
} from './edit.ts'
import { faultsOf, ruleFaultsOf, type OperationId, type Plant } from './fault.ts'
import { inReplies, inRequests, acceptedAnyway, reported } from './rows.ts'
import { changingReplies, lastOf } from './traffic-history.ts'

// Faults in accepted input: characters, scripts, spellings, the order of checks, and where keys may be.

const text = (given: Fields, name: string): string => (typeof given[name] === 'string' ? given[name] : '')
/** A valid input is refused. */
const refusing = (
  what: string,
  at: readonly OperationId[],
  [status, message]: readonly [number, string],
  when: (request: WireRequest, given: Fields) => boolean,
) =>
  inReplies(what, at, 'any', (reply, request) =>
    reply.status < 300 && when(request, fieldsOf(request) ?? {}) ? refusal(reply, status, message) : reply,
  )
const BAD_REFERENCE = [400, 'merchant_reference must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -'] as const
const BAD_AMOUNT = [400, 'amount must be a number'] as const
const BAD_EMAIL = [400, 'customer_email must be an e-mail address'] as const
const BAD_NAME = [400, 'customer_name must not contain control characters'] as const
const inBody =
  (pattern: RegExp) =>
  ({ body }: WireRequest): boolean =>
    pattern.test(body.toString())
/** A name is stored and returned in another form. */
const nameAs = (what: string, change: (name: string) => string) =>
  reported(what, (state) =>
    'customer_name' in state ? { ...state, customer_name: change(text(state, 'customer_name')) } : state,
  )

const INVALID_PHONE = / is not a valid .* phone number(: .*)?$/
const BAD_PHONE = [400, 'x is not a valid MTN Uganda (mtn_ug) phone number'] as const
/** A number in a spelling that must be understood. */
const numberIn = (pattern: RegExp) => (_: WireRequest, given: Fields) =>
  given['transaction_method'] === 'MOBILE_MONEY' &&
  pattern.test(text(given, 'msisdn' in given ? 'msisdn' : 'account_number'))
/** A number in another notation is understood. */
const phoneRead = (what: string, change: (number: string) => string) =>
  acceptedAnyway(
    what,
    PAYMENTS,
    INVALID_PHONE,
    setting((given) => {
      const name = 'msisdn' in given ? 'msisdn' : 'account_number'
      return { [name]: change(text(given, name)) }
    }),
  )

/** A schema constraint that the server does not check. */
export const formFaultsOfRequests = faultsOf('incoming', {
  'tilde-in-reference-refused': refusing('refuses a tilde in a reference', PAYMENTS, BAD_REFERENCE, (_, given) =>
    text(given, 'merchant_reference').includes('~'),
  ),
  'dot-first-in-reference-refused': refusing(
    'refuses a reference that begins with a full stop',
    PAYMENTS,
    BAD_REFERENCE,
    (_, given) => text(given, 'merchant_reference').startsWith('.'),
  ),
  'digits-only-reference-refused': refusing(
    'refuses a reference of digits alone',
    PAYMENTS,
    BAD_REFERENCE,
    (_, given) => /^\d+$/.test(text(given, 'merchant_reference')),
  ),
  'exponent-refused': refusing(
    'refuses an amount such as 5e3',
    PAYMENTS,
    BAD_AMOUNT,
    inBody(/"amount"\s*:\s*[\d.]+e/i),
  ),
  'zeros-after-point-refused': refusing(
    'refuses zeros after the decimal point of UGX',
    PAYMENTS,
    [400, 'amount must have at most 0 decimals for UGX'],
    inBody(/"amount"\s*:\s*\d+\.0+\s*[,}]/),
  ),
  'plus-in-email-refused': refusing(
    'refuses a plus sign in an e-mail address',
    INITIALIZE,
    BAD_EMAIL,
    (_, given) => text(given, 'customer_email').split('@')[0]?.includes('+') === true,
  ),
  'apostrophe-in-email-refused': refusing("refuses O'Brien in an e-mail address", INITIALIZE, BAD_EMAIL, (_, given) =>
    text(given, 'customer_email').includes("'"),
  ),
  'long-domain-in-email-refused': refusing(
    'refuses e-mail addresses of domains such as .example',
    INITIALIZE,
    BAD_EMAIL,
    (_, given) => /\.[A-Za-z]{5,}$/.test(text(given, 'customer_email')),
  ),
  'accents-in-names-refused': refusing('accepts names of ASCII only', PAYMENTS, BAD_NAME, (_, given) =>
    /[^ -~]/.test(text(given, 'customer_name')),
  ),
  'arabic-names-refused': refusing(
    'refuses names that are written from right to left',
    PAYMENTS,
    BAD_NAME,
    (_, given) => /\p{Script=Arabic}/u.test(text(given, 'customer_name')),
  ),
  'emoji-in-names-refused': refusing('refuses characters beyond 16 bits in names', PAYMENTS, BAD_NAME, (_, given) =>
    /[\u{10000}-\u{10FFFF}]/u.test(text(given, 'customer_name')),
  ),
  'description-counted-in-bytes': refusing(
    'counts the bytes of a description',
    PAYMENTS,
    [400, 'description must have 10 to 30 characters'],
    (_, given) => Buffer.byteLength(text(given, 'description')) > 30,
  ),
  'address-with-port-refused': refusing(
    'refuses a port in redirect_url',
    INITIALIZE,
    [400, 'redirect_url must be an https URL'],
    (_, given) => /^https?:\/\/[^/]+:\d+/.test(text(given, 'redirect_url')),
  ),
  'charset-of-json-refused': refusing(
    'refuses a charset behind application/json',
    POSTS,
    [415, 'Content-Type must be application/json'],
    (request) => /;\s*charset/i.test(header(request, 'content-type') ?? ''),
  ),
  'media-type-in-capitals-refused': refusing(
    'refuses Application/JSON',
    POSTS,
    [415, 'Content-Type must be application/json'],
    (request) => /[A-Z]/.test(header(request, 'content-type') ?? ''),
  ),
  'other-accept-refused': refusing(
    'answers 406 where Accept names no JSON',
    ALL,
    [406, 'Accept must allow application/json'],
    (request) => !/json|\*\/\*|^$/.test(header(request, 'accept') ?? ''),
  ),
  'auto-in-capitals-taken': acceptedAnyway(
    'treats AUTO as auto',
    INITIALIZE,
    /^merchant_reference must/,
    setting((given) => (/^auto$/i.test(text(given, 'merchant_reference')) ? { merchant_reference: 'auto' } : {})),
  ),
  'version-with-letter-taken': acceptedAnyway('accepts v1 as the version', ALL, /^x-api-version \(v1\)/i, (request) =>
    withHeader(request, 'x-api-version', '1'),
  ),
  'method-in-small-letters-taken': acceptedAnyway(
    'accepts mobile_money as MOBILE_MONEY',
    PAYMENTS,
    /^transaction_method must/,
    setting((given) => ({ transaction_method: text(given, 'transaction_method').toUpperCase() })),
  ),
  'currency-in-small-letters-taken': acceptedAnyway(
    'accepts ugx as UGX',
    PAYMENTS,
    /^currency must be a 3-letter/,
    setting((given) => ({ currency: text(given, 'currency').toUpperCase() })),
  ),
})

export const inputFaults = ruleFaultsOf('incoming', {
  'reference-in-small-letters': inReplies('writes references in small letters', PAYMENTS, 202, (reply) =>
    withFields(
      reply,
      data((inner) => ({ ...inner, merchant_reference: text(inner, 'merchant_reference').toLowerCase() })),
    ),
  ),
  'reference-found-in-any-case': changingReplies(
    'verify finds a reference in other capitals',
    VERIFY,
    (reply, request, { seen, send }) => {
      const requested = lastOf(request) ?? ''
      const own = seen
        .accepted()
        .map(({ merchantReference }) => String(merchantReference))
        .find((reference) => reference.toLowerCase() === requested.toLowerCase())
      return reply.status === 404 && own !== undefined && own !== requested
        ? send({ ...request, path: `/data/transaction/verify/${own}` })
        : reply
    },
  ),
  'reference-used-in-any-case': changingReplies(
    'treats a reference in other capitals as used',
    PAYMENTS,
    (reply, request, { seen }) => {
      const own = text(fieldsOf(request) ?? {}, 'merchant_reference')
      const isUsed = seen
        .accepted()
        .some(({ merchantReference: used }) => used !== own && String(used).toLowerCase() === own.toLowerCase())
      return reply.status === 202 && isUsed
        ? refusal(reply, 409, `merchant_reference (${own}) has already been used`)
        : reply
    },
  ),
  'reference-trimmed-at-a-dot': reported('cuts a full stop off the end of references', (state) => ({
    ...state,
    merchant_reference: text(state, 'merchant_reference').replace(/\.$/, ''),
  })),
  'name-trimmed': nameAs('trims names', (name) => name.trim()),
  'name-blanks-joined': nameAs('makes one blank of several in names', (name) => name.replaceAll(/ {2,}/g, ' ')),
  'name-composed': nameAs('writes names in composed characters', (name) => name.normalize('NFC')),
  'name-of-compatible-characters': nameAs('writes names in compatible characters', (name) => name.normalize('NFKC')),
  'name-in-title-case': nameAs('writes names with capitals as it thinks right', (name) =>
    name.replaceAll(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
  ),
  'name-escaped': nameAs('writes names as HTML', (name) => name.replaceAll('&', '&amp;').replaceAll("'", '&#39;')),
  'name-cut': nameAs('cuts names after 50 characters', (name) => name.slice(0, 50)),
  'name-without-emoji': nameAs('writes a question mark for characters beyond 16 bits', (name) =>
    name.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?'),
  ),
  'zero-width-joiner-lost': nameAs('drops invisible characters', (name) => name.replaceAll(/[\u200b-\u200f]/g, '')),
  'plus-kept-in-account': reported('returns account numbers with a plus sign', (state) => ({
    ...state,
    transaction_account: text(state, 'transaction_account').replace(/^(?=25[0-6]|260|233)/, '+'),
  })),
  'number-with-brackets-read': phoneRead('accepts brackets and full stops in numbers', (number) =>
    number.replaceAll(/[().]/g, ''),
  ),
  'number-without-beginning-read': phoneRead('accepts numbers of Uganda without country code and zero', (number) =>
    number.replace(/^(?=7\d{8}$)/, '256'),
  ),
  'number-with-blanks-refused': refusing('refuses blanks in numbers', PAYMENTS, BAD_PHONE, numberIn(/ /)),
  'number-with-hyphens-refused': refusing('refuses hyphens in numbers', PAYMENTS, BAD_PHONE, numberIn(/-/)),
  'national-number-refused': refusing('refuses national numbers', PAYMENTS, BAD_PHONE, numberIn(/^0\d{9}$/)),
  'spelling-is-another-request': inRequests(
    'treats a number in another spelling as another request',
    PAYMENTS,
    (request) => {
      const key = header(request, 'idempotency-key')
      const isSpelled = numberIn(/[^0-9]|^0/)(request, fieldsOf(request) ?? {})
      return key === undefined || !isSpelled
        ? request
        : withHeader(request, 'idempotency-key', `${key.slice(0, 250)}-2`)
    },
  ),
  'number-with-00-read': phoneRead('accepts 00 as the plus sign', (number) => number.replace(/^00/, '')),
  'number-too-long-cut': phoneRead('cuts numbers that are too long', (number) =>
    number.replace(/^(256\d{9})\d+$/, '$1'),
  ),
  'leading-zeros-lost': reported('returns bank accounts as numbers', (state) => ({
    ...state,
    transaction_account: text(state, 'transaction_account').replace(/^0+/, ''),
  })),
  'idempotency-key-in-any-case': inRequests(
    'treats an Idempotency-Key in other capitals as the same',
    POSTS,
    (request) => {
      const key = header(request, 'idempotency-key')
      return key === undefined ? request : withHeader(request, 'idempotency-key', key.toLowerCase())
    },
  ),
  'idempotency-key-cut': inRequests('compares the first 64 characters of an Idempotency-Key', POSTS, (request) => {
    const key = header(request, 'idempotency-key')
    return key === undefined || key.length > 255 ? request : withHeader(request, 'idempotency-key', key.slice(0, 64))
  }),
  'password-at-its-end': {
    what: 'accepts a one-time password followed by further digits',
    plant: (): Plant =>
      requests(
        ['authorizeCollection'],
        setting(({ otp }) => (/^123456\d{1,2}$/.test(String(otp)) ? { otp: 123_456 } : {})),
      ),
  },
  'empty-currency-refused': {
    what: 'refuses an empty currency of wallets',
    plant: (): Plant =>
      replies(['listWalletBalances'], 200, (reply, { path }) =>
        /[?&]currency=(?:&|$)/.test(path) ? refusal(reply, 400, 'currency must be a 3-letter ISO 4217 code') : reply,
      ),
  },
  'unknown-query-taken-for-known': {
    what: 'accepts Currency as currency in queries',
    plant: (): Plant => ({
      api: {
        onRequest: (request) =>
          isOne(['listPaymentProviders', 'listWalletBalances'], request) && !/[?&]currency=/.test(request.path)
            ? { ...request, path: request.path.replace(/([?&])currency=/i, '$1currency=') }
            : request,
      },
    }),
  },
})
