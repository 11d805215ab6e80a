import type { Fields } from '../../harness/json.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import {
  ALL,
  AUTHORIZE,
  BANKS,
  dropping,
  fieldsOf,
  header,
  INITIALIZE,
  LOOKUPS,
  PAYMENTS,
  phoneFor,
  POSTS,
  PROVIDERS,
  SEND,
  setting,
  VERIFY,
  without,
  withFields,
  withHeader,
  withQuery,
} from './edit.ts'
import { faultsOf } from './fault.ts'
import { refused, renumbered, rowsAt, acceptedAnyway } from './rows.ts'

// Invalid requests that are accepted, valid ones that are refused, and requests that break the server.

const BROKEN = [500, 'Internal error: quote the X-Request-Id when you ask about it'] as const
const NO_VALUE = [400, 'a field must have a value'] as const

const TO_BANK = {
  provider_code: 'bank_ng',
  currency: 'NGN',
  amount: 5000,
  extra_params: { bank_code: 'access_bank_ng' },
}

/** A provider that every sandbox has, with its details. */
const known = (given: Fields): Fields => {
  if (given['transaction_method'] === 'BANK')
    return 'extra_params' in given ? TO_BANK : without(TO_BANK, 'extra_params')
  const account = 'account_number' in given ? 'account_number' : 'msisdn'
  return { provider_code: 'mtn_ug', currency: 'UGX', amount: 5000, [account]: phoneFor(JSON.stringify(given)) }
}
const FITTING = setting(known)
const amountOf = (request: WireRequest): number => Number(fieldsOf(request)?.['amount'])
const unchanged = (request: WireRequest): WireRequest => request
const versioned = (request: WireRequest): WireRequest => withHeader(request, 'x-api-version', '1')
const calledJson = (request: WireRequest): WireRequest => withHeader(request, 'content-type', 'application/json')
/** Re-serializes the JSON as a library does: each name once, numbers as parsed. */
const rewritten = (request: WireRequest): WireRequest => withFields(request, (given) => given)
const withShortTexts = (request: WireRequest): WireRequest =>
  withFields(request, (given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, 30) : value]),
    ),
  )
const queried =
  (name: string, value: string) =>
  (request: WireRequest): WireRequest =>
    withQuery(request, name, value)

type ReplyPredicate = (reply: WireReply, request: WireRequest) => boolean
const inBody =
  (text: RegExp): ReplyPredicate =>
  (_reply, { body }) =>
    text.test(body.toString())
const inPath =
  (text: RegExp): ReplyPredicate =>
  (_reply, { path }) =>
    text.test(path)
/** A 400 with this message. */
const reportedWith =
  (text: string): ReplyPredicate =>
  ({ status, body }) =>
    status === 400 && body.includes(text)

export const headerFaults = faultsOf('requests', {
  ...rowsAt(
    acceptedAnyway,
    ALL,
  )({
    'api-version-defaulted': ['accepts a request without x-api-version', /^x-api-version is required$/, versioned],
    'api-version-ignored': ['accepts every x-api-version', /^x-api-version (?!is required)/, versioned],
  }),
  'language-refused': refused(
    'refuses every Accept-Language but en',
    ALL,
    [400, 'Accept-Language must be en'],
    (_, request) => !['en', undefined].includes(header(request, 'accept-language')),
  ),
  ...rowsAt(
    acceptedAnyway,
    POSTS,
  )({
    'media-type-ignored': ['reads every body as JSON, whatever its media type', /^Content-Type must/, calledJson],
    'idempotency-key-not-bounded': ['accepts an Idempotency-Key of any length', /^Idempotency-Key must/, unchanged],
    'too-large-taken': ['reads bodies of any size', /^The request body is larger/, withShortTexts],
  }),
  'media-type-400': renumbered('answers 400 to another media type', POSTS, 415, 400),
  'too-large-500': refused('breaks when a body is too large', POSTS, BROKEN, ({ status }) => status === 413),
})

const ofCollections = queried('transaction_type', 'COLLECTION')

export const queryFaults = faultsOf('requests', {
  ...rowsAt(
    acceptedAnyway,
    PROVIDERS,
  )({
    'currency-defaulted': [
      'assumes UGX when currency is missing',
      /^currency is required$/,
      queried('currency', 'UGX'),
    ],
    'transaction-type-defaulted': [
      'assumes COLLECTION when transaction_type is missing',
      /^transaction_type is required$/,
      ofCollections,
    ],
    'transaction-type-not-checked': [
      'accepts every transaction_type',
      /^transaction_type must be one of/,
      ofCollections,
    ],
  }),
  'currency-form-not-checked': acceptedAnyway(
    'accepts every text as a currency',
    ['listPaymentProviders', 'listWalletBalances'],
    /^currency must (?!be given once)/,
    queried('currency', 'XXX'),
  ),
  'query-twice-last-taken': acceptedAnyway(
    'uses the last of two values of a query parameter',
    LOOKUPS,
    /^(\w+) must be given once$/,
    (request, [, name = '']) =>
      withQuery(request, name, new URLSearchParams(request.path.split('?')[1]).getAll(name).at(-1)),
  ),
  'unknown-query-refused': refused(
    'refuses query parameters that it does not know',
    PROVIDERS,
    [400, 'unknown query parameter'],
    ({ status }, { path }) => status === 200 && /[?&](?!currency=|transaction_type=)/.test(path),
  ),
  'provider-of-banks-not-checked': acceptedAnyway(
    'lists banks for a provider that does not exist',
    BANKS,
    /^Invalid provider code/,
    queried('provider_code', 'bank_ng'),
  ),
  'provider-of-banks-404': renumbered('answers 404 to banks of an unknown provider', BANKS, 400, 404),
  ...rowsAt(
    refused,
    LOOKUPS,
  )({
    'quote-in-query-500': ['breaks on a quote in the query', BROKEN, inPath(/'|%27|%22/)],
    'odd-character-in-query-500': ['breaks on characters beyond ASCII in the query', BROKEN, inPath(/%[C-F][0-9A-F]/i)],
  }),
  'wrong-reference-404': refused(
    'answers 404 to a reference that cannot exist',
    VERIFY,
    [404, 'Transaction was not found'],
    ({ status }) => status === 400,
  ),
})

const SHOP = setting({ redirect_url: 'https://shop.example/paid' })
const RIGHT_AMOUNT = setting({ amount: 5000 })
const RIGHT_OTP = setting({ otp: 123456 })

export const bodyFaults = faultsOf('requests', {
  ...rowsAt(
    acceptedAnyway,
    POSTS,
  )({
    'unknown-field-ignored': ['ignores fields that it does not know', /^(\S+) is not allowed$/, dropping],
    'name-twice-taken': ['uses the last of two fields of one name', /^(\w+) must be given once$/, rewritten],
  }),
  ...rowsAt(
    acceptedAnyway,
    PAYMENTS,
  )({
    'missing-description-defaulted': [
      'makes up a description when there is none',
      /^description is required$/,
      setting({ description: 'No description' }),
    ],
    'long-description-cut': [
      'cuts a description that is too long',
      /^description must have/,
      setting(({ description }) => ({ description: String(description).slice(0, 30).padEnd(10, '.') })),
    ],
    'blank-description-taken': [
      'accepts a description of spaces',
      /^description must not be blank$/,
      setting({ description: 'Said later' }),
    ],
    'amount-as-text-taken': ['accepts an amount written as text', /^amount must be a number/, RIGHT_AMOUNT],
    'amount-zero-taken': [
      'accepts amounts of zero and below',
      /^amount must be between/,
      setting(({ amount }) => (Number(amount) <= 0 ? { amount: 5000 } : {})),
    ],
    'decimals-rounded': [
      'rounds an amount with too many decimals',
      /^amount must have at most \d decimals/,
      setting(({ amount }) => ({ amount: Math.round(Number(amount)) })),
    ],
    'amount-rounded': [
      'rounds an amount to a binary fraction before it checks its decimals',
      /^amount must have at most/,
      rewritten,
    ],
    'upper-limit-ignored': [
      'accepts amounts above the limit of the provider',
      /^amount must be between \S+ and (\S+) [A-Z]{3}$/,
      (request, [, max]) => (amountOf(request) > Number(max) ? setting({ amount: Number(max) })(request) : request),
    ],
    'lower-limit-ignored': [
      'accepts amounts below the limit of the provider',
      /^amount must be between (\S+) and \S+ [A-Z]{3}$/,
      (request, [, min]) => (amountOf(request) < Number(min) ? setting({ amount: Number(min) })(request) : request),
    ],
    'unknown-provider-taken': ['accepts a provider that does not exist', /^Invalid provider code \([^)]*\)$/, FITTING],
    'other-method-taken': [
      'accepts a provider that does not offer the method',
      /^Invalid provider code .* does not offer/,
      FITTING,
    ],
    'foreign-phone-taken': ['accepts phone numbers of other operators', /is not a valid .* phone number$/, FITTING],
    'no-rate-ignored': [
      'converts another currency one to one',
      /^No exchange rate from [A-Z]{3} to ([A-Z]{3})/,
      (request, [, currency]) => setting({ currency })(request),
    ],
    'unknown-method-taken': [
      'treats every unknown transaction_method as mobile money',
      /^transaction_method must be one of/,
      setting({ transaction_method: 'MOBILE_MONEY' }),
    ],
    'reference-form-not-checked': [
      'accepts a merchant_reference of any form',
      /^merchant_reference must/,
      setting((given) => ({ merchant_reference: `FIXED-${phoneFor(JSON.stringify(given))}` })),
    ],
  }),
  ...rowsAt(
    acceptedAnyway,
    SEND,
  )({
    'missing-bank-code-defaulted': [
      'accepts a bank payout without bank_code',
      /^extra_params(\.bank_code)? is required$/,
      setting((given) => known({ ...given, extra_params: {} })),
    ],
    'unknown-bank-taken': ['accepts a bank that does not exist', /^Invalid bank code/, setting(TO_BANK)],
  }),
  ...rowsAt(
    acceptedAnyway,
    INITIALIZE,
  )({
    'missing-msisdn-defaulted': ['accepts a mobile money collection without msisdn', /^msisdn is required$/, FITTING],
    'redirect-url-not-checked': ['accepts everything as a redirect_url', /^redirect_url must/, SHOP],
    'redirect-url-not-needed': ['accepts bank collections without redirect_url', /^redirect_url is required$/, SHOP],
    'email-not-checked': ['accepts everything as an e-mail address', /^(customer_email) must/, dropping],
    'charge-customer-text': [
      'treats "true" and "yes" as true',
      /^(charge_customer|mobile_money_hpp|allow_final_status_change) must/,
      dropping,
    ],
  }),
  ...rowsAt(
    acceptedAnyway,
    AUTHORIZE,
  )({
    'otp-as-text-taken': ['accepts a one-time password written as text', /^otp must be an? /, RIGHT_OTP],
    'otp-range-ignored': ['accepts one-time passwords of fewer than four digits', /^otp must be between/, RIGHT_OTP],
  }),
  ...rowsAt(
    refused,
    PAYMENTS,
  )({
    'null-refused': ['refuses null in an optional field', NO_VALUE, inBody(/:\s?null[,}]/)],
    'empty-refused': ['refuses an empty text in an optional field', NO_VALUE, inBody(/:\s?""[,}]/)],
    'unknown-provider-500': ['breaks on a provider that does not exist', BROKEN, reportedWith('Invalid provider code')],
    'odd-character-500': [
      'breaks on characters beyond ASCII in a body',
      BROKEN,
      inBody(/[\u0080-\uffff]|\\u[0-9a-f]{4}/i),
    ],
    'plus-sign-refused': [
      'refuses phone numbers with a leading plus sign',
      [400, 'the number must have digits only'],
      inBody(/"(?:msisdn|account_number)":\s?"\+/),
    ],
  }),
  'malformed-json-500': refused('breaks on malformed JSON', POSTS, BROKEN, reportedWith('not valid JSON')),
  'card-cipher-refused': refused(
    'refuses card_cipher',
    INITIALIZE,
    [400, 'card_cipher is not allowed'],
    (_, request) => 'card_cipher' in (fieldsOf(request) ?? {}),
  ),
})
