/** One call to an operator, recorded for support. Texts are masked: no secrets, no full account numbers. */
export interface OperatorExchange {
  /** The rail account that made the call. */
  readonly railAccount: string
  /** `submit`, `ask`, `token`, … */
  readonly purpose: string
  readonly orderId?: string
  readonly at: Date
  readonly durationMs: number
  readonly method: string
  readonly path: string
  readonly request: string
  /** Absent: no reply. */
  readonly status?: number
  readonly reply?: string
  /** Why there is no reply, or what is wrong with it. */
  readonly error?: string
}

/** Never throws and never blocks: a payment does not wait for its record. */
export interface ExchangeRecord {
  add(exchange: OperatorExchange): void
}

/** A difference between an operator's replies or messages and its contract; contains no text from the operator. */
export interface OperatorDrift {
  readonly railAccount: string
  /** The operation whose reply it is, or the callback, by its name in the contract. */
  readonly source: string
  /** The field's path, in the names of the contract. */
  readonly field: string
  /** `null in the place of a text`, `is missing`, … */
  readonly shape: string
}

/** Never throws and never blocks: no reply waits for it. */
export interface DriftRecord {
  add(drift: OperatorDrift): void
}

/** The purpose of a call to an operator. */
export const EXCHANGE_PURPOSES = ['token', 'submit', 'ask', 'statement', 'check', 'provision'] as const
type ExchangePurpose = (typeof EXCHANGE_PURPOSES)[number]

/**
 * Result of a call. `refused`: a status from 300 to 499; `server_error`: one from 500, that of a front proxy included.
 * `broke_contract`: a reply below 500 that does not follow the operator's contract: an undeclared status, no JSON, a
 * name twice in one object. `no_answer`: it went out, and no complete reply came. `not_sent`: certainly nothing went
 * out.
 */
export const EXCHANGE_OUTCOMES = ['ok', 'refused', 'server_error', 'broke_contract', 'no_answer', 'not_sent'] as const
export type ExchangeOutcome = (typeof EXCHANGE_OUTCOMES)[number]

/** One call, for metrics. */
export interface ExchangeReport {
  readonly purpose: ExchangePurpose
  readonly outcome: ExchangeOutcome
  /** Duration of calls that were started. */
  readonly durationMs?: number
}

/**
 * State of the circuit breaker. `half_open`: one probe call is out, or may go out, to find out whether an unresponsive
 * operator has recovered.
 */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const
export type CircuitStateName = (typeof CIRCUIT_STATES)[number]
