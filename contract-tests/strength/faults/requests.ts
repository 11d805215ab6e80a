import type { Fields } from '../../harness/json.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import {
  ALL,
  dropping,
  INITIALIZE,
  messageOf,
  PAYMENTS,
  phoneFor,
  POSTS,
  PROVIDERS,
  SEND,
  setting,
  without,
  withBody,
  withFields,
  withHeader,
  withQuery,
} from './edit.ts'
import type { FaultRows, OperationId } from './fault.ts'
import { refused, acceptedAnyway, inReplies } from './rows.ts'

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

/** Accepts what these operations refuse with a text. */
const takenBy =
  (at: readonly OperationId[]) => (does: string, text: RegExp, correct: Parameters<typeof acceptedAnyway>[3]) =>
    acceptedAnyway(does, at, text, correct)
const [ofPosts, ofPayments, ofCollections] = [takenBy(POSTS), takenBy(PAYMENTS), takenBy(INITIALIZE)]

type ReplyPredicate = (reply: WireReply, request: WireRequest) => boolean
const inBody =
  (text: RegExp): ReplyPredicate =>
  (_reply, { body }) =>
    text.test(body.toString())

const SHOP = setting({ redirect_url: 'https://shop.example/paid' })

export const requestRows: FaultRows = {
  'api-version-defaulted': acceptedAnyway(
    'accepts a request without x-api-version',
    ALL,
    /^x-api-version is required$/,
    versioned,
  ),
  'media-type-ignored': ofPosts('reads every body as JSON, whatever its media type', /^Content-Type must/, calledJson),
  'too-large-taken': ofPosts('reads bodies of any size', /^The request body is larger/, withShortTexts),
  'transaction-type-not-checked': acceptedAnyway(
    'accepts every transaction_type',
    PROVIDERS,
    /^transaction_type must be one of/,
    queried('transaction_type', 'COLLECTION'),
  ),
  'unknown-query-refused': refused(
    'refuses query parameters that it does not know',
    PROVIDERS,
    [400, 'unknown query parameter'],
    ({ status }, { path }) => status === 200 && /[?&](?!currency=|transaction_type=)/.test(path),
  ),
  'unknown-field-ignored': ofPosts('ignores fields that it does not know', /^(\S+) is not allowed$/, dropping),
  'name-twice-taken': ofPosts('uses the last of two fields of one name', /^(\w+) must be given once$/, rewritten),
  'amount-rounded': ofPayments(
    'rounds an amount to a binary fraction before it checks its decimals',
    /^amount must have at most/,
    rewritten,
  ),
  'other-method-taken': ofPayments(
    'accepts a provider that does not offer the method',
    /^Invalid provider code .* does not offer/,
    FITTING,
  ),
  'no-rate-ignored': ofPayments(
    'converts another currency one to one',
    /^No exchange rate from [A-Z]{3} to ([A-Z]{3})/,
    (request, [, currency]) => setting({ currency })(request),
  ),
  'reference-form-not-checked': ofPayments(
    'accepts a merchant_reference of any form',
    /^merchant_reference must/,
    setting((given) => ({ merchant_reference: `FIXED-${phoneFor(JSON.stringify(given))}` })),
  ),
  'unknown-bank-taken': acceptedAnyway(
    'accepts a bank that does not exist',
    SEND,
    /^Invalid bank code/,
    setting(TO_BANK),
  ),
  'redirect-url-not-checked': ofCollections('accepts everything as a redirect_url', /^redirect_url must/, SHOP),
  'redirect-url-not-needed': ofCollections(
    'accepts bank collections without redirect_url',
    /^redirect_url is required$/,
    SHOP,
  ),
  'null-refused': refused('refuses null in an optional field', PAYMENTS, NO_VALUE, inBody(/:\s?null[,}]/)),
  'odd-character-500': refused(
    'breaks on characters beyond ASCII in a body',
    PAYMENTS,
    BROKEN,
    inBody(/[\u0080-\uffff]|\\u[0-9a-f]{4}/i),
  ),
  'empty-body-taken': inReplies('accepts a request without a body', POSTS, 400, (reply) =>
    messageOf(reply) === 'The request body is required'
      ? {
          ...withBody(reply, '{"code":202,"status":"accepted","message":"Collection accepted","data":{}}'),
          status: 202,
        }
      : reply,
  ),
  'comma-too-many-taken': acceptedAnyway(
    'accepts a comma behind the last field',
    PAYMENTS,
    /is not valid JSON/,
    (request) => withBody(request, request.body.toString().replace(/,\s*\}$/, '}')),
  ),
}
