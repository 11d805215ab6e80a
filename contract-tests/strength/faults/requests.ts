import type { Fields } from '../../harness/json.ts'
import {
  ALL,
  accepts,
  dropping,
  fieldsOf,
  header,
  isOne,
  LOOKUPS,
  phoneFor,
  POSTS,
  refusal,
  replies,
  setting,
  withFields,
  withHeader,
  withQuery,
  withStatus,
} from './edit.ts'
import { faultsOf } from './fault.ts'

// What must be refused, and is taken; what must be taken, and is refused; and what breaks the server.

const INITIALIZE = ['initializeCollection'] as const
const SEND = ['sendFunds'] as const
const BOTH = ['initializeCollection', 'sendFunds'] as const
const INTERNAL = 'Internal error: quote the X-Request-Id when you ask about it'

/** A provider that every sandbox has, and what goes with it. */
const known = (given: Fields): Fields => {
  const account = 'account_number' in given ? 'account_number' : 'msisdn'
  return given['transaction_method'] === 'BANK'
    ? {
        provider_code: 'bank_ng',
        currency: 'NGN',
        amount: 5000,
        ...('extra_params' in given && { extra_params: { bank_code: 'access_bank_ng' } }),
      }
    : { provider_code: 'mtn_ug', currency: 'UGX', amount: 5000, [account]: phoneFor(JSON.stringify(given)) }
}
const freshReference = (given: Fields): Fields => ({ merchant_reference: `FIXED-${phoneFor(JSON.stringify(given))}` })

export const headerFaults = faultsOf('requests', {
  'api-version-defaulted': {
    what: 'takes a request without x-api-version',
    at: ALL,
    plant: (world) =>
      accepts(world, ALL, /^x-api-version is required$/, (request) => withHeader(request, 'x-api-version', '1')),
  },
  'api-version-ignored': {
    what: 'takes every x-api-version',
    at: ALL,
    plant: (world) =>
      accepts(world, ALL, /^x-api-version (?!is required)/, (request) => withHeader(request, 'x-api-version', '1')),
  },
  'language-refused': {
    what: 'refuses every Accept-Language but en',
    at: ALL,
    plant: () =>
      replies(ALL, 'any', (reply, request) =>
        ['en', undefined].includes(header(request, 'accept-language'))
          ? reply
          : refusal(reply, 400, 'Accept-Language must be en'),
      ),
  },
  'media-type-ignored': {
    what: 'reads every body as JSON, whatever its media type',
    at: POSTS,
    plant: (world) =>
      accepts(world, POSTS, /^Content-Type must/, (request) => withHeader(request, 'content-type', 'application/json')),
  },
  'media-type-400': {
    what: 'answers 400 to another media type',
    at: POSTS,
    plant: () => replies(POSTS, 415, (reply) => withStatus(reply, 400)),
  },
  'idempotency-key-not-bounded': {
    what: 'takes an Idempotency-Key of any length',
    at: POSTS,
    plant: (world) => accepts(world, POSTS, /^Idempotency-Key must/, (request) => request),
  },
  'too-large-500': {
    what: 'breaks when a body is too large',
    at: POSTS,
    plant: () => replies(POSTS, 413, (reply) => refusal(reply, 500, INTERNAL)),
  },
  'too-large-taken': {
    what: 'reads bodies of any size',
    at: POSTS,
    plant: (world) =>
      accepts(world, POSTS, /^The request body is larger/, (request) =>
        withFields(request, (given) =>
          Object.fromEntries(
            Object.entries(given).map(([name, value]) => [
              name,
              typeof value === 'string' ? value.slice(0, 30) : value,
            ]),
          ),
        ),
      ),
  },
})

export const queryFaults = faultsOf('requests', {
  'currency-defaulted': {
    what: 'takes UGX when currency is missing',
    at: ['listPaymentProviders'],
    plant: (world) =>
      accepts(world, ['listPaymentProviders'], /^currency is required$/, (request) =>
        withQuery(request, 'currency', 'UGX'),
      ),
  },
  'transaction-type-defaulted': {
    what: 'takes COLLECTION when transaction_type is missing',
    at: ['listPaymentProviders'],
    plant: (world) =>
      accepts(world, ['listPaymentProviders'], /^transaction_type is required$/, (request) =>
        withQuery(request, 'transaction_type', 'COLLECTION'),
      ),
  },
  'transaction-type-not-checked': {
    what: 'takes every transaction_type',
    at: ['listPaymentProviders'],
    plant: (world) =>
      accepts(world, ['listPaymentProviders'], /^transaction_type must be one of/, (request) =>
        withQuery(request, 'transaction_type', 'COLLECTION'),
      ),
  },
  'currency-form-not-checked': {
    what: 'takes every text for a currency',
    at: ['listPaymentProviders', 'listWalletBalances'],
    plant: (world) =>
      accepts(world, ['listPaymentProviders', 'listWalletBalances'], /^currency must (?!be given once)/, (request) =>
        withQuery(request, 'currency', 'XXX'),
      ),
  },
  'query-twice-last-taken': {
    what: 'takes the last of two values of a query parameter',
    at: LOOKUPS,
    plant: (world) =>
      accepts(world, LOOKUPS, /^(\w+) must be given once$/, (request, [, name = '']) =>
        withQuery(request, name, new URLSearchParams(request.path.split('?')[1]).getAll(name).at(-1)),
      ),
  },
  'unknown-query-refused': {
    what: 'refuses query parameters that it does not know',
    at: ['listPaymentProviders'],
    plant: () =>
      replies(['listPaymentProviders'], 200, (reply, { path }) =>
        /[?&](?!currency=|transaction_type=)/.test(path) ? refusal(reply, 400, 'unknown query parameter') : reply,
      ),
  },
  'provider-of-banks-not-checked': {
    what: 'lists banks for a provider that does not exist',
    at: ['listPayoutBanks'],
    plant: (world) =>
      accepts(world, ['listPayoutBanks'], /^Invalid provider code/, (request) =>
        withQuery(request, 'provider_code', 'bank_ng'),
      ),
  },
  'provider-of-banks-404': {
    what: 'answers 404 to banks of an unknown provider',
    at: ['listPayoutBanks'],
    plant: () => replies(['listPayoutBanks'], 400, (reply) => withStatus(reply, 404)),
  },
  'quote-in-query-500': {
    what: 'breaks on a quote in the query',
    at: LOOKUPS,
    plant: () =>
      replies(LOOKUPS, 'any', (reply, { path }) => (/'|%27|%22/.test(path) ? refusal(reply, 500, INTERNAL) : reply)),
  },
  'odd-character-in-query-500': {
    what: 'breaks on characters beyond ASCII in the query',
    at: LOOKUPS,
    plant: () =>
      replies(LOOKUPS, 'any', (reply, { path }) =>
        /%[C-F][0-9A-F]/i.test(path) ? refusal(reply, 500, INTERNAL) : reply,
      ),
  },
  'wrong-reference-404': {
    what: 'answers 404 to a reference that cannot exist',
    at: ['verifyTransaction'],
    plant: () => replies(['verifyTransaction'], 400, (reply) => refusal(reply, 404, 'Transaction was not found')),
  },
})

export const bodyFaults = faultsOf('requests', {
  'unknown-field-ignored': {
    what: 'ignores fields that it does not know',
    at: POSTS,
    plant: (world) => accepts(world, POSTS, /^(\S+) is not allowed$/, dropping),
  },
  'missing-description-defaulted': {
    what: 'makes up a description when there is none',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^description is required$/, setting({ description: 'No description' })),
  },
  'missing-msisdn-defaulted': {
    what: 'takes a mobile money collection without msisdn',
    at: INITIALIZE,
    plant: (world) => accepts(world, INITIALIZE, /^msisdn is required$/, setting(known)),
  },
  'missing-bank-code-defaulted': {
    what: 'takes a bank payout without bank_code',
    at: SEND,
    plant: (world) =>
      accepts(
        world,
        SEND,
        /^extra_params(\.bank_code)? is required$/,
        setting((given) => known({ ...given, extra_params: {} })),
      ),
  },
  'long-description-cut': {
    what: 'cuts a description that is too long',
    at: BOTH,
    plant: (world) =>
      accepts(
        world,
        BOTH,
        /^description must have/,
        setting(({ description }) => ({ description: String(description).slice(0, 30).padEnd(10, '.') })),
      ),
  },
  'amount-as-text-taken': {
    what: 'takes an amount written as text',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^amount must be a number/, setting({ amount: 5000 })),
  },
  'amount-zero-taken': {
    what: 'takes amounts of zero and below',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^amount must be between 0\.01 and/, setting({ amount: 5000 })),
  },
  'decimals-rounded': {
    what: 'rounds an amount with too many decimals',
    at: BOTH,
    plant: (world) =>
      accepts(
        world,
        BOTH,
        /^amount must have at most \d decimals/,
        setting(({ amount }) => ({ amount: Math.round(Number(amount)) })),
      ),
  },
  'upper-limit-ignored': {
    what: 'takes amounts above the limit of the provider',
    at: BOTH,
    plant: (world) =>
      accepts(world, BOTH, /^amount must be between \S+ and (\S+) [A-Z]{3}$/, (request, [, max]) =>
        Number(fieldsOf(request)?.['amount']) > Number(max) ? setting({ amount: Number(max) })(request) : request,
      ),
  },
  'lower-limit-ignored': {
    what: 'takes amounts below the limit of the provider',
    at: BOTH,
    plant: (world) =>
      accepts(world, BOTH, /^amount must be between (\S+) and \S+ [A-Z]{3}$/, (request, [, min]) =>
        Number(fieldsOf(request)?.['amount']) < Number(min) ? setting({ amount: Number(min) })(request) : request,
      ),
  },
  'unknown-provider-taken': {
    what: 'takes a provider that does not exist',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^Invalid provider code \([^)]*\)$/, setting(known)),
  },
  'unknown-provider-500': {
    what: 'breaks on a provider that does not exist',
    at: BOTH,
    plant: () =>
      replies(BOTH, 400, (reply) =>
        /Invalid provider code/.test(reply.body.toString()) ? refusal(reply, 500, INTERNAL) : reply,
      ),
  },
  'other-method-taken': {
    what: 'takes a provider that does not offer the method',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^Invalid provider code .* does not offer/, setting(known)),
  },
  'foreign-phone-taken': {
    what: 'takes phone numbers of other operators',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /is not a valid .* phone number$/, setting(known)),
  },
  'unknown-bank-taken': {
    what: 'takes a bank that does not exist',
    at: SEND,
    plant: (world) =>
      accepts(
        world,
        SEND,
        /^Invalid bank code/,
        setting({
          provider_code: 'bank_ng',
          currency: 'NGN',
          amount: 5000,
          extra_params: { bank_code: 'access_bank_ng' },
        }),
      ),
  },
  'no-rate-ignored': {
    what: 'takes another currency one to one',
    at: BOTH,
    plant: (world) =>
      accepts(world, BOTH, /^No exchange rate from [A-Z]{3} to ([A-Z]{3})/, (request, [, currency]) =>
        setting({ currency })(request),
      ),
  },
  'unknown-method-taken': {
    what: 'takes every unknown transaction_method for mobile money',
    at: BOTH,
    plant: (world) =>
      accepts(world, BOTH, /^transaction_method must be one of/, setting({ transaction_method: 'MOBILE_MONEY' })),
  },
  'reference-form-not-checked': {
    what: 'takes a merchant_reference of any form',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^merchant_reference must/, setting(freshReference)),
  },
  'redirect-url-not-checked': {
    what: 'takes everything for a redirect_url',
    at: INITIALIZE,
    plant: (world) =>
      accepts(world, INITIALIZE, /^redirect_url must/, setting({ redirect_url: 'https://shop.example/paid' })),
  },
  'redirect-url-not-needed': {
    what: 'takes bank collections without redirect_url',
    at: INITIALIZE,
    plant: (world) =>
      accepts(world, INITIALIZE, /^redirect_url is required$/, setting({ redirect_url: 'https://shop.example/paid' })),
  },
  'email-not-checked': {
    what: 'takes everything for an e-mail address',
    at: INITIALIZE,
    plant: (world) => accepts(world, INITIALIZE, /^(customer_email) must/, dropping),
  },
  'null-refused': {
    what: 'refuses null in an optional field',
    at: BOTH,
    plant: () =>
      replies(BOTH, 'any', (reply, request) =>
        /:\s?null[,}]/.test(request.body.toString()) ? refusal(reply, 400, 'a field must have a value') : reply,
      ),
  },
  'empty-refused': {
    what: 'refuses an empty text in an optional field',
    at: BOTH,
    plant: () =>
      replies(BOTH, 'any', (reply, request) =>
        /:\s?""[,}]/.test(request.body.toString()) ? refusal(reply, 400, 'a field must have a value') : reply,
      ),
  },
  'name-twice-taken': {
    what: 'takes the last of two fields of one name',
    at: POSTS,
    plant: (world) =>
      accepts(world, POSTS, /^(\w+) must be given once$/, (request) => withFields(request, (given) => given)),
  },
  'amount-rounded': {
    what: 'rounds an amount to a binary fraction before it looks at its decimals',
    at: BOTH,
    plant: (world) =>
      accepts(world, BOTH, /^amount must have at most/, (request) => withFields(request, (given) => given)),
  },
  'blank-description-taken': {
    what: 'takes a description of blanks',
    at: BOTH,
    plant: (world) => accepts(world, BOTH, /^description must not be blank$/, setting({ description: 'Said later' })),
  },
  'otp-as-text-taken': {
    what: 'takes a one-time password written as text',
    at: ['authorizeCollection'],
    plant: (world) => accepts(world, ['authorizeCollection'], /^otp must be an? /, setting({ otp: 123456 })),
  },
  'otp-range-ignored': {
    what: 'takes one-time passwords of fewer than four digits',
    at: ['authorizeCollection'],
    plant: (world) => accepts(world, ['authorizeCollection'], /^otp must be between/, setting({ otp: 123456 })),
  },
  'malformed-json-500': {
    what: 'breaks on malformed JSON',
    at: POSTS,
    plant: () =>
      replies(POSTS, 400, (reply) =>
        /not valid JSON/.test(reply.body.toString()) ? refusal(reply, 500, INTERNAL) : reply,
      ),
  },
  'odd-character-500': {
    what: 'breaks on characters beyond ASCII in a body',
    at: BOTH,
    plant: () => ({
      api: {
        onReply: (reply, request) =>
          isOne(BOTH, request) && /[\u0080-\uffff]|\\u[0-9a-f]{4}/i.test(request.body.toString())
            ? refusal(reply, 500, INTERNAL)
            : reply,
      },
    }),
  },
  'card-cipher-refused': {
    what: 'refuses card_cipher',
    at: INITIALIZE,
    plant: () => requestsWith('card_cipher', 'card_cipher is not allowed'),
  },
  'plus-sign-refused': {
    what: 'refuses phone numbers with a leading plus sign',
    at: BOTH,
    plant: () =>
      replies(BOTH, 'any', (reply, request) =>
        /"(?:msisdn|account_number)":\s?"\+/.test(request.body.toString())
          ? refusal(reply, 400, 'the number must have digits only')
          : reply,
      ),
  },
  'charge-customer-text': {
    what: 'takes "true" and "yes" for true',
    at: INITIALIZE,
    plant: (world) =>
      accepts(world, INITIALIZE, /^(charge_customer|mobile_money_hpp|allow_final_status_change) must/, dropping),
  },
})

function requestsWith(field: string, message: string) {
  return replies(INITIALIZE, 'any', (reply, request) =>
    field in (fieldsOf(request) ?? {}) ? refusal(reply, 400, message) : reply,
  )
}
