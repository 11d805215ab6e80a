import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/proxy.ts'
import {
  accepted,
  atSecond,
  collects,
  comes,
  findingsBy,
  HOSTED,
  json,
  JSON_TYPE,
  leads,
  providers,
  received,
  REFERENCE,
  sendRequests,
  verifies,
} from '../testing/exchanges.ts'
import { constantFieldsRule } from './constant-fields.ts'
import { eventsRule } from './events.ts'
import { finalRecordsRule } from './final-records.ts'
import { listedCurrencyRule } from './listed-currency.ts'
import { pageAmountsRule } from './page-amounts.ts'
import { pageOutcomesRule } from './page-outcomes.ts'
import { statesRule } from './states.ts'
import { totalsRule } from './totals.ts'

const RULES = [
  constantFieldsRule,
  finalRecordsRule,
  statesRule,
  totalsRule,
  eventsRule,
  pageAmountsRule,
  pageOutcomesRule,
]
const COMPLETED = {
  id: 1001,
  merchant_reference: 'WATCH-0001',
  internal_reference: REFERENCE,
  transaction_type: 'COLLECTION',
  request_currency: 'UGX',
  request_amount: 5000,
  transaction_amount: 5000,
  transaction_currency: 'UGX',
  transaction_charge: 50,
  transaction_account: '256772000123',
  charge_customer: false,
  total_credit: 4950,
  provider_code: 'mtn_ug',
  transaction_status: 'COMPLETED',
  status_message: 'Transaction Completed Successfully',
}
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
const QUERY = `id=1001&event=transaction.completed&merchant_reference=WATCH-0001&internal_reference=${REFERENCE}&transaction_type=COLLECTION&transaction_status=COMPLETED&status_message=Transaction%20Completed%20Successfully`

const verify = (record: object) => verifies(json(200, 'Transaction retrieved successfully', record))
const callback = (payload: object, event = 'transaction.completed') =>
  received(comes('POST', '/callbacks/collections', JSON_TYPE, { event, payload }))
const pays = (change: object = {}) => collects(accepted(), change)
const page = (content: string): Exchange =>
  sendRequests('GET', `/pay/collection/${REFERENCE}`, {
    status: 200,
    headers: { 'content-type': ['text/html; charset=utf-8'] },
    body: Buffer.from(`<html lang="en"><body>${content}</body></html>`),
  })
const pageOf = (reference: string, content: string): Exchange => {
  const { request, ...exchange } = page(content)
  return { ...exchange, request: { ...request, path: `/pay/collection/${reference}` } }
}
const OTHER = `${REFERENCE.slice(0, -1)}0`
const FORM = '<form method="post" action="/pay"><button>Pay UGX 5,000</button></form>'

type Recorded = Parameters<typeof findingsBy>[1]

test.each<[string, ...Recorded[]]>([
  ['one payment in all messages', pays(), verify(PENDING), verify(COMPLETED), callback(COMPLETED), verify(COMPLETED)],
  ['a redirect', verify(COMPLETED), leads(`https://shop.example/done?${QUERY}`)],
  ['a redirect that comes first', leads(`https://shop.example/done?order=7&${QUERY}`), verify(COMPLETED)],
  ['a number that the request spells in another way', pays({ msisdn: '0772 000-123' }), verify(COMPLETED)],
  ['an optional field that is null', pays({ customer_name: null, charge_customer: null }), verify(COMPLETED)],
  ['a reference that the server makes', pays({ merchant_reference: 'auto' }), verify(COMPLETED)],
  ['a charge that a failure takes back', pays(), verify(PROCESSING), verify(FAILED)],
  [
    'a late success, and an older callback that is sent again',
    pays(),
    atSecond(1, verify(FAILED)),
    atSecond(2, verify(COMPLETED)),
    received(atSecond(9, callback(FAILED, 'transaction.failed')[0])),
  ],
  [
    'a reply that was overtaken by another one',
    { ...atSecond(2, verify(COMPLETED)), startedAt: new Date(0) },
    { ...atSecond(3, verify(PENDING)), startedAt: new Date(1_000) },
  ],
  [
    'an account that the customer chooses on the page',
    verify({ ...PENDING, transaction_account: '' }),
    verify({ ...PENDING, transaction_account: '0690000031', institution_name: 'Access Bank' }),
    verify({ ...PENDING, transaction_account: '0690000032', institution_name: 'Zenith Bank' }),
  ],
  [
    'a page with what is taken',
    page('<p>UGX 5,000</p>'),
    verify(COMPLETED),
    page('<p>5 000 UGX</p><p>5.000,00 UGX</p>'),
  ],
  [
    'a page with the charge on top',
    verify({ ...PENDING, ...BORNE }),
    page('<p>UGX 5,050</p><dd>UGX 50, included</dd><bdi>Refund of UGX 77</bdi>'),
  ],
  [
    'a page with the price in another currency',
    verify({ ...COMPLETED, request_currency: 'USD', request_amount: 1.5 }),
    page('<p>UGX 5,000</p><dd>USD 1.50, paid in UGX</dd>'),
  ],
  [
    'a page that may show a late success',
    atSecond(1, verify(FAILED)),
    atSecond(1, verify({ ...COMPLETED, id: 1002, internal_reference: OTHER })),
    atSecond(2, page('<h1>Paid</h1>')),
    atSecond(2, pageOf(OTHER, '<h1>Paid</h1>')),
  ],
  [
    'a page before the end, and one after it',
    atSecond(1, page(`<h1>Pay</h1>${FORM}`)),
    atSecond(2, verify(COMPLETED)),
    atSecond(3, page(`<h1>Paid</h1><code>${REFERENCE}</code>`)),
  ],
])('finds no contradiction in %s', (_name, ...exchanges) => expect(findingsBy(RULES, ...exchanges)).toEqual([]))

test.each<[string, readonly Recorded[], string]>([
  [
    'an amount other than the request has',
    [pays({ amount: 5001 }), verify(COMPLETED)],
    'verifyTransaction: request_amount of transaction WATCH-0001 is 5000 in verify, and 5001 in the request',
  ],
  [
    'a name that the record has lost',
    [pays({ customer_name: 'Amina Nakato' }), verify(COMPLETED)],
    'customer_name of transaction WATCH-0001 is absent in verify, and "Amina Nakato" in the request',
  ],
  [
    'a charge that changes',
    [verify({ ...PENDING, ...BORNE }), verify({ ...PENDING, ...BORNE, transaction_charge: 51 })],
    'transaction_charge of',
  ],
  [
    'another transaction than the requested one',
    [verify({ ...COMPLETED, merchant_reference: 'WATCH-0002' })],
    'merchant_reference of transaction WATCH-0002 is "WATCH-0002" in verify, and "WATCH-0001" in the request',
  ],
  [
    'an OTP that confirms another collection',
    [
      sendRequests('POST', '/collections/authorize', accepted({ payment_url: 'x' }), {
        internal_reference: OTHER,
        otp: 123_456,
      }),
    ],
    `authorizeCollection: internal_reference of transaction WATCH-0001 is "${REFERENCE}" in its acceptance, and "${OTHER}" in the request`,
  ],
  ['another account', [pays({ msisdn: '256772000999' }), verify(COMPLETED)], 'transaction_account of transaction'],
  [
    'a message that changes',
    [verify(FAILED), verify({ ...FAILED, status_message: 'Payment page expired' })],
    'which is FAILED, is "Payment page expired" in verify, and "The customer declined the request" in verify: the record of a final state does not change',
  ],
  [
    'a code that a callback does not have',
    [verify(FAILED), callback({ ...FAILED, failure_code: undefined }, 'transaction.failed')],
    'collectionCallback: failure_code of transaction WATCH-0001, which is FAILED, is absent in a callback, and "declined" in verify',
  ],
  [
    'a redirect with another outcome',
    [verify(COMPLETED), leads(`https://shop.example/done?${QUERY.replace('Successfully', 'Maybe')}`)],
    'customerRedirect: status_message of transaction WATCH-0001',
  ],
  [
    'a redirect with another id',
    [verify(PENDING), leads(`https://shop.example/done?${QUERY.replace('1001', '1002')}`)],
    'customerRedirect: id of transaction WATCH-0001 is "1002" in a redirect, and 1001 in verify',
  ],
  [
    'a status that goes back',
    [atSecond(1, verify(PROCESSING)), atSecond(2, verify(PENDING))],
    'a status never goes back',
  ],
  [
    'a success that is taken back',
    [atSecond(1, verify(COMPLETED)), atSecond(2, verify(FAILED))],
    'is FAILED in verify, and was COMPLETED in verify before',
  ],
  ['two ends', [verify(CANCELLED), verify(COMPLETED)], 'is COMPLETED in verify, and was CANCELLED in verify before'],
  [
    'a late success that the request forbids',
    [pays({ allow_final_status_change: false }), verify(FAILED), verify(COMPLETED)],
    'its request has allow_final_status_change: false',
  ],
  [
    'a charge for nothing',
    [verify({ ...CANCELLED, transaction_charge: 50 })],
    'verify of transaction WATCH-0001, CANCELLED, has a charge of 50',
  ],
  [
    'a total of nothing',
    [verify({ ...FAILED, total_credit: 4950 })],
    'FAILED, has a total_credit of 4950: no money moved',
  ],
  ['a total that does not follow', [verify({ ...PENDING, total_credit: 5000 })], 'a total_credit of 5000, not 4950'],
  ['half a unit', [verify({ ...PENDING, total_credit: 4950.5 })], 'a total_credit of 4950.5: no whole minor units'],
  [
    'a total without what the customer bears',
    [verify({ ...PENDING, charge_customer: true })],
    'a total_credit of 4950, not 5000',
  ],
  [
    'an amount that nobody converted',
    [verify({ ...PENDING, request_amount: 4999 })],
    'a transaction_amount of 5000 for a request_amount of 4999',
  ],
  ['a wrong event', [callback(FAILED)], 'has the event "transaction.completed", not "transaction.failed"'],
  [
    'a cancelled collection without its code',
    [verify({ ...CANCELLED, status_message: 'The customer cancelled the payment', failure_code: undefined })],
    'has the failure_code absent, not "cancelled"',
  ],
  ['a code of a success', [verify({ ...COMPLETED, failure_code: 'declined' })], 'has the failure_code "declined"'],
  [
    'a page without the charge',
    [page('<p>UGX 5,000</p>'), verify({ ...COMPLETED, ...BORNE })],
    'payment page: the payment page of transaction WATCH-0001 shows "UGX 5,000", and 5050 UGX is taken',
  ],
  ['a page with a hundredth', [verify(COMPLETED), page('<p>UGX 50</p>')], 'shows "UGX 50", and 5000 UGX is taken'],
  [
    'a page with another price',
    [verify({ ...COMPLETED, request_currency: 'USD', request_amount: 1.5 }), page('<p>USD 1.05</p>')],
    'shows "USD 1.05"',
  ],
  ['a form after the end', [atSecond(1, verify(COMPLETED)), atSecond(2, page(FORM))], 'still has a form'],
  [
    'one heading for two outcomes',
    [
      atSecond(1, verify(FAILED)),
      atSecond(1, verify({ ...COMPLETED, internal_reference: OTHER })),
      atSecond(2, page('<h1>Paid</h1>')),
      atSecond(2, pageOf(OTHER, '<h1>Paid</h1>')),
      atSecond(3, verify(FAILED)),
      atSecond(3, verify({ ...COMPLETED, internal_reference: OTHER })),
    ],
    `which is FAILED, has the heading "en: Paid"; so has that of ${OTHER}`,
  ],
])('finds %s', (_name, exchanges, what) =>
  expect(findingsBy(RULES, ...exchanges)).toEqual([expect.stringContaining(what)]),
)

test('finds a currency in which the provider is not listed, before or after the list', () => {
  const list = sendRequests(
    'GET',
    providers,
    json(200, 'Retrieved', { payment_providers: [{ provider_code: 'mtn_ug', transaction_currency: 'KES' }] }),
  )
  const what = 'verifyTransaction: transaction_currency of transaction WATCH-0001 is UGX; mtn_ug is listed for KES'
  for (const exchanges of [
    [list, verify(COMPLETED)],
    [verify(COMPLETED), list],
  ])
    expect(findingsBy([listedCurrencyRule], ...exchanges)).toEqual([what])
})

test('compares messages about one internal reference only', () => {
  const elsewhere = { ...COMPLETED, id: 1002, internal_reference: OTHER, transaction_amount: 1, request_amount: 1 }
  const one = verify(COMPLETED)
  expect(findingsBy([constantFieldsRule], one, verify(elsewhere), collects(accepted(), HOSTED))).toEqual([])
})
