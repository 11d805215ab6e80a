import type { WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { ALL, fieldsOf, header, INITIALIZE, PAYMENTS, POSTS, refusal, setting, text, withHeader } from './edit.ts'
import { edited, faultsOf, type OperationId } from './fault.ts'
import { inReplies, inRequests, acceptedAnyway, reported } from './rows.ts'

// Faults in accepted input: characters, scripts, spellings, the order of checks, and where keys may be.

/** A valid input is refused. */
const refusing = (
  does: string,
  at: readonly OperationId[],
  [status, message]: readonly [number, string],
  when: (request: WireRequest, given: Fields) => boolean,
) =>
  inReplies(does, at, 'any', (reply, request) =>
    reply.status < 300 && when(request, fieldsOf(request) ?? {}) ? refusal(reply, status, message) : reply,
  )
const BAD_REFERENCE = [400, 'merchant_reference must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -'] as const
const BAD_AMOUNT = [400, 'amount must be a number'] as const
const BAD_NAME = [400, 'customer_name must not contain control characters'] as const
const inBody =
  (pattern: RegExp) =>
  ({ body }: WireRequest): boolean =>
    pattern.test(body.toString())
/** A name is stored and returned in another form. */
const nameAs = (does: string, change: (name: string) => string) =>
  reported(does, (state) =>
    'customer_name' in state ? { ...state, customer_name: change(text(state, 'customer_name')) } : state,
  )

const BAD_PHONE = [400, 'x is not a valid MTN Uganda (mtn_ug) phone number'] as const
/** A number in a spelling that must be understood. */
const numberIn = (pattern: RegExp) => (_: WireRequest, given: Fields) =>
  given['transaction_method'] === 'MOBILE_MONEY' &&
  pattern.test(text(given, 'msisdn' in given ? 'msisdn' : 'account_number'))

/** A schema constraint that the server does not check. */
export const formFaultsOfRequests = faultsOf('incoming', {
  'tilde-in-reference-refused': refusing('refuses a tilde in a reference', PAYMENTS, BAD_REFERENCE, (_, given) =>
    text(given, 'merchant_reference').includes('~'),
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
  'accents-in-names-refused': refusing('accepts names of ASCII only', PAYMENTS, BAD_NAME, (_, given) =>
    /[^ -~]/.test(text(given, 'customer_name')),
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
  'other-accept-refused': refusing(
    'answers 406 where Accept names no JSON',
    ALL,
    [406, 'Accept must allow application/json'],
    (request) => !/json|\*\/\*|^$/.test(header(request, 'accept') ?? ''),
  ),
  'currency-in-small-letters-taken': acceptedAnyway(
    'accepts ugx as UGX',
    PAYMENTS,
    /^currency must be a 3-letter/,
    setting((given) => ({ currency: text(given, 'currency').toUpperCase() })),
  ),
})

export const inputFaults = faultsOf('incoming', {
  'reference-found-in-any-case': edited('verify finds a reference in other capitals', [
    'storage/lookups.ts',
    'r using (merchant_id, merchant_reference)',
    'r on r.merchant_id = a.merchant_id and lower(r.merchant_reference) = lower(a.merchant_reference)',
  ]),
  'name-composed': nameAs('writes names in composed characters', (name) => name.normalize('NFC')),
  'name-escaped': nameAs('writes names as HTML', (name) => name.replaceAll('&', '&amp;').replaceAll("'", '&#39;')),
  'name-cut': nameAs('cuts names after 50 characters', (name) => name.slice(0, 50)),
  'plus-kept-in-account': reported('returns account numbers with a plus sign', (state) => ({
    ...state,
    transaction_account: text(state, 'transaction_account').replace(/^(?=25[0-6]|260|233)/, '+'),
  })),
  'number-with-blanks-refused': refusing('refuses blanks in numbers', PAYMENTS, BAD_PHONE, numberIn(/ /)),
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
  'leading-zeros-lost': reported('returns bank accounts as numbers', (state) => ({
    ...state,
    transaction_account: text(state, 'transaction_account').replace(/^0+/, ''),
  })),
  'idempotency-key-cut': inRequests('compares the first 64 characters of an Idempotency-Key', POSTS, (request) => {
    const key = header(request, 'idempotency-key')
    return key === undefined || key.length > 255 ? request : withHeader(request, 'idempotency-key', key.slice(0, 64))
  }),
})
