import type { Exchange } from '../harness/proxy.ts'
import { refusal } from '../../server/verification/testing/refusal.ts'
import { RULES } from './all.ts'
import { sendRequests, collects, comes, json, providers, received, retrieves } from './testing/exchanges.ts'
import { testRows } from './testing/reports.ts'

// Values in messages, against the place that they come from.

const MTN_UG = {
  provider_code: 'mtn_ug',
  provider_name: 'MTN Uganda',
  transaction_type: 'Collection',
  transaction_currency: 'UGX',
  min_amount: 500,
  max_amount: 3_000_000,
  max_daily_amount: 7_000_000,
}
const LIST = sendRequests(
  'GET',
  `${providers}?currency=UGX&transaction_type=COLLECTION`,
  json(200, 'Payment providers retrieved successfully', { payment_providers: [MTN_UG] }),
)
const failed = (transaction_type: string, status_message: string, failure_code: string): Exchange =>
  retrieves({
    merchant_reference: 'WATCH-0001',
    transaction_account: '256772000004',
    transaction_status: 'FAILED',
    transaction_type,
    status_message,
    failure_code,
  })
const refused = (...of: Parameters<typeof refusal>): Exchange => collects(json(400, refusal(...of)))
const twice = (message: string): Exchange =>
  sendRequests('POST', '/collections/initialize', json(400, message), '{"amount":1,"amount":2}')
const twiceWithin = (message: string): Exchange =>
  sendRequests('POST', '/payout/send-funds', json(400, message), '{"extra_params":{"bank_code":"a","bank_code":"a"}}')
const nested = (message: string): Exchange =>
  sendRequests('POST', '/collections/initialize', json(400, message), '{"x":{"x":1}}')
const ofNumber = (named: string): Exchange =>
  collects(json(400, `${named} is not a valid MTN Uganda (mtn_ug) phone number`), { msisdn: '+256 752000123' })
const TO_BANK = {
  transaction_method: 'BANK',
  merchant_reference: 'WATCH-0001',
  currency: 'NGN',
  amount: 2000,
  provider_code: 'bank_ng',
  account_number: '0690000031',
  customer_name: 'Amina Nakato',
  description: 'Two coffees please',
  extra_params: { bank_code: 'zenith_bank_ng' },
}
const REJECTED = "Payout rejected by the merchant's verification URL (HTTP 404)"

testRows(RULES, {
  'a name that comes twice, and is named': ['', twice('amount must be given once')],
  'a name further in that comes twice': ['', twiceWithin('extra_params.bank_code must be given once')],
  'one name in two objects': ['', nested('transaction_method is required')],
  'a number as it was written': ['', ofNumber('+256 752000123')],
  'another number than was written': ['and the number of the request is "+256 752000123"', ofNumber('256752000123')],
  'the data of a listed provider': ['', LIST, refused('amount_range')],
  'a failure by its test number': ['', failed('Payout', 'The recipient declined the request', 'declined')],
  'the end of a day without a result': [
    '',
    failed('Collection', 'The request timed out without a transfer', 'expired'),
  ],
  'a name that comes twice, and is not named': [
    'the first thing wrong with the request is "amount must be given once"',
    twice('x must be given once'),
  ],
  'the value of another field': [
    'and provider_code is "bank_ng"',
    sendRequests(
      'POST',
      '/payout/send-funds',
      json(400, refusal('provider_unknown', { mtn_xx: 'zenith_bank_ng' })),
      TO_BANK,
    ),
  ],
  'decimals of another currency': [
    'the currency of the request is UGX, which has 0 (ISO 4217)',
    collects(json(400, refusal('amount_decimals', { 0: '2' })), { amount: 5000.5 }),
  ],
  'another method than Allow has': [
    'with Allow: GET, is "PUT is not allowed here: use POST"',
    sendRequests('PUT', providers, json(405, 'PUT is not allowed here: use POST', {}, { allow: 'GET' })),
  ],
  'limits that are not those of the list': [
    'and the list of providers (the request) has 500, 3000000, UGX for mtn_ug',
    LIST,
    refused('amount_range', { 3000000: '3000001' }),
  ],
  'limits that were listed afterwards': [
    'and the list of providers (the request) has 7000000, UGX for mtn_ug',
    refused('amount_daily', { 7000000: '3000000' }),
    LIST,
  ],
  'no provider where one is listed': [
    'says that there is no provider mtn_ug, and gives no other reason',
    LIST,
    refused('provider_unknown', { mtn_xx: 'mtn_ug' }),
  ],
  'the reason of another test number': [
    'is "The customer declined the request", not "The recipient declined the request"',
    failed('Payout', 'The customer declined the request', 'declined'),
  ],
  'a status that the merchant did not answer': [
    'and the merchant answered 200',
    received(comes('GET', '/handshake?reference=WATCH-0001', {})),
    failed('Payout', REJECTED, 'not_allowed'),
  ],
  'a rejection without its status': [
    'which the page "Life of a transaction" does not have for it',
    failed('Payout', REJECTED.slice(0, -11), 'not_allowed'),
  ],
})
