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
