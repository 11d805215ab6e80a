import type { Clock } from '../actions/ports/clock.ts'
import type { CircuitStateName } from '../actions/ports/operator-exchanges.ts'

/** When an operator counts as dead. */
export interface CircuitSettings {
  /** Opens after so many failures with no success between them. */
  readonly failuresInARow: number
  /** Opens too when, of the calls of the last `windowMs`, at least `callsMin`, this share failed or were doubtful. */
  readonly failedShare: number
  readonly windowMs: number
  readonly callsMin: number
  /** How long it stays open before one call may try again. */
  readonly openMs: number
}

export const CIRCUIT_SETTINGS: CircuitSettings = {
  failuresInARow: 5,
  failedShare: 0.5,
  windowMs: 60_000,
  callsMin: 20,
  openMs: 15_000,
}

export interface CircuitState {
  readonly state: CircuitStateName
  readonly since: Date
}

/**
 * `doubtful`: an answer that may concern one order or all of them, such as a 500 that operators give for both. It says
 * nothing about the row, and counts in the share.
 */
export type CallOutcome = 'ok' | 'failed' | 'doubtful'

/** Keeps calls from an operator that does not answer. */
export interface Circuit {
  state(): CircuitState
  /** @returns what the call ends with, to be called once; undefined when it must not go out */
  enter(): ((outcome: CallOutcome) => void) | undefined
}

/** One of every installation and process. Calls that began before its state changed say nothing about the new one. */
export function createCircuit(clock: Clock, settings: Partial<CircuitSettings> = {}): Circuit {
  const { failuresInARow, failedShare, windowMs, callsMin, openMs } = { ...CIRCUIT_SETTINGS, ...settings }
  let current: CircuitState = { state: 'closed', since: clock.now() }
  let inARow = 0
  let lately: readonly { readonly atMs: number; readonly isOk: boolean }[] = []
  /** What came in under an earlier number is of an earlier state. */
  let era = 0
  let isProbing = false

  function become(state: CircuitStateName): void {
    current = { state, since: clock.now() }
    era += 1
    inARow = 0
    lately = []
    isProbing = false
  }

  function state(): CircuitState {
    const elapsedMs = clock.now().getTime() - current.since.getTime()
    // A clock that was set back must not keep it open for hours.
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
      return (outcome) => {
        if (hasEnded || entered !== era) return
        hasEnded = true
        if (current.state === 'closed') count(outcome)
        // A doubtful answer is one: whoever gives it is there.
        else become(outcome === 'failed' ? 'open' : 'closed')
      }
    },
  }
}

/** Of the calls in the window so many are remembered. */
const LATELY_MAX = 200
