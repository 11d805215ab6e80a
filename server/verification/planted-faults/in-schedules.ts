import { sourceFaults, type SourceFault } from './planted-fault.ts'

const APPLY = 'actions/apply-reports.ts'
const SETTLE = 'actions/settle-results.ts'
const SUBMIT = 'actions/submit-to-rail.ts'
const SUBMISSION_RULES = 'actions/submission-rules.ts'
const QUERY = 'actions/poll-rail.ts'
const HOLD = 'actions/hold-funds.ts'
const VERIFY = 'actions/verify-payout.ts'
const STEPS = 'actions/payment-steps.ts'
const SUSPENDED = 'actions/suspended-payouts.ts'
const ACCOUNT_BOUNDS = 'domain/account-bounds.ts'
const AMOUNT_LIMITS = 'domain/amount-limits.ts'
const SEND_OTP = 'actions/send-otp.ts'
const LEASES = 'jobs/leases.ts'
const PORT_JOBS = 'actions/ports/jobs.ts'
const RETRIES = 'jobs/retries.ts'
const NOTIFICATIONS = 'jobs/notifications.ts'
const TRANSACTION = 'domain/transaction.ts'
const APPROVALS = 'domain/approvals.ts'
const DECIDE = 'actions/decide-approvals.ts'

/** Faults in commits, leases and the order of events: found under schedules, with a rail that speaks the port's terms. */
export const SCHEDULE_FAULTS: readonly SourceFault[] = [
  ...sourceFaults('jobs', 'simulation', {
    'token-repeats': [
      'the attempt number is the fencing token, which restarts with every job kind, and the kind is not compared',
      [PORT_JOBS, 'row.kind === item.kind && row.token === item.token', '(row as Job).attempt === item.attempt'],
    ],
    'poisoned-batch': [
      'a batch that fails is left to the end of its lease as a whole',
      [RETRIES, 'if (among === 1 && job) return this.quarantine(error, job)', 'if (job) return'],
    ],
    'no-lease-check': [
      'a worker that was paused past its lease still writes',
      ['actions/held-jobs.ts', 'claimName(item)', 'claimName(item)) || items.includes(item'],
    ],
    'answer-after-lease': [
      'a handshake reply counts whoever holds the job, and whatever status the payout has by now',
      [VERIFY, "isHeld(item) && locked.get(payout.id)?.status === 'PENDING'", 'locked.has(payout.id) || isHeld(item)'],
      [
        VERIFY,
        "endPending(present(locked.get(payout.id), 'a payout'), 'FAILED', next.failure, now)",
        "{ ...payout, status: 'FAILED' as const, statusMessage: next.failure.reason, finalAt: now }",
      ],
    ],
    'lease-without-end': [
      'the jobs of a process that died are never taken over',
      [LEASES, 'export const LEASE_MS = 30_000', 'export const LEASE_MS = 30_000_000_000'],
    ],
    'unavailable-split': [
      'a batch whose answer was lost is run again item by item',
      ['actions/ports/store.ts', 'if (batch.length === 1 || !splitOn(error))', 'if (batch.length === 0)'],
    ],
    'wake-and-poll-lost': [
      'a poll that finds nothing is the last one, unless something wakes it',
      [NOTIFICATIONS, 'else if (running) cancelTimer = timers.after(waitMs, request)', ''],
    ],
  }),
  ...sourceFaults('results', 'simulation', {
    'late-result-beside-its-failure': [
      'FAILED and late COMPLETED in one batch: what the failure gives back is not there for the completion',
      [APPLY, "if (to.status === 'FAILED' && from === 'PROCESSING') balances.set(name, before + to.totalMinor)", ''],
    ],
    'repeated-result': [
      'a result that is repeated is applied again',
      [
        TRANSACTION,
        "if (status === outcome.status) return { effect: 'recorded', why: `The rail repeated ${outcome.status}` }",
        'if (status === outcome.status) return settled(transaction, outcome, now)',
      ],
    ],
    'late-result-repeated': [
      'a late result is applied to what was completed meanwhile',
      [TRANSACTION, "(status === 'FAILED'", "(isFinal(status) && outcome.status === 'COMPLETED'"],
      [
        TRANSACTION,
        "if (status === outcome.status) return { effect: 'recorded', why: `The rail repeated ${outcome.status}` }",
        '',
      ],
    ],
    'failed-after-completed': [
      'a FAILED that comes after COMPLETED wins',
      [TRANSACTION, "if (status === 'PROCESSING'", "if (status === 'PROCESSING' || status === 'COMPLETED'"],
    ],
    'uncovered-forgotten': [
      'what the wallet does not cover late is only a line in the history',
      [APPLY, ': notBooked(transaction, UNCOVERED, now)', ": { effect: 'recorded', why: UNCOVERED }"],
    ],
    'uncovered-booked': [
      'a late completion is booked whether the wallet covers it or not',
      [APPLY, 'if (before < to.totalMinor) {', 'if (before + to.totalMinor < 0n) {'],
    ],
    'too-late-forgotten': [
      'what the rail pays after 72 hours is only a line in the history',
      [TRANSACTION, "return transaction.type !== 'COLLECTION'\n    ?", 'return transaction.merchantId < 0n\n    ?'],
    ],
    'failure-code-kept': [
      'what is completed late keeps the code of its failure, and says so',
      [TRANSACTION, '{ failureCode: _before, ...transaction }', 'transaction'],
    ],
    'refusal-without-code': [
      'the code of what the rail refuses at once is lost',
      [SUBMISSION_RULES, '...(code !== undefined && { code }),', '...(code === undefined && { code }),'],
    ],
  }),
  ...sourceFaults('deliveries', 'simulation', {
    'callback-before-commit': [
      'the callback is stored by a commit of its own, before the state that it reports',
      [
        SETTLE,
        'await unit.addCallbacks(callbacks, now)',
        'await (deps as unknown as SettleDeps).store.transaction((other) => other.addCallbacks(callbacks, now))',
      ],
    ],
    'second-state-untold': [
      'of two states in one batch only the last is reported',
      [SETTLE, ' steps.flatMap', ' steps.slice(-1).flatMap'],
    ],
    'same-webhook-id': [
      'the callbacks of one payment share their id',
      [SETTLE, 'webhookId: newCallbackId(deps.random, id)', 'webhookId: transaction.internalReference'],
    ],
    'withheld-is-delivered': [
      'a callback that waits for a URL is reported as delivered',
      ['domain/deliveries.ts', "= 'STOPPED'", "= 'DELIVERED'"],
    ],
    'resend-overruled': [
      'an attempt that was under way when staff sent the callback again has the last word',
      ['domain/deliveries.ts', ' && callback.resends === stored.get(callback.id)?.resends', ''],
    ],
  }),
  ...sourceFaults('holds', 'simulation', {
    'hold-released-twice': [
      'a late completion finds its hold given back, and gives it back again',
      [SETTLE, "'payout_late'", "'payout_late'), ...(from === 'FAILED' ? [releaseTransfer(to)] : []"],
    ],
    'hold-kept': [
      'a payout that fails at the rail keeps its hold',
      [SETTLE, 'return [releaseTransfer(to)]', 'return []'],
    ],
    'late-from-hold': [
      'a late completion is paid from the hold, which is no longer there',
      [SETTLE, "from === 'PROCESSING' ? 'payout' : 'payout_late')]", "'payout')]"],
    ],
    'hold-unchecked': [
      'payouts are held whatever their wallet holds',
      [HOLD, 'if (rest >= 0n) remaining.set(name, rest)', 'remaining.set(name, rest)'],
      [HOLD, ';(rest >= 0n ? covered : uncovered).push(payout)', ';covered.push(payout)'],
    ],
    'too-low-gives-up': [
      'a wallet that somebody else has emptied meanwhile fails the batch instead of being judged again',
      ['actions/until-covered.ts', 'const TRIES_MAX = 10', 'const TRIES_MAX = 1'],
    ],
    'release-forgotten': [
      'credit that is to clear later never does',
      [
        SETTLE,
        'await unit.addJobs(completed.flatMap(({ transaction, rule }) => releasesOf(transaction, rule, now)))',
        '',
      ],
    ],
    'transactions-unlocked': [
      'the locks of the payments end before their new states are written',
      [
        SETTLE,
        'settleWithin(unit, deps, reports)',
        'settleWithin({ ...unit, lockTransactions: (by) => deps.store.transaction((other) => other.lockTransactions(by)) }, deps, reports)',
      ],
    ],
  }),
  ...sourceFaults('bounds', 'simulation', {
    'limit-not-released': [
      'what failed goes on counting toward its limit',
      [SETTLE, 'await unit.releaseDailyLimit(released.map(({ to }) => to))', ''],
    ],
    'late-not-counted': [
      'what was completed late does not count toward its limit',
      [
        SETTLE,
        'await unit.countTowardDailyLimit([...late, ...notBooked].filter(isLimited))',
        'await unit.countTowardDailyLimit([])',
      ],
    ],
    'limit-unlocked': [
      'two requests see the same free rest of a limit',
      [AMOUNT_LIMITS, '[...new Set(accounts)].sort()', '[]'],
    ],
    'page-goes-on-counting': [
      'a page whose customer has confirmed is still open for its number',
      [
        STEPS,
        'await unit.endPageUsage(transaction)\n  if (session.retries) await unit.saveStates',
        'if (session.retries) await unit.saveStates',
      ],
    ],
    'guesses-without-end': [
      'wrong OTPs are counted, and the count is never checked',
      [STEPS, 'unit.lockAccountUsage(account, now), now)) return', '[], now)) return'],
    ],
    'prompts-without-end': [
      'prompts are counted, and the count is never checked',
      [
        ACCOUNT_BOUNDS,
        "{ counts: 'prompt', inLastHour: true, refusedAs: 'prompt', ...shared(bounds.promptsPerHourMax, bounds) },\n  { counts: 'prompt', refusedAs: 'prompt', ...shared(bounds.promptsPerDayMax, bounds) },",
        '',
      ],
    ],
  }),
  ...sourceFaults('submissions', 'simulation', {
    'unknown-is-failed': [
      'a submit without an answer fails the payment',
      [
        SUBMISSION_RULES,
        "return repeat === 'never'\n        ? resolveUnknownOutcome(",
        "return { step: 'settle', report: { internalReference, outcome: { status: 'FAILED', reason: 'no answer' } } }\n      return repeat === 'never'\n        ? resolveUnknownOutcome(",
      ],
    ],
    'nothing-moved-too-early': [
      'an order that the rail does not know yet fails at once instead of being sent again',
      [QUERY, 'if (!gaveUpOrder(query, clock.now()))', 'if (clock.now().getTime() < 0)'],
    ],
    'rail-called-before-commit': [
      'the rail receives an order before PROCESSING is stored',
      [
        SUBMIT,
        ' items)',
        ` items)
  if (fresh.length < 0) return`,
      ],
      [
        SUBMIT,
        'await unit.saveStates(processing)',
        'void deps.rail.submit(processing.map(railOrder))\n    await unit.saveStates(processing)',
      ],
    ],
    'unanswered-is-unsent': [
      'an order without an answer is sent again to a rail that moves the money twice',
      [
        SUBMISSION_RULES,
        "answer.answer === 'not_sent' && !order.isAgain",
        "(answer.answer === 'not_sent' || answer.answer === 'unreachable') && !order.isAgain",
      ],
      [SUBMISSION_RULES, " repeat === 'never'", " repeat === 'never' && item.id < 0n"],
    ],
    'page-expires-too-late': [
      'a page expires a payment that has gone to its rail',
      [STEPS, 'if (!isUnsent(transaction)) return undefined', ''],
      [STEPS, "session.awaits !== 'nothing' ? { transaction, session } : undefined", '{ transaction, session }'],
      [
        STEPS,
        `await unit.finishPaymentJobs([id])
  `,
        '',
      ],
    ],
    'unsent-counts-as-sent': [
      'a password that the message service has not taken counts as sent',
      [SEND_OTP, 'if (failure !== undefined) {', "if (failure === '') {"],
    ],
  }),
  ...sourceFaults('suspension', 'simulation', {
    'suspended-payout-sent': [
      'a payout that waits is sent while its merchant is suspended',
      [SUSPENDED, 'suspensions.get(transaction.merchantId)?.suspendedAt !== undefined', 'suspensions.size < 0'],
    ],
    'suspended-page-confirmed': [
      'a customer confirms on the payment page of a suspended merchant',
      [STEPS, '.get(merchantId)?.suspendedAt) throw merchantSuspended()', '.size < 0) throw merchantSuspended()'],
    ],
    'hold-of-suspended-lost': [
      'the hold of a payout that staff end is never released',
      ['actions/resolve-transaction.ts', "isHeld ? 'PROCESSING' : 'PENDING'", "isHeld ? 'PENDING' : 'PENDING'"],
    ],
  }),
  ...sourceFaults('approvals', 'simulation', {
    'maker-approves': [
      'the person who made a payout approves it',
      [APPROVALS, "if (isSameParty(approval.maker, by)) return 'own_request'", ''],
    ],
    'approved-order-changed': [
      'an approval counts for whatever the order has become since',
      [
        APPROVALS,
        "every((digest) => digest === approval.digest) ? undefined : 'changed'",
        'every(() => true) ? undefined : undefined',
      ],
    ],
    'approved-twice': [
      'what has been decided is decided again',
      [APPROVALS, "if (approval.state !== 'waiting') return 'decided'", ''],
      [DECIDE, "approval.state === 'waiting' && payout?.status", 'payout?.status'],
    ],
    'approved-after-expiry': [
      'an approval counts after its time, as long as nothing has ended the payout',
      [APPROVALS, "if (at.getTime() >= approval.expiresAt.getTime()) return 'expired'", ''],
    ],
    'approver-has-left': [
      'whose access has ended meanwhile still approves',
      [APPROVALS, 'if (standing === undefined) return false', 'if (standing === undefined) return true'],
    ],
    'approver-of-another-merchant': [
      "another merchant's owner approves",
      [APPROVALS, 'standing.merchantId === (isOfMerchant(operation) ? merchantId : undefined)', 'merchantId !== 0n'],
    ],
    'two-approvers-at-once': [
      'the request is read before the payout is locked: of two decisions at once both stand',
      [
        DECIDE,
        'deps.store.transaction(async (unit) => {\n    const { transactionId,',
        'deps.store.transaction((unit) => unit.lockApprovals([decision.transactionId])).then((early) => deps.store.transaction(async (unit) => {\n    const { transactionId,',
      ],
      [DECIDE, 'const requests = await unit.lockApprovals(ids)', 'const requests = early'],
      [DECIDE, '    return undefined\n  })', '    return undefined\n  }))'],
    ],
    'rule-ignored': [
      'a payout that a rule covers does not wait',
      ['domain/acceptance.ts', "type !== 'COLLECTION' && isCovered(", "type === 'COLLECTION' && isCovered("],
    ],
    'refused-and-paid': [
      'a refusal lets the payout go on',
      [DECIDE, "if (state === 'approved') await goOn", 'if (state !== undefined) await goOn'],
    ],
  }),
]
