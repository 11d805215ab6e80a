import type { MerchantView } from './merchants.ts'
import { available, type Pool } from '../pool.ts'

const DAY_MS = 24 * 60 * 60_000
/** A URL that acknowledged nothing for this long, while attempts failed, is failing. */
export const FAILING_AFTER_MS = 5 * DAY_MS
/** No further back is looked: who has been failing for longer is told "since" this long. */
const LOOK_BACK_MS = 30 * DAY_MS
/** A callback's own attempts end within this. */
const DELIVERY_MS_MAX = 4 * DAY_MS

export interface FailingUrl {
  readonly url: string
  /** The first failed attempt since which nothing was acknowledged. */
  readonly since: Date
}

/**
 * Which of a merchant's callback URLs fail. Read from the attempts themselves, so that no delivery writes anything for
 * it. Only callbacks that were made for the URL of now speak for it or against it: a corrected URL is not blamed for
 * the wrong one before it, and two URLs answer each for itself.
 */
export async function failingCallbackUrls(
  pool: Pool,
  { id, collection_callback_url, payout_callback_url }: MerchantView,
  now: Date,
): Promise<FailingUrl[]> {
  const urls = new Set([collection_callback_url, payout_callback_url].filter((url) => url !== null))
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return available(async () => {
    const found: FailingUrl[] = []
    for (const url of urls) {
      const {
        rows: [row],
      } = await pool.query<{ since: Date | null }>(FAILING_SINCE, [
        id,
        url,
        ago(LOOK_BACK_MS),
        ago(FAILING_AFTER_MS),
        `${DELIVERY_MS_MAX} milliseconds`,
      ])
      if (row?.since) found.push({ url, since: row.since })
    }
    return found
  })
}

// Three steps, so that a healthy merchant is answered by its newest callbacks and a dead one by its oldest: was
// anything acknowledged in the last days; if not, when was the last time; and what failed first after it. At most 1000
// of the oldest unacknowledged callbacks are asked for their attempts.
const FAILING_SINCE = `
  with ours as not materialized (
    select id, status, created_at, finished_at from callbacks where merchant_id = $1 and url = $2 and created_at >= $3
  ), recently as materialized (
    select 1 from ours where status = 'DELIVERED' and finished_at >= $4 order by created_at desc limit 1
  ), last_ack as materialized (
    select coalesce((select max(finished_at) from ours
      where status = 'DELIVERED' and not exists (select from recently)), $3) as at
  ), suspects as materialized (
    select id from ours where status <> 'DELIVERED' and not exists (select from recently)
      and created_at >= (select at from last_ack) - $5::interval and created_at <= $4 order by created_at limit 1000
  ), attempted as materialized (
    select a.at, (a.http_status between 200 and 299) is true as acknowledged from suspects s
      join callback_attempts a on a.callback_id = s.id
  )
  select min(at) as since from attempted where not acknowledged and at <= $4
    -- A callback that was acknowledged and then sent again no longer says DELIVERED.
    and at > greatest((select at from last_ack), (select max(at) from attempted where acknowledged))`
