import type { Rail } from '../actions/ports/rail.ts'
import { settleResults } from '../actions/settle-results.ts'
import { createSimulatorBook } from '../sandbox/simulator-book.ts'
import { createSimulator, type PutAside } from '../sandbox/simulator.ts'
import { putAsideMs } from '../work/failures.ts'
import { systemTimers } from '../work/timers.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import { railByProvider, railsOf, withoutRail } from './rails-by-provider.ts'

export interface ConnectedRails {
  readonly rail: Rail
  /** Takes what the simulated rails have to report by now. @returns how many reports that were, of perhaps more */
  reportDue(): Promise<number>
}

/** What all orders go to, and where the simulated operators report. */
export function connectRails({ config, surroundings, sandbox, pool, clock }: Foundation, core: Core): ConnectedRails {
  const connected = { rails: railsOf(surroundings) }
  if (!sandbox)
    return { rail: railByProvider({ ...connected, others: NO_RAIL }, systemTimers), reportDue: async () => 0 }
  const simulator = createSimulator({ book: createSimulatorBook(pool), clock, delayMs: config.sandboxDelayMs })
  const putAside: PutAside = (error, reference, failures) => {
    surroundings.logger.error(
      { err: error, reference, failures: failures + 1 },
      "a rail's report was put aside: taking it fails",
    )
    return putAsideMs(failures)
  }
  return {
    rail: railByProvider({ ...connected, others: simulator }, systemTimers),
    reportDue: () => simulator.reportDue((reports) => settleResults(core, reports), putAside),
  }
}

/** Without a rail nothing is accepted; this is for what a gateway with rails may have left behind. */
const NO_RAIL = withoutRail('no rail is configured')
