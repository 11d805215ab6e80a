import { sourceFaults, type SourceFault } from './planted-fault.ts'

const RULE = 'domain/payout-batch.ts'
const CREATE = 'actions/create-payout-batch.ts'
const FINISH = 'actions/finish-batches.ts'
const VERIFY = 'actions/verify-payout.ts'
const DECIDE = 'actions/decide-approvals.ts'
// The commit checks again what a batch tries again: a fault of the rule is one of both.
const STORED = 'verification/simulation/memory-store/payout-batches.ts'

/** Faults in batches of payouts: what is accepted, what is tried again, and what is said at the end. */
export const BATCH_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('batches', 'simulation', {
    'batch-accepted-in-part': [
      'a batch with a faulty row is refused, and its other rows are accepted',
      [CREATE, 'isTrial || faults.length > 0', 'isTrial'],
    ],
    'batch-split-under-the-rule': [
      'an amount that is split over rows waits for nobody',
      [
        CREATE,
        'approvedAs: money(sums.get(currency) ?? 0n, currency)',
        'approvedAs: money(sums.size > 0 ? 1n : 0n, currency)',
      ],
    ],
    'batch-retries-the-unknown': [
      'a payout without an outcome is tried again',
      [RULE, "payout.status === 'FAILED' &&", "payout.status !== 'COMPLETED' &&"],
      [STORED, "one.status === 'FAILED' &&", "one.status !== 'COMPLETED' &&"],
    ],
    'batch-approved-but-one': [
      'an approval of a batch leaves one of its payouts behind',
      [
        DECIDE,
        'await goOn(unit, decided, at)',
        'await goOn(unit, decided.length > 1 ? decided.slice(1) : decided, at)',
      ],
    ],
    'batch-retries-twice': [
      'a payout is tried again as often as somebody asks',
      [RULE, ' && !isRetried', ''],
      [STORED, ' && !tried.has(one.id)', ''],
    ],
    'batch-row-held-unverified': [
      'a payout of a batch goes on before its batch is confirmed',
      [VERIFY, "batched.get(subjectId) === 'confirmed'", 'batched.has(subjectId)'],
    ],
    'batch-refused-but-one': [
      'a refused batch leaves one of its payouts waiting',
      ['actions/verify-batch.ts', 'const failed = pending.map(', 'const failed = pending.slice(0, 1).map('],
    ],
    'batch-ends-early': [
      'a batch ends while payouts of it are open',
      [FINISH, 'await unit.openBatches([...batches.keys()])', 'new Set<bigint>()'],
    ],
    'batch-ends-twice': [
      'the end of a batch is reported twice',
      [FINISH, 'for (const batch of finished) await', 'for (const batch of [...finished, ...finished]) await'],
    ],
    'batch-never-ends': [
      'a batch that is open is never looked at again',
      [FINISH, 'dueAt: nextLookAt(batch, now)', 'dueAt: new Date(2 * nextLookAt(batch, now).getTime())'],
    ],
  }),
]
