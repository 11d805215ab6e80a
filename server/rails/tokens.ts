import type { Clock } from '../actions/ports/clock.ts'
import { NotSent } from './operator-errors.ts'

export interface TokensOptions {
  readonly clock: Clock
  /** How long before its end a token is renewed. Of one that lives shortly, half of its life is used. */
  readonly renewBeforeMs: number
  /** Calls the operator. @throws what went wrong; its message must not hold a secret */
  fetchToken(): Promise<FetchedToken>
}

export interface FetchedToken {
  readonly token: string
  readonly validForMs: number
}

/** The access token of one installation and one product of it. */
export interface Tokens {
  /** @throws NotSent when none can be had: the order that it is for has not gone out */
  token(): Promise<string>
  /**
   * After the operator refused a token: a new one, or the one that somebody else has got in the meantime.
   * @throws NotSent as `token` does, and when the operator goes on refusing what it has just given
   */
  renew(used: string): Promise<string>
  /** Told when the operator has done what was asked with it: should it be refused later, it has only ended early. */
  worked(used: string): void
}

/** So long nobody asks again after a call for a token has failed. */
const PAUSE_MS = 2_000
/**
 * Tokens that are refused before anything was done with them are renewed so often within so long: that is no matter of
 * time, and an operator counts the calls for tokens. One that worked is another case: an operator that starts again
 * forgets its tokens, and may do so often.
 */
const RENEWALS_MAX = 3
const RENEWALS_WITHIN_MS = 60_000

interface Cached {
  readonly token: string
  /** Epoch milliseconds. From `renewAt` on it is renewed beside its use, from `endsAt` on it is not used any more. */
  readonly renewAt: number
  readonly endsAt: number
}

/** One call at a time, which everybody who waits for a token shares. */
export function createTokens({ clock, renewBeforeMs, fetchToken }: TokensOptions): Tokens {
  let cached: Cached | undefined
  let fetching: Promise<string> | undefined
  let paused: { readonly error: NotSent; readonly untilMs: number } | undefined
  let renewedAt: readonly number[] = []
  const nowMs = () => clock.now().getTime()

  async function fetched(): Promise<string> {
    // Its time is counted from before the call: where on the way it began nobody knows.
    const askedAt = nowMs()
    try {
      const { token, validForMs } = await fetchToken()
      if (!(validForMs > 0)) throw new Error('the operator gave a token that has ended')
      const usedForMs = Math.max(validForMs - renewBeforeMs, validForMs / 2)
      cached = { token, renewAt: askedAt + usedForMs, endsAt: askedAt + validForMs }
      return token
    } catch (cause) {
      const error = new NotSent(`no token: ${cause instanceof Error ? cause.message : 'unknown fault'}`, { cause })
      paused = { error, untilMs: nowMs() + PAUSE_MS }
      throw error
    }
  }

  function fetchShared(): Promise<string> {
    if (fetching) return fetching
    if (paused && nowMs() < paused.untilMs) return Promise.reject(paused.error)
    fetching = fetched().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  async function token(): Promise<string> {
    const now = nowMs()
    if (!cached || now >= cached.endsAt) return fetchShared()
    // It still holds: nobody has to wait, and a failure is told to those who come when it has ended.
    if (now >= cached.renewAt) fetchShared().catch(() => undefined)
    return cached.token
  }

  return {
    token,
    async renew(used) {
      if (cached?.token !== used) return token()
      cached = undefined
      if (fetching) return fetching
      const now = nowMs()
      renewedAt = renewedAt.filter((at) => at > now - RENEWALS_WITHIN_MS)
      const [oldest] = renewedAt
      if (oldest !== undefined && renewedAt.length >= RENEWALS_MAX) {
        const error = new NotSent('the operator refuses tokens that it has just given')
        paused = { error, untilMs: oldest + RENEWALS_WITHIN_MS }
      } else renewedAt = [...renewedAt, now]
      return fetchShared()
    },
    worked(used) {
      if (cached?.token === used) renewedAt = []
    },
  }
}
