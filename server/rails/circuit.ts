import type { Clock } from '../actions/ports/clock.ts'
import type { CircuitStateName } from '../actions/ports/operator-exchanges.ts'

/** When the circuit breaker of an operator opens. */
export interface CircuitSettings {
  /** Opens after this many consecutive failures. */
  readonly failuresInARow: number
  /** Also opens when, of at least `callsMin` calls in the last `windowMs`, this share failed or was doubtful. */
  readonly failedShare: number
  readonly windowMs: number
  readonly callsMin: number
  /** How long it stays open before one probe call goes out. */
  readonly openMs: number
}

const CIRCUIT_SETTINGS: CircuitSettings = {
  failuresInARow: 5,
  failedShare: 0.5,
  windowMs: 60_000,
  callsMin: 20,
  openMs: 15_000,
}

export interface CircuitState {
  readonly state: CircuitStateName
  readonly since: Date
  /** How the last failed call failed, without customer data. */
  readonly lastError?: string
}

/**
 * `doubtful`: a reply that may concern one order or all of them, such as a 500 that operators return for both. It says nothing about the single order, and counts towards the failed share.
 */
export type CallOutcome = 'ok' | 'failed' | 'doubtful'

/** @param error how the call failed */
export type EndCall = (outcome: CallOutcome, error?: string) => void

/** Circuit breaker: stops calls to an operator that does not reply. */
export interface Circuit {
  state(): CircuitState
  /** @returns a function to call once with the outcome of the call; undefined when the call must not go out */
  enter(): EndCall | undefined
}

/**
 * Creates a circuit breaker, one per rail account and process. Outcomes of calls that began before a state change do
 * not count for the new state.
 */
export function createCircuit(clock: Clock, settings: Partial<CircuitSettings> = {}): Circuit {
  const { failuresInARow, failedShare, windowMs, callsMin, openMs } = { ...CIRCUIT_SETTINGS, ...settings }
  let current: CircuitState = { state: 'closed', since: clock.now() }
  let inARow = 0
  let lately: readonly { readonly atMs: number; readonly isOk: boolean }[] = []
  /** An outcome from an earlier era belongs to an earlier state. */
  let era = 0
  let isProbing = false
  let lastError: string | undefined

  function become(state: CircuitStateName): void {
    current = { state, since: clock.now(), ...(lastError !== undefined && { lastError }) }
    era += 1
    inARow = 0
    lately = []
    isProbing = false
  }

  function state(): CircuitState {
    const elapsedMs = clock.now().getTime() - current.since.getTime()
    // A clock that was set back must not keep the circuit open for hours.
    if (current.state === 'open' && (elapsedMs >= openMs || elapsedMs < 0)) become('half_open')
    return current
  }

  function count(outcome: CallOutcome): void {
    const nowMs = clock.now().getTime()
    if (outcome === 'ok') inARow = 0
    if (outcome === 'failed') inARow += 1
    lately = [...lately.filter(({ atMs }) => atMs > nowMs - windowMs), { atMs: nowMs, isOk: outcome === 'ok' }].slice(
      -LATELY_MAX,
    )
    const failed = lately.filter(({ isOk }) => !isOk).length
    if (inARow >= failuresInARow || (lately.length >= callsMin && failed >= failedShare * lately.length)) become('open')
  }

  return {
    state,
    enter() {
      const { state: now } = state()
      if (now === 'open' || isProbing) return undefined
      isProbing = now === 'half_open'
      const entered = era
      let hasEnded = false
      return (outcome, error) => {
        if (hasEnded || entered !== era) return
        hasEnded = true
        if (outcome === 'failed') lastError = error
        if (current.state === 'closed') count(outcome)
        // A doubtful reply closes the circuit too: the operator is reachable.
        else become(outcome === 'failed' ? 'open' : 'closed')
      }
    },
  }
}

/** The number of calls in the window to remember. */
const LATELY_MAX = 200
