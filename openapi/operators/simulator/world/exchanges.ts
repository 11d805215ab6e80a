/** One request and its reply, secrets masked. */
export interface Exchange {
  readonly number: number
  readonly at: Date
  /** `in`: a call to the operator; `out`: a callback of the operator. */
  readonly direction: 'in' | 'out'
  readonly operation: string | undefined
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: unknown
  /** Undefined without a reply. */
  readonly status: number | undefined
  readonly responseBody: unknown
  /** The effect of a scenario, or why a request was refused. */
  readonly note: string | undefined
  /** Where the simulator itself violated the contract; empty unless a scenario requested a lie. */
  readonly faults: readonly string[]
}

export type Exchanges = ReturnType<typeof createExchanges>

/** Enough for a day of trying; the oldest are dropped. */
const EXCHANGES_MAX = 2_000

export function createExchanges() {
  const exchanges: Exchange[] = []
  let number = 0
  return {
    add(exchange: Omit<Exchange, 'number'>): void {
      exchanges.unshift({ number: ++number, ...exchange })
      if (exchanges.length > EXCHANGES_MAX) exchanges.pop()
    },
    /** Newest first. */
    all: (): readonly Exchange[] => [...exchanges],
  }
}
