import { pollRail } from '../actions/poll-rail.ts'
import { createCallbackReading, type ReadCallbackDeps } from '../actions/read-rail-callback.ts'
import { createAccountMessageReading, type AccountMessageDeps } from '../actions/read-account-message.ts'
import { createDelivery, type DeliverDeps } from '../actions/deliver-callback.ts'
import { submitToRail } from '../actions/submit-to-rail.ts'
import { expireExpected } from '../actions/expected-payments.ts'
import { expireApprovals } from '../actions/decide-approvals.ts'
import { finishBatches, type FinishBatchesDeps } from '../actions/finish-batches.ts'
import { expirePages } from '../actions/expire-pages.ts'
import { holdFunds } from '../actions/hold-funds.ts'
import type { PaymentStepDeps } from '../actions/payment-steps.ts'
import { releaseCredit } from '../actions/release-credit.ts'
import { sendOtp } from '../actions/send-otp.ts'
import { createBatchVerification, type VerifyBatchDeps } from '../actions/verify-batch.ts'
import { createPayoutVerification } from '../actions/verify-payout.ts'
import type { Clock } from '../actions/ports/clock.ts'
import type { ConcurrencyLimiter } from '../actions/ports/concurrency-limiter.ts'
import type { Job, JobKind, JobStore } from '../actions/ports/jobs.ts'
import type { InParts } from '../actions/ports/operator-parts.ts'
import type { Timers } from '../actions/ports/timers.ts'
import type { Random } from '../domain/references.ts'
import { AdaptiveLimiter, type LimiterOptions } from './concurrency-limiter.ts'

/** One job kind with its concurrency limits. */
export interface JobQueue {
  readonly kind: JobKind
  /** Jobs in progress at the same time, over all batches. */
  readonly capacity: number
  /** Jobs per claim. */
  readonly batchMax: number
  /**
   * Batches at the same time. Set-based jobs have one: what becomes due in the meantime makes the next batch larger
   * instead of many small ones. A batch whose remaining parts only wait for operators no longer counts: until they
   * answer, no more jobs are claimed for these operators, and all jobs for others are.
   */
  readonly runsMax?: number
  /**
   * Minimum interval between polls in milliseconds, unless the last claim was full. Set-based jobs cost far less in a
   * few large batches, and a payment takes seconds anyway.
   */
  readonly everyMs?: number
  /** Longest duration of a batch, if that is more than a lease: until then its lease is renewed. */
  readonly takesMs?: number
  /** Quotas per destination, for jobs that have one. Every job then has a promise of its own. */
  readonly destinations?: Pick<AdaptiveLimiter, 'quota' | 'claimed' | 'ended' | 'ready'>
  /** One promise for a whole batch, or one per job where a slow job must not block the others. */
  readonly run: (items: readonly Job[], inParts: InParts) => readonly Promise<void>[]
}

/** What all queues run with. */
export interface QueueSurroundings {
  readonly queue: JobStore
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  /** The reason of a failure as staff may read it, without customer data. */
  readonly reasonOf: (error: unknown) => string
  readonly onError: (error: unknown, kind: JobKind) => void
  /** Called when a job was quarantined: it fails alone as well. */
  readonly onQuarantined: (error: unknown, item: Job) => void
}

const CAPACITY = 1_280
/** Set-based jobs are gathered for this long: fewer and larger commits, with a delay that no customer notices. */
const GATHER_MS = 25
/** A batch takes a dozen round trips, whatever its size. */
const SET_MAX = 500
/** Each operator message has a commit of its own, and its text is held in memory. */
const MESSAGES_MAX = 256
/**
 * Each operator has one batch at a time of the jobs that wait for operators. This is capacity for 32 unresponsive
 * operators and one batch for the others.
 */
const BATCHES_MAX = 33
/**
 * A query, an order and another query, each of which an operator may draw out for 25 s, and the commits between them.
 */
const WITH_OPERATORS_MS = 100_000
/**
 * Upper bound for one host and for one merchant in the capacity of callbacks and handshakes. A slow or unresponsive
 * host takes no more than this, and neither does a merchant with many hosts: one merchant runs at most 128 and holds,
 * with what waits, 1,024 of the capacity. The rest is for the others.
 */
export const OUTBOUND_LIMITS: LimiterOptions = {
  capacity: CAPACITY,
  perHost: { runningMax: 128, waitingMax: 896 },
  perMerchant: { runningMax: 128, waitingMax: 896 },
  waitMs: 5_000,
  awayMs: 100,
}

const inSets = { batchMax: SET_MAX, capacity: SET_MAX, runsMax: 1 } as const

const withOperators = {
  batchMax: SET_MAX,
  capacity: BATCHES_MAX * SET_MAX,
  runsMax: 1,
  takesMs: WITH_OPERATORS_MS,
} as const

export type QueueDeps = ReadCallbackDeps &
  FinishBatchesDeps &
  AccountMessageDeps &
  Omit<DeliverDeps, 'limiter'> &
  PaymentStepDeps &
  Omit<VerifyBatchDeps, 'limiter'> & { readonly timers: Timers }

/**
 * Every job kind with its limits. Payments run in batches, one commit each; callbacks run one by one, many at a time.
 * @param depsOf the dependencies of a kind: each kind has its own share of the database connections
 */
export function createQueues(depsOf: (kind: JobKind) => QueueDeps): readonly JobQueue[] {
  const queue = (
    kind: JobKind,
    bounds: Omit<JobQueue, 'kind' | 'run'>,
    runOf: (deps: QueueDeps) => JobQueue['run'],
  ): JobQueue => ({
    kind,
    ...bounds,
    run: runOf(depsOf(kind)),
  })
  const outbound = (
    kind: JobKind,
    runOf: (deps: QueueDeps & { readonly limiter: ConcurrencyLimiter }) => JobQueue['run'],
  ): JobQueue => {
    const destinations = new AdaptiveLimiter(OUTBOUND_LIMITS, depsOf(kind).timers)
    return queue(kind, { batchMax: 64, capacity: CAPACITY, destinations }, (deps) =>
      runOf({ ...deps, limiter: destinations.run }),
    )
  }
  return [
    outbound('verifyPayout', createPayoutVerification),
    outbound('verifyBatch', createBatchVerification),
    ...(['holdFunds', 'holdRefund'] as const).map((kind) =>
      queue(kind, { ...inSets, everyMs: GATHER_MS }, (deps) => (items) => [holdFunds(deps, items)]),
    ),
    ...(['submitToRail', 'submitRefund'] as const).map((kind) =>
      queue(kind, { ...withOperators, everyMs: GATHER_MS }, (deps) => (items, inParts) => [
        submitToRail(deps, items, inParts),
      ]),
    ),
    ...(['pollRail', 'resolveUnknownOutcome', 'pollRefund', 'resolveRefund'] as const).map((kind) =>
      queue(kind, withOperators, (deps) => (items, inParts) => [pollRail(deps, items, inParts)]),
    ),
    queue(
      'readRailCallback',
      { ...withOperators, batchMax: MESSAGES_MAX, capacity: BATCHES_MAX * MESSAGES_MAX },
      createCallbackReading,
    ),
    queue(
      'readAccountMessage',
      { batchMax: 64, capacity: 64, takesMs: WITH_OPERATORS_MS },
      createAccountMessageReading,
    ),
    outbound('deliverCallback', createDelivery),
    queue('expirePage', { batchMax: 100, capacity: 100, runsMax: 1 }, (deps) => (items) => [expirePages(deps, items)]),
    queue('expireExpected', inSets, (deps) => (items) => [expireExpected(deps, items)]),
    queue('expireApproval', inSets, (deps) => (items) => [expireApprovals(deps, items)]),
    queue('sendOtp', { batchMax: 64, capacity: 256 }, (deps) => (items) => items.map((item) => sendOtp(deps, item))),
    queue('clearFunds', inSets, (deps) => (items) => [releaseCredit(deps, 'clearing', items)]),
    queue('releaseReserve', inSets, (deps) => (items) => [releaseCredit(deps, 'reserve_release', items)]),
    queue('finishBatch', { batchMax: 16, capacity: 16, runsMax: 1 }, (deps) => (items) => [finishBatches(deps, items)]),
  ]
}
