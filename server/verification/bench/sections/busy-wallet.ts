import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { until } from '../../testing/until.ts'
import { malipo } from '../command-line.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { runLoad, type Load } from '../load.ts'
import { createInsertPeer } from '../peers/pgbench.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { startReceiver } from '../receiver.ts'
import { wholeNumber } from '../report.ts'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'
import { atLeastRate, atMost, checkpoint, connectTo, rate, type Measurement, type Section } from '../section.ts'

const TARGET_PER_SECOND = 5_000
const LOAD_MS = 4_000
const PATIENCE_MS = 120_000

/** All payouts of one merchant in one currency: one wallet that every settlement must update. */
export const busyWalletSection: Section = {
  name: 'wallet',
  what: 'payouts from one single wallet',
  async run(step) {
    // The operators hold back their results until all payouts are submitted; then they report all at once.
    const gateway = await startGatewayProcess('all', await temporaryFolder(), {
      env: { MALIPO_SANDBOX_DELAY_MS: '600000' },
    })
    const { client, connection, close } = await connectTo(gateway)
    const merchant = DEMO_MERCHANT.keys.publicKey
    const receiver = await startReceiver({ hangs: false })
    await malipo(gateway, 'merchant', 'set', merchant, '--payout-callback-url', '', '--verification-url', receiver.url)
    await malipo(gateway, 'wallet', 'deposit', merchant, 'UGX', '1000000000')
    const peer = await createInsertPeer(connection, await temporaryFolder(), client)
    await peer.run(1)
    const inserts = await peer.run(3)

    step('accepting, handshakes, holds')
    const load = await runLoad(gateway.pid, {
      kind: 'payout',
      port: gateway.port,
      warmUpMs: 0,
      measureMs: LOAD_MS,
      expectedStatus: 202,
    })
    await untilNone(client, `select from jobs where kind in ('verifyPayout', 'holdFunds', 'submitToRail')`)
    const onTheWay = await stageRates(client)
    step(`${wholeNumber(onTheWay.payouts)} results at once`)
    await checkpoint(gateway, connection)
    await client.query('update sandbox.reports set due_at = now() where acknowledged_at is null')
    await untilNone(client, 'select from transactions where final_at is null')
    const settled = await settledIn(client)
    const resident = await residentMb(gateway.pid)
    const doctor = await malipo(gateway, 'doctor')
    await close()
    await Promise.all([gateway.stop(), receiver.stop()])
    return {
      ...measurement({ inserts, load, onTheWay, settled, resident }),
      raw: { inserts, load, onTheWay, settled, resident, doctor },
    }
  },
}

interface SettlingRate {
  /** From the first result to the last. */
  readonly seconds: number
  readonly completed: number
  readonly lowest: number
}

async function settledIn(client: pg.Client): Promise<SettlingRate> {
  const { rows } = await client.query<SettlingRate>(`
    select extract(epoch from max(final_at) - min(final_at))::float8 as seconds, count(*) filter (where status = 'COMPLETED')::int as completed,
      (select min(balance_minor)::float8 from accounts where kind not in ('rail', 'operator', 'fee', 'suspense')) as lowest from transactions`)
  return present(rows[0], 'what was settled')
}

interface Measurements {
  readonly inserts: { readonly perSecond: number }
  readonly load: Load
  readonly onTheWay: Awaited<ReturnType<typeof stageRates>>
  readonly settled: SettlingRate
  readonly resident: number
}

function measurement({ inserts, load, onTheWay, settled, resident }: Measurements): Omit<Measurement, 'raw'> {
  return {
    figures: [
      {
        name: 'payouts settled from one wallet',
        peer: `pgbench alone ${rate(inserts.perSecond)}`,
        ratio: settled.completed / settled.seconds / inserts.perSecond,
        ...atLeastRate(TARGET_PER_SECOND, settled.completed / settled.seconds),
      },
      { name: '  confirmed by handshake and held', value: rate(onTheWay.heldPerSecond) },
      { name: '  accepted meanwhile', value: rate(load.perSecond) },
      { name: 'memory after the load, role all', value: `${wholeNumber(resident)} MB` },
      {
        name: 'lowest balance of any wallet',
        value: wholeNumber(settled.lowest),
        target: '≥ 0',
        reached: settled.lowest >= 0,
      },
      {
        name: 'payouts not paid, unexpected replies',
        ...atMost(0, 'of them', onTheWay.payouts - settled.completed + load.failed),
      },
    ],
    notes: [
      "Settled: results of the rail, ledger entries and the wallet's balance committed, measured from the first to the last. malipo doctor found nothing afterwards.",
    ],
  }
}

async function stageRates(client: pg.Client) {
  const { rows } = await client.query<{ payouts: number; held: number }>(`
    select (select count(*)::int from transactions) as payouts,
      (select count(*) / extract(epoch from max(at) - (select min(created_at) from transactions)) from transaction_events where kind = 'held')::float8 as held`)
  const { payouts, held } = present(rows[0], 'what was held')
  return { payouts, heldPerSecond: held }
}

const untilNone = (client: pg.Client, query: string): Promise<unknown> =>
  until(
    async () => (await client.query(`${query} limit 1`)).rowCount === 0,
    PATIENCE_MS,
    `nothing is left of: ${query}`,
  )
