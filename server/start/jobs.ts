import type { CallbackSender } from '../actions/ports/delivery.ts'
import type { HandshakeSender } from '../actions/ports/handshakes.ts'
import type { Wake } from '../actions/ports/wake.ts'
import type { Job, JobKind } from '../actions/ports/jobs.ts'
import { createHandshakeSender } from '../callbacks/handshake.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { batchCallbackBody, batchHandshakeBody } from '../messages/payout-batch-record.ts'
import { createSender } from '../callbacks/sender.ts'
import { safeReason } from '../safe-error.ts'
import { createCallbackStore } from '../storage/callbacks.ts'
import { jobShares } from '../storage/pool-share.ts'
import { createJobStore } from '../storage/jobs.ts'
import { onJobNotice, notifyOfJobs, type JobNotices } from '../storage/job-notices.ts'
import { createQueues } from '../jobs/queues.ts'
import { createWorker, type JobWorker } from '../jobs/worker.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import { createReportedBalances } from './rail-balances.ts'
import type { ConnectedRails } from './rails.ts'
import { inBursts } from './repeat.ts'
import { systemTimers } from './timers.ts'

const STOP_GRACE_MS = 8_000
/** Longer than any job takes. */
const PAUSE_GRACE_MS = 600_000

/** The poll interval while other processes notify this one of new jobs. */
const REPORTED_POLL_MS = 500
/** A process notifies the others of its new jobs at most once in this time. */
const REPORT_MS = 50

export interface JobRunner {
  readonly worker: JobWorker
  /** Runs due jobs from now on, and listens for other processes' notifications of new jobs. */
  start(): void
  /** Runs due jobs, including the reports of the rails, until there are none. */
  runDue(): Promise<void>
  /** Stops running due jobs by itself, and resolves when what runs has ended. */
  pause(): Promise<void>
  /** Ends a pause. */
  resume(): void
  isPaused(): boolean
  /** Finishes what runs, and closes the connections. */
  stop(): Promise<void>
}

/** What reaches the merchants' servers. */
export interface MerchantServers {
  readonly sender: CallbackSender
  readonly handshakes: HandshakeSender
  /** Aborts all pending requests. */
  close(): Promise<unknown>
}

/**
 * All jobs, with the connections that they need: the queue, the rails, the merchants' servers.
 * @param to the merchants' servers; absent: over the network
 */
export function createJobs(
  foundation: Foundation,
  core: Core,
  rails: ConnectedRails,
  to: MerchantServers = overNetwork(foundation, core),
): JobRunner {
  const { config, pool, metrics, tracing, ownProcess } = foundation
  let notices: JobNotices | undefined
  const shares = jobShares(pool, config.databaseConnectionsMax)
  const shared = {
    ...core,
    batchCallbackBody,
    batchHandshakeBody,
    timers: systemTimers,
    rail: metrics.instrumentRail(tracing.traceRail(rails.rail)),
    keepMessage: rails.keepMessage,
    reportedBalances: createReportedBalances(pool, core.reference.railAccounts),
    callbacks: metrics.instrumentCallbacks(tracing.traceCallbacks(createCallbackStore(shares.of('deliverCallback')))),
    sender: metrics.instrumentSender(tracing.traceSender(to.sender)),
    handshakes: metrics.instrumentHandshakes(tracing.traceHandshakes(to.handshakes)),
  }
  const worker = createWorker({
    ...queueSurroundings(foundation),
    onDelay: (delayMs) => void ownProcess.noteQueueDelay(pool, delayMs),
    pollMsMax: () => (notices?.isListening() ? REPORTED_POLL_MS : 0),
    queues: createQueues((kind) => ({ ...shared, ...core.storesOn(shares.of(kind)) })).map((queue) => ({
      ...queue,
      run: tracing.traceJobs(queue.kind, queue.run),
    })),
  })
  const pausing = pausable(worker)
  return {
    ...pausing,
    worker,
    start() {
      pausing.start()
      // LISTEN does not work where each transaction may get another session (transaction pooling): the queue is polled
      // more often.
      if (foundation.connection.pooling !== 'transaction') notices = onJobNotices(foundation, worker)
    },
    async runDue() {
      do await worker.runDue()
      while ((await rails.reportDue()) > 0)
      await worker.runDue()
    },
    async stop() {
      pausing.end()
      await notices?.stop()
      await worker.stop(STOP_GRACE_MS)
      await to.close()
      // Calls that waited for a reply have ended: their connections are closed.
      await worker.stop(STOP_GRACE_MS)
    },
  }
}

/** Starts it, and stops it for a while. */
function pausable(worker: JobWorker) {
  let [isStarted, isPaused] = [false, false]
  return {
    start() {
      isStarted = true
      worker.start()
    },
    async pause() {
      isPaused = true
      await worker.stop(PAUSE_GRACE_MS)
    },
    resume() {
      isPaused = false
      if (isStarted) worker.start()
    },
    isPaused: () => isPaused,
    end: () => void (isStarted = false),
  }
}

function overNetwork({ config, realClock }: Foundation, { reference, scenarios }: Core): MerchantServers {
  const options = { reference, clock: realClock, policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY }
  const [sender, handshakes] = [createSender(options), createHandshakeSender(options)]
  return {
    sender: scenarios?.losing(sender) ?? sender,
    handshakes,
    close: () => Promise.all([sender.close(), handshakes.close()]),
  }
}

const onJobNotices = (
  { connection, pool, surroundings: { random, logger } }: Foundation,
  { pollNow }: JobWorker,
): JobNotices =>
  onJobNotice({
    connection,
    pool,
    name: Buffer.from(random.bytes(8)).toString('hex'),
    onNotice: pollNow,
    onDeaf: (error) =>
      logger.debug({ err: error }, 'notifications of new jobs do not arrive: the queue is polled more often'),
  })

/**
 * For a process that runs no jobs: it notifies the processes that do of jobs that are due at once; polls find the
 * rest.
 */
export function notifyingOthers({ pool, clock }: Pick<Foundation, 'pool' | 'clock'>): Wake {
  const report = inBursts(REPORT_MS, () => void notifyOfJobs(pool).catch(() => undefined))
  return {
    wake(kind, dueAt) {
      if (dueAt.getTime() - clock.now().getTime() < REPORTED_POLL_MS) report(kind)
    },
  }
}

const queueSurroundings = ({ surroundings: { random, logger }, pool, clock, metrics, logError }: Foundation) => ({
  queue: metrics.instrumentJobStore(createJobStore(pool)),
  clock,
  random,
  timers: systemTimers,
  reasonOf: safeReason,
  onError(error: unknown, kind: JobKind) {
    metrics.workFailed(kind)
    logError(error, kind)
  },
  onQuarantined: (error: unknown, { kind, subjectId, failures }: Job) =>
    logger.error(
      { err: error, kind, subject: String(subjectId), failures: failures + 1 },
      'a job was quarantined: it keeps failing',
    ),
})
