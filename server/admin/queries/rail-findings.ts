import type { WaitingPayoutsFigure } from '../../actions/ports/figures.ts'
import { waitingPayouts } from '../../storage/payout-waits.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { railCircuits, type RailCircuit } from '../../storage/rail-circuits.ts'
import { railFloats, type RailFloat } from './rail-floats.ts'

/** What processes have found out about rail accounts. */
export interface RailFindings {
  readonly floats: ReadonlyMap<string, RailFloat>
  readonly circuits: ReadonlyMap<string, RailCircuit>
  readonly waiting: readonly WaitingPayoutsFigure[]
}

const WAITING_MAX = 1_000

/** Reads all of it. */
export async function readRailFindings(pool: Pool): Promise<RailFindings> {
  const [floats, circuits, waiting] = await Promise.all([
    railFloats(pool),
    railCircuits(pool),
    available(() => waitingPayouts(pool, WAITING_MAX)),
  ])
  return { floats, circuits, waiting }
}

/** How many payouts wait there, at most 1,000. */
export const waitingAt = (waiting: RailFindings['waiting'], name: string): number =>
  Math.min(
    waiting.reduce((sum, { railAccount, payouts }) => sum + (railAccount === name ? payouts : 0), 0),
    WAITING_MAX,
  )
