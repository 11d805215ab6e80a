import type pg from 'pg'
import { DEMO_MERCHANT } from '../../local/sandbox/providers.ts'
import { present } from '../../domain/present.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { runLoad } from './load.ts'

export interface DeliveryTimes {
  /** From final state to acknowledgement, for the first attempts for the demo merchant. */
  readonly meanMs: number
  readonly p99Ms: number
  /** First attempts for any other merchant that timed out, or that were still unanswered at the end. */
  readonly unanswered: number
}

/** Deliveries lag the requests. */
const LAG_MS = 3_000

/**
 * How long the demo merchant's callbacks take under an even load.
 * @param second the merchant who makes every second collection
 */
export async function measureDeliveries(
  { pid, port }: GatewayProcess,
  client: pg.Client,
  load: { readonly perSecond: number; readonly lastsMs: number; readonly second?: string },
): Promise<DeliveryTimes> {
  const since = new Date()
  await runLoad(pid, {
    kind: 'collection',
    port,
    warmUpMs: 0,
    measureMs: load.lastsMs,
    expectedStatus: 202,
    pacePerSecond: load.perSecond,
    ...(load.second !== undefined && { secondPublicKey: load.second }),
  })
  await new Promise((resolve) => setTimeout(resolve, LAG_MS))
  const { rows } = await client.query<{ mean: number; p99: number; unanswered: number }>(
    `
    with first as (
      select c.merchant_id, extract(epoch from a.at - t.final_at) * 1000 + a.duration_ms as ms, a.http_status
      from transactions t join callbacks c on c.transaction_id = t.id left join callback_attempts a on a.callback_id = c.id and a.attempt = 1 where t.created_at >= $1
    )
    select avg(ms) filter (where merchant_id = demo.id)::float8 as mean, (percentile_cont(0.99) within group (order by ms) filter (where merchant_id = demo.id))::float8 as p99,
      count(*) filter (where merchant_id <> demo.id and http_status is null)::int as unanswered
    from first, merchants demo where demo.public_key = $2 group by demo.id`,
    [since, DEMO_MERCHANT.keys.publicKey],
  )
  const { mean, p99, unanswered } = present(rows[0], 'the first attempts')
  return { meanMs: mean, p99Ms: p99, unanswered }
}
