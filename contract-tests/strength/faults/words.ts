import type { WireRequest } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import { fieldsOf, header, isOne, messageOf, PAYMENTS, POSTS, SEND, withFields } from './edit.ts'
import { ruleFaultsOf, type Plant } from './fault.ts'
import { reported } from './rows.ts'

// The right status with an undeclared message, or with one about another field.

/** Changes the message of every reply of the API, those outside of the operations included. */
const replacing = (what: string, from: RegExp, to: string) =>
  changingMessage(what, (message) => message.replace(from, to))
/** The same for the text in the first brackets. */
const replacingIn = (what: string, from: RegExp, change: (found: string) => string) =>
  changingMessage(what, (message) => {
    const [found, inner] = from.exec(message) ?? []
    return found === undefined || inner === undefined
      ? message
      : message.replace(found, found.replace(inner, change(inner)))
  })
const changingMessage = (what: string, change: (message: string, request: WireRequest) => string) => ({
  what,
  plant: (): Plant => ({
    api: {
      onReply: (reply, request) => {
        const message = messageOf(reply)
        const other = message === '' ? message : change(message, request)
        return other === message ? reply : withFields(reply, (fields) => ({ ...fields, message: other }))
      },
    },
  }),
})
/** Changes the status message of a transaction, in verify and callbacks alike. */
const reportedAs = (what: string, from: RegExp, to: string) =>
  reported(what, (state) => ({ ...state, status_message: String(state['status_message']).replace(from, to) }))
const withCode = (what: string, message: RegExp, failure_code: string) =>
  reported(what, (state) => (message.test(String(state['status_message'])) ? { ...state, failure_code } : state))

const MOBILE_COLLECTION = [
  'transaction_method',
  'provider_code',
  'merchant_reference',
  'msisdn',
  'currency',
  'amount',
  'description',
]
const BANK_COLLECTION = [...MOBILE_COLLECTION.filter((name) => name !== 'msisdn'), 'redirect_url']
const MOBILE_PAYOUT = [
  'merchant_reference',
  'transaction_method',
  'currency',
  'amount',
  'provider_code',
  'account_number',
  'customer_name',
  'description',
]
const BANK_PAYOUT = [...MOBILE_PAYOUT, 'extra_params']
const OPTIONAL = ['mobile_money_hpp', 'customer_email', 'card_cipher', 'charge_customer', 'allow_final_status_change']

/** Required fields of a request, in the order of the contract. */
function requiredIn(request: WireRequest, given: Fields): readonly string[] {
  if (!isOne(PAYMENTS, request)) return ['internal_reference', 'otp']
  const isBank = given['transaction_method'] === 'BANK'
  if (isOne(SEND, request)) return isBank ? BANK_PAYOUT : MOBILE_PAYOUT
  return isBank ? BANK_COLLECTION : MOBILE_COLLECTION
}
const missingIn = (request: WireRequest): readonly string[] => {
  const given = fieldsOf(request) ?? {}
  return requiredIn(request, given).filter((name) => [undefined, null, ''].includes(given[name] as string | undefined))
}
/** Names another one of several missing fields. */
const naming = (what: string, choose: (missing: readonly string[]) => string | undefined) =>
  changingMessage(what, (message, request) => {
    const other = isOne(POSTS, request) && /^\w+ is required$/.test(message) ? choose(missingIn(request)) : undefined
    return other === undefined ? message : `${other} is required`
  })

/** The largest amount, by the daily limit of the same providers of the sandbox. */
const LARGEST = new Map([
  ['7000000', '3000000'],
  ['10000000', '5000000'],
  ['4000000', '2000000'],
  ['2000000', '380000'],
  ['500000', '250000'],
])

export const wordFaults = ruleFaultsOf('words', {
  'otp-wrong-reworded': replacing('says that the OTP is incorrect', /^Invalid OTP$/, 'Incorrect OTP'),
  'key-missing-reworded': replacing(
    'says that a key is missing',
    /^(public|secret)-key is required$/,
    '$1-key is missing',
  ),
  'wrong-key-named': changingMessage('discloses which of two keys is wrong', (message, request) =>
    message === 'The public-key or secret-key is not valid' && header(request, 'secret-key') !== undefined
      ? 'The secret-key is not valid'
      : message,
  ),
  'keys-reported-as-api-key': replacing(
    'calls both keys the API key',
    /^The public-key or secret-key is/,
    'The API key is',
  ),
  'version-not-reported': replacing(
    'does not name the unknown version',
    /^x-api-version \(.*\) is/,
    'x-api-version is',
  ),
  'daily-limit-without-figure': replacing(
    'does not name the daily limit',
    /daily limit of \S+ [A-Z]{3} for/,
    'daily limit for',
  ),
  'daily-limit-names-maximum': replacingIn(
    'names the largest amount as the daily limit',
    /daily limit of (\d+)/,
    (limit) => LARGEST.get(limit) ?? limit,
  ),
  'limits-reported-in-wrong-order': replacing(
    'names maximum and minimum in the wrong order',
    /between (\S+) and (\S+) ([A-Z]{3})$/,
    'between $2 and $1 $3',
  ),
  'limits-without-currency': replacing('names limits without the currency', /(between \S+ and \S+) [A-Z]{3}$/, '$1'),
  'limits-with-commas': replacing(
    'writes limits with commas',
    /and (\d+)(\d{3})(\d{3}) ([A-Z]{3})$/,
    'and $1,$2,$3 $4',
  ),
  'decimals-of-two-reported': replacing(
    'names 2 decimals where there are none',
    /at most 0 decimals/,
    'at most 2 decimals',
  ),
  'phone-refused-without-name': replacing(
    'omits the name of the provider for refused numbers',
    /a valid .+ \((\w+)\)/,
    'a valid $1',
  ),
  'phone-refused-masked': replacing('masks the number that it refuses', /^(\+?\d{6})\d+( is not a valid)/, '$1***$2'),
  'bank-reported-as-provider': replacing(
    'calls a wrong bank a provider',
    /^Invalid bank code/,
    'Invalid provider code',
  ),
  'provider-reason-missing': replacing(
    'does not say why a provider does not fit',
    /^(Invalid provider code \([^)]*\)): .*/,
    '$1',
  ),
  'provider-code-in-capitals': replacingIn(
    'writes the wrong provider code in capitals',
    /^Invalid provider code \(([^)]*)\)/,
    (code) => code.toUpperCase(),
  ),
  'last-missing-named': naming('names the last of several missing fields', (missing) => missing.at(-1)),
  'missing-by-alphabet': naming('names missing fields by the alphabet', (missing) => missing.toSorted()[0]),
  'amount-missing-last': naming('checks the amount after everything else', (missing) =>
    missing[0] === 'amount' && missing.length > 1 ? missing[1] : undefined,
  ),
  'wrong-before-missing': changingMessage('reports a wrong description before a missing field', (message, request) => {
    const { description } = fieldsOf(request) ?? {}
    const isLong = isOne(PAYMENTS, request) && typeof description === 'string' && description.length > 30
    return isLong && /^\w+ is required$/.test(message) ? 'description must have 10 to 30 characters' : message
  }),
  'unknown-before-missing': changingMessage('reports an unknown field before a missing one', (message, request) => {
    const given = fieldsOf(request) ?? {}
    const known = [
      ...requiredIn(request, given),
      ...OPTIONAL,
      'redirect_url',
      'customer_name',
      'msisdn',
      'extra_params',
    ]
    const unknown = Object.keys(given).find((name) => !known.includes(name))
    const isMissing = isOne(PAYMENTS, request) && /^\w+ is required$/.test(message)
    return isMissing && unknown !== undefined ? `${unknown} is not allowed` : message
  }),
  'nested-name-cut': replacing('names a nested field without where it stands', /^extra_params\./, ''),
  'unknown-field-not-named': replacing(
    'does not name the field that it does not know',
    /^\S+ is not allowed$/,
    'unknown field',
  ),
  'twice-not-named': replacing(
    'does not name what came twice',
    /^\w+ must be given once$/,
    'a name must be given once',
  ),
  'query-twice-reworded': changingMessage('words a repeated query parameter otherwise', (message, { method }) =>
    method === 'GET' ? message.replace(/^(\w+) must be given once$/, '$1 must not be repeated') : message,
  ),
  'not-found-unnamed': replacing(
    'does not name the transaction that it has not',
    /^Transaction \(.*\) was/,
    'Transaction was',
  ),
  'not-found-in-capitals': replacingIn(
    'writes the unknown reference in capitals',
    /^Transaction \((.*)\) was/,
    (name) => name.toUpperCase(),
  ),
  'collection-reported-as-transaction': replacing(
    'calls an unknown collection a transaction',
    /^Collection (\(.*\) was not found)$/,
    'Transaction $1',
  ),
  'used-reference-unnamed': replacing(
    'does not name the used reference',
    /^merchant_reference \(.*\) has/,
    'merchant_reference has',
  ),
  'key-conflict-reworded': replacing(
    'words another body under one key otherwise',
    /^Idempotency-Key has already.*/,
    'Idempotency-Key conflict',
  ),
  'acceptance-of-payout-worded-as-collection': replacing(
    'reports an accepted payout as a collection',
    /^Payout accepted$/,
    'Collection accepted',
  ),
  'authorization-worded-as-acceptance': replacing(
    'answers a right OTP with the message of an accepted collection',
    /^One-time password accepted$/,
    'Collection accepted',
  ),
  'wallets-worded-as-banks': replacing(
    'uses the message of banks for wallets',
    /^Wallet balances retrieved/,
    'Payout banks retrieved',
  ),
  'path-not-reported': replacing('does not name the unknown path', /^There is nothing at .*/, 'Not found'),
  'method-reported-is-wrong': replacingIn('names the wrong method to use', /use (GET|POST)$/, (method) =>
    method === 'GET' ? 'POST' : 'GET',
  ),
  'too-large-in-kilobytes': replacing(
    'names the largest body in kilobytes',
    /larger than 65536 bytes$/,
    'larger than 64 kB',
  ),
  'media-type-reworded': replacing(
    'names the received media type, not the accepted one',
    /^Content-Type must be .*/,
    'Content-Type is not supported',
  ),
  'waiting-reworded': reportedAs(
    'says OTP in the status of what waits for one',
    /^Waiting for the one-time password$/,
    'Waiting for the OTP',
  ),
  'processing-reworded': reportedAs(
    'has the processing message for payments that wait for approval',
    /^Waiting for the customer's approval$/,
    'Transaction Processing',
  ),
  'cancelled-reworded': reportedAs(
    'words the end of a cancelled payment otherwise',
    /^The customer cancelled the payment$/,
    'Cancelled by the customer',
  ),
  'recipient-called-customer': reportedAs(
    'calls the recipient of a payout the customer',
    /^The recipient declined/,
    'The customer declined',
  ),
  'rejection-without-status': reportedAs(
    'omits the status of a rejected handshake',
    /(verification URL) \(HTTP \d+\)$/,
    '$1',
  ),
  'rejection-worded-as-silence': reportedAs(
    'words a rejected handshake as one without answer',
    /^Payout rejected by the merchant's verification URL.*/,
    "The merchant's verification URL did not answer",
  ),
  'silence-called-expired': withCode(
    'gives an unanswered handshake the code of what took too long',
    /verification URL did not answer/,
    'expired',
  ),
  'rejection-called-declined': withCode(
    'gives a rejected handshake the code of a declining customer',
    /^Payout rejected/,
    'declined',
  ),
  'wrong-passwords-called-expired': withCode(
    'gives five wrong OTPs the code of an expired payment',
    /^Too many wrong one-time passwords/,
    'expired',
  ),
  'page-expiry-called-cancelled': withCode(
    'gives an expired page the code of a cancelled one',
    /^Payment page expired$/,
    'cancelled',
  ),
})
