import { blindFaults } from './blind-faults.ts'

/** Errors, headers and HTTP, versions. */
export const ERROR_FAULTS = [
  ...blindFaults('errors', {
    // Statement: Errors, "<number> is not a valid <provider name> (<provider_code>) phone number".
    'phone-error-names-another-number': [
      'names the completed number, not the one of the request, when the prefix of a phone number is wrong',
      ['domain/phone.ts', '    throw invalid(option, written)\n', '    throw invalid(option, number)\n'],
    ],
    // Statement: Errors, "Request not formed as expected"; the contract: each field is given once.
    'nested-name-given-twice': [
      'takes the last of two values when a name inside extra_params is given twice (only bank payouts have one)',
      ['http/body.ts', 'if (isRepeated) throw', "if (isRepeated && !path.includes('.')) throw"],
    ],
  }),
  ...blindFaults('http', {
    // Statement: Transaction record, customer_name as it was sent; all bodies are JSON (UTF-8).
    'character-lost-between-packets': [
      'decodes each packet of a body by itself: a character that two packets share is lost (intermittent)',
      ['http/body.ts', ': Buffer.concat(chunks)', ": Buffer.from(chunks.map(String).join(''))"],
    ],
    // Statement: the contract's header X-Request-Id, the identifier of the request.
    'request-id-of-the-reply-before': [
      'gives one reply in 25 the X-Request-Id of the reply before it (intermittent, seen in two replies)',
      [
        'http/app.ts',
        'export function createApp({',
        "let requestIds = 0\nlet lastId = ''\nexport function createApp({",
      ],
      [
        'http/app.ts',
        "const requestId = (): string => Buffer.from(random.bytes(12)).toString('base64url')",
        `const requestId = (): string =>
    requestIds++ % 25 === 24 ? lastId : (lastId = Buffer.from(random.bytes(12)).toString('base64url'))`,
      ],
    ],
  }),
  ...blindFaults('versions', {
    // Statement: Versioning 1 and 3; the contract has version 1 only.
    'version-loses-its-fraction': [
      'takes every x-api-version between 1 and 2, such as 1.9, for version 1',
      ['http/header-checks.ts', 'String(Number(value))', 'String(Math.trunc(Number(value)))'],
    ],
    // Statement: Versioning 1, "required on every request".
    'lookups-need-no-version': [
      'takes version 1 for a lookup that sends no x-api-version (only the four GET operations)',
      [
        'http/api.ts',
        'headerCheckOf(operation)(exchange.message.headers)',
        "headerCheckOf(operation)({ ...(operation.method === 'get' && { 'x-api-version': '1' }), ...exchange.message.headers })",
      ],
    ],
  }),
]
