import type { Rail } from '../actions/ports/rail.ts'
import type { KeepMessage } from '../actions/ports/rail-callbacks.ts'
import { settleResults } from '../actions/settle-results.ts'
import type { SandboxOperators } from '../local/sandbox/operators/operators.ts'
import { createSimulatorBook } from '../local/sandbox/simulator-book.ts'
import { createSimulator, type Quarantine } from '../local/sandbox/simulator.ts'
import { withUnasked } from '../local/sandbox/unrequested.ts'
import { quarantineMs } from '../jobs/retries.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { createOperatorDrift } from '../storage/operator-drift.ts'
import { createOperatorExchanges, type StoredExchanges } from '../storage/operator-exchanges.ts'
import { createSharedTokens } from './shared-tokens.ts'
import { createRailAccounts, type LiveRailAccounts } from './rail-accounts.ts'
import { createMessageKeeping } from './stored-messages.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import { railByProvider, railsOf, withoutRail } from './rails-by-provider.ts'
import { inBursts } from './repeat.ts'
import { systemTimers } from './timers.ts'

export interface ConnectedRails {
  readonly rail: Rail
  /** The connected rail accounts. */
  readonly railAccounts: LiveRailAccounts
  /** Stores unsolicited operator messages after they were processed. */
  readonly keepMessage: KeepMessage
  /** Settles what the simulated rails have to report by now. @returns the number of reports; there may be more */
  reportSimulated(): Promise<number>
  /** When the next report of the simulated rails is due; undefined when none is to come. */
  nextReport(): Promise<Date | undefined>
  /** Whether simulated rails have orders of this process that they have not reported. */
  hasReportsAhead(): boolean
  /** The same as `reportSimulated`, and lets the sandbox's operator simulators process and report what is due. */
  reportDue(): Promise<number>
}

/** The rail for all orders, and the reports of the simulated operators. */
export function connectRails(
  foundation: Foundation,
  core: Core,
  url: string | undefined,
  operators?: Pick<SandboxOperators, 'runDue' | 'nextDue'>,
): ConnectedRails {
  const { config, surroundings, sandbox, pool, clock, tracing } = foundation
  const record = openRecord(foundation)
  const railAccounts = openRailAccounts(foundation, core, url, record)
  const connected = { rails: railsOf(surroundings), railAccounts }
  const keepMessage = createMessageKeeping(surroundings.railKinds, core.reference.railAccounts, record, clock)
  if (!sandbox)
    return {
      railAccounts,
      keepMessage,
      rail: railByProvider({ ...connected, others: NO_RAIL }, systemTimers),
      reportSimulated: async () => 0,
      nextReport: async () => undefined,
      hasReportsAhead: () => false,
      reportDue: async () => 0,
    }
  const book = createSimulatorBook(pool)
  const simulator = createSimulator({ book, clock, delayMs: config.sandboxDelayMs, scenarios: core.scenarios })
  const quarantine: Quarantine = (error, reference, failures) => {
    surroundings.logger.error(
      { err: error, reference, failures: failures + 1 },
      "a rail's report was quarantined: it keeps failing",
    )
    return quarantineMs(failures)
  }
  const reportSimulated = () =>
    simulator.reportDue((reports) => tracing.traceRun('settleResults', () => settleResults(core, reports)), quarantine)
  return {
    railAccounts,
    keepMessage,
    rail: railByProvider(
      { ...connected, others: simulator, railAccounts: { ...railAccounts, ...withUnasked(pool, railAccounts) } },
      systemTimers,
    ),
    reportSimulated,
    async nextReport() {
      const [simulated, onWire] = [await book.nextReport(), operators?.nextDue()]
      return simulated && onWire && onWire < simulated ? onWire : (simulated ?? onWire)
    },
    hasReportsAhead: simulator.hasReportsAhead,
    reportDue: async () => (await reportSimulated()) + ((await operators?.runDue()) ?? 0),
  }
}

/** Lost exchange records are logged at most once in this time. */
const LOST_MS = 5_000

/** Records the calls to operators, for support. */
function openRecord({ surroundings: { logger }, pool }: Foundation): StoredExchanges {
  // Many are lost at once, and for one reason.
  const report = inBursts(LOST_MS, (lost, error: unknown) =>
    logger.error({ lost, err: error }, 'exchanges with operators could not be stored'),
  )
  return createOperatorExchanges(pool, report)
}

/** @param url where this process receives operator messages; a process without an API knows only its settings */
function openRailAccounts(
  { config, surroundings, pool, box, clock, metrics, tracing }: Foundation,
  { reference }: Core,
  url: string | undefined,
  record: StoredExchanges,
): LiveRailAccounts {
  const { railKinds, random, logger } = surroundings
  const drifts = createOperatorDrift(pool, clock, (err) =>
    logger.error({ err }, "drift from operators' contracts could not be counted"),
  )
  const railAccounts = createRailAccounts(railKinds, config.mode, reference, {
    clock,
    random,
    timers: systemTimers,
    policy: config.mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY,
    publicUrl: () => config.publicBaseUrl ?? url,
    record,
    sharedTokens: (railAccount) => createSharedTokens({ pool, box, clock, timers: systemTimers }, railAccount),
    drifts,
    watch: metrics.watchRailAccount,
    trace: tracing.traceCall,
    onFault: (error, railAccount) => logger.error({ err: error, railAccount }, 'a rail cannot be used'),
  })
  return {
    ...railAccounts,
    async close() {
      await railAccounts.close()
      // The last records still wait for their batch.
      await Promise.all([record.flushed(), drifts.flushed()])
    },
  }
}

/** Without a rail nothing is accepted; this one handles orders that a gateway with rails may have left. */
const NO_RAIL = withoutRail('no rail is configured')
