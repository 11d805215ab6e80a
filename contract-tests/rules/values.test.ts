import { describe, expect, test } from 'vitest'
import type { Direction } from '../harness/coverage/exchange.ts'
import type { Exchange, WireReply } from '../harness/proxy.ts'
import { sendRequests, collects, comes, json, providers, received, findingsOf, verifies } from './testing/exchanges.ts'
import { refusal } from '../../server/verification/testing/refusal.ts'

const LIST = sendRequests(
  'GET',
  `${providers}?currency=UGX&transaction_type=COLLECTION`,
  json(200, 'Payment providers retrieved successfully', {
    payment_providers: [
      {
        provider_code: 'mtn_ug',
        provider_name: 'MTN Uganda',
        transaction_type: 'Collection',
        transaction_currency: 'UGX',
        min_amount: 500,
        max_amount: 3_000_000,
        max_daily_amount: 7_000_000,
      },
    ],
  }),
)
const failed = (message: string, more: object): WireReply =>
  json(200, 'Transaction retrieved successfully', {
    merchant_reference: 'WATCH-0001',
    transaction_account: '256772000004',
    transaction_status: 'FAILED',
    status_message: message,
    ...more,
  })

test.each<[string, ...Exchange[]]>([
  [
    'a name that comes twice, and is named',
    sendRequests('POST', '/collections/initialize', json(400, 'amount must be given once'), '{"amount":1,"amount":2}'),
  ],
  ['the data of a listed provider', LIST, collects(json(400, refusal('amount_range')))],
  [
    'a failure by its test number',
    verifies(failed('The recipient declined the request', { transaction_type: 'Payout', failure_code: 'declined' })),
  ],
  [
    'what ended after a day without a result',
    verifies(
      failed('The request timed out without a transfer', { transaction_type: 'Collection', failure_code: 'expired' }),
    ),
  ],
])('finds nothing wrong with %s', (_name, ...exchanges) => expect(findingsOf(...exchanges)).toEqual([]))

const REJECTED = "Payout rejected by the merchant's verification URL (HTTP 404)"
const WRONG: readonly [string, readonly (Exchange | readonly [Exchange, Direction])[], string][] = [
  [
    'a name that came twice, and is not named',
    [sendRequests('POST', '/collections/initialize', json(400, 'x must be given once'), '{"amount":1,"amount":2}')],
    'the first thing wrong with the request is "amount must be given once"',
  ],
  [
    'the value of another field',
    [
      sendRequests('POST', '/payout/send-funds', json(400, refusal('provider_unknown', { mtn_xx: 'zenith_bank_ng' })), {
        transaction_method: 'BANK',
        merchant_reference: 'WATCH-0001',
        currency: 'NGN',
        amount: 2000,
        provider_code: 'bank_ng',
        account_number: '0690000031',
        customer_name: 'Amina Nakato',
        description: 'Two coffees please',
        extra_params: { bank_code: 'zenith_bank_ng' },
      }),
    ],
    'and provider_code is "bank_ng"',
  ],
  [
    'decimals of another currency',
    [collects(json(400, refusal('amount_decimals', { '0': '2' })), { amount: 5000.5 })],
    'the currency of the request is UGX, which has 0 (ISO 4217)',
  ],
  [
    'another method than Allow has',
    [sendRequests('PUT', providers, json(405, 'PUT is not allowed here: use POST', {}, { allow: 'GET' }))],
    'with Allow: GET, is "PUT is not allowed here: use POST"',
  ],
  [
    'limits that are not those of the list',
    [LIST, collects(json(400, refusal('amount_range', { '3000000': '3000001' })))],
    'and the list of providers (the request) has 500, 3000000, UGX for mtn_ug',
  ],
  [
    'limits that were listed afterwards',
    [collects(json(400, refusal('amount_daily', { '7000000': '3000000' }))), LIST],
    'and the list of providers (the request) has 7000000, UGX for mtn_ug',
  ],
  [
    'no provider where one is listed',
    [LIST, collects(json(400, refusal('provider_unknown', { mtn_xx: 'mtn_ug' })))],
    'says that there is no provider mtn_ug, and gives no other reason',
  ],
  [
    'the reason of another test number',
    [verifies(failed('The customer declined the request', { transaction_type: 'Payout', failure_code: 'declined' }))],
    'is "The customer declined the request", not "The recipient declined the request"',
  ],
  [
    'a status that the merchant did not answer',
    [
      received(comes('GET', '/handshake?reference=WATCH-0001', {})),
      verifies(failed(REJECTED, { transaction_type: 'Payout', failure_code: 'not_allowed' })),
    ],
    'and the merchant answered 200',
  ],
  [
    'a rejection without its status',
    [verifies(failed(REJECTED.slice(0, -11), { transaction_type: 'Payout', failure_code: 'not_allowed' }))],
    'which the page "Life of a transaction" does not have for it',
  ],
]
describe('compares values in messages with their source:', () => {
  test.each(WRONG)('%s', (_name, exchanges, what) =>
    expect(findingsOf(...exchanges)).toEqual([expect.stringContaining(what)]),
  )
})
