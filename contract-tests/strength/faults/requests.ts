import { edited, faultsOf } from './fault.ts'

// Faults in what is read of requests: keys, fields that are wrongly refused or taken, and the texts of refusals.

const KEYS = 'http/key-checks.ts'
const BODY = 'http/body.ts'
const API = 'http/api.ts'
const FAILURES = 'http/failures.ts'
const MESSAGE = 'http/fault-message.ts'
const HANDLER = 'http/handlers/initialize-collection.ts'
const PHONE = 'domain/phone.ts'
const CLAIM = 'http/idempotency-claim.ts'

/** Refuses a valid collection. @param when a condition over `body` and `numbers` */
export const refusing = (does: string, when: string, message: string) =>
  edited(
    does,
    [HANDLER, "../body.ts'", "../body.ts'\nimport { RequestFault } from '../failures.ts'"],
    [HANDLER, 'const request =', `if (${when}) throw new RequestFault(400, '${message}')\n    const request =`],
  )

export const requestFaults = [
  ...faultsOf('keys', {
    'optional-key-unchecked': edited('takes any secret key where it is optional', [
      'http/key-checks.ts',
      'request.merchant !== undefined && (!request.withSecretKey || secretKeyMatches(headers, request.merchant))',
      'request.merchant !== undefined',
    ]),
    'public-key-not-checked': edited('accepts any public-key', [
      KEYS,
      'return reference.merchantByPublicKey(publicKey)',
      'return (await reference.merchantByPublicKey(publicKey)) ?? reference.merchantById(1n)',
    ]),
    'secret-key-trimmed': edited('removes every kind of space around secret-key', [
      'http/key-checks.ts',
      "createHash('sha256').update(secretKey).digest()",
      "createHash('sha256').update(secretKey.trim()).digest()",
    ]),
    'www-authenticate-missing': edited('answers 401 without WWW-Authenticate', [
      FAILURES,
      `{ 'www-authenticate': 'ApiKey realm="malipo"' }`,
      '{}',
    ]),
    'given-key-repeated': edited('repeats a wrong secret-key in the message', [
      KEYS,
      "'The public-key or secret-key is not valid'",
      "`The public-key or secret-key (${headers['secret-key']}) is not valid`",
    ]),
    'keys-from-query': edited('finds keys in the query', [
      KEYS,
      "const publicKey = message.headers['public-key']",
      "const publicKey = message.headers['public-key'] ?? new URL(message.url, 'http://any').searchParams.get('public-key')",
    ]),
    'last-of-two-secret-keys': edited('accepts the last of two secret keys', [
      KEYS,
      "const secretKey = headers['secret-key']",
      "const secretKey = headers['secret-key']?.split(', ').at(-1)",
    ]),
    'version-reported-before-keys': edited('checks the version before the keys', [
      KEYS,
      '      throw unauthorized(',
      `      const version = request.message.headers['x-api-version']
      if (version !== '1') throw new RequestFault(400, \`x-api-version (\${version}) is not supported\`)
      throw unauthorized(`,
    ]),
  }),
  ...faultsOf('requests', {
    'too-large-taken': edited('reads bodies of any size', [
      BODY,
      'BODY_MAX_BYTES = 65_536',
      'BODY_MAX_BYTES = 655_360',
    ]),
    'unknown-query-refused': edited('refuses query parameters that it does not know', [
      API,
      'exchange.declared = headerCheckOf(',
      `if (operationId === 'listPaymentProviders' && /[?&](?!currency=|transaction_)/.test(exchange.message.url))
      throw new RequestFault(400, 'unknown query parameter')
    exchange.declared = headerCheckOf(`,
    ]),
    'unknown-field-ignored': edited('ignores fields that it does not know', [
      API,
      'exchange.unknownField = unknown',
      'exchange.unknownField = undefined',
    ]),
    'name-twice-taken': edited('uses the last of two fields of one name', [
      BODY,
      'if (isRepeated)',
      "if (isRepeated && path === '')",
    ]),
    'amount-rounded': edited('rounds an amount to a binary fraction before it checks its decimals', [
      HANDLER,
      "numbers.get('amount') ?? body.amount",
      'body.amount',
    ]),
    'null-refused': edited('refuses null in an optional field', [
      'http/request-shape.ts',
      "value === '' || value === null",
      "value === ''",
    ]),
    'odd-character-500': edited('breaks on characters beyond ASCII in a body', [
      BODY,
      "const text = bytes.toString('utf8')",
      `const text = bytes.toString('utf8')
    if (/[\\u0080-\\uffff]/.test(text)) throw new RequestFault(500, 'Internal error')`,
    ]),
    'comma-too-many-taken': edited('accepts a comma behind the last field', [
      BODY,
      'refuseLoneSurrogates(text, JSON.parse(text))',
      "refuseLoneSurrogates(text, JSON.parse(text.replace(/,\\s*\\}$/, '}')))",
    ]),
    'boolean-as-text-taken': edited('accepts "true" as true', [
      API,
      'readRows(exchange, body, text) : body',
      "readRows(exchange, body, text) : { ...body, ...(body.charge_customer === 'true' && { charge_customer: true }) }",
    ]),
  }),
  ...faultsOf('incoming', {
    'tilde-in-reference-refused': refusing(
      'refuses a tilde in a reference',
      "body.merchant_reference.includes('~')",
      'merchant_reference must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
    ),
    'exponent-refused': refusing(
      'refuses an amount such as 5e3',
      "/e/i.test(numbers.get('amount') ?? '')",
      'amount must be a number',
    ),
    'description-counted-in-bytes': refusing(
      'counts the bytes of a description',
      'Buffer.byteLength(body.description) > 30',
      'description must have 10 to 30 characters',
    ),
    'charged-customer-with-address-refused': refusing(
      'refuses customer_email beside charge_customer',
      'body.customer_email !== undefined && body.charge_customer === true',
      'customer_email is not allowed',
    ),
    'address-with-port-refused': refusing(
      'refuses a port in redirect_url',
      "/^https?:\\/\\/[^/]+:\\d+/.test(body.redirect_url ?? '')",
      'redirect_url must be an https URL',
    ),
    'charset-of-json-refused': edited('refuses a charset behind application/json', [
      BODY,
      '(charset && !/^charset="?utf-8"?$/.test(charset))',
      'charset',
    ]),
    'reference-found-in-any-case': edited('verify finds a reference in other capitals', [
      'storage/lookups.ts',
      'r using (merchant_id, merchant_reference)',
      'r on r.merchant_id = a.merchant_id and lower(r.merchant_reference) = lower(a.merchant_reference)',
    ]),
    'national-number-refused': edited('refuses national numbers', [
      PHONE,
      "plus === '' ? nationalNumber(callingCode, digits) : undefined",
      'undefined',
    ]),
    'spelling-is-another-request': edited('treats a number in another spelling as another request', [
      CLAIM,
      'return stored === undefined ? body : { ...body, [field]: stored }',
      'return body',
    ]),
    'long-prefixes-cut': edited('reads two digits of a prefix', [
      'domain/phone.ts',
      'number.startsWith(callingCode + prefix)',
      'number.startsWith(callingCode + prefix.slice(0, 2))',
    ]),
    'idempotency-key-cut': edited('compares the first 64 characters of an Idempotency-Key', [
      CLAIM,
      '\\n${key}`',
      '\\n${key.slice(0, 64)}`',
    ]),
    'name-lost-beside-address': edited('loses the customer_name of a request with a customer_email', [
      HANDLER,
      'body.customer_name !== undefined && {',
      'body.customer_name !== undefined && body.customer_email === undefined && {',
    ]),
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
  }),
  ...faultsOf('words', {
    'last-missing-named': edited('names the last of several missing fields', [
      MESSAGE,
      'const [first] = faults',
      'const [first] = faults.toReversed()',
    ]),
    'wrong-before-missing': edited('reports a wrong field before a missing one', [
      MESSAGE,
      'missing_field: 0, invalid_field: 1',
      'missing_field: 1, invalid_field: 0',
    ]),
    'otp-returned': edited('repeats a wrong OTP in its refusal', [
      'actions/authorize-collection.ts',
      "throw new Refusal('invalid_otp', INVALID_OTP)",
      "throw new Refusal('invalid_otp', `${INVALID_OTP}: ${otp}`)",
    ]),
    'nested-name-cut': edited('names a nested field without where it stands', [
      'http/request-shape.ts',
      'faults[kind] ??= at + name',
      'faults[kind] ??= name',
    ]),
    'recipient-called-customer': edited('calls the recipient of a payout the customer', [
      'local/sandbox/simulator.ts',
      'The recipient declined the request',
      'The customer declined the request',
    ]),
    'silence-called-expired': edited('gives an unanswered handshake the code of what took too long', [
      'domain/handshake.ts',
      "code: 'handshake_unanswered'",
      "code: 'expired'",
    ]),
  }),
]
