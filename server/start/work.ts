import type { Wake } from '../actions/ports/wake.ts'
import type { WorkItem, WorkKind } from '../actions/ports/work.ts'
import { createHandshakeSender } from '../callbacks/handshake.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { createSender } from '../callbacks/sender.ts'
import { safeReason } from '../safe-error.ts'
import { createCallbackStore } from '../storage/callbacks.ts'
import { jobShares } from '../storage/pool-share.ts'
import { createWorkQueue } from '../storage/work-items.ts'
import { hearOfWork, tellOfWork, type WorkNotices } from '../storage/work-notices.ts'
import { createLanes } from '../work/lanes.ts'
import { createWorkLoop, type WorkLoop } from '../work/loop.ts'
import { inBursts } from '../work/repeat.ts'
import { systemTimers } from '../work/timers.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import type { ConnectedRails } from './rails.ts'

const STOP_GRACE_MS = 8_000

/** While others can tell of work that they added, it is asked for so often all the same. */
const TOLD_POLL_MS = 500
/** A process tells the others of work that it added at most so often. */
const TELL_MS = 50

export interface Work {
  readonly loop: WorkLoop
  /** Does what is due from now on, and hears from other processes of what they added. */
  start(): void
  /** Does what is due, the rails' reports included, until nothing is. */
  runDue(): Promise<void>
  /** Finishes what runs, and hangs up. */
  stop(): Promise<void>
}

/** All work, with the connections that it needs: the queue, the rails, the merchants' servers. */
export function createWork(foundation: Foundation, core: Core, rails: ConnectedRails): Work {
  const { config, pool, clock, metrics, tracing } = foundation
  const to = { reference: core.reference, clock, policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY }
  const sender = createSender(to)
  let notices: WorkNotices | undefined
  const handshakes = createHandshakeSender(to)
  const shares = jobShares(pool, config.databaseConnectionsMax)
  const shared = {
    ...core,
    timers: systemTimers,
    rail: metrics.instrumentRail(tracing.traceRail(rails.rail)),
    keepMessage: rails.keepMessage,
    callbacks: metrics.instrumentCallbacks(tracing.traceCallbacks(createCallbackStore(shares.of('deliverCallback')))),
    sender: metrics.instrumentSender(tracing.traceSender(sender)),
    handshakes: metrics.instrumentHandshakes(tracing.traceHandshakes(handshakes)),
  }
  const loop = createWorkLoop({
    ...loopSurroundings(foundation),
    pollMsMax: () => (notices?.isHeard() ? TOLD_POLL_MS : 0),
    lanes: createLanes((kind) => ({ ...shared, ...core.storesOn(shares.of(kind)) })).map((lane) => ({
      ...lane,
      run: tracing.traceWork(lane.kind, lane.run),
    })),
  })
  return {
    loop,
    start() {
      loop.start()
      // What is told to a session is not heard where each transaction has another one: work is looked for more often.
      if (foundation.connection.pooling !== 'transaction') notices = hearWork(foundation, loop)
    },
    async runDue() {
      do await loop.runDue()
      while ((await rails.reportDue()) > 0)
      await loop.runDue()
    },
    async stop() {
      await notices?.stop()
      await loop.stop(STOP_GRACE_MS)
      await Promise.all([sender.close(), handshakes.close()])
      // What waited for an answer has one now: its connection is gone.
      await loop.stop(STOP_GRACE_MS)
    },
  }
}

const hearWork = (
  { connection, pool, surroundings: { random, logger } }: Foundation,
  { lookNow }: WorkLoop,
): WorkNotices =>
  hearOfWork({
    connection,
    pool,
    name: Buffer.from(random.bytes(8)).toString('hex'),
    onTold: lookNow,
    onDeaf: (error) => logger.debug({ err: error }, 'other processes cannot tell of work: it is looked for more often'),
  })

/** For a process that does no work: tells those that do what is due at once; the rest they find in time. */
export function tellingOthers({ pool, clock }: Pick<Foundation, 'pool' | 'clock'>): Wake {
  const tell = inBursts(TELL_MS, () => void tellOfWork(pool).catch(() => undefined))
  return {
    wake(kind, dueAt) {
      if (dueAt.getTime() - clock.now().getTime() < TOLD_POLL_MS) tell(kind)
    },
  }
}

const loopSurroundings = ({ surroundings: { random, logger }, pool, clock, metrics, logError }: Foundation) => ({
  queue: metrics.instrumentWorkQueue(createWorkQueue(pool)),
  clock,
  random,
  timers: systemTimers,
  reasonOf: safeReason,
  onError(error: unknown, kind: WorkKind) {
    metrics.workFailed(kind)
    logError(error, kind)
  },
  onPutAside: (error: unknown, { kind, subjectId, failures }: WorkItem) =>
    logger.error(
      { err: error, kind, subject: String(subjectId), failures: failures + 1 },
      'work was put aside: running it fails',
    ),
})
