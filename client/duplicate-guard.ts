import type { VerifiedCallback } from './webhooks.ts'

/** Where a guard remembers what it has seen. */
export interface SeenKeys {
  /**
   * Remembers a key and tells whether it is new. Two calls at the same time with the same key: true for exactly one, as a unique index or
   * `SET … NX` has it. Keep keys for five days: Malipo sends for four.
   */
  add(key: string): boolean | Promise<boolean>
  /** Forgets a key, because handling failed and the callback will come again. */
  delete(key: string): unknown
}

/** What a guard tells the handler besides the callback. */
export interface GuardNote {
  /**
   * There was another final status of this transaction before, as when a late result turns FAILED into COMPLETED. Callbacks come in any
   * order, so this one may be the older of the two: ask `transactions.verify` which holds.
   */
  readonly statusChanged: boolean
}

/** Lets each callback through once. */
export interface DuplicateGuard {
  /**
   * Runs the handler unless the callback was handled before, and tells which. Answer 2xx either way. When the handler throws, the guard
   * forgets the callback and throws the same: answer 500, and Malipo sends it again.
   */
  once(callback: VerifiedCallback, handle: (callback: VerifiedCallback, note: GuardNote) => unknown): Promise<'handled' | 'duplicate'>
}

const KEYS_MAX = 10_000

/**
 * A guard against callbacks that come twice: by `webhook-id`, and by reference and status, so that the same news in another message is a
 * duplicate, and the second final status of a transaction is told apart.
 *
 * In memory it forgets when the process ends, knows nothing of your other processes, and keeps the last 10,000 keys: enough for a try. In
 * earnest give it a store that all processes share. Surest of all is a unique index on `webhook_id` in the transaction that books the
 * payment: then a crash can neither lose nor repeat it.
 *
 * @example
 * ```ts
 * const guard = createDuplicateGuard({ seen: {
 *   add: async (key) => (await redis.set(key, 1, { NX: true, EX: 432_000 })) === 'OK',
 *   delete: (key) => redis.del(key),
 * } })
 * await guard.once(callback, ({ payload }, { statusChanged }) => book(payload, statusChanged))
 * ```
 */
export function createDuplicateGuard({ seen = inMemory(KEYS_MAX) }: { readonly seen?: SeenKeys | undefined } = {}): DuplicateGuard {
  return {
    async once(callback, handle) {
      const { webhookId, payload } = callback
      const transaction = `${payload.transaction_type}:${payload.merchant_reference}`
      const message = `message:${webhookId}`
      const status = `status:${transaction}:${payload.transaction_status}`
      if (!(await seen.add(message)) || !(await seen.add(status))) return 'duplicate'
      const first = await seen.add(`transaction:${transaction}`)
      try {
        await handle(callback, { statusChanged: !first })
        return 'handled'
      } catch (error) {
        const keys = [message, status, ...(first ? [`transaction:${transaction}`] : [])]
        for (const key of keys) await seen.delete(key)
        throw error
      }
    },
  }
}

/** The oldest key makes room for the newest. */
function inMemory(keysMax: number): SeenKeys {
  const keys = new Set<string>()
  return {
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
