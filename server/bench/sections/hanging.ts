import type pg from 'pg'
import { present } from '../../domain/present.ts'
import { malipo } from '../command-line.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { runLoad } from '../load.ts'
import { temporaryFolder } from '../processes.ts'
import { startReceiver } from '../receiver.ts'
import { wholeNumber } from '../report.ts'
import { DEMO_MERCHANT } from '../../sandbox/providers.ts'
import { connectTo, type Section } from '../section.ts'

const PER_SECOND = 200
const LASTS_MS = 30_000
const GROWTH_MAX = 1.1

/** Half of all callbacks go to a server that hangs until the time-out of 15 s: what the other half feels of it. */
export const hangingSection: Section = {
  name: 'hanging',
  what: "delivery time of one merchant's callbacks while the other half of all callbacks hangs for 15 s",
  async run(step) {
    const gateway = await startGatewayProcess('all', await temporaryFolder())
    const { client, close } = await connectTo(gateway)
    const [fine, alsoFine, dead] = await Promise.all([
      startReceiver({ hangs: false }),
      startReceiver({ hangs: false }),
      startReceiver({ hangs: true }),
    ])
    const merchant = DEMO_MERCHANT.keys.publicKey
    await malipo(gateway, 'merchant', 'set', merchant, '--collection-callback-url', fine.url)
    const second = await createSecondMerchant(gateway, alsoFine.url)
    step('all callbacks answered')
    const calm = await measure(gateway, client, second)
    step('half of them hang')
    await malipo(gateway, 'merchant', 'set', second, '--collection-callback-url', dead.url)
    const beside = await measure(gateway, client, second)
    await close()
    await Promise.all([gateway.stop(), fine.stop(), alsoFine.stop(), dead.stop()])
    const growth = beside.meanMs / calm.meanMs
    return {
      figures: [
        {
          name: 'final to acknowledged, the other half, mean',
          value: `${beside.meanMs.toFixed(1)} ms`,
          peer: `nothing hangs ${calm.meanMs.toFixed(1)} ms`,
          ratio: growth,
          target: `≤ ${GROWTH_MAX} ×`,
          reached: growth <= GROWTH_MAX,
        },
        {
          name: '  99th percentile',
          value: `${wholeNumber(beside.p99Ms)} ms`,
          peer: `nothing hangs ${wholeNumber(calm.p99Ms)} ms`,
          ratio: beside.p99Ms / calm.p99Ms,
        },
      ],
      notes: [
        `${PER_SECOND} collections per second for ${LASTS_MS / 1000} s, two merchants by turns; ${beside.hanging} callbacks of the second one were attempted and timed out or still hung at the end.`,
      ],
      raw: { calm, beside },
    }
  },
}

async function createSecondMerchant(gateway: GatewayProcess, url: string): Promise<string> {
  const created = (await malipo(gateway, 'merchant', 'create', 'Second shop', '--collection-callback-url', url)) as {
    public_key: string
  }
  return created.public_key
}

interface DeliveryTimes {
  readonly meanMs: number
  readonly p99Ms: number
  readonly hanging: number
}

async function measure(gateway: GatewayProcess, client: pg.Client, secondPublicKey: string): Promise<DeliveryTimes> {
  const since = new Date()
  await runLoad(gateway.pid, {
    kind: 'collection',
    port: gateway.port,
    warmUpMs: 0,
    measureMs: LASTS_MS,
    expectedStatus: 202,
    pacePerSecond: PER_SECOND,
    secondPublicKey,
  })
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const { rows } = await client.query<{ mean: number; p99: number; hanging: number }>(
    `
    with first as (
      select c.merchant_id, extract(epoch from a.at - t.final_at) * 1000 + a.duration_ms as ms, a.http_status, a.callback_id
      from transactions t join callbacks c on c.transaction_id = t.id left join callback_attempts a on a.callback_id = c.id and a.attempt = 1 where t.created_at >= $1
    )
    select avg(ms) filter (where merchant_id = demo.id)::float8 as mean, (percentile_cont(0.99) within group (order by ms) filter (where merchant_id = demo.id))::float8 as p99,
      count(*) filter (where merchant_id <> demo.id and http_status is null)::int as hanging
    from first, merchants demo where demo.public_key = $2 group by demo.id`,
    [since, DEMO_MERCHANT.keys.publicKey],
  )
  const { mean, p99, hanging } = present(rows[0], 'the first attempts')
  return { meanMs: mean, p99Ms: p99, hanging }
}
