import { sourceFaults, type SourceFault } from './planted-fault.ts'

const CANCEL = 'actions/cancel-payout.ts'
const RESOLVE = 'actions/resolve-transaction.ts'
const UNSENT = "status === 'PENDING' || (railOrderId === undefined && status === 'PROCESSING')"

/** Faults in what merchants do with payouts beyond sending them. */
export const PAYOUT_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('cancellations', 'simulation', {
    'cancelled-after-handover': [
      'a payout is cancelled after its order was sent',
      ['domain/transaction.ts', UNSENT, "status === 'PENDING' || (railOrderId !== '' && status === 'PROCESSING')"],
    ],
    'cancelled-by-early-look': [
      'the state before the lock decides: a payout is cancelled while it is handed over',
      [CANCEL, '!isUnsent(payout)', '!isUnsent(found)'],
      [
        'domain/transaction.ts',
        'if (!isUnsent(transaction)) throw new Error(`${transaction.internalReference} may have been sent`)',
        '',
      ],
    ],
    'cancelled-and-paid': [
      'a cancellation is acknowledged and the payout goes on',
      [CANCEL, 'await endUnsent(unit, deps, payout, MERCHANT_CANCELLED)', 'await unit.saveStates([payout])'],
    ],
    'cancelled-hold-kept': [
      'the money of a cancelled payout stays held',
      [
        RESOLVE,
        "isHeld ? 'PROCESSING' : 'PENDING'",
        "isHeld && failure.code !== 'merchant_cancelled' ? 'PROCESSING' : 'PENDING'",
      ],
    ],
    'cancelled-hold-invented': [
      'a cancelled payout releases a hold that it never had',
      [
        RESOLVE,
        "isHeld ? 'PROCESSING' : 'PENDING'",
        "isHeld || failure.code === 'merchant_cancelled' ? 'PROCESSING' : 'PENDING'",
      ],
    ],
    'cancelled-twice': [
      'a final payout is cancelled again',
      [CANCEL, '!isUnsent(payout)', "payout.status === 'COMPLETED'"],
      [
        'domain/transaction.ts',
        'if (!isUnsent(transaction)) throw new Error(`${transaction.internalReference} may have been sent`)',
        '',
      ],
    ],
  }),
]
