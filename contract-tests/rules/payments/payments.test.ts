import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/proxy.ts'
import * as made from '../testing/exchanges.ts'
import { reportsOf, testRows, type Recorded } from '../testing/reports.ts'
import { constantFieldsRule } from './constant-fields.ts'
import { eventsRule } from './events.ts'
import { finalRecordsRule } from './final-records.ts'
import { listedCurrencyRule } from './listed-currency.ts'
import { pageAmountsRule } from './page-amounts.ts'
import { pageOutcomesRule } from './page-outcomes.ts'
import { pageTriesRule } from './page-tries.ts'
import { statesRule } from './states.ts'
import { totalsRule } from './totals.ts'
import { typedAccountsRule } from './typed-accounts.ts'

const { accepted, atSecond, collects, comes, COMPLETED, json, JSON_TYPE, received, REFERENCE, sendRequests } = made

const RULES = [
  constantFieldsRule,
  finalRecordsRule,
  statesRule,
  totalsRule,
  eventsRule,
  pageAmountsRule,
  pageOutcomesRule,
  pageTriesRule,
  typedAccountsRule,
]
const FAILED = {
  ...COMPLETED,
  transaction_charge: 0,
  total_credit: 0,
  transaction_status: 'FAILED',
  status_message: 'The customer declined the request',
  failure_code: 'declined',
}
const CANCELLED = { ...FAILED, transaction_status: 'CANCELLED', failure_code: 'cancelled' }
const PENDING = { ...COMPLETED, transaction_status: 'PENDING', status_message: 'Transaction Pending' }
const PROCESSING = { ...COMPLETED, transaction_status: 'PROCESSING', status_message: 'Transaction Processing' }
const BORNE = { charge_customer: true, total_credit: 5000 }
const IN_USD = { request_currency: 'USD', request_amount: 1.5 }
const QUERY = `id=1001&event=transaction.completed&merchant_reference=WATCH-0001&internal_reference=${REFERENCE}&transaction_type=COLLECTION&transaction_status=COMPLETED&status_message=Transaction%20Completed%20Successfully`
const OTHER = `${REFERENCE.slice(0, -1)}0`
const OF_OTHER = { id: 1002, internal_reference: OTHER }

const verify = (record: object, second?: number): Exchange => {
  const exchange = made.retrieves(record)
  return second === undefined ? exchange : atSecond(second, exchange)
}
const callback = (payload: object, event = 'transaction.completed') =>
  received(comes('POST', '/callbacks/collections', JSON_TYPE, { event, payload }))
const pays = (change: object = {}): Exchange => collects(accepted(), change)
const expects = (change: object = {}): Exchange =>
  sendRequests('POST', '/collections/expect', accepted(), {
    merchant_reference: 'auto',
    provider_code: 'mtn_ug',
    currency: 'UGX',
    ...change,
  })
const WAITS = { ...PENDING, status_message: 'Waiting for the customer to pay', transaction_account: '' }
const MORE = {
  ...COMPLETED,
  request_amount: 7000,
  transaction_amount: 7000,
  transaction_charge: 70,
  total_credit: 6930,
}
const page = (content: string, second = 0, reference = REFERENCE): Exchange =>
  atSecond(
    second,
    sendRequests('GET', `/pay/collection/${reference}`, {
      status: 200,
      headers: { 'content-type': ['text/html; charset=utf-8'] },
      body: Buffer.from(`<html lang="en"><body>${content}</body></html>`),
    }),
  )
const types = (account: string, status = 303): Exchange =>
  sendRequests(
    'POST',
    `/pay/collection/${REFERENCE}/confirm`,
    { status, headers: {}, body: Buffer.alloc(0) },
    new URLSearchParams({ account_number: account }).toString(),
  )
const otpField = (help: string): Exchange =>
  page(`<input autocomplete="one-time-code" aria-describedby="error help"><span id="help">${help}</span>`)
const leads = (query = QUERY): Exchange => made.leads(`https://shop.example/done?${query}`)
const authorizes = (internal_reference: string): Exchange =>
  sendRequests('POST', '/collections/authorize', accepted({ payment_url: 'x' }), { internal_reference, otp: 123_456 })
const FORM = '<form method="post" action="/pay"><button>Pay UGX 5,000</button></form>'
const PAID = '<h1>Paid</h1>'
const ends = (second: number): readonly Exchange[] => [
  verify(FAILED, second),
  verify({ ...COMPLETED, internal_reference: OTHER }, second),
]

testRows(RULES, {
  'one payment in all messages': ['', pays(), verify(PENDING), verify(COMPLETED), callback(COMPLETED)],
  'a redirect': ['', verify(COMPLETED), leads()],
  'a redirect that comes first': ['', leads(`order=7&${QUERY}`), verify(COMPLETED)],
  'a number in another spelling': ['', pays({ msisdn: '0772 000-123' }), verify(COMPLETED)],
  'an optional field that is null': ['', pays({ customer_name: null, charge_customer: null }), verify(COMPLETED)],
  'an amount that the customer chooses': ['', expects(), verify(WAITS), verify(MORE), callback(MORE)],
  'a reference that the server makes': ['', pays({ merchant_reference: 'auto' }), verify(COMPLETED)],
  'a charge that a failure takes back': ['', pays(), verify(PROCESSING), verify(FAILED)],
  'a late success, and an older callback that is sent again': [
    '',
    pays(),
    verify(FAILED, 1),
    verify(COMPLETED, 2),
    received(atSecond(9, callback(FAILED, 'transaction.failed')[0])),
  ],
  'a reply that was overtaken by another one': [
    '',
    { ...verify(COMPLETED, 2), startedAt: new Date(0) },
    { ...verify(PENDING, 3), startedAt: new Date(1_000) },
  ],
  'an account that the customer chooses on the page': [
    '',
    verify({ ...PENDING, transaction_account: '' }),
    verify({ ...PENDING, transaction_account: '0690000031', institution_name: 'Access Bank' }),
    verify({ ...PENDING, transaction_account: '0690000032', institution_name: 'Zenith Bank' }),
  ],
  'a page with all tries': ['', otpField('5 tries left.'), otpField('The last one of 1.')],
  'a page with what is taken': [
    '',
    page('<p>UGX 5,000</p>'),
    verify(COMPLETED),
    page('<p>5 000 UGX</p><p>5.000,00 UGX</p>'),
  ],
  'a page with the charge on top': [
    '',
    verify({ ...PENDING, ...BORNE }),
    page('<p>UGX 5,050</p><dd>UGX 50, included</dd><bdi>Refund of UGX 77</bdi>'),
  ],
  'a page with a reference that has its currency in it by chance': [
    '',
    verify(COMPLETED),
    page('<p>MLP2UGX3PREHQ7UGXHQNWPYG</p><p>UGX 5,000</p>'),
  ],
  'a page with the price in another currency': [
    '',
    verify({ ...COMPLETED, ...IN_USD }),
    page('<p>UGX 5,000</p><dd>USD 1.50, paid in UGX</dd>'),
  ],
  'a page that may show a late success': [
    '',
    verify(FAILED, 1),
    verify({ ...COMPLETED, ...OF_OTHER }, 1),
    page(PAID, 2),
    page(PAID, 2, OTHER),
  ],
  'a page before the end, and one after it': [
    '',
    page(`<h1>Pay</h1>${FORM}`, 1),
    verify(COMPLETED, 2),
    page(`${PAID}<code>${REFERENCE}</code>`, 3),
  ],
})

testRows(RULES, {
  'an amount other than the request has': [
    'verifyTransaction: request_amount of transaction WATCH-0001 is 5000 in verify, and 5001 in the request',
    pays({ amount: 5001 }),
    verify(COMPLETED),
  ],
  'another amount than the exact one that was expected': [
    'request_amount of transaction WATCH-0001 is 7000 in verify, and 5000 in the request',
    expects({ amount: 5000 }),
    verify(MORE),
  ],
  'a chosen amount that changes while it waits': [
    'transaction_charge of',
    expects(),
    verify(WAITS),
    verify({ ...WAITS, transaction_charge: 60, total_credit: undefined }),
  ],
  'a name that the record has lost': [
    'customer_name of transaction WATCH-0001 is absent in verify, and "Amina Nakato" in the request',
    pays({ customer_name: 'Amina Nakato' }),
    verify(COMPLETED),
  ],
  'a charge that changes': [
    'transaction_charge of',
    verify({ ...PENDING, ...BORNE }),
    verify({ ...PENDING, ...BORNE, transaction_charge: 51 }),
  ],
  'another transaction than the requested one': [
    'merchant_reference of transaction WATCH-0002 is "WATCH-0002" in verify, and "WATCH-0001" in the request',
    verify({ ...COMPLETED, merchant_reference: 'WATCH-0002' }),
  ],
  'an OTP that confirms another collection': [
    `authorizeCollection: internal_reference of transaction WATCH-0001 is "${REFERENCE}" in its acceptance, and "${OTHER}" in the request`,
    authorizes(OTHER),
  ],
  'another account': ['transaction_account of transaction', pays({ msisdn: '256772000999' }), verify(COMPLETED)],
  'a message that changes': [
    'which is FAILED, is "Payment page expired" in verify, and "The customer declined the request" in verify: the record of a final state does not change',
    verify(FAILED),
    verify({ ...FAILED, status_message: 'Payment page expired' }),
  ],
  'a code that a callback does not have': [
    'collectionCallback: failure_code of transaction WATCH-0001, which is FAILED, is absent in a callback, and "declined" in verify',
    verify(FAILED),
    callback({ ...FAILED, failure_code: undefined }, 'transaction.failed'),
  ],
  'a redirect with another outcome': [
    'customerRedirect: status_message of transaction WATCH-0001',
    verify(COMPLETED),
    leads(QUERY.replace('Successfully', 'Maybe')),
  ],
  'a redirect with another id': [
    'customerRedirect: id of transaction WATCH-0001 is "1002" in a redirect, and 1001 in verify',
    verify(PENDING),
    leads(QUERY.replace('1001', '1002')),
  ],
  'a status that goes back': ['a status never goes back', verify(PROCESSING, 1), verify(PENDING, 2)],
  'a success that is taken back': [
    'is FAILED in verify, and was COMPLETED in verify before',
    verify(COMPLETED, 1),
    verify(FAILED, 2),
  ],
  'two ends': ['is COMPLETED in verify, and was CANCELLED in verify before', verify(CANCELLED), verify(COMPLETED)],
  'a late success that the request forbids': [
    'its request forbids that',
    pays({ allow_final_status_change: false }),
    verify(FAILED),
    verify(COMPLETED),
  ],
  'a charge for nothing': [
    'verify of transaction WATCH-0001, CANCELLED, has a charge of 50',
    verify({ ...CANCELLED, transaction_charge: 50 }),
  ],
  'a total of nothing': ['has a total_credit of 4950: no money moved', verify({ ...FAILED, total_credit: 4950 })],
  'a total that does not follow': ['a total_credit of 5000, not 4950 UGX', verify({ ...PENDING, total_credit: 5000 })],
  'half a unit': ['a total_credit of 4950.5: no whole minor units', verify({ ...PENDING, total_credit: 4950.5 })],
  'a total without the borne charge': ['credit of 4950, not 5000 UGX', verify({ ...PENDING, charge_customer: true })],
  'an amount that nobody converted': [
    'a transaction_amount of 5000 for a request_amount of 4999',
    verify({ ...PENDING, request_amount: 4999 }),
  ],
  'a wrong event': ['has the event "transaction.completed", not "transaction.failed"', callback(FAILED)],
  'a cancelled collection without its code': [
    'has the failure_code absent, not "cancelled"',
    verify({ ...CANCELLED, status_message: 'The customer cancelled the payment', failure_code: undefined }),
  ],
  'a code of a success': ['has the failure_code "declined"', verify({ ...COMPLETED, failure_code: 'declined' })],
  'a page without the charge': [
    'payment page: the payment page of transaction WATCH-0001 shows "UGX 5,000", and 5050 UGX is taken',
    page('<p>UGX 5,000</p>'),
    verify({ ...COMPLETED, ...BORNE }),
  ],
  'a hundredth on a page': ['shows "UGX 50", and 5000 UGX is taken', verify(COMPLETED), page('<p>UGX 50</p>')],
  'another price on a page': ['shows "USD 1.05"', verify({ ...COMPLETED, ...IN_USD }), page('<p>USD 1.05</p>')],
  'a page with six tries': ['that 6 tries are left, and an OTP has 5', otpField('6 tries left.')],
  'an account as it was typed': [
    '',
    types('012-345 6001'),
    verify({ ...COMPLETED, transaction_account: '0123456001' }),
  ],
  'two accounts, one after the other': ['', types('1'), types('2'), verify({ ...COMPLETED, transaction_account: '3' })],
  'an account that was not taken': ['', types('1', 400), verify({ ...COMPLETED, transaction_account: '3' })],
  'an account without its zero': [
    'transaction_account of transaction WATCH-0001 is "123456001" in verify, and its customer typed 0123456001',
    types('0123456001'),
    verify({ ...COMPLETED, transaction_account: '123456001' }),
  ],
  'a form after the end': ['still has a form', verify(COMPLETED, 1), page(FORM, 2)],
  'one heading for two outcomes': [
    `which is FAILED, has the heading "en: Paid"; so has that of ${OTHER}`,
    ...ends(1),
    page(PAID, 2),
    page(PAID, 2, OTHER),
    ...ends(3),
  ],
})

const LISTED = sendRequests(
  'GET',
  made.providers,
  json(200, 'Retrieved', { payment_providers: [{ provider_code: 'mtn_ug', transaction_currency: 'KES' }] }),
)
const UNLISTED = 'verifyTransaction: transaction_currency of transaction WATCH-0001 is UGX; mtn_ug is listed for KES'
testRows([listedCurrencyRule], {
  'a currency after its list': [UNLISTED, LISTED, verify(COMPLETED)],
  'a currency before its list': [UNLISTED, verify(COMPLETED), LISTED],
})

test('compares messages about one internal reference only', () => {
  const elsewhere = verify({ ...COMPLETED, ...OF_OTHER, transaction_amount: 1, request_amount: 1 })
  const exchanges: readonly Recorded[] = [verify(COMPLETED), elsewhere, collects(accepted(), made.HOSTED)]
  expect(reportsOf([constantFieldsRule], exchanges)).toEqual([])
})
