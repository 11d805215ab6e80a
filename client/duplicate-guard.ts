import type { VerifiedCallback } from './webhooks.ts'

/** Where a guard remembers what was handled. */
export interface SeenKeys {
  /** Whether a key is remembered. */
  has(key: string): boolean | Promise<boolean>
  /**
   * Remembers a key for so many seconds and tells whether it is new. Two calls at the same time with the same key: true
   * for exactly one, as a unique index or `SET … NX` has it. What was handled is kept for five days, because Malipo
   * sends for four; what is being handled for five minutes, so that a process that dies meanwhile does not block its
   * callback for longer.
   */
  add(key: string, keepSeconds: number): boolean | Promise<boolean>
  /** Forgets a key: nobody is handling it any more. */
  delete(key: string): unknown
}

/** What a guard tells the handler besides the callback. */
export interface GuardNote {
  /**
   * There was another final status of this transaction before, as when a late result turns FAILED into COMPLETED.
   * Callbacks come in any order, so this one may be the older of the two: ask `transactions.verify` which holds.
   */
  readonly statusChanged: boolean
}

/** Lets each callback through once. */
export interface DuplicateGuard {
  /**
   * Runs the handler unless the callback was handled before, and tells which: answer 2xx either way. Answer 500 to
   * whatever it throws, and Malipo sends it again. It throws, too, while another callback of the same transaction is
   * being handled: nothing is acknowledged that may still fail, and the second status is told apart from the first.
   */
  once(
    callback: VerifiedCallback,
    handle: (callback: VerifiedCallback, note: GuardNote) => unknown,
  ): Promise<'handled' | 'duplicate'>
}

const KEYS_MAX = 10_000
const HANDLED_SECONDS = 5 * 24 * 60 * 60
/** Longer than any handler should take: Malipo waits 15 seconds for the answer. */
const RUNNING_SECONDS = 5 * 60

/**
 * A guard against callbacks that come twice: the same status of a transaction is handled once, in whichever message it
 * comes, and its second final status is told apart.
 *
 * In memory it forgets when the process ends, knows nothing of your other processes, and keeps the last 10,000 keys:
 * enough for a try. In earnest give it a store that all processes share. A process that dies after your handler and
 * before the store was told handles once more, so surest of all is a unique index on reference and status, written in
 * the transaction that books the payment.
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
        // It is done: a store that fails now is no reason to have it sent again.
        await tried([handled, transaction], (key) => seen.add(key, HANDLED_SECONDS))
        return 'handled'
      } finally {
        // When it cannot be forgotten it ends by itself.
        await tried([running], (key) => seen.delete(key))
      }
    },
  }
}

/**
 * Malipo's reference tells two merchants apart who use the same one; yours tells apart the sample messages of tests,
 * which share Malipo's.
 */
const transactionOf = ({ payload }: VerifiedCallback): string =>
  `${payload.internal_reference}:${payload.merchant_reference}`

const tried = (keys: readonly string[], each: (key: string) => unknown) =>
  Promise.allSettled(keys.map(async (key) => each(key)))

/** The oldest key makes room for the newest. */
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
