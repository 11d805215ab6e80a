import { sourceFaults, type SourceFault } from './planted-fault.ts'

const STEPS = 'actions/payment-steps.ts'
const SETTLE = 'actions/settle-results.ts'

/** Faults in attempts: when the next one begins, which one is credited, and what counts toward limits. */
export const ATTEMPT_FAULTS: readonly SourceFault[] = sourceFaults('attempts', 'simulation', {
  'attempt-before-a-verdict': [
    'a customer tries again before there is a verdict about the attempt before',
    [
      STEPS,
      'await unit.saveSession(withoutSteps(session))\n  await unit.endPageUsage(transaction)\n  if (session.retries) await unit.saveStates',
      "await unit.saveSession(session.retries ? { ...session, awaits: 'retry' } : withoutSteps(session))\n  await unit.endPageUsage(transaction)\n  if (session.retries) await unit.saveStates",
    ],
  ],
  'attempt-credited-twice': [
    'two successes of one collection are both credited',
    ['domain/attempts.ts', '!isFinal(collection.status) ||', "collection.status !== 'CANCELLED' ||"],
  ],
  'attempt-told': ['an attempt has callbacks of its own', [SETTLE, 'to.isAttempt ||', 'to.id === 0n ||']],
  'attempt-still-counted': [
    'a failed attempt still counts toward its limit',
    [SETTLE, 'isLimited(to) && nothingMoved(to)', 'isLimited(to) && !to.isAttempt && nothingMoved(to)'],
  ],
  'attempt-counted-as-its-collection': [
    'all attempts of a collection share one claim of the limit',
    [STEPS, 'await claimDailyLimit(unit, deps, order)', 'await claimDailyLimit(unit, deps, transaction)'],
  ],
  'attempt-with-another-charge': [
    'a collection keeps the charge of its last attempt, whichever has paid',
    ['domain/transaction.ts', '      chargeMinor,\n      totalMinor,\n      ...(railOrderId', '      ...(railOrderId'],
  ],
  'suspense-given-back-twice': [
    'two people give back the same money',
    ['domain/refund.ts', 'if (returned.requestMinor > 0n)', 'if (returned.requestMinor > attempt.request.amountMinor)'],
  ],
  'suspense-of-what-paid': [
    'an attempt that has paid its collection is given back',
    [
      'domain/attempts.ts',
      "isAttempt === true && status === 'COMPLETED' && railPaidAt !== undefined",
      "isAttempt === true && status === 'COMPLETED'",
    ],
  ],
  'suspense-paid-by-the-merchant': [
    "what is given back is taken from the merchant's wallet",
    ['domain/ledger.ts', 'if (isReturn(payout)) return suspenseAt(amount.currency, refund?.railAccount)\n', ''],
  ],
  'suspense-told': [
    'a merchant gets callbacks about what is given back from suspense',
    [SETTLE, 'to.isAttempt || isReturn(to) ? []', 'to.isAttempt ? []'],
  ],
})
