import { createCalls, type Calls, type EventsCalls, type TransactionsCalls } from '../generated/calls.ts'
import type { Caller, MalipoHttp } from './caller.ts'
import { MalipoError } from './errors.ts'
import { createHttp, fetchWith } from './http.ts'
import { checkedIdempotencyKey, settingsFrom, type MalipoOptions, type Settings } from './options.ts'
import { replay, type ReplayedEvent, type ReplayOptions } from './replay.ts'
import { replyFrom, type Reply } from './reply.ts'
import type { Secrets } from './secrets.ts'
import { waitUntilFinal, type FinalTransaction, type WaitOptions } from './wait-until-final.ts'

/**
 * The gateway, one function per operation of the contract.
 *
 * Each resolves to the data of the reply or rejects with a {@link MalipoError}. We decided against a result union:
 * with money, a forgotten `if (result.error)` ships the goods, while a forgotten `catch` stops the program; and
 * `error.kind` is typed either way.
 */
export interface Malipo extends Calls {
  readonly transactions: Transactions
  readonly events: Events
  /**
   * The underlying client of openapi-fetch, typed by the paths of the contract, if you want the reply itself or
   * middleware of your own. Keys, retries, time-outs and errors are those of the calls: it rejects with a {@link
   * MalipoError} where openapi-fetch would resolve to an `error`.
   *
   * @example
   * ```ts
   * const { data, response } = await malipo.http.GET('/data/wallet-balances', { params: { query: { currency: 'UGX' } } })
   * console.log(data?.message, response.headers.get('x-request-id'))
   * ```
   */
  readonly http: MalipoHttp
  /**
   * Metadata of the data that a call resolved to: the request id, and whether it is the replay of an earlier reply.
   *
   * @throws TypeError if no call of this client resolved to it
   * @example
   * ```ts
   * const payout = await malipo.payouts.send(request, { idempotencyKey })
   * const { requestId, isReplay } = malipo.replyOf(payout)
   * ```
   */
  replyOf(data: object): Reply
}

/** The call that lists events, and the loop over all of them. */
export interface Events extends EventsCalls {
  /**
   * Iterates over what your callbacks told after a number, to the end, and verifies each as {@link webhooks.verify} does:
   * for a program that has missed callbacks. Handle each `webhookId` once, and remember the `number`.
   *
   * @param secrets your webhook secret `whsec_…`, or several while one is being rotated
   * @throws WebhookVerificationError, and MalipoError as every call
   * @example
   * ```ts
   * for await (const { number, event, payload } of malipo.events.replay(secret, { after: lastNumber })) {
   *   await handle(event, payload)
   *   await remember(number)
   * }
   * ```
   */
  replay(secrets: Secrets, options?: ReplayOptions): AsyncGenerator<ReplayedEvent, void, undefined>
}

/** The calls about transactions, and the one that polls. */
export interface Transactions extends TransactionsCalls {
  /**
   * Polls until the transaction is COMPLETED, FAILED or CANCELLED: after 1 second, then with backoff up to 15 seconds,
   * each wait shortened by a little jitter, and never before `Retry-After`. It continues after errors that a later
   * attempt may resolve. For programs without a callback URL, and for tests; a server that receives callbacks does not
   * need it.
   *
   * @throws MalipoError, of kind `timeout` if it is not final in time: it may still become so
   * @example
   * ```ts
   * const { transaction_status, status_message } = await malipo.transactions.waitUntilFinal('ORDER-2026-0001', {
   *   timeoutMs: 60_000,
   * })
   * ```
   */
  waitUntilFinal(merchantReference: string, options?: WaitOptions): Promise<FinalTransaction>
}

/**
 * Binds keys, version and language once and returns the calls. It sends nothing until you make a call.
 *
 * Where a retry may help and cannot pay twice, a call is retried: after a broken connection, HTTP 429 and 5xx, up to
 * `maxRetries` times within `timeoutMs`, and not before `Retry-After`. A POST is retried only under an
 * `Idempotency-Key`, yours or a generated one.
 *
 * For servers: both keys are confidential, so it does not work in a browser.
 *
 * @throws TypeError or RangeError that names the wrong option, and TypeError in a browser
 * @example
 * ```ts
 * import { createMalipo } from '@malipo/client'
 *
 * const malipo = createMalipo({
 *   baseUrl: 'http://127.0.0.1:8080',
 *   publicKey: 'pub_sandbox_demo',
 *   secretKey: process.env.MALIPO_SECRET_KEY,
 * })
 * ```
 */
export function createMalipo(options: MalipoOptions): Malipo {
  const settings = settingsFrom(options)
  const http = createHttp(settings)
  const replies = new WeakMap<object, Reply>()
  const calls = createCalls(callerOf(settings, http, replies))
  return {
    ...calls,
    transactions: {
      ...calls.transactions,
      // Each poll is sent once, without retries: the loop itself polls again.
      waitUntilFinal: async (merchantReference, options = {}) =>
        waitUntilFinal(
          (call) => calls.transactions.verify(merchantReference, { ...call, maxRetries: 0 }),
          options,
          settings.waiting,
        ),
    },
    events: { ...calls.events, replay: (secrets, options) => replay(calls.events.list, secrets, options) },
    http,
    replyOf(data) {
      const reply = replies.get(data)
      if (reply === undefined) throw new TypeError('replyOf takes what a call of this client resolved to')
      return reply
    },
  }
}

const callerOf = (settings: Settings, http: MalipoHttp, replies: WeakMap<object, Reply>): Caller => ({
  http,
  sending: (options) => ({ fetch: fetchWith(settings, options) }),
  sendingOnce: (options = {}) => ({
    fetch: fetchWith(settings, options),
    ...(options.idempotencyKey !== undefined && {
      headers: { 'idempotency-key': checkedIdempotencyKey(options.idempotencyKey) },
    }),
  }),
  async result(reply, part) {
    const { data, response } = await reply
    // Our own error replies have thrown by now: this one comes from someone else's middleware.
    if (data === undefined)
      throw new MalipoError(`HTTP ${response.status} without data`, { kind: 'unexpected_reply', retryable: false })
    const result: unknown = part(data.data)
    // Only the envelope was checked, not its content.
    if (!isObject(result))
      throw new MalipoError(`HTTP ${response.status} with data that lacks what was asked for`, {
        kind: 'unexpected_reply',
        retryable: false,
      })
    replies.set(result, replyFrom(response))
    return result as ReturnType<typeof part>
  },
})

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
