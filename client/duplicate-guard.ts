import type { VerifiedCallback } from './webhooks.ts'

/** Where a guard remembers which callbacks were handled. */
export interface SeenKeys {
  /** Whether a key is remembered. */
  has(key: string): boolean | Promise<boolean>
  /**
   * Remembers a key for this many seconds and returns whether it is new. Two concurrent calls with the same key: true
   * for exactly one, as with a unique index or `SET … NX`. The guard keeps a handled key for five days, because Malipo
   * sends for four, and a key in progress for five minutes, so that a process that dies meanwhile does not block its
   * callback for longer.
   */
  add(key: string, keepSeconds: number): boolean | Promise<boolean>
  /** Deletes a key: its callback is no longer being handled. */
  delete(key: string): unknown
}

/** What a guard passes to the handler besides the callback. */
export interface GuardNote {
  /**
   * This transaction had another final status before, as when a late result turns FAILED into COMPLETED. Callbacks
   * arrive in any order, so this one may be the older of the two: call `transactions.verify` for the status that
   * holds.
   */
  readonly statusChanged: boolean
}

/** Lets each callback through once. */
export interface DuplicateGuard {
  /**
   * Runs the handler unless the callback was handled before, and returns which: reply 2xx either way. Reply 500 to
   * whatever it throws, and Malipo sends the callback again. It also throws while another callback of the same
   * transaction is being handled: nothing is acknowledged that may still fail, and the second status is recognised as
   * a change.
   */
  once(
    callback: VerifiedCallback,
    handle: (callback: VerifiedCallback, note: GuardNote) => unknown,
  ): Promise<'handled' | 'duplicate'>
}

const KEYS_MAX = 10_000
const HANDLED_SECONDS = 5 * 24 * 60 * 60
/** Longer than any handler should take: Malipo waits 15 seconds for the reply. */
const RUNNING_SECONDS = 5 * 60

/**
 * A guard against duplicate callbacks: the same status of a transaction is handled once, in whichever message it
 * arrives, and a second final status is marked as a change.
 *
 * The in-memory store is lost when the process ends, is not shared with your other processes, and keeps the last
 * 10,000 keys: enough to try it out. In production give it a store that all processes share. If a process dies after
 * your handler but before the store is updated, the callback is handled once more, so the safest way is a unique index
 * on reference and status, written in the transaction that books the payment.
 *
 * @example
 * ```ts
 * const guard = createDuplicateGuard({ seen: {
 *   has: async (key) => (await redis.exists(key)) === 1,
 *   add: async (key, keepSeconds) => (await redis.set(key, 1, { NX: true, EX: keepSeconds })) === 'OK',
 *   delete: (key) => redis.del(key),
 * } })
 * await guard.once(callback, ({ payload }, { statusChanged }) => book(payload, statusChanged))
 * ```
 */
export function createDuplicateGuard({
  seen = inMemory(KEYS_MAX),
}: { readonly seen?: SeenKeys | undefined } = {}): DuplicateGuard {
  return {
    async once(callback, handle) {
      const transaction = transactionOf(callback)
      const handled = `${transaction}:${callback.payload.transaction_status}`
      const running = `running:${transaction}`
      if (!(await seen.add(running, RUNNING_SECONDS))) throw new Error(`${transaction} is being handled: answer 500`)
      try {
        if (await seen.has(handled)) return 'duplicate'
        await handle(callback, { statusChanged: await seen.has(transaction) })
        // The handler has finished: an error of the store now is no reason to have the callback sent again.
        await tried([handled, transaction], (key) => seen.add(key, HANDLED_SECONDS))
        return 'handled'
      } finally {
        // If the key cannot be deleted, it expires on its own.
        await tried([running], (key) => seen.delete(key))
      }
    },
  }
}

/**
 * Malipo's reference distinguishes two merchants who use the same one; yours distinguishes the sample messages of
 * tests, which share Malipo's.
 */
const transactionOf = ({ payload }: VerifiedCallback): string =>
  `${payload.internal_reference}:${payload.merchant_reference}`

const tried = (keys: readonly string[], each: (key: string) => unknown) =>
  Promise.allSettled(keys.map(async (key) => each(key)))

/** Evicts the oldest key for the newest. */
function inMemory(keysMax: number): SeenKeys {
  const keys = new Set<string>()
  return {
    has: (key) => keys.has(key),
    add(key) {
      if (keys.has(key)) return false
      keys.add(key)
      const [oldest] = keys
      if (keys.size > keysMax && oldest !== undefined) keys.delete(oldest)
      return true
    },
    delete: (key) => keys.delete(key),
  }
}
