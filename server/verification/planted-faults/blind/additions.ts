import { blindFaults } from './blind-faults.ts'

const REFUND = 'domain/refund.ts'
const ACCEPT = 'actions/refund-collection.ts'
const RECORD = 'messages/transaction-record.ts'
const BATCH = 'actions/create-payout-batch.ts'
const BATCH_RECORD = 'messages/payout-batch-record.ts'
const TOTALS = 'domain/payout-batch.ts'
const ROWS = 'http/batch-rows.ts'
const HANDLER = 'http/handlers/payout-batches.ts'
const CANCEL = 'actions/cancel-payout.ts'

/** Refunds, batches and cancelled payouts, listed from the contract before anybody looked at their rules: 40. */
export const ADDITION_FAULTS = [
  ...blindFaults('refunds', {
    'refund-of-all-again': [
      'reads an absent amount as the whole collection, though a part is refunded',
      [REFUND, 'requestedMinor ?? leftMinor', 'requestedMinor ?? request.amountMinor'],
    ],
    'refund-rounded-up': [
      'rounds converted parts up',
      [
        REFUND,
        '(wholeMinor * minor) / request.amountMinor',
        '(wholeMinor * minor + request.amountMinor - 1n) / request.amountMinor',
      ],
    ],
    'refund-gives-charge-back': [
      'gives its charge back, though the provider has no such rule',
      [REFUND, 'givesChargeBack ? part(', 'givesChargeBack !== undefined ? part('],
    ],
    'refund-before-completion': [
      'accepts refunds of collections that are not completed',
      [REFUND, "collection?.status !== 'COMPLETED'", "!collection || collection.status === 'FAILED'"],
    ],
    'failed-refund-takes-its-part': [
      'leaves nothing of a collection after a refund that failed',
      [REFUND, "(status !== 'FAILED' && status !== 'CANCELLED')", "(status !== 'CANCELLED')"],
    ],
    'refund-by-own-reference-only': [
      'finds no collection by its internal reference',
      [ACCEPT, '(await lookups.payment(reference))?.transaction', 'undefined'],
    ],
    'refund-for-strangers': [
      "refunds another merchant's collection by its internal reference",
      [ACCEPT, ' || found.merchantId !== id', ''],
    ],
    'refund-of-a-payout': [
      'does not say that a payout is no collection',
      [ACCEPT, "found?.type !== 'COLLECTION' ||", 'found === undefined ||'],
    ],
    'refund-among-payments': [
      'counts the references of refunds among those of payments',
      [REFUND, '=> `refund:${merchantReference}`', '=> merchantReference'],
    ],
    'refund-unknown-as-transaction': [
      'calls an unknown refund a transaction',
      [ACCEPT, '`Refund (${merchantReference}) was', '`Transaction (${merchantReference}) was'],
    ],
    'refund-event-of-payments': [
      'reports refunds as transaction.completed and transaction.failed',
      [
        'domain/callback.ts',
        "type === 'REFUND' ? 'refund' : 'transaction'",
        "type === 'REFUND' ? 'transaction' : 'transaction'",
      ],
    ],
    'refund-references-swapped': [
      "swaps the collection's references in the record of a refund",
      [RECORD, 'refund.collection.merchantReference', 'refund.collection.internalReference.slice(0, 25)'],
    ],
    'refund-reason-cut': [
      'cuts the reason of a refund off',
      [RECORD, 'reason: refund.reason', 'reason: refund.reason.slice(0, 8)'],
    ],
    'refund-debit-in-request-currency': [
      'states total_debit of a refund in the request currency',
      [
        RECORD,
        'total_debit: amountToWire(reportedTotalMinor(transaction), currency)',
        'total_debit: amountToWire(transaction.request.amountMinor, currency)',
      ],
    ],
    'refund-key-forgotten': [
      'forgets the idempotency key of a refund',
      [ACCEPT, 'refunds, ...(claim && { idempotency: claim })', 'refunds'],
    ],
    'refund-left-off-by-one': [
      'names one unit more than is left to refund',
      [REFUND, 'left(fault.leftMinor)', 'left(fault.leftMinor + 1n)'],
    ],
    'refund-callback-of-the-collection': [
      'sends the record of a payment in the callback of a refund',
      [RECORD, 'payload: refundRecord(transaction)', 'payload: transactionRecord(transaction)'],
    ],
    'refund-total-kept-when-failed': [
      'states the debit of a refund that failed',
      [
        RECORD,
        'total_debit: amountToWire(reportedTotalMinor(transaction), currency)',
        'total_debit: amountToWire(transaction.totalMinor, currency)',
      ],
    ],
    'refund-method-named-wrong': [
      'says PAYOUT of a refund by the rail',
      [RECORD, "refund.way === 'payout' ? 'PAYOUT' : 'REFUND'", "refund.way === 'payout' ? 'REFUND' : 'PAYOUT'"],
    ],
  }),
  ...blindFaults('batches', {
    'batch-over-with-its-first': [
      'calls a batch COMPLETED with its first final payout',
      [TOTALS, 'payouts.every(({ status }) => isFinal', 'payouts.some(({ status }) => isFinal'],
    ],
    'batch-sum-without-failed': [
      'leaves failed payouts out of the amount of a batch',
      [
        TOTALS,
        'amount: sumOf(currency, alike)',
        "amount: sumOf(currency, alike.filter(({ status }) => status !== 'FAILED'))",
      ],
    ],
    'batch-currencies-merged': [
      'adds the currencies of a batch up as one',
      [TOTALS, '({ amount }) => amount.currency)].map', "() => payouts[0]?.amount.currency ?? 'UGX')].map"],
    ],
    'batch-used-called-payment': [
      'names the wrong field for a batch reference that is used',
      [BATCH, '`batch_reference (${reference})', '`merchant_reference (${reference})'],
    ],
    'batch-first-fault-only': [
      'names the first faulty row only',
      [BATCH, 'sort((a, b) => a.line - b.line)', 'sort((a, b) => a.line - b.line).slice(0, 1)'],
    ],
    'batch-used-row-unnoticed': [
      'answers 202 to a batch with a used reference, and stores nothing',
      [
        BATCH,
        "result === 'accepted' ? [] : refusedRows",
        "typeof result !== 'object' || result.length > 0 ? [] : refusedRows",
      ],
    ],
    'batch-twin-rows-found-late': [
      'does not say in which line a reference of a batch stands already',
      [BATCH, 'if (other !== undefined)', 'if (other !== undefined && other < 0)'],
    ],
    'batch-lines-from-zero': ['counts the rows of a batch from 0', [ROWS, 'line: index + 1', 'line: index']],
    'batch-of-strangers': [
      "shows another merchant's batch",
      [
        'storage/payout-batches.ts',
        'where merchant_id = $1 and reference = $2',
        'where $1::bigint > 0 and reference = $2',
      ],
    ],
    'batch-unknown-field-ignored': [
      'ignores unknown fields in the rows of a batch',
      [ROWS, 'if (unknown !== undefined) return { fault: notAllowed(unknown) }', ''],
    ],
    'batch-digits-rounded': [
      'judges the amounts of a batch after they were rounded',
      [ROWS, 'const digits = amountOf(row)', 'const digits = amountOf({})'],
    ],
    'batch-count-off': [
      'counts the payouts of an accepted batch wrongly from the third on',
      [HANDLER, 'payouts: rows.length }', 'payouts: Math.min(rows.length, 2) }'],
    ],
    'batch-key-forgotten': [
      'forgets the idempotency key of a batch',
      [BATCH, '...(claim && { idempotency: claim }),', ''],
    ],
    'batch-callback-of-success-only': [
      'sends no callback of a batch in which a payout failed',
      [
        'actions/finish-batches.ts',
        '  if (!first) return',
        "  if (!first || payouts.some(({ payout }) => payout.status === 'FAILED')) return",
      ],
    ],
    'batch-code-left-out': [
      'leaves the failure code of the payouts of a batch out',
      [BATCH_RECORD, '...(payout.failureCode !== undefined && { failure_code: payout.failureCode })', '...{}'],
    ],
  }),
  ...blindFaults('cancellations', {
    'cancel-after-the-handover': [
      'says that a payout is cancelled which was handed over, and pays it',
      [
        CANCEL,
        '      if (!isUnsent(payout))',
        "      if (payout.status === 'PROCESSING') return\n      if (!isUnsent(payout))",
      ],
    ],
    'cancel-words': [
      'gives another reason for a cancelled payout',
      ['domain/transaction.ts', "'Payout cancelled by the merchant'", "'Cancelled by the merchant'"],
    ],
    'cancel-of-a-collection': [
      'does not say that a collection is no payout',
      [CANCEL, "found?.type !== 'PAYOUT'", 'found === undefined'],
    ],
    'cancel-key-forgotten': [
      'forgets the idempotency key of a cancellation',
      [CANCEL, 'if (claim && !', 'if (claim && claim.key === undefined && !'],
    ],
    'cancel-too-late-is-unknown': [
      'answers 404 where a payout cannot be cancelled any more',
      [CANCEL, "          'payout_handed_over',", "          'unknown_reference',"],
    ],
    'cancel-code-declined': [
      'says that the operator declined a cancelled payout',
      ['domain/transaction.ts', "code: 'merchant_cancelled',", "code: 'declined',"],
    ],
  }),
]
