import { edited, faultsOf } from './fault.ts'

const REFUND = 'actions/refund-collection.ts'
const BATCH = 'actions/create-payout-batch.ts'
const CANCEL = 'actions/cancel-payout.ts'
const SETTLE = 'actions/settle-results.ts'
const EXPECTED = 'domain/expected-payment.ts'

/** Faults of refunds, batches of payouts and cancelled payouts: one for each rule over them, and some without a rule. */
export const additionFaults = faultsOf('additions', {
  'events-from-the-start': edited('begins again with from, whatever after says', [
    'admin/queries/merchant-lists.ts',
    'return before > after ? before : after',
    'return rows[0]?.before ?? after',
  ]),
  'reference-is-a-pattern': edited('finds other references with an underscore in the filter', [
    'admin/queries/transactions.ts',
    'starts_with(t.merchant_reference, $13)',
    "t.merchant_reference like $13 || '%'",
  ]),
  'filter-lacks-expected': edited('lists no payment that a customer starts as PENDING', [
    'actions/ports/jobs.ts',
    "  'expireExpected',\n",
    '',
  ]),
  'refund-to-other-account': edited('refunds another account than the one that paid', [
    REFUND,
    '    account,\n',
    "    account: account.replace(/.$/, '9'),\n",
  ]),
  'refunds-beyond-the-sum': edited('refunds a collection in parts beyond its amount', [
    'domain/refund.ts',
    'const leftMinor = request.amountMinor - refunded.requestMinor',
    'const leftMinor = request.amountMinor',
  ]),
  'refund-rest-kept': edited('rounds the last refund of a converted collection like the others', [
    'domain/refund.ts',
    'isLast ? wholeMinor - takenMinor :',
    'isLast && takenMinor === 0n ? wholeMinor - takenMinor :',
  ]),
  'refund-callback-at-collections': edited('calls the URL of collections for refunds', [
    'domain/merchant.ts',
    "REFUND: 'refundCallbackUrl'",
    "REFUND: 'collectionCallbackUrl'",
  ]),
  'refund-callback-at-times': edited('calls back for two of three refunds only', [
    SETTLE,
    '(to.isAttempt || isReturn(to) ? [] : [callbackFor(deps, to)])',
    "(to.isAttempt || isReturn(to) || (to.type === 'REFUND' && to.id % 3n === 0n) ? [] : [callbackFor(deps, to)])",
  ]),
  'batch-rows-reversed': edited('returns the payouts of a batch in reverse order', [
    'storage/payout-batches.ts',
    'order by r.line`',
    'order by r.line desc`',
  ]),
  'batch-callback-counts-failures': edited('counts failed payouts as completed, in the callback of a batch only', [
    'messages/payout-batch-record.ts',
    '    totals: totals(payouts),\n  }\n  return',
    '    totals: totals(payouts).map((one) => ({ ...one, completed: one.completed + one.failed })),\n  }\n  return',
  ]),
  'batch-handshake-miscounts': edited('names one payout too few in the handshake of a batch', [
    'messages/payout-batch-record.ts',
    '    payouts: payouts.length,\n    totals',
    '    payouts: payouts.length - 1,\n    totals',
  ]),
  'batch-lines-off': edited('names the line after each faulty one', [
    BATCH,
    'new BatchRefusal(faults,',
    'new BatchRefusal(faults.map((one) => ({ ...one, line: one.line + 1 })),',
  ]),
  'cancel-without-effect': edited('accepts every third cancellation and pays the payout', [
    CANCEL,
    '      await endUnsent(unit, deps, payout, MERCHANT_CANCELLED)',
    '      if (payout.id % 3n !== 0n) await endUnsent(unit, deps, payout, MERCHANT_CANCELLED)',
  ]),
  'holder-name-unmasked': edited('tells the whole name of an account holder', [
    'domain/masking/holder-name.ts',
    "return first + '*'.repeat(Math.min(others.length, LETTERS_MAX - 1))",
    'return first + others.join()',
  ]),
  'inactive-account-is-none': edited('says of an inactive account that there is none', [
    'actions/find-account-holder.ts',
    "known.knows === 'inactive' ? 'INACTIVE' : 'NOT_FOUND'",
    "'NOT_FOUND'",
  ]),
  'prediction-by-prefix-only': edited('predicts providers by prefixes, whatever the operator says', [
    'actions/predict-provider.ts',
    'if (asked.option) return',
    'if (asked.option && !mayAskOperator) return',
  ]),
  'expected-amount-ignored': edited('completes an expected payment by any amount', [
    EXPECTED,
    "status === 'PENDING' && now < expiresAt && amountMinor >= minMinor && amountMinor <= maxMinor",
    "status === 'PENDING' && now < expiresAt",
  ]),
  'typed-reference-by-case': edited('compares what customers type letter by letter', [
    EXPECTED,
    "text.replaceAll(/[\\s-]/g, '').toUpperCase()",
    "text.replaceAll(/[\\s-]/g, '')",
  ]),
  'paid-amount-not-recorded': edited('keeps the least amount of a free payment when more is paid', [
    EXPECTED,
    '    request: amount,\n    amount,',
    '    amount,',
  ]),
  'expected-never-ends': edited('leaves an expected payment open that nobody has paid', [
    'actions/expected-payments.ts',
    'const isOver = now >= (until.get(item.subjectId) ?? now)',
    'const isOver = until.size === 0',
  ]),
  'typed-reference-kept': edited('keeps the reference of an expected payment that has ended', [
    'actions/expected-payments.ts',
    'await unit.endExpected(unpaid.map(({ id }) => id))',
    'await unit.endExpected([])',
  ]),
})
