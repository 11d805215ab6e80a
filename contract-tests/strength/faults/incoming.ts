import type { WireRequest, WireReply } from '../../harness/proxy.ts'
import type { Fields } from '../../harness/json.ts'
import {
  ALL,
  fieldsOf,
  header,
  INITIALIZE,
  PAYMENTS,
  POSTS,
  refusal,
  setting,
  text,
  withHeader,
  messageOf,
  withKeys,
} from './edit.ts'
import { edited, type FaultRows, type OperationId, type FaultContext } from './fault.ts'
import { inReplies, inRequests, acceptedAnyway, reported, refused } from './rows.ts'

// Faults in accepted input: characters, scripts, spellings, the order of checks, where keys may be, and those that only
// a combination shows: of two fields, of a field and a key, of a form and where it stands.

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

const HANDLER = 'http/handlers/initialize-collection.ts'

/** Accepts keys in another place. */
const keysFrom = (does: string, find: (request: WireRequest, name: string) => string | undefined) =>
  inReplies(does, ALL, 401, (reply, request, { send }) => {
    const publicKey = header(request, 'public-key') ?? find(request, 'public-key')
    const secretKey = header(request, 'secret-key') ?? find(request, 'secret-key')
    return publicKey === undefined ? reply : send(withKeys(request, { publicKey, secretKey }))
  })
const named = (pairs: string, separator: string, name: string): string | undefined =>
  pairs
    .split(separator)
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** Of two faults, the one that is checked later is reported. @param correct fixes the one that should be reported */
const reportedFirst = (
  does: string,
  at: readonly OperationId[],
  early: (reply: WireReply) => boolean,
  correct: (request: WireRequest, world: FaultContext) => WireRequest,
  // Decided before anything is sent: a request with only the first fault must not be carried out.
  late: (request: WireRequest) => boolean,
) =>
  inReplies(does, at, 'any', (reply, request, world) =>
    early(reply) && late(request) ? world.send(correct(request, world)) : reply,
  )
const saying =
  (status: number, message = /^/) =>
  (reply: WireReply): boolean =>
    reply.status === status && message.test(messageOf(reply))
const rightKeys = (request: WireRequest, world: FaultContext): WireRequest => withKeys(request, world)

const isOtherVersion = (request: WireRequest): boolean => header(request, 'x-api-version') !== '1'

export const inputRows: FaultRows = {
  'tilde-in-reference-refused': refusing('refuses a tilde in a reference', PAYMENTS, BAD_REFERENCE, (_, given) =>
    text(given, 'merchant_reference').includes('~'),
  ),
  'exponent-refused': refusing(
    'refuses an amount such as 5e3',
    PAYMENTS,
    BAD_AMOUNT,
    inBody(/"amount"\s*:\s*[\d.]+e/i),
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
  'reference-found-in-any-case': edited('verify finds a reference in other capitals', [
    'storage/lookups.ts',
    'r using (merchant_id, merchant_reference)',
    'r on r.merchant_id = a.merchant_id and lower(r.merchant_reference) = lower(a.merchant_reference)',
  ]),
  'name-composed': nameAs('writes names in composed characters', (name) => name.normalize('NFC')),
  'plus-kept-in-account': reported('returns account numbers with a plus sign', (state) => ({
    ...state,
    transaction_account: text(state, 'transaction_account').replace(/^(?=25[0-6]|260|233)/, '+'),
  })),
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
  'long-prefixes-cut': edited('reads two digits of a prefix', [
    'domain/phone.ts',
    'number.startsWith(callingCode + prefix)',
    'number.startsWith(callingCode + prefix.slice(0, 2))',
  ]),
  'idempotency-key-cut': inRequests('compares the first 64 characters of an Idempotency-Key', POSTS, (request) => {
    const key = header(request, 'idempotency-key')
    return key === undefined || key.length > 255 ? request : withHeader(request, 'idempotency-key', key.slice(0, 64))
  }),
  'keys-from-query': keysFrom('finds keys in the query', ({ path }, name) =>
    named(path.split('?')[1] ?? '', '&', name),
  ),
  'last-of-two-secret-keys': inRequests('accepts the last of two secret keys', ALL, (request) => {
    const last = request.headers['secret-key']?.at(-1)?.split(', ').at(-1)
    return last === undefined ? request : withHeader(request, 'secret-key', last)
  }),
  'version-reported-before-keys': reportedFirst(
    'checks the version before the keys',
    ALL,
    saying(401),
    rightKeys,
    isOtherVersion,
  ),
  'name-lost-beside-address': edited('loses the customer_name of a request with a customer_email', [
    HANDLER,
    'body.customer_name !== undefined && {',
    'body.customer_name !== undefined && body.customer_email === undefined && {',
  ]),
  'charged-customer-with-address-refused': refused(
    'refuses customer_email beside charge_customer',
    INITIALIZE,
    [400, 'customer_email is not allowed'],
    ({ status }, request) => {
      const { customer_email: address, charge_customer: charged } = fieldsOf(request) ?? {}
      return status === 202 && address !== undefined && charged === true
    },
  ),
  'boolean-as-text-taken': acceptedAnyway(
    'accepts "true" as true',
    INITIALIZE,
    /^charge_customer must/,
    setting(({ charge_customer: text }) => ({ charge_customer: text === 'true' })),
  ),
  'key-ignores-address': edited('repeats the first reply although the customer_email is another one', [
    'http/idempotency-claim.ts',
    "if (key === 'card_cipher') return undefined",
    "if (key === 'card_cipher' || key === 'customer_email') return undefined",
  ]),
  'forms-of-other-sites-taken': edited('takes a form of the payment page from another site', [
    'payment-page/csrf.ts',
    "if (site !== undefined) return site !== 'same-origin' && site !== 'none'",
    'if (site !== undefined) return false',
  ]),
}
