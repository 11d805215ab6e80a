import type { Rail } from '../actions/ports/rail.ts'
import type { KeepMessage } from '../actions/ports/rail-callbacks.ts'
import { settleResults } from '../actions/settle-results.ts'
import type { SandboxOperators } from '../sandbox/operators/operators.ts'
import { createSimulatorBook } from '../sandbox/simulator-book.ts'
import { createSimulator, type PutAside } from '../sandbox/simulator.ts'
import { putAsideMs } from '../work/failures.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { createOperatorDrift } from '../storage/operator-drift.ts'
import { createOperatorExchanges, type StoredExchanges } from '../storage/operator-exchanges.ts'
import { createInstallations, type LiveInstallations } from './installations.ts'
import { createMessageKeeping } from './kept-messages.ts'
import { systemTimers } from '../work/timers.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import { railByProvider, railsOf, withoutRail } from './rails-by-provider.ts'
import { inBursts } from '../work/repeat.ts'

export interface ConnectedRails {
  readonly rail: Rail
  /** The connections to operators. */
  readonly installations: LiveInstallations
  /** Takes what operators told by themselves, once it was looked at. */
  readonly keepMessage: KeepMessage
  /** Takes what the simulated rails have to report by now. @returns how many reports that were, of perhaps more */
  reportSimulated(): Promise<number>
  /** Whether simulated rails have orders of this process that they have not reported. */
  hasReportsAhead(): boolean
  /** The same as `reportSimulated`, and lets the sandbox's operators on the wire do and tell what is due. */
  reportDue(): Promise<number>
}

/** What all orders go to, and where the simulated operators report. */
export function connectRails(
  foundation: Foundation,
  core: Core,
  url: string | undefined,
  operators?: Pick<SandboxOperators, 'runDue'>,
): ConnectedRails {
  const { config, surroundings, sandbox, pool, clock, tracing } = foundation
  const record = openRecord(foundation)
  const installations = openInstallations(foundation, core, url, record)
  const connected = { rails: railsOf(surroundings), installations }
  const keepMessage = createMessageKeeping(surroundings.railKinds, core.reference.installations, record, clock)
  if (!sandbox)
    return {
      installations,
      keepMessage,
      rail: railByProvider({ ...connected, others: NO_RAIL }, systemTimers),
      reportSimulated: async () => 0,
      hasReportsAhead: () => false,
      reportDue: async () => 0,
    }
  const simulator = createSimulator({ book: createSimulatorBook(pool), clock, delayMs: config.sandboxDelayMs })
  const putAside: PutAside = (error, reference, failures) => {
    surroundings.logger.error(
      { err: error, reference, failures: failures + 1 },
      "a rail's report was put aside: taking it fails",
    )
    return putAsideMs(failures)
  }
  const reportSimulated = () =>
    simulator.reportDue((reports) => tracing.traceRun('settleResults', () => settleResults(core, reports)), putAside)
  return {
    installations,
    keepMessage,
    rail: railByProvider({ ...connected, others: simulator }, systemTimers),
    reportSimulated,
    hasReportsAhead: simulator.hasReportsAhead,
    reportDue: async () => (await reportSimulated()) + ((await operators?.runDue()) ?? 0),
  }
}

/** Lost exchanges are told so often at most. */
const LOST_MS = 5_000

/** What is said with operators, for support. */
function openRecord({ surroundings: { logger }, pool }: Foundation): StoredExchanges {
  // Many are lost at once, and for one reason.
  const tell = inBursts(LOST_MS, (lost, error: unknown) =>
    logger.error({ lost, err: error }, 'what was said with operators could not be kept'),
  )
  return createOperatorExchanges(pool, tell)
}

/** @param url where this process serves operators' messages; a process without an API knows no more than its settings */
function openInstallations(
  { config, surroundings, pool, clock, metrics, tracing }: Foundation,
  { reference }: Core,
  url: string | undefined,
  record: StoredExchanges,
): LiveInstallations {
  const { railKinds, random, logger } = surroundings
  const drifts = createOperatorDrift(pool, clock, (err) =>
    logger.error({ err }, 'what differs from contracts of operators could not be counted'),
  )
  const installations = createInstallations(railKinds, config.mode, reference, {
    clock,
    random,
    timers: systemTimers,
    policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY,
    publicUrl: () => config.publicBaseUrl ?? url,
    record,
    drifts,
    watch: metrics.watchInstallation,
    trace: tracing.traceCall,
    onFault: (error, installation) => logger.error({ err: error, installation }, 'a rail cannot be used'),
  })
  return {
    ...installations,
    async close() {
      await installations.close()
      // What was said last waits for its batch still.
      await Promise.all([record.flushed(), drifts.flushed()])
    },
  }
}

/** Without a rail nothing is accepted; this is for what a gateway with rails may have left behind. */
const NO_RAIL = withoutRail('no rail is configured')
