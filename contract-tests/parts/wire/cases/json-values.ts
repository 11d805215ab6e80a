import { one, type AllowedOutcomes, type RequestWriter, type WireCase } from '../wire-case.ts'

const DEPTH = 10_000

/** JSON values that break programs: duplicate names, huge numbers, deep nesting. */
export function jsonValueCases({ collect, collection, request, secretKey, accepted }: RequestWriter): WireCase[] {
  const json = (name: string, text: string, allowed: AllowedOutcomes = [400]) =>
    one(`json: ${name}`, collect(text), allowed)
  /** A valid collection with one more field at its end, as text. */
  const plus = (name: string, field: string, allowed?: AllowedOutcomes) =>
    json(name, `${JSON.stringify(collection()).slice(0, -1)},${field}}`, allowed)
  /** A valid collection with one value as written on the wire. */
  const withText = (name: string, text: string) =>
    JSON.stringify(collection({ [name]: 0 })).replace(`"${name}":0`, () => `"${name}":${text}`)
  const amount = (text: string, allowed?: AllowedOutcomes) =>
    json(
      `amount ${text.length > 30 ? `of ${text.length} characters, ${text.slice(0, 5)}…` : text}`,
      withText('amount', text),
      allowed,
    )
  const otp = (text: string) =>
    one(
      `json: otp ${text}`,
      collect(`{"internal_reference":"MLP0000000000000000000000","otp":${text}}`, { target: '/collections/authorize' }),
      [400, 404],
    )
  const payout = (name: string, field: string) =>
    one(
      `json: payout with ${name}`,
      collect(
        `${JSON.stringify({ transaction_method: 'BANK', merchant_reference: 'WIRE-PAYOUT-0001', currency: 'NGN', amount: 10000, provider_code: 'bank_ng', account_number: '0690000031', customer_name: 'Chinedu Okafor', description: 'Sent over a bare wire' }).slice(0, -1)},${field}}`,
        { target: '/payout/send-funds', headers: [`secret-key: ${secretKey}`] },
      ),
      [400],
    )
  return [
    plus('a name twice, alike', '"currency":"UGX"'),
    plus('a name twice, unlike', '"amount":600'),
    plus('a name twice, once escaped', '"\\u0061mount":600'),
    plus('a name twice, further in', '"extra":[{"a":{"b":1,"b":2}}]'),
    plus('__proto__ as text', '"__proto__":"x"'),
    plus('__proto__ as an object', '"__proto__":{"amount":1,"isAdmin":true}'),
    plus('__proto__ twice', '"__proto__":{},"__proto__":{"amount":1}'),
    plus('__proto__ escaped', '"\\u005f_proto__":{"amount":1}'),
    json('__proto__ instead of everything', `{"__proto__":${JSON.stringify(collection())}}`),
    ...[
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'then',
      'toJSON',
      'length',
      '',
      ' ',
      'amount ',
      'Amount',
      'merchant_id',
      '$where',
      'x'.repeat(5_000),
    ].map((field) =>
      plus(
        `an unknown field ${field.length > 30 ? `of ${field.length} characters` : JSON.stringify(field)}`,
        `${JSON.stringify(field)}:"500"`,
      ),
    ),
    plus('an unknown field named like a header', '"X-Injected: 1\\r\\nX-Other":"y"'),
    plus('4,000 unknown fields', Array.from({ length: 4_000 }, (_, index) => `"field_${index}":1`).join(',')),
    payout('__proto__ in extra_params', '"extra_params":{"__proto__":{"bank_code":"access_bank_ng"}}'),
    payout(
      'constructor in extra_params',
      '"extra_params":{"bank_code":"access_bank_ng","constructor":{"prototype":{}}}',
    ),
    payout('a list for extra_params', '"extra_params":["access_bank_ng"]'),
    payout('null for extra_params', '"extra_params":null'),
    payout('an empty object for extra_params', '"extra_params":{}'),
    payout('an object of empty fields for extra_params', '"extra_params":{"bank_code":null,"branch_code":""}'),

    ...[
      '1e400',
      '-1e400',
      '-0',
      '0',
      '0.0',
      '1e-400',
      '-1',
      '1e-1',
      '0.5',
      '500.0000001',
      '9007199254740993',
      '1e15',
      '1e308',
      '99999999999999999999',
      '1.7976931348623159e308',
      '5e-324',
    ].map((text) => amount(text)),
    amount('5e2', [...accepted, 400]),
    amount('500.0', [...accepted, 400]),
    amount('500.0000000000000000000000000001'),
    amount(`5${'0'.repeat(10_000)}`),
    amount(`500.${'0'.repeat(10_000)}1`),
    amount(`500e${'9'.repeat(1_000)}`),
    amount(`0.${'0'.repeat(10_000)}5e10003`, [...accepted, 400]),
    ...[
      'NaN',
      'Infinity',
      '-Infinity',
      '0x1F4',
      '0500',
      '+500',
      '.5e3',
      '500.',
      '5e',
      '5_000',
      '500n',
      '5,000',
      '--500',
      '"500"',
      'null',
      'true',
      '[500]',
      '{"valueOf":500}',
      '""',
    ].map((text) => amount(text)),
    ...['1e400', '-0', '1e-400', '123456.5', '"123456"', '0123456', '123456e0', '[123456]', '99999999999999999999'].map(
      (text) => otp(text),
    ),

    json('10,000 lists within each other', '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
    json('10,000 lists that are never ended', '['.repeat(DEPTH)),
    json('10,000 objects within each other', '{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH)),
    plus('10,000 lists in a field', `"extra":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
    json('10,000 lists as the amount', withText('amount', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`)),
    json(
      '10,000 lists as the description, each with a surrogate',
      withText('description', `${'['.repeat(DEPTH)}"\\ud83d\\ude00"${']'.repeat(DEPTH)}`),
    ),
    one(
      'json: 5,000 objects within each other, with an idempotency key',
      collect(`${JSON.stringify(collection()).slice(0, -1)},"extra":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, {
        headers: ['idempotency-key: wire-depth'],
      }),
      [400],
    ),
    one(
      'json: 3,000 objects as a payout',
      request({
        method: 'POST',
        target: '/payout/send-funds',
        headers: ['content-type: application/json', `secret-key: ${secretKey}`],
        body: '{"extra_params":'.repeat(3_000) + '1' + '}'.repeat(3_000),
      }),
      [400],
    ),
    json('a text of 60,000 characters', JSON.stringify(collection({ description: 'd'.repeat(60_000) }))),
    json(
      'a text of 60,000 characters that a bad pattern would never finish',
      JSON.stringify(collection({ customer_email: `${'a.'.repeat(30_000)}!` })),
    ),
    json(
      'a list of 10,000 texts as the number',
      JSON.stringify(collection({ msisdn: Array.from({ length: 10_000 }, () => '1') })),
    ),
  ]
}
