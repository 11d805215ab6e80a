import { faultIn, type PlantedFault } from './planted-fault.ts'
import { PLANTED_ON_THE_WIRE } from './wire-faults.ts'

const fault = faultIn('simulated')

const APPLY = 'actions/apply-reports.ts'
const SETTLE = 'actions/settle-results.ts'
const SUBMIT = 'actions/submit-to-rail.ts'
const QUERY = 'actions/poll-rail.ts'
const HOLD = 'actions/hold-funds.ts'
const VERIFY = 'actions/verify-payout.ts'
const STEPS = 'actions/payment-steps.ts'
const ACCOUNT_BOUNDS = 'domain/account-bounds.ts'
const SEND_OTP = 'actions/send-otp.ts'
const LEASES = 'jobs/leases.ts'
const FAILURES = 'jobs/failures.ts'
const DUE_WATCH = 'jobs/due-watch.ts'
const TRANSACTION = 'domain/transaction.ts'
const WORK = 'verification/simulation/memory-store/work-items.ts'
const LIMITS = 'verification/simulation/memory-store/limits.ts'

/** The first three were real bugs in the gateway that no test of ours had found. */
export const PLANTED: readonly PlantedFault[] = [
  fault(
    'late-result-beside-its-failure',
    'FAILED and late COMPLETED in one batch: what the failure gives back is not there for the completion',
    [APPLY, "if (to.status === 'FAILED' && from === 'PROCESSING') balances.set(name, before + to.totalMinor)", ''],
  ),
  fault(
    'token-repeats',
    'the number of tries is the token, which begins anew with every kind of work, and the kind is not compared',
    [
      WORK,
      'heldRow(unit: MemoryUnitOfWork, { id, kind, token }: Job)',
      'heldRow(unit: MemoryUnitOfWork, { id, attempt }: Job)',
    ],
    [WORK, 'row && row.kind === kind && row.token === token ?', 'row && row.attempt === attempt ?'],
  ),
  fault(
    'judged-before-its-batch',
    'a late payment is left unbooked although the same commit gives back to its wallet what it needs',
    [
      APPLY,
      'if (!isCovered && !isLast) return void uncovered.push(report)',
      'if (!isCovered && !isLast) return apply(report, true)',
    ],
  ),
  fault('poisoned-batch', 'a batch that fails is left to the end of its lease, whole', [
    FAILURES,
    'if (among === 1 && item) return quarantine(error, item)',
    'if (item) return',
  ]),
  fault('no-lease-check', 'a worker that was paused beyond its lease writes all the same', [
    WORK,
    'row && row.kind === kind && row.token === token ?',
    'row ?',
  ]),
  fault(
    'answer-after-lease',
    'the answer of a handshake counts whoever holds the work, and whatever the payout is by now',
    [VERIFY, "isHeld(item) && locked.get(payout.id)?.status === 'PENDING'", 'locked.has(payout.id) || isHeld(item)'],
    [
      VERIFY,
      "endPending(present(locked.get(payout.id), 'a payout'), 'FAILED', next.failure, now)",
      "{ ...payout, status: 'FAILED' as const, statusMessage: next.failure.reason, finalAt: now }",
    ],
  ),
  fault('lease-without-end', 'the work of a process that died is never taken over', [
    LEASES,
    'export const LEASE_MS = 30_000',
    'export const LEASE_MS = 30_000_000_000',
  ]),
  fault('callback-before-commit', 'the callback is stored by a commit of its own, before the state that it tells', [
    SETTLE,
    'await unit.addCallbacks(callbacks, now)',
    'await (deps as unknown as SettleDeps).store.transaction((other) => other.addCallbacks(callbacks, now))',
  ]),
  fault('second-state-untold', 'of two states in one batch only the last is told', [
    SETTLE,
    'const callbacks = steps.map(({ to }) => callbackFor(deps, to))',
    'const callbacks = steps.slice(-1).map(({ to }) => callbackFor(deps, to))',
  ]),
  fault('same-webhook-id', 'the callbacks of one payment share their id', [
    SETTLE,
    'webhookId: newCallbackId(deps.random, id)',
    'webhookId: transaction.internalReference',
  ]),
  fault('hold-released-twice', 'a late completion finds its hold given back, and gives it back again', [
    SETTLE,
    "return [payoutTransfer(to, from === 'PROCESSING' ? 'payout' : 'payout_late')]",
    "return [payoutTransfer(to, from === 'PROCESSING' ? 'payout' : 'payout_late'), ...(from === 'FAILED' ? [releaseTransfer(to)] : [])]",
  ]),
  fault('hold-kept', 'a payout that fails at the rail keeps its hold', [
    SETTLE,
    'return [releaseTransfer(to)]',
    'return []',
  ]),
  fault('late-from-hold', 'a late completion is paid from the hold, which is no longer there', [
    SETTLE,
    "from === 'PROCESSING' ? 'payout' : 'payout_late')]",
    "'payout')]",
  ]),
  fault('limit-not-released', 'what failed goes on counting toward its limit', [
    SETTLE,
    'await unit.releaseDailyLimit(released.map(({ to }) => to))',
    '',
  ]),
  fault('late-not-counted', 'what was completed late does not count toward its limit', [
    SETTLE,
    'await unit.countTowardDailyLimit([...late, ...notBooked])',
    'await unit.countTowardDailyLimit([])',
  ]),
  fault('limit-unlocked', 'two requests see the same free rest of a limit', [
    LIMITS,
    'for (const limit of distinct) await unit.limits.lock(limit)',
    '',
  ]),
  fault('release-forgotten', 'credit that is to clear later never does', [
    SETTLE,
    'await unit.addJobs(completed.flatMap(({ transaction, rule }) => releasesOf(transaction, rule, now)))',
    '',
  ]),
  fault('repeated-result', 'a result that is repeated is applied again', [
    TRANSACTION,
    "if (status === outcome.status) return { effect: 'recorded', why: `The rail repeated ${outcome.status}` }",
    'if (status === outcome.status) return settled(transaction, outcome, now)',
  ]),
  fault(
    'late-result-repeated',
    'a late result is applied to what was completed meanwhile',
    [
      TRANSACTION,
      "if (status === 'FAILED') return lateCompletion(transaction, outcome, now)",
      "if (isFinal(status) && outcome.status === 'COMPLETED') return lateCompletion(transaction, outcome, now)",
    ],
    [
      TRANSACTION,
      "if (status === outcome.status) return { effect: 'recorded', why: `The rail repeated ${outcome.status}` }",
      '',
    ],
  ),
  fault('failed-after-completed', 'a FAILED that comes after COMPLETED wins', [
    TRANSACTION,
    "if (status === 'PROCESSING') return settled",
    "if (status === 'PROCESSING' || status === 'COMPLETED') return settled",
  ]),
  fault('uncovered-forgotten', 'what the wallet does not cover late is only a line in the history', [
    APPLY,
    ': notBooked(transaction, UNCOVERED, now)',
    ": { effect: 'recorded', why: UNCOVERED }",
  ]),
  fault('uncovered-booked', 'a late completion is booked whether the wallet covers it or not', [
    APPLY,
    'if (before < to.totalMinor) {',
    'if (before + to.totalMinor < 0n) {',
  ]),
  fault('too-late-forgotten', 'what the rail pays after 72 hours is only a line in the history', [
    TRANSACTION,
    "return transaction.type === 'PAYOUT'\n    ?",
    'return transaction.merchantId < 0n\n    ?',
  ]),
  fault('failure-code-kept', 'what is completed late keeps the code of its failure, and says so', [
    TRANSACTION,
    '({ failureCode: _before, ...transaction }: Transaction, now: Date)',
    '(transaction: Transaction, now: Date)',
  ]),
  fault('refusal-without-code', 'the code of what the rail refuses at once is lost', [
    SUBMIT,
    '...(code !== undefined && { code }),',
    '...(code === undefined && { code }),',
  ]),
  fault('unknown-is-failed', 'a submit without an answer fails the payment', [
    SUBMIT,
    "if (answer.answer === 'refused') return",
    "if (answer.answer === 'unreachable') return [{ internalReference, outcome: { status: 'FAILED', reason: 'no answer' } }]\n  if (answer.answer === 'refused') return",
  ]),
  fault(
    'nothing-moved-too-early',
    'an order that the rail does not know yet fails at once instead of being sent again',
    [QUERY, 'if (!gaveUp(transaction, clock.now()))', 'if (clock.now().getTime() < 0)'],
  ),
  fault(
    'rail-called-before-commit',
    'the rail hears of an order before PROCESSING is stored',
    [
      SUBMIT,
      'const { fresh, again, tooOld } = await markProcessing(deps, items)',
      'const { fresh, again, tooOld } = await markProcessing(deps, items)\n  if (fresh.length < 0) return',
    ],
    [
      SUBMIT,
      'await unit.saveStates(processing)',
      'void deps.rail.submit(processing.map(railOrder))\n    await unit.saveStates(processing)',
    ],
    [
      SUBMIT,
      'function markProcessing({ store, clock, random, rail }: RailDeps,',
      'function markProcessing(deps: RailDeps,',
    ],
    [
      SUBMIT,
      'return store.transaction(async (unit) => {',
      'const { store, clock, random, rail } = deps\n  return store.transaction(async (unit) => {',
    ],
  ),
  fault(
    'unanswered-is-unsent',
    'an order without an answer is sent again to a rail that moves the money twice',
    [
      SUBMIT,
      "return answer.answer === 'not_sent' && onlyOurs ?",
      "return (answer.answer === 'not_sent' || answer.answer === 'unreachable') && onlyOurs ?",
    ],
    [
      SUBMIT,
      "if (answer.answer === 'unreachable' && repeat === 'never')",
      "if (answer.answer === 'unreachable' && repeat === 'never' && item.id < 0n)",
    ],
  ),
  fault(
    'hold-unchecked',
    'payouts are held whatever their wallet holds',
    [HOLD, 'if (rest >= 0n) left.set(name, rest)', 'left.set(name, rest)'],
    [HOLD, ';(rest >= 0n ? covered : uncovered).push(payout)', ';covered.push(payout)'],
  ),
  fault(
    'too-low-gives-up',
    'a wallet that somebody else has emptied meanwhile fails the batch instead of being looked at again',
    ['actions/until-covered.ts', 'const TRIES_MAX = 10', 'const TRIES_MAX = 1'],
  ),
  fault('transactions-unlocked', 'two that settle the same payment do not wait for each other', [
    'verification/simulation/memory-store/transactions.ts',
    '        await unit.transactions.lock(id)\n        // Read again',
    '        // Read again',
  ]),
  fault(
    'page-expires-too-late',
    'a page expires a payment that has gone to its rail',
    [STEPS, "if (transaction.status !== 'PENDING') return undefined", ''],
    [
      STEPS,
      "return session && session.awaits !== 'nothing' ? { transaction, session } : undefined",
      'return session && { transaction, session }',
    ],
    [
      STEPS,
      "await unit.finishPaymentJobs([id])\n  await unit.addJobs([{ kind: 'submitToRail'",
      "await unit.addJobs([{ kind: 'submitToRail'",
    ],
  ),
  fault('unsent-counts-as-sent', 'a password that the message service has not taken counts as sent', [
    SEND_OTP,
    'if (failure !== undefined) {',
    "if (failure === '') {",
  ]),
  fault('page-goes-on-counting', 'a page whose customer has confirmed is still open for its number', [
    STEPS,
    'await unit.endPageUsage(transaction)\n  if (session.otp)',
    'if (session.otp)',
  ]),
  fault('guesses-without-end', 'wrong passwords are counted, and nobody looks at how many there are', [
    STEPS,
    'unit.lockAccountUsage(account, now), now)) return',
    '[], now)) return',
  ]),
  fault('prompts-without-end', 'prompts are counted, and nobody looks at how many there are', [
    ACCOUNT_BOUNDS,
    "{ counts: 'prompt', inLastHour: true, refusedAs: 'prompt', ...shared(bounds.promptsPerHourMax, bounds) },\n  { counts: 'prompt', refusedAs: 'prompt', ...shared(bounds.promptsPerDayMax, bounds) },",
    '',
  ]),
  fault('withheld-is-delivered', 'what waits for a URL is told as if it had been delivered', [
    'verification/simulation/memory-store/callbacks.ts',
    "status: 'STOPPED', finishedAt: now",
    "status: 'DELIVERED', finishedAt: now",
  ]),
  fault(
    'resend-overruled',
    'an attempt that was under way when an operator sent the callback again has the last word',
    [
      'verification/simulation/memory-store/callbacks.ts',
      'for (const id of sorted) releaseJobs(unit, deliveryJob(unit, id))',
      'void releaseJobs',
    ],
  ),
  fault('unavailable-split', 'a batch whose answer was lost is run again item by item', [
    'verification/simulation/memory-store/gather.ts',
    'if (batch.length === 1 || error instanceof StorageUnavailable)',
    'if (batch.length === 0)',
  ]),
  fault('wake-and-poll-lost', 'a look that finds nothing is the last one, unless somebody wakes it', [
    DUE_WATCH,
    'else if (running) cancelTimer = timers.after(waitMs, request)',
    '',
  ]),
  ...PLANTED_ON_THE_WIRE,
]
