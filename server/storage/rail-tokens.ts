import { available, type Pool } from './pool.ts'
import { railToken } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/** Above the time that an operator may take to give a token: a process that dies holds up the others this long. */
const CLAIM_MS = 30_000

export interface StoredToken {
  readonly token: string
  readonly fetchedAt: Date
  readonly endsAt: Date
}

/** What a process may do about a token: use this one, fetch the next one, or wait for the process that does. */
export type TokenClaim = StoredToken | 'claimed' | 'taken'

/**
 * One statement for both, so that no second process fetches what the first one has just stored.
 * @param ended the token that is to be replaced
 */
export const claimToken = (
  pool: Pool,
  box: SecretBox,
  { railAccount, product, ended }: { railAccount: string; product: string; ended: string | undefined },
  now: Date,
): Promise<TokenClaim> =>
  available(async () => {
    const { rows } = await pool.query<{ sealed_token: Uint8Array | null; fetched_at: Date; ends_at: Date }>(
      `insert into rail_tokens (rail_account, product) values ($1, $2)
       on conflict (rail_account, product) do update set product = $2 returning sealed_token, fetched_at, ends_at`,
      [railAccount, product],
    )
    const [row] = rows
    // A process that runs on with another master key may have stored it: then this one fetches its own.
    if (row?.sealed_token && row.ends_at > now && box.isCurrent(row.sealed_token)) {
      const token = box.open(row.sealed_token, railToken(railAccount))
      if (token !== ended) return { token, fetchedAt: row.fetched_at, endsAt: row.ends_at }
    }
    const { rowCount } = await pool.query(
      `update rail_tokens set claimed_until = $4 where rail_account = $1 and product = $2
         and (claimed_until is null or claimed_until <= $3) and sealed_token is not distinct from $5`,
      [railAccount, product, now, new Date(now.getTime() + CLAIM_MS), row?.sealed_token],
    )
    return rowCount === 1 ? 'claimed' : 'taken'
  })

/** Ends the claim. @param token undefined: the operator gave none */
export const endClaim = (
  pool: Pool,
  box: SecretBox,
  { railAccount, product, token }: { railAccount: string; product: string; token: StoredToken | undefined },
): Promise<void> =>
  available(async () => {
    await pool.query(
      `update rail_tokens set claimed_until = null, sealed_token = coalesce($3, sealed_token),
         fetched_at = coalesce($4, fetched_at), ends_at = coalesce($5, ends_at)
       where rail_account = $1 and product = $2`,
      [railAccount, product, token && box.seal(token.token, railToken(railAccount)), token?.fetchedAt, token?.endsAt],
    )
  })
