import type { MerchantView } from './merchants.ts'
import { available, type Pool } from '../../storage/pool.ts'

const DAY_MS = 24 * 60 * 60_000
/** A URL that acknowledged nothing for this long while attempts failed counts as failing. */
const FAILING_AFTER_MS = 5 * DAY_MS
/** The query looks no further back: a URL that has failed for longer is reported as failing "since" this long. */
const WINDOW_MS = 30 * DAY_MS
/** All automatic attempts of a callback end within this time. */
const DELIVERY_MS_MAX = 4 * DAY_MS

export interface FailingUrl {
  readonly url: string
  /** The first failed attempt after the last acknowledgement. */
  readonly since: Date
}

/**
 * Finds the failing callback URLs of a merchant. It reads the attempts themselves, so a delivery writes nothing extra.
 * Only callbacks that were created for the current URL count: a corrected URL is not blamed for the wrong one before
 * it, and each of two URLs is judged separately.
 */
export async function failingCallbackUrls(
  pool: Pool,
  { id, collection_callback_url, payout_callback_url, refund_callback_url }: MerchantView,
  now: Date,
): Promise<FailingUrl[]> {
  const all = [collection_callback_url, payout_callback_url, refund_callback_url]
  const urls = new Set(all.filter((url) => url !== null))
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return available(async () => {
    const found: FailingUrl[] = []
    for (const url of urls) {
      const {
        rows: [row],
      } = await pool.query<{ since: Date | null }>(FAILING_SINCE, [
        id,
        url,
        ago(WINDOW_MS),
        ago(FAILING_AFTER_MS),
        `${DELIVERY_MS_MAX} milliseconds`,
      ])
      if (row?.since) found.push({ url, since: row.since })
    }
    return found
  })
}

// Three steps, so that the newest callbacks decide for a healthy merchant and the oldest for an unresponsive one: was
// anything acknowledged in the last days; if not, when was the last acknowledgement; and what failed first after it.
// Reads the attempts of at most the 1000 oldest unacknowledged callbacks.
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
