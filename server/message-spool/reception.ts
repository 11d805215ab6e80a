import type { RailCallback, RailCallbackStore, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { MessageSpool } from './message-spool.ts'
import { inTime } from './replay.ts'

/**
 * No handler of operators' messages waits for the database for longer. Operators hang up after some seconds, and some
 * come only once.
 */
export const DATABASE_WAIT_MS_MAX = 500
/** After a failure the database is left alone for so long; then one message tries. */
const SKIP_MS = 1_000

export interface ReceptionDeps {
  readonly receive: RailCallbackStore['receive']
  readonly spool: Pick<MessageSpool, 'append'>
  /** So many inserts may be under way, those included that nobody waits for any more: each has a connection. */
  readonly atOnceMax: number
  readonly now: () => Date
  readonly onError: (error: unknown) => void
  /** A time that only grows. */
  readonly monotonicMs?: () => number
  readonly waitMsMax?: number
}

/** Takes messages of operators, by the database or by the spool. */
export interface MessageReception {
  /** @returns when it is kept. @throws StorageUnavailable when neither takes it */
  take(callback: RailCallback): Promise<Reception | 'spooled'>
  /** The database answers again, as others have found. */
  answers(): void
}

/** The database did not answer in time: the insert may be committed all the same, and is made again by the replay. */
const LATE = Symbol('late')

/** Tries the database for a bounded time, then the spool, with the same time of receipt. */
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
    givenUp.abort() // it must not begin any more, once it is spooled
    return LATE
  }

  /** One message at a time finds out whether a database that did not answer does again. */
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
      // Whatever it is, the message is kept: what cannot be stored is told of by the replay.
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

/** Not more than so many at a time; who waits for a slot goes away when it is given up. */
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
