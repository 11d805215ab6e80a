/** One call to an operator, as it is kept for support. Texts are masked: no secrets, no full account numbers. */
export interface OperatorExchange {
  /** Which installation of a rail made it. */
  readonly installation: string
  /** `submit`, `ask`, `token`, … */
  readonly purpose: string
  readonly orderId?: string
  readonly at: Date
  readonly durationMs: number
  readonly method: string
  readonly path: string
  readonly request: string
  /** Absent: no reply came. */
  readonly status?: number
  readonly reply?: string
  /** Why there is no reply, or what is wrong with it. */
  readonly error?: string
}

/** Takes what it is given and never fails: a payment does not wait for its record. */
export interface ExchangeRecord {
  add(exchange: OperatorExchange): void
}

/** Where an operator's answers or messages differ from its contract; nothing in it was written by the operator. */
export interface OperatorDrift {
  readonly installation: string
  /** The operation that was answered, or the callback, as the contract names it. */
  readonly source: string
  /** By its path in the contract's names. */
  readonly field: string
  /** `null in the place of a text`, `is missing`, … */
  readonly shape: string
}

/** Takes what it is given and never fails: no answer waits for it. */
export interface DriftRecord {
  add(drift: OperatorDrift): void
}

/** What calls to operators are for. */
export const EXCHANGE_PURPOSES = ['token', 'submit', 'ask', 'statement', 'check', 'provision'] as const
export type ExchangePurpose = (typeof EXCHANGE_PURPOSES)[number]

/**
 * What came of a call. `refused`: a status from 300 to 499; `server_error`: one from 500, that of a front included.
 * `broke_contract`: no answer in the sense of the operator's contract, although something below 500 came: an undeclared
 * status, no JSON, a name twice in one object. `no_answer`: it went out, and no whole answer came. `not_sent`: certainly nothing went out.
 */
export const EXCHANGE_OUTCOMES = ['ok', 'refused', 'server_error', 'broke_contract', 'no_answer', 'not_sent'] as const
export type ExchangeOutcome = (typeof EXCHANGE_OUTCOMES)[number]

/** One call, for those who count. */
export interface CallTold {
  readonly purpose: ExchangePurpose
  readonly outcome: ExchangeOutcome
  /** Of calls that were begun. */
  readonly durationMs?: number
}

/** `half_open`: one call is out, or may go out, to find out whether a silent operator is back. */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const
export type CircuitStateName = (typeof CIRCUIT_STATES)[number]
