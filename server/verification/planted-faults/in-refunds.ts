import { sourceFaults, type SourceFault } from './planted-fault.ts'

const REFUND = 'domain/refund.ts'
const ACTION = 'actions/refund-collection.ts'

/** Faults in refunds: what they take of a collection, what they hold, and how often they go out. */
export const REFUND_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('refunds', 'simulation', {
    'refund-beyond-the-collection': [
      'what other refunds have taken is not taken off',
      [REFUND, 'request.amountMinor - refunded.requestMinor', 'request.amountMinor'],
    ],
    'refund-on-its-way-free': [
      'a refund without an outcome leaves its part of the collection to others',
      [REFUND, "(status !== 'FAILED' && status !== 'CANCELLED')", "status === 'COMPLETED'"],
    ],
    'refund-of-the-unpaid': [
      'a collection is refunded before it is paid',
      [REFUND, "collection?.status !== 'COMPLETED'", '!collection'],
    ],
    'refund-booked-late': [
      'a refund that is paid after its failure is booked, though another one has taken its place',
      [ACTION, 'allowFinalStatusChange: false', 'allowFinalStatusChange: true'],
    ],
    'refund-from-the-payout-wallet': [
      'the payout wallet pays for refunds',
      ['domain/ledger.ts', "type === 'REFUND' ? 'collection_available'", "type === 'REFUND' ? 'payout_available'"],
    ],
    'refund-hold-kept': [
      'the hold of a refund stays when it ends',
      [
        'actions/settle-results.ts',
        "to.type === 'COLLECTION' || from === 'PENDING'",
        "to.type !== 'PAYOUT' || from === 'PENDING'",
      ],
    ],
    'refund-without-a-hold': [
      'a refund goes out before its money is held',
      [ACTION, "firstJob: { kind: 'holdRefund'", "firstJob: { kind: 'submitRefund'"],
    ],
    'refund-repeated': [
      'a refund that must not be repeated is sent again',
      [
        'actions/rail-order.ts',
        'traits.refund ?? NONE_LEFT',
        "{ ...(traits.refund ?? NONE_LEFT), repeat: 'safe' as const }",
      ],
    ],
    'refund-while-suspended': [
      'refunds of a suspended merchant go out',
      ['actions/suspended-payouts.ts', "type !== 'COLLECTION'", "type === 'PAYOUT'"],
    ],
    'refund-to-another-account': [
      'a refund goes to another number than the collection came from',
      [ACTION, '    account,\n', "    account: account.replace(/.$/, '9'),\n"],
    ],
    'refund-charge-taken-twice': [
      'the charge that goes back is taken from the merchant as well',
      [REFUND, 'chargeCustomer ? amountMinor : amountMinor - chargeMinor', 'amountMinor'],
    ],
  }),
]
