import { Counter, Histogram, type Registry } from 'prom-client'
import type { BoundKind } from '../domain/account-bounds.ts'
import type { Acceptance } from '../actions/ports/acceptance.ts'
import type { AcceptResult } from '../domain/acceptance.ts'

export interface AcceptanceMetrics {
  instrumentAcceptance(acceptance: Acceptance): Acceptance
  /** Called for every batch that goes to the database. */
  readonly acceptBatch: (size: number) => void
}

type Result =
  Extract<AcceptResult, string> | 'daily_limit_exceeded' | `${BoundKind}_bound_reached` | 'refund_refused' | 'error'

function resultOf(outcome: AcceptResult): Result {
  if (typeof outcome === 'string') return outcome
  if ('refundFault' in outcome) return 'refund_refused'
  if ('typedReference' in outcome) return 'duplicate_reference'
  return 'exceededMinor' in outcome ? 'daily_limit_exceeded' : `${outcome.bound}_bound_reached`
}

/** Counts accepted and refused requests. */
export function acceptanceMetrics(registry: Registry): AcceptanceMetrics {
  // All series exist from the start, so that the first event is an increase and not a new series. Counted in plain
  // numbers, as requests are.
  const counts: Record<Result, number> = {
    accepted: 0,
    duplicate_reference: 0,
    daily_limit_exceeded: 0,
    idempotency_key_taken: 0,
    otp_send_bound_reached: 0,
    otp_wrong_bound_reached: 0,
    open_page_bound_reached: 0,
    prompt_bound_reached: 0,
    refund_refused: 0,
    error: 0,
  }
  new Counter({
    name: 'malipo_accepts_total',
    help: 'Transactions offered for acceptance, by result; error: the database was away or refused.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(counts)) this.inc({ result }, count)
    },
  })
  const batches = new Histogram({
    name: 'malipo_accept_batch_size',
    help: 'Transactions that share one commit when they are accepted.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [registry],
  })
  return {
    acceptBatch: (size) => batches.observe(size),
    instrumentAcceptance: (acceptance) => ({
      async accept(transaction) {
        let result: Result = 'error'
        try {
          const outcome = await acceptance.accept(transaction)
          result = resultOf(outcome)
          return outcome
        } finally {
          counts[result] += 1
        }
      },
    }),
  }
}
