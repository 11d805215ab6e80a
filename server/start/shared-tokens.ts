import type { Clock } from '../actions/ports/clock.ts'
import type { Timers } from '../actions/ports/timers.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { NotSent } from '../rails/operator-errors.ts'
import type { SharedTokens } from '../rails/rail-kind.ts'
import type { Pool } from '../storage/pool.ts'
import { claimToken, endClaim } from '../storage/rail-tokens.ts'
import type { SecretBox } from '../storage/secret-box.ts'

interface SharedTokenDeps {
  readonly pool: Pool
  readonly box: SecretBox
  readonly clock: Clock
  readonly timers: Timers
}

const AGAIN_AFTER_MS = 100
/** With a call of 15 s it ends before the batch of orders that waits for the token. */
const WAITS_MAX = 60

/** The tokens of a rail account, in the database: the network is called while nothing there is locked. */
export const createSharedTokens = (
  { pool, box, clock, timers }: SharedTokenDeps,
  { name: railAccount, updatedAt }: Pick<RailAccount, 'name' | 'updatedAt'>,
): SharedTokens => ({
  async renew(what, ended, fetch) {
    // Other settings may be other credentials: their tokens are others too.
    const product = `${what} ${updatedAt.toISOString()}`
    for (let waits = 0; waits <= WAITS_MAX; waits += 1) {
      const found = await claimToken(pool, box, { railAccount, product, ended }, clock.now())
      if (found === 'claimed') {
        const token = await fetch().catch(async (error: unknown) => {
          await endClaim(pool, box, { railAccount, product, token: undefined })
          throw error
        })
        await endClaim(pool, box, { railAccount, product, token })
        return token
      }
      if (found !== 'taken') return found
      await new Promise<void>((resolve) => void timers.after(AGAIN_AFTER_MS, resolve))
    }
    throw new NotSent('another process is fetching a token, and has none yet')
  },
})
