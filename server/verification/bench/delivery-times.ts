import type pg from 'pg'
import { DEMO_MERCHANT } from '../../local/sandbox/providers.ts'
import { present } from '../../domain/present.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { runLoad } from './load.ts'

export interface DeliveryTimes {
  /** From final state to acknowledgement, for the first attempts for the demo merchant. */
  readonly meanMs: number
  readonly p99Ms: number
}

/** Deliveries lag the requests. */
const LAG_MS = 3_000

/** How long the demo merchant's callbacks take under an even load of its collections. */
export async function measureDeliveries(
  { pid, port }: GatewayProcess,
  client: pg.Client,
  load: { readonly perSecond: number; readonly lastsMs: number },
): Promise<DeliveryTimes> {
  const since = new Date()
  await runLoad(pid, {
    kind: 'collection',
    port,
    warmUpMs: 0,
    measureMs: load.lastsMs,
    expectedStatus: 202,
    pacePerSecond: load.perSecond,
  })
  await new Promise((resolve) => setTimeout(resolve, LAG_MS))
  const { rows } = await client.query<DeliveryTimes>(
    `select avg(ms)::float8 as "meanMs", (percentile_cont(0.99) within group (order by ms))::float8 as "p99Ms"
     from (
       select extract(epoch from a.at - t.final_at) * 1000 + a.duration_ms as ms
       from transactions t join callbacks c on c.transaction_id = t.id
         join callback_attempts a on a.callback_id = c.id and a.attempt = 1
         join merchants m on m.id = t.merchant_id
       where t.created_at >= $1 and m.public_key = $2
     ) first`,
    [since, DEMO_MERCHANT.keys.publicKey],
  )
  return present(rows[0], 'the first attempts')
}
