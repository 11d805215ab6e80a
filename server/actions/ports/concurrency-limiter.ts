/** Where an action goes, and for which merchant: each host and each merchant has its own concurrency limit. */
export interface Destination {
  readonly host: string
  readonly merchantId: bigint
  /** The destination of the job (domain/destination.ts). */
  readonly destination: string
}

/** No capacity became free in time: retry after this delay. */
export interface RetryLater {
  readonly afterMs: number
}

/** Resolves with whether the host replied promptly. */
export type Outbound = () => Promise<boolean>

/**
 * Runs an action when its host and its merchant have capacity. It is prepared before that, and only when it has a
 * chance to run.
 * @returns the retry delay, if it was not run
 */
export type ConcurrencyLimiter = (to: Destination, prepare: () => Promise<Outbound>) => Promise<RetryLater | undefined>
