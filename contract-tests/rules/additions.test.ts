import { refusal } from '../../server/verification/testing/refusal.ts'
import type { Exchange } from '../harness/proxy.ts'
import { batchesRule } from './batches.ts'
import { messagesRule } from './messages.ts'
import { eventsRule } from './payments/events.ts'
import { finalRecordsRule } from './payments/final-records.ts'
import { statesRule } from './payments/states.ts'
import { refundsRule } from './refunds.ts'
import { webhookIdsRule } from './webhook-ids.ts'
import { atSecond, comes, COMPLETED, json, received, REFERENCE, retrieves, sendRequests } from './testing/exchanges.ts'
import { testRows } from './testing/reports.ts'

// Refunds, batches of payouts and cancelled payouts, by the rules over them.

const collection = (change: object = {}): Exchange => retrieves({ ...COMPLETED, ...change })
const { total_credit: _credit, transaction_charge: _charge, charge_customer: _bearer, ...COMMON } = COMPLETED
let refunds = 0
const refund = (amount: number, change: object = {}): Exchange =>
  sendRequests(
    'GET',
    '/collections/refund/R',
    json(200, 'Refund retrieved successfully', {
      ...COMMON,
      internal_reference: `MLPREFUND${(refunds += 1)}`,
      merchant_reference: `REFUND-${refunds}`,
      transaction_type: 'REFUND',
      request_amount: amount,
      transaction_amount: amount,
      collection_merchant_reference: COMPLETED.merchant_reference,
      collection_internal_reference: REFERENCE,
      charge_refunded: 0,
      total_debit: amount,
      reason: 'Order cancelled',
      ...change,
    }),
  )
const dollars = { request_currency: 'USD', request_amount: 10, transaction_amount: 38_125 }
const part = (request_amount: number, transaction_amount: number): Exchange =>
  refund(request_amount, { request_currency: 'USD', transaction_amount, total_debit: transaction_amount })

testRows(refundsRule, {
  'parts that are all of it': ['', collection(), refund(2000), refund(3000)],
  'parts beyond their collection': ['are 6000 UGX together', collection(), refund(3000), refund(3000)],
  'a failed refund whose part is free again': [
    '',
    collection(),
    refund(5000, { transaction_status: 'FAILED' }),
    refund(5000),
  ],
  'converted parts, the last with the rest': ['', collection(dollars), part(3.33, 12_695), part(6.67, 25_430)],
  'a rest that is kept': ['the last one takes the rest', collection(dollars), part(3.33, 12_695), part(6.67, 25_429)],
  'a part that is rounded up': ['at the rate of the collection', collection(dollars), part(3.33, 12_696)],
  'another account': [
    'transaction_account of refund',
    collection(),
    refund(2000, { transaction_account: '256772000124' }),
  ],
  "another collection's internal reference": [
    'collection_internal_reference of refund',
    collection(),
    refund(2000, { collection_internal_reference: 'MLPREFUND' }),
  ],
  'a charge that goes back': ['charge_refunded of refund', collection(), refund(2000, { charge_refunded: 20 })],
})

const row = (reference: string, change: object = {}) => ({
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  currency: 'UGX',
  amount: 500,
  account_number: '256772000123',
  customer_name: 'Amina Nakato',
  description: 'Salary of March',
  merchant_reference: reference,
  ...change,
})
const ROWS = [row('SALARY-0001'), row('SALARY-0002', { amount: 700 })]
const batch = { batch_reference: 'SALARIES-01' }
const sends = sendRequests('POST', '/payout/batches', json(202, 'Batch accepted', { ...batch, payouts: 2 }), {
  ...batch,
  payouts: ROWS,
})
const shown = (line: number, transaction_status: string) => ({
  line,
  merchant_reference: `SALARY-000${line}`,
  internal_reference: `MLP000000000000000000000${line}`,
  transaction_status,
  status_message: 'As it is',
})
const TOTAL = { currency: 'UGX', payouts: 2, amount: 1200, completed: 1, failed: 1 }
const OVER = [shown(1, 'COMPLETED'), shown(2, 'FAILED')]
const reads = (payouts: readonly object[], total: object = {}, batch_status = 'COMPLETED'): Exchange =>
  sendRequests(
    'GET',
    '/payout/batches/SALARIES-01',
    json(200, 'Batch retrieved', { ...batch, batch_status, totals: [{ ...TOTAL, ...total }], payouts }),
  )
const ends = (total: object = {}) =>
  received(
    comes(
      'POST',
      '/callbacks/payouts',
      {},
      {
        event: 'payout_batch.completed',
        payload: { ...batch, batch_status: 'COMPLETED', totals: [{ ...TOTAL, ...total }] },
      },
    ),
  )
const paid = (change: object): Exchange =>
  collection({
    transaction_type: 'PAYOUT',
    merchant_reference: 'SALARY-0002',
    request_amount: 700,
    customer_name: 'Amina Nakato',
    ...change,
  })

testRows(batchesRule, {
  'a batch as it was sent': ['', sends, ends(), reads(OVER), paid({})],
  'rows in another order': ['row 1 is', sends, reads(OVER.toReversed())],
  'a row too few': ['of 2 rows has 1', sends, reads(OVER.slice(0, 1), { failed: 0 })],
  'another amount than that of its row': ['request_amount of', sends, paid({ request_amount: 500 })],
  'a sum without what failed': ['totals of batch SALARIES-01 are', sends, reads(OVER, { amount: 500 })],
  'an end with an open row': [
    'is COMPLETED; its rows are',
    sends,
    reads([shown(1, 'COMPLETED'), shown(2, 'PROCESSING')], { failed: 0 }),
  ],
  'a callback before the end': ['it comes when all of them are final', sends, ends({ failed: 0 })],
  'a callback that counts otherwise': ['in its callback', sends, ends({ completed: 2, failed: 0 }), reads(OVER)],
  'a payout that was paid late': [
    '',
    sends,
    ends(),
    reads([shown(1, 'COMPLETED'), shown(2, 'COMPLETED')], { completed: 2, failed: 0 }),
  ],
})
testRows(webhookIdsRule, { 'a callback of a batch that comes as two': ['nothing is sent twice', ends(), ends()] })

const refused = (message: string, lines: readonly number[], payouts: readonly object[]): Exchange => {
  const errors = lines.map((line) => ({ line, message }))
  const how = `${lines.length} of ${payouts.length} payouts ${lines.length === 1 ? 'is' : 'are'} faulty`
  const whole = `Nothing was accepted: ${how}. Line ${lines[0]}: ${message}`
  return sendRequests('POST', '/payout/batches', json(400, whole, { errors }), { ...batch, payouts })
}
const { account_number: _account, ...lacking } = row('SALARY-0003')
testRows(messagesRule, {
  'a batch with a faulty row': ['', refused('account_number is required', [2], [ROWS[0]!, lacking])],
  'a row in words of no payout': ['is none that the contract shows', refused('Bad row', [2], ROWS)],
})

const tooLate = (reason: string): Exchange => {
  const reply = json(409, refusal('payout_cancelled_before', { 'PAYOUT-2026-0001': 'WATCH-0001' }))
  const body = Buffer.from(JSON.stringify({ ...(JSON.parse(String(reply.body)) as object), reason }))
  return sendRequests('POST', '/payout/cancel', { ...reply, body }, { merchant_reference: 'WATCH-0001' })
}
testRows(messagesRule, {
  'a refusal with its reason': ['', tooLate('payout_handed_over')],
  'a refusal with the reason of its status': ['the contract shows payout_handed_over', tooLate('conflict')],
})

const cancels = (status: number): Exchange => {
  const data = { internal_reference: REFERENCE, merchant_reference: 'WATCH-0001' }
  const reply = status === 202 ? json(202, 'Payout cancelled', data) : json(409, refusal('payout_cancelled_before'))
  return sendRequests('POST', '/payout/cancel', reply, { merchant_reference: 'WATCH-0001' })
}
const CANCELLED = {
  transaction_status: 'FAILED',
  status_message: 'Payout cancelled by the merchant',
  failure_code: 'merchant_cancelled',
}
const payout = (change: object): Exchange => collection({ transaction_type: 'PAYOUT', ...CANCELLED, ...change })
testRows([eventsRule, finalRecordsRule, statesRule], {
  'a payout that stays cancelled': ['', atSecond(0, cancels(202)), atSecond(5, payout({})), atSecond(6, cancels(409))],
  'a cancelled payout that is paid': [
    'is COMPLETED in verify, and was FAILED in its acceptance before',
    atSecond(0, cancels(202)),
    atSecond(5, payout({ transaction_status: 'COMPLETED', status_message: undefined, failure_code: undefined })),
  ],
  'a payout that is cancelled twice': ['was cancelled twice', atSecond(0, cancels(202)), atSecond(5, cancels(202))],
  'a cancelled payout that failed otherwise': [
    'status_message of transaction WATCH-0001, which is FAILED, is "Declined" in verify',
    atSecond(0, cancels(202)),
    atSecond(5, payout({ status_message: 'Declined' })),
  ],
  'a cancellation under another code': ['not "merchant_cancelled"', payout({ failure_code: 'declined' })],
})
