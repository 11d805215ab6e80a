import { blindFaults } from './blind-faults.ts'

const VERIFY = 'actions/verify-transaction.ts'

/** Statuses, one-time passwords, verification, sandbox numbers. */
export const LIFECYCLE_FAULTS = [
  ...blindFaults('statuses', {
    // Statement: Transaction record, status_message describes the status.
    'late-success-keeps-the-failure-text': [
      'leaves the reason of the failure in status_message when a late result completes a transaction (test number 007)',
      [
        'domain/transaction.ts',
        'statusMessage: STATUS_MESSAGES.completed,',
        'statusMessage: transaction.finalAt ? transaction.statusMessage : STATUS_MESSAGES.completed,',
      ],
    ],
    // Statement: States, rule 4, allow_final_status_change.
    'false-is-the-default-too': [
      'lets a late result complete a collection that forbids it: false counts as absent (test number 007)',
      [
        'http/handlers/initialize-collection.ts',
        'body.allow_final_status_change ?? true',
        'body.allow_final_status_change || true',
      ],
    ],
    // Statement: States, COMPLETED is final; transaction record, total_credit is credited.
    'late-success-not-credited': [
      'credits no wallet when a late result completes a collection (test number 007; balance against transaction)',
      [
        'actions/settle-results.ts',
        '.filter(({ to }) => isCompletedCollection(to))',
        ".filter(({ from, to }) => from === 'PROCESSING' && isCompletedCollection(to))",
      ],
    ],
  }),
  ...blindFaults('verification', {
    // Statement: States, COMPLETED is final.
    'completed-flickers': [
      'answers one verify in 30 of a completed transaction with PROCESSING (intermittent; two verifies)',
      [
        VERIFY,
        'if (transaction) return transaction\n',
        `if (transaction?.status === 'COMPLETED' && completedOnes++ % 30 === 29)
    return { ...transaction, status: 'PROCESSING', statusMessage: 'Transaction Processing' }
  if (transaction) return transaction
`,
      ],
      [
        VERIFY,
        'export async function verifyTransaction(',
        'let completedOnes = 0\nexport async function verifyTransaction(',
      ],
    ],
    // Statement: Endpoint 3, the record of the merchant's reference.
    'fresh-transaction-not-found': [
      'answers one verify in 10 within a second of the acceptance with 404 (intermittent; two verifies)',
      [
        VERIFY,
        'if (transaction) return transaction\n',
        `const isFresh = transaction !== undefined && Date.now() - transaction.createdAt.getTime() < 1_000
  if (transaction && !(isFresh && freshOnes++ % 10 === 9)) return transaction
`,
      ],
      [
        VERIFY,
        'export async function verifyTransaction(',
        'let freshOnes = 0\nexport async function verifyTransaction(',
      ],
    ],
  }),
  ...blindFaults('one-time passwords', {
    // Statement: Endpoint 5; the contract: after 5 wrong tries the collection fails.
    'sixth-otp-try': [
      'lets a customer try a sixth one-time password',
      ['domain/payment-session.ts', 'return otpTriesLeft > 0', 'return otpTriesLeft >= 0'],
    ],
    // Statement: Endpoint 5, the OTP of a collection; the contract: some providers ask for one.
    'otp-skipped-now-and-then': [
      'sends one collection in 20 that needs a one-time password to the operator without it (intermittent; providers with OTP)',
      [
        'actions/initialize-collection.ts',
        'const requiresOtp = !onPage && (option.requiresOtp || deps.accountRequiresOtp(account))',
        `const needsOtp = !onPage && (option.requiresOtp || deps.accountRequiresOtp(account))
  const requiresOtp = needsOtp && otpCollections++ % 20 !== 19`,
      ],
      [
        'actions/initialize-collection.ts',
        'function newCollection(',
        'let otpCollections = 0\nfunction newCollection(',
      ],
    ],
  }),
  ...blindFaults('sandbox', {
    // Statement: the contract's table of test numbers, 456.
    'test-number-456-pays': [
      'completes what the test number 456 should fail for want of money',
      ['local/sandbox/simulator.ts', "    case '002':\n    case '456':\n", "    case '002':\n"],
    ],
    // Statement: the contract's table of test numbers, 008: unreachable twice, then exactly one transfer.
    'test-number-008-fails-payouts': [
      'fails a payout to the test number 008, whose operator is unreachable twice and then pays (payouts only)',
      [
        'local/sandbox/simulator.ts',
        'return { unreachableTries: 2, reports: [{ afterMs: delayMs, outcome: completed }] }',
        "return { unreachableTries: 2, reports: [{ afterMs: delayMs, outcome: type === 'PAYOUT' ? TIMED_OUT : completed }] }",
      ],
    ],
  }),
]
