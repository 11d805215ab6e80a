import { sourceFaults, type SourceFault } from './planted-fault.ts'

const RULES = 'domain/payout-waits.ts'
const WAITING = 'actions/waiting-payouts.ts'

/** Faults around payouts that wait for float or for their operator: under schedules, and in the rules alone. */
export const WAITING_PAYOUT_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('waiting payouts', 'simulation', {
    'handed-over-and-failed': [
      'an order that may have arrived fails because its operator is away',
      [WAITING, 'open.filter(isUnsent)', "open.filter(({ type }) => type !== 'COLLECTION')"],
      [
        'domain/transaction.ts',
        'if (!isUnsent(transaction)) throw new Error(`${transaction.internalReference} may have been sent`)',
        '',
      ],
    ],
    'waited-hold-released-twice': [
      'the hold of a payout that waited in vain is released twice',
      [WAITING, "'PROCESSING', failed)", "'PROCESSING', [...failed, ...failed])"],
    ],
    'waited-hold-kept': [
      'the hold of a payout that waited in vain is kept',
      [WAITING, "'PROCESSING', failed)", "'PENDING', failed)"],
    ],
    'float-spent-twice': [
      'what is handed over is not taken off the float',
      ['domain/refund.ts', ': order.amount.amountMinor', ': 0n'],
    ],
    'wait-reason-swapped': [
      'a payout that the float does not cover fails because the operator could not be reached',
      [RULES, "covered.has(payout.id) ? 'operator' : 'float'", "covered.has(payout.id) ? 'float' : 'operator'"],
    ],
    'large-payout-starved': [
      'smaller payouts overtake a large one for as long as it waits',
      [RULES, '>= OVERTAKEN_MS_MAX', '>= Infinity'],
    ],
  }),
  ...sourceFaults('float', 'server/actions/waiting-payouts.test.ts', {
    'refunds-uncounted': [
      'what refunds take is not taken off the float',
      [WAITING, ': terms.hasFloat && nextRailAccount(rail, order) === terms.railAccount', ': false'],
    ],
    'uncounted-while-unknown': [
      'what goes while no float is known is not counted',
      [WAITING, 'floats.has(name) && goingMinor', 'floats.get(name) !== undefined && goingMinor'],
      [
        'storage/payout-waits.ts',
        '(b.checked_at > $3 and b.float_minor < r.minor) is not true',
        'b.checked_at > $3 and b.float_minor >= r.minor',
      ],
    ],
  }),
  ...sourceFaults('float', 'server/domain/payout-waits.test.ts', {
    'waits-for-ever': [
      'a payout waits until its operator can pay it, however long',
      [RULES, ' || now.getTime() - payout.since.getTime() >= waitMs', ''],
    ],
    'one-merchant-takes-all': [
      'the merchant whose payouts came first gets all of the float',
      [RULES, 'takenBy(one[0]) < takenBy(least[0])', 'takenBy(one[0]) < 0n'],
    ],
    'all-try-at-once': ['all payouts go to an operator that may be back', [RULES, ' && id === first?.id)', ')']],
  }),
]
