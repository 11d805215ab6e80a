import type { Clock } from '../actions/ports/clock.ts'
import { NoAnswer, NotSent } from './operator-errors.ts'
import type { RailWorld, SharedToken, SharedTokens } from './rail-kind.ts'

interface TokensOptions {
  readonly clock: Clock
  /** The token that all processes use, where a new one ends the previous one. */
  readonly shared?: { readonly tokens: SharedTokens; readonly product: string }
  /** How long before its expiry a token is renewed. A short-lived token is renewed after half of its lifetime. */
  readonly renewBeforeMs: number
  /**
   * Requests a token from the operator.
   * @throws the cause of a failure; its message must not contain a secret
   */
  fetchToken(): Promise<FetchedToken>
}

export interface FetchedToken {
  readonly token: string
  readonly validForMs: number
}

/** The access token of one product of a rail account. */
interface Tokens {
  /** @throws NotSent when there is no token: the order that needs it has not gone out */
  token(): Promise<string>
  /**
   * Call this after the operator refused a token: it returns a new one, or one that another caller has fetched in the
   * meantime.
   * @throws NotSent as `token` does, and when the operator keeps refusing fresh tokens
   */
  renew(used: string): Promise<string>
  /**
   * Call this when a call with the token had no answer that can be read. Refused without the operator's own words, the
   * token is renewed for the next call; this one keeps its unknown outcome.
   * @throws the error
   */
  unread(used: string, error: unknown): Promise<never>
  /**
   * Call this when the operator has accepted a call with the token: a later refusal then only means that it expired
   * early.
   */
  worked(used: string): void
}

const UNAUTHORIZED = 401

/** Backoff after a failed token request. */
const PAUSE_MS = 2_000
/**
 * Limits renewals of tokens that are refused before any call with them succeeded: time does not fix that, and an
 * operator counts token requests. A token that worked does not count: an operator that restarts loses its tokens, and
 * may do so often.
 */
const RENEWALS_MAX = 3
const RENEWALS_WITHIN_MS = 60_000

interface CachedToken {
  readonly token: string
  /**
   * Epoch milliseconds. From `renewAt` on it is renewed: in the background while it stays in use, or before it is used
   * if the new one ends it. From `endsAt` on it is not used any more.
   */
  readonly renewAt: number
  readonly endsAt: number
}

/** The option by which all processes of a rail account share one token. */
export const sharedBy = ({ sharedTokens: tokens }: Pick<RailWorld, 'sharedTokens'>, product: string) =>
  tokens && { shared: { tokens, product } }

async function fetchOne(clock: Clock, fetchToken: TokensOptions['fetchToken']): Promise<SharedToken> {
  // The lifetime counts from before the request: nobody knows when exactly it began.
  const fetchedAt = clock.now()
  const { token, validForMs } = await fetchToken()
  if (!(validForMs > 0)) throw new Error('the operator gave a token that has ended')
  return { token, fetchedAt, endsAt: new Date(fetchedAt.getTime() + validForMs) }
}

function cachedFrom({ token, fetchedAt, endsAt }: SharedToken, renewBeforeMs: number): CachedToken {
  const validForMs = endsAt.getTime() - fetchedAt.getTime()
  const usedForMs = Math.max(validForMs - renewBeforeMs, validForMs / 2)
  return { token, renewAt: fetchedAt.getTime() + usedForMs, endsAt: endsAt.getTime() }
}

/** Until when no token is requested, and why. */
interface TokenPause {
  readonly error: NotSent
  readonly untilMs: number
}

function createRenewalLimit() {
  let renewedAt: readonly number[] = []
  return {
    /** @returns a pause after too many renewals */
    count(nowMs: number): TokenPause | undefined {
      renewedAt = renewedAt.filter((at) => at > nowMs - RENEWALS_WITHIN_MS)
      const [oldest] = renewedAt
      const error = new NotSent('the operator refuses tokens that it has just given')
      if (oldest !== undefined && renewedAt.length >= RENEWALS_MAX)
        return { error, untilMs: oldest + RENEWALS_WITHIN_MS }
      renewedAt = [...renewedAt, nowMs]
      return undefined
    },
    reset: () => void (renewedAt = []),
  }
}

/** Runs one token request at a time, which all waiting callers share. */
export function createTokens({ clock, shared, renewBeforeMs, fetchToken }: TokensOptions): Tokens {
  let cached: CachedToken | undefined
  let fetching: Promise<string> | undefined
  let paused: TokenPause | undefined
  const renewals = createRenewalLimit()
  const nowMs = () => clock.now().getTime()

  async function fetched(ended: string | undefined): Promise<string> {
    try {
      const one = () => fetchOne(clock, fetchToken)
      cached = cachedFrom(await (shared ? shared.tokens.renew(shared.product, ended, one) : one()), renewBeforeMs)
      return cached.token
    } catch (cause) {
      const error = new NotSent(`no token: ${cause instanceof Error ? cause.message : 'unknown fault'}`, { cause })
      paused = { error, untilMs: nowMs() + PAUSE_MS }
      throw error
    }
  }

  /** @param ended the token that it replaces */
  function fetchShared(ended = cached?.token): Promise<string> {
    if (fetching) return fetching
    if (paused && nowMs() < paused.untilMs) return Promise.reject(paused.error)
    fetching = fetched(ended).finally(() => {
      fetching = undefined
    })
    return fetching
  }

  async function token(): Promise<string> {
    const now = nowMs()
    if (!cached || now >= cached.endsAt) return fetchShared()
    if (now < cached.renewAt) return cached.token
    const { token: current } = cached
    // It is still valid: a failure surfaces only to callers after it has expired.
    const renewed = fetchShared().catch(() => current)
    // A new shared token ends this one: a call that carried it meanwhile would be refused.
    return shared ? renewed : current
  }

  async function renew(used: string): Promise<string> {
    if (cached?.token !== used) return token()
    cached = undefined
    if (fetching) return fetching
    paused = renewals.count(nowMs()) ?? paused
    return fetchShared(used)
  }

  return {
    token,
    renew,
    async unread(used, error) {
      if (error instanceof NoAnswer && error.status === UNAUTHORIZED) await renew(used).catch(() => undefined)
      throw error
    },
    worked(used) {
      if (cached?.token === used) renewals.reset()
    },
  }
}
