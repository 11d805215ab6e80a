import { CLAIM_ASKED_MS } from '../../../actions/ports/account-messages.ts'
import { amountToWire } from '../../../domain/money.ts'
import { maskAccount } from '../../../domain/phone.ts'
import type { Pool } from '../../../storage/pool.ts'
import { rowsOf } from '../rows.ts'

/** Of a row `p`: a message claims the payment, and neither the operator nor a statement has confirmed it. */
export const CLAIM = `unrequested_payments p where p.line_id is null and p.transaction_id is null and not exists (
  select from statement_lines l where l.rail_account = p.rail_account and l.reference = p.receipt)`

/** A payment that nobody asked for and nobody has confirmed: nothing of it is booked. */
interface Claim {
  readonly rail_account: string
  readonly receipt: string
  readonly currency: string
  readonly amount_minor: bigint
  readonly account: string | null
  readonly reference: string | null
  readonly paid_at: Date
  readonly recorded_at: Date
  /** Among those of the same time. */
  readonly place: string
}

interface ClaimFilter {
  readonly railAccount: string | undefined
  /** The place of the last one of the page before. */
  readonly after?: ClaimPlace | undefined
  readonly limit: number
}
interface ClaimPlace {
  readonly at: Date
  readonly place: string
}

/** The oldest first. */
export const listClaims = (pool: Pool, { railAccount, after, limit }: ClaimFilter): Promise<Claim[]> =>
  rowsOf<Claim>(
    pool,
    `select * from (select p.*, md5(p.rail_account || ' ' || p.receipt) as place from ${CLAIM}
         and ($1::text is null or p.rail_account = $1) and p.recorded_at >= coalesce($2, '-infinity'::timestamptz)) c
       where $2::timestamptz is null or (recorded_at, place) > ($2, $3::text) order by recorded_at, place limit $4`,
    [railAccount, after?.at, after?.place, limit],
  )

/** The cursor of a claim. */
export const placeOfClaim = ({ recorded_at: at, place }: Claim): string => `${at.toISOString()}_${place}`

/** @returns undefined unless it is a cursor */
export function claimPlace(text: string): ClaimPlace | undefined {
  const [, time = '', place = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([\da-f]{32})$/.exec(text) ?? []
  const at = new Date(time)
  return Number.isNaN(at.getTime()) ? undefined : { at, place }
}

/** Names follow the contract. Who paid is masked, in whatever form the operator wrote it. */
export const claimRecord = ({ recorded_at: at, ...claim }: Claim, now: Date) => ({
  rail_account: claim.rail_account,
  receipt: claim.receipt,
  amount: amountToWire(claim.amount_minor, claim.currency),
  currency: claim.currency,
  payer: claim.account === null ? undefined : maskAccount(claim.account.slice(-6)),
  reference: claim.reference ?? undefined,
  paid_at: claim.paid_at,
  claimed_at: at,
  age_seconds: Math.max(0, Math.floor((now.getTime() - at.getTime()) / 1_000)),
  waits_for: now.getTime() - at.getTime() < CLAIM_ASKED_MS ? ('operator' as const) : ('statement' as const),
})
