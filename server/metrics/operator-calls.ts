import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import {
  CIRCUIT_STATES,
  EXCHANGE_OUTCOMES,
  EXCHANGE_PURPOSES,
  type ExchangeReport,
  type CircuitStateName,
  type OperatorDrift,
} from '../actions/ports/operator-exchanges.ts'

export interface OperatorCallMetrics {
  /**
   * Counts the calls of one rail account, and reports its circuit breaker.
   * @param circuit its current state
   */
  watchRailAccount(railAccount: string, circuit: () => CircuitStateName): WatchedRailAccount
  /**
   * An operator returned a result code for an order that no table explains. Counted by rail account and not by code:
   * codes are the operator's, and their number is unbounded.
   */
  unmappedResult(railAccount: string): void
}

export interface WatchedRailAccount {
  exchanged(call: ExchangeReport): void
  /** Counts a deviation from the operator's contract: this many kinds are reported separately, all others as one. */
  drifted(drift: Omit<OperatorDrift, 'railAccount'>): void
  /** The rail account was removed: none of its metrics is reported from now on. */
  end(): void
}

type DriftLabels = Pick<OperatorDrift, 'source' | 'field' | 'shape'> & { readonly rail_account: string }

/** A contract has some hundred fields, and a hostile operator may deviate in each of them in several ways. */
const DRIFTS_MAX = 100
const OTHER_DRIFT = { source: 'other', field: '*', shape: 'other' } as const

/** Calls to operators. Labels are the names of rail accounts, of which a gateway has a few, and our own words. */
export function operatorCallMetrics(registry: Registry): OperatorCallMetrics {
  const registers = [registry]
  const calls = new Counter({
    name: 'malipo_operator_calls_total',
    help:
      'Calls to operators by rail account, purpose and outcome: ok (2xx; of purpose token: a token fetched), refused ' +
      '(3xx, 4xx), server_error (5xx), broke_contract (below 500, and no answer in the sense of the contract), ' +
      'no_answer (it went out), not_sent (it certainly did not).',
    labelNames: ['rail_account', 'purpose', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'malipo_operator_call_duration_seconds',
    help: 'Time of one call to an operator, until its reply or the timeout.',
    labelNames: ['rail_account', 'purpose'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  })
  const unmapped = new Counter({
    name: 'malipo_unmapped_results_total',
    help: "Orders with a result code that no table explains, once per order and code: they stay open. `malipo transaction list --stuck` has them, each order's history its codes.",
    labelNames: ['rail_account'],
    registers,
  })
  const watchDrift = driftMetric(registry)
  const circuits = circuitStates(registry)
  return {
    unmappedResult: (railAccount) => unmapped.inc({ rail_account: railAccount }),
    watchRailAccount(railAccount, circuit) {
      circuits.set(railAccount, circuit)
      // A counter first seen at 1 has not increased.
      unmapped.inc({ rail_account: railAccount }, 0)
      // The other purposes are rare: manual calls and reconciliations.
      for (const purpose of ['token', 'submit', 'ask'] as const)
        for (const outcome of EXCHANGE_OUTCOMES) calls.inc({ rail_account: railAccount, purpose, outcome }, 0)
      const drift = watchDrift(railAccount)
      return {
        drifted: drift.add,
        exchanged({ purpose, outcome, durationMs }) {
          calls.inc({ rail_account: railAccount, purpose, outcome })
          if (durationMs !== undefined) durations.observe({ rail_account: railAccount, purpose }, durationMs / 1000)
        },
        end() {
          circuits.delete(railAccount)
          unmapped.remove({ rail_account: railAccount })
          drift.end()
          for (const purpose of EXCHANGE_PURPOSES) {
            durations.remove({ rail_account: railAccount, purpose })
            for (const outcome of EXCHANGE_OUTCOMES) calls.remove({ rail_account: railAccount, purpose, outcome })
          }
        },
      }
    },
  }
}

/** @returns the circuit of each rail account, whose state is read at the scrape */
function circuitStates(registry: Registry): Map<string, () => CircuitStateName> {
  const circuits = new Map<string, () => CircuitStateName>()
  new Gauge({
    name: 'malipo_operator_circuit_state',
    help: 'Always 1 for the state that the circuit of a rail account is in, as this process sees it, and 0 for others.',
    labelNames: ['rail_account', 'state'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [railAccount, stateNow] of circuits) {
        const now = stateNow()
        for (const state of CIRCUIT_STATES) this.set({ rail_account: railAccount, state }, state === now ? 1 : 0)
      }
    },
  })
  return circuits
}

/** @returns a function that starts and ends the drift counter of one rail account */
function driftMetric(registry: Registry) {
  const drifts = new Counter({
    name: 'malipo_operator_drift_total',
    help:
      'Fields of answers and messages that differ from the contract of the operator, by operation or callback, field ' +
      'and shape. They are read all the same where they decide nothing.',
    labelNames: ['rail_account', 'source', 'field', 'shape'],
    registers: [registry],
  })
  return (railAccount: string) => {
    const shown = new Map<string, DriftLabels>()
    return {
      add({ source, field, shape }: Omit<OperatorDrift, 'railAccount'>): void {
        const key = `${source} ${field} ${shape}`
        const labels =
          shown.get(key) ?? (shown.size < DRIFTS_MAX ? { rail_account: railAccount, source, field, shape } : undefined)
        if (labels) shown.set(key, labels)
        drifts.inc(labels ?? { rail_account: railAccount, ...OTHER_DRIFT })
      },
      end(): void {
        for (const labels of shown.values()) drifts.remove(labels)
        drifts.remove({ rail_account: railAccount, ...OTHER_DRIFT })
      },
    }
  }
}
