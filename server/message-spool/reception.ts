import type { RailCallback, RailCallbackStore, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { MessageSpool } from './message-spool.ts'
import { inTime } from './replay.ts'

/**
 * The longest wait of an operator message handler for the database. Operators hang up after some seconds, and some
 * never retry.
 */
export const DATABASE_WAIT_MS_MAX = 500
/** After a failure the database is skipped for this time; then one message tries again. */
const SKIP_MS = 1_000

interface ReceptionDeps {
  readonly receive: RailCallbackStore['receive']
  readonly spool: Pick<MessageSpool, 'append'>
  /** The limit of concurrent inserts, including those whose caller no longer waits: each holds a connection. */
  readonly atOnceMax: number
  readonly now: () => Date
  readonly onError: (error: unknown) => void
  /** A monotonic time. */
  readonly monotonicMs?: () => number
  readonly waitMsMax?: number
}

/** Stores operator messages, in the database or in the spool. */
export interface MessageReception {
  /** @returns once the message is stored. @throws StorageUnavailable when neither accepts it */
  take(callback: RailCallback): Promise<Reception | 'spooled'>
  /** The database answers again, as another part of the process has found. */
  answers(): void
}

/** The database did not answer in time. The insert may be committed anyway; the replay repeats it. */
const LATE = Symbol('late')

/** Tries the database for a limited time, then the spool, with the same time of receipt. */
export function createReception(deps: ReceptionDeps): MessageReception {
  const { receive, spool, now, atOnceMax, monotonicMs = performance.now.bind(performance) } = deps
  const waitMsMax = deps.waitMsMax ?? DATABASE_WAIT_MS_MAX
  const slots = createSlots(atOnceMax)
  let skippedUntil: number | undefined

  async function insert(callback: RailCallback, receivedAt: Date): Promise<Reception | typeof LATE> {
    const givenUp = new AbortController()
    const inserted = slots.run(() => receive(callback, receivedAt), givenUp.signal)
    const reception = await inTime(inserted, waitMsMax)
    if (reception !== undefined) return reception
    givenUp.abort() // must not start any more once the message is spooled
    return LATE
  }

  /** Circuit breaker: after a timeout, one message at a time probes whether the database answers again. */
  function isSkipped(): boolean {
    if (skippedUntil === undefined) return false
    if (monotonicMs() < skippedUntil || slots.areTaken()) return true
    skippedUntil = monotonicMs() + SKIP_MS
    return false
  }

  async function byDatabase(callback: RailCallback, receivedAt: Date): Promise<Reception | undefined> {
    if (isSkipped()) return undefined
    try {
      const reception = await insert(callback, receivedAt)
      if (reception !== LATE) {
        skippedUntil = undefined
        return reception
      }
    } catch (error) {
      // The message is spooled after any error: the replay reports what cannot be stored.
      if (!(error instanceof StorageUnavailable)) deps.onError(error)
    }
    skippedUntil = monotonicMs() + SKIP_MS
    return undefined
  }

  return {
    async take(callback) {
      const receivedAt = now()
      const reception = await byDatabase(callback, receivedAt)
      if (reception !== undefined) return reception
      try {
        await spool.append({ callback, receivedAt })
      } catch (error) {
        throw new StorageUnavailable(error)
      }
      return 'spooled'
    },
    answers() {
      skippedUntil = undefined
    },
  }
}

/** A concurrency limit; a call that waits for a slot leaves the queue when it is aborted. */
function createSlots(max: number) {
  let taken = 0
  const waiting = new Set<() => void>()
  const free = (): void => {
    taken -= 1
    const [next] = waiting
    next?.()
  }
  const slot = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const take = (): void => {
        waiting.delete(take)
        taken += 1
        resolve()
      }
      if (taken < max) return take()
      waiting.add(take)
      signal.addEventListener('abort', () => waiting.delete(take) && reject(new Error('given up')))
    })
  return {
    areTaken: () => taken >= max,
    async run<Result>(action: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
      await slot(signal)
      return action().finally(free)
    },
  }
}
