import { sourceFaults, type SourceFault } from './planted-fault.ts'

const READ = 'actions/read-account-message.ts'
const TAKE = 'actions/expected-payments.ts'

/** Faults in what is made of payments that nobody asked for. */
export const UNREQUESTED_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('unrequested payments', 'simulation', {
    'claim-booked': [
      'a payment is booked because a message claims it',
      [READ, 'if (confirmed?.receipt !== receipt) return', 'if (!payment) return'],
      [READ, 'unrequested.book(railAccount, confirmed,', 'unrequested.book(railAccount, payment,'],
      [READ, 'takePayment(deps, railAccount, confirmed)', 'takePayment(deps, railAccount, payment)'],
    ],
    'claimed-amount-booked': [
      'the amount of the message is booked, not that of the operator',
      [READ, 'unrequested.book(railAccount, confirmed,', 'unrequested.book(railAccount, payment,'],
    ],
    'confirmed-not-booked': [
      'a payment that the operator confirms is booked nowhere',
      [READ, '(await unrequested.book(railAccount, confirmed, clock.now()))', '(confirmed.receipt)'],
    ],
  }),
  ...sourceFaults('unrequested payments', 'wire simulation', {
    'claimed-amount-confirmed': [
      'the list of M-PESA confirms a receipt, and the amount of the message is booked',
      ['rails/daraja/pull.ts', 'return asBooked(claim, { amount,', 'return asBooked(claim, { amount: claim.amount,'],
    ],
  }),
  ...sourceFaults('unrequested payments', 'server/actions/port-tests/account-messages.test.ts', {
    'receipt-booked-twice': [
      'a receipt that is confirmed twice at once is booked twice',
      [
        'admin/queries/statements/book-unrequested.ts',
        'if (rowCount) return false',
        'if (rowCount === -1) return false',
      ],
    ],
    'claim-is-money': [
      'a receipt that is booked is claimed again',
      ['admin/queries/statements/book-unrequested.ts', 'return !rowCount', 'return rowCount !== -1'],
    ],
  }),
  ...sourceFaults('payments that customers start', 'simulation', {
    'claimed-reference-believed': [
      'the reference of the message decides whose payment it is, not that of the operator',
      [
        READ,
        'takePayment(deps, railAccount, confirmed)',
        'takePayment(deps, railAccount, { ...confirmed, reference: payment.reference ?? "" })',
      ],
    ],
  }),
  ...sourceFaults('payments that customers start', 'server/actions/expected-payments.test.ts', {
    'paid-after-its-end': [
      'a payment completes what has failed',
      ['domain/expected-payment.ts', "status === 'PENDING' && now < expiresAt &&", "status !== 'COMPLETED' &&"],
      ['domain/expected-payment.ts', "if (collection.status !== 'PENDING')", "if (collection.status === 'COMPLETED')"],
    ],
    'receipt-taken-twice': [
      'a receipt completes one collection and lies on suspense as well',
      [
        'storage/expected-payments.ts',
        'where p.transaction_id is null and p.line_id is null',
        'where p.line_id is null',
      ],
    ],
    'wrong-amount-lost': [
      'a payment of another amount is booked nowhere',
      [TAKE, 'await unit.book([paidAgainTransfer(paid)], now)', 'await unit.book([], now)'],
      [TAKE, 'railPaidAt: now,', ''],
    ],
    'typed-reference-shared': [
      'two open payments have one reference',
      ['domain/acceptance.ts', "{ typedReference: 'taken' }", "'accepted'"],
    ],
    'taken-on-suspense-too': [
      'a receipt that a collection has taken is booked to suspense',
      ['admin/queries/statements/book-unrequested.ts', 'if (taken[0]?.is_taken) return false', ''],
    ],
  }),
]
