import { sourceFaults, type SourceFault } from './planted-fault.ts'

const READ = 'actions/read-account-message.ts'

/** Faults in what is made of payments that nobody asked for. */
export const UNREQUESTED_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('unrequested payments', 'simulation', {
    'claim-booked': [
      'a payment is booked because a message claims it',
      [READ, 'if (confirmed?.receipt !== receipt) return', 'if (!payment) return'],
      [READ, 'unrequested.book(railAccount, confirmed,', 'unrequested.book(railAccount, payment,'],
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
      ['rails/daraja/pull.ts', 'return amount && { ...claim, amount }', 'return amount && claim'],
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
]
