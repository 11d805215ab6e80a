import {
  createClock,
  SIMULATORS,
  startSimulator,
  type Clock as OperatorClock,
  type Journal,
  type Simulator,
} from '../../../../openapi/operators/simulator/index.ts'
import type { Clock } from '../../../actions/ports/clock.ts'
import { present } from '../../../domain/present.ts'
import type { Queryable } from '../../../storage/pool.ts'
import { openJournal } from './journal.ts'
import { WIRE_RAIL_ACCOUNTS, WIRE_OPERATORS, type WireRailAccount } from './wire-rail-accounts.ts'

type Rail = WireRailAccount['rail']

interface StartOptions {
  /** Holds the lock, and writes their journals. */
  readonly session: Queryable
  readonly clock: Clock
  readonly delayMs: number
  /** The last address of each; it listens there again if it can. */
  lastUrl(rail: Rail): string | undefined
  /** Where the application of a country reports, at an operator with one address for all. */
  callbackUrl(rail: Rail, country: string): string | undefined
  /** Called when one of them could not write its journal: from then on it does not respond. */
  readonly onBroken: () => void
}

/** An operator with its journal open, on the gateway's clock. */
export interface SimulatedOperator {
  readonly rail: Rail
  readonly simulator: Simulator
  readonly time: OperatorClock
}

/** Starts every operator of the sandbox on this machine, from the stored journals. */
export async function startOperators(options: StartOptions): Promise<readonly SimulatedOperator[]> {
  const started: SimulatedOperator[] = []
  try {
    for (const rail of new Set(WIRE_RAIL_ACCOUNTS.map(({ rail }) => rail))) started.push(await start(rail, options))
    return started
  } catch (error) {
    await closeOperators(started)
    throw error
  }
}

export const closeOperators = (operators: readonly SimulatedOperator[]): Promise<unknown> =>
  Promise.all(operators.map(({ simulator }) => simulator.close()))

async function start(
  rail: Rail,
  { session, clock, delayMs, lastUrl, callbackUrl, onBroken }: StartOptions,
): Promise<SimulatedOperator> {
  const journal = await openJournal(session, rail, clock.now(), onBroken)
  const operator = present(
    SIMULATORS[rail],
    `the simulator of ${rail}`,
  )({
    ...WIRE_OPERATORS[rail],
    callbackUrl: (country) => callbackUrl(rail, country),
  })
  const listen = async (port: number, kept: Journal): Promise<SimulatedOperator> => {
    const time = createClock({ realNow: () => clock.now().getTime() })
    const simulator = await startSimulator(operator, { port, clock: time, malipoNumbersMs: delayMs, journal: kept })
    return { rail, simulator, time }
  }
  const lastPort = Number(URL.parse(lastUrl(rail) ?? '')?.port ?? 0)
  try {
    return await listen(lastPort, journal)
  } catch (error) {
    if (!isTaken(error) || lastPort === 0) throw error
    return listen(0, journal)
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
