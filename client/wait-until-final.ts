import type { CollectionCallback, PayoutCallback, Transaction } from '../generated/schema.d.ts'
import { MalipoError } from './errors.ts'
import { checkedTimeout } from './options.ts'
import { waitMs, type WaitingTools } from './waiting.ts'

/** A transaction in a final status. */
export type FinalTransaction = (CollectionCallback | PayoutCallback)['payload']

/** Options of `transactions.waitUntilFinal`. */
export interface WaitOptions {
  /** Longest time to wait for a final status, in milliseconds; five minutes if absent. */
  readonly timeoutMs?: number | undefined
  /** Aborts the wait: it rejects with the signal's own reason. The transaction continues. */
  readonly signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 300_000
/** The time limit of one poll; then the next one is due anyway. */
const QUESTION_MS_MAX = 15_000
const POLLING = { firstMs: 1000, factor: 1.5, mostMs: 15_000 }

const finality = {
  PENDING: false,
  PROCESSING: false,
  COMPLETED: true,
  FAILED: true,
  CANCELLED: true,
} as const satisfies Record<Transaction['transaction_status'], boolean>

const isFinal = (transaction: Transaction): transaction is FinalTransaction => finality[transaction.transaction_status]

/**
 * Polls until the transaction is final.
 * @throws MalipoError of kind `timeout`, or the first error that a later attempt cannot resolve
 */
export async function waitUntilFinal(
  verify: (options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined }) => Promise<Transaction>,
  { timeoutMs = TIMEOUT_MS, signal }: WaitOptions,
  { elapsedMs, random, sleep }: WaitingTools,
): Promise<FinalTransaction> {
  const until = elapsedMs() + checkedTimeout(timeoutMs)
  const left = () => until - elapsedMs()
  for (let tries = 1, seen = 'no answer'; ; tries += 1) {
    let retryAfterMs: number | undefined
    try {
      const transaction = await verify({ timeoutMs: Math.max(1, Math.min(QUESTION_MS_MAX, left())), signal })
      if (isFinal(transaction)) return transaction
      seen = transaction.transaction_status
    } catch (error) {
      if (!(error instanceof MalipoError && error.retryable)) throw error
      retryAfterMs = error.retryAfterMs
    }
    const pause = waitMs(POLLING, tries, random(), retryAfterMs)
    // A reply after the deadline would be of no use.
    if (pause >= left())
      throw new MalipoError(`Not final within ${timeoutMs} ms (${seen}): it may still become so`, {
        kind: 'timeout',
        retryable: true,
      })
    await sleep(pause, signal ?? new AbortController().signal)
  }
}
