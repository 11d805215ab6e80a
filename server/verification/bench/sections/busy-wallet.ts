import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'
import { present } from '../../../domain/present.ts'
import { until } from '../../testing/until.ts'
import { malipo } from '../command-line.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { runLoad, type Load } from '../load.ts'
import { costFigures, startMeter, type Cost, type Metered } from '../meter.ts'
import { createInsertPeer } from '../peers/pgbench.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { startReceiver, type BenchReceiver } from '../receiver.ts'
import { wholeNumber } from '../report.ts'
import { atMost, connectTo, rate, type DatabaseAccess, type Measurement, type Section } from '../section.ts'
import { TODAY, type Tree } from '../tree.ts'

const LOAD_MS = 4_000
/** Of a comparison: the same number in both trees, because a larger batch costs less for each payout. */
const COMPARED_PER_SECOND = 400
const PATIENCE_MS = 120_000
/** Polls must not cost what they measure. */
const POLL_EVERY_MS = 200
/** Within this time a changed merchant reaches every process. */
const REFRESH_MS = 2_500

/** All payouts of one merchant in one currency: one wallet that every settlement must update. */
export const busyWalletSection: Section = {
  name: 'wallet',
  what: 'payouts from one single wallet',
  async run(step) {
    const stage = await stageWallet(TODAY)
    const { gateway, client } = stage
    const peer = await createInsertPeer(gateway.connection, await temporaryFolder(), client)
    await peer.run(1)
    const inserts = await peer.run(3)
    const silent = await payOut(stage, { callbackUrl: '' }, step)
    const resident = await residentMb(gateway.pid)
    const notified = await payOut(stage, { callbackUrl: stage.receiver.url }, step)
    const { lowest } = await lowestBalance(client)
    const doctor = await malipo(gateway, 'doctor')
    await stage.stop()
    const measured = { inserts, silent, notified, lowest, resident }
    return { ...measurement(measured), raw: { ...measured, doctor } }
  },
  async costsOf(tree, step) {
    const stage = await stageWallet(tree)
    await payOut(stage, { callbackUrl: '', pacePerSecond: COMPARED_PER_SECOND }, step)
    const costs = []
    for (const [name, callbackUrl] of [
      ['payout settled, without a callback URL', ''],
      ['payout settled and its callback', stage.receiver.url],
    ] as const) {
      const { cost, load, settled } = await payOut(stage, { callbackUrl, pacePerSecond: COMPARED_PER_SECOND }, (text) =>
        step(`${tree.name}: ${text}`),
      )
      if (load.failed > 0 || settled.completed < load.accepted)
        throw new Error(`${tree.name}: ${settled.completed} of ${load.accepted} paid, ${load.firstFailure}`)
      costs.push({ name, cost, residentMb: await residentMb(stage.gateway.pid) })
    }
    await stage.stop()
    return costs
  },
}

interface WalletStage extends Pick<DatabaseAccess, 'client' | 'superuser'> {
  readonly gateway: GatewayProcess
  readonly metered: Metered
  readonly receiver: BenchReceiver
  stop(): Promise<void>
}

async function stageWallet(tree: Tree): Promise<WalletStage> {
  // The operators hold back their results until all payouts are submitted; then they report all at once.
  const gateway = await startGatewayProcess('all', await temporaryFolder(), {
    env: { MALIPO_SANDBOX_DELAY_MS: '600000' },
    tree,
  })
  const { client, superuser, metered, close } = await connectTo(gateway)
  const merchant = DEMO_MERCHANT.keys.publicKey
  const receiver = await startReceiver({ hangs: false })
  await malipo(gateway, 'merchant', 'set', merchant, '--payout-callback-url', '', '--verification-url', receiver.url)
  await malipo(gateway, 'wallet', 'deposit', merchant, 'UGX', '1000000000')
  return {
    gateway,
    client,
    superuser,
    metered: metered({ gateway: gateway.pid }),
    receiver,
    async stop() {
      await close()
      await Promise.all([gateway.stop(), receiver.stop()])
    },
  }
}

interface Payouts {
  readonly load: Load
  readonly heldPerSecond: number
  readonly settled: SettlingRate
  /** From the results until no job is left. */
  readonly cost: Cost
}

/** Accepts payouts for some seconds, and settles all of them at once. */
async function payOut(
  { gateway, client, superuser, metered }: WalletStage,
  { callbackUrl, ...pace }: { readonly callbackUrl: string; readonly pacePerSecond?: number },
  step: (text: string) => void,
): Promise<Payouts> {
  const merchant = DEMO_MERCHANT.keys.publicKey
  await malipo(gateway, 'merchant', 'set', merchant, '--payout-callback-url', callbackUrl)
  await sleep(REFRESH_MS)
  step(`accepting, handshakes, holds, ${callbackUrl === '' ? 'no' : 'a'} callback URL`)
  const since = new Date()
  const load = await runLoad(metered, {
    kind: 'payout',
    port: gateway.port,
    warmUpMs: 0,
    measureMs: LOAD_MS,
    expectedStatus: 202,
    ...pace,
  })
  const submitted = 'select count(*) >= $1 as done from sandbox.reports where acknowledged_at is null'
  await untilDone(client, submitted, [load.accepted])
  const heldPerSecond = await heldSince(client, since)
  step(`${wholeNumber(load.accepted)} results at once`)
  await superuser.query('checkpoint')
  const { rows } = await client.query<{ jobs: string }>(
    `select coalesce(to_regclass('jobs'), to_regclass('work'))::text as jobs`,
  )
  const costOf = await startMeter(metered)
  await client.query('update sandbox.reports set due_at = now() where acknowledged_at is null')
  await untilDone(client, 'select not exists (select from transactions where final_at is null) as done')
  await untilDone(client, `select not exists (select from ${present(rows[0], 'the jobs').jobs}) as done`)
  return { load, heldPerSecond, cost: await costOf(load.accepted), settled: await settledSince(client, since) }
}

async function untilDone(client: pg.Client, query: string, values: readonly unknown[] = []): Promise<void> {
  const isDone = async () => {
    await sleep(POLL_EVERY_MS)
    return (await client.query<{ done: boolean }>(query, [...values])).rows[0]?.done
  }
  await until(isDone, PATIENCE_MS, query)
}

interface SettlingRate {
  /** From the first result to the last. */
  readonly seconds: number
  readonly completed: number
}

async function settledSince(client: pg.Client, since: Date): Promise<SettlingRate> {
  const { rows } = await client.query<SettlingRate>(
    `select extract(epoch from max(final_at) - min(final_at))::float8 as seconds,
       count(*) filter (where status = 'COMPLETED')::int as completed
     from transactions where created_at >= $1`,
    [since],
  )
  return present(rows[0], 'what was settled')
}

async function lowestBalance(client: pg.Client): Promise<{ readonly lowest: number }> {
  const { rows } = await client.query<{ lowest: number }>(
    `select min(balance_minor)::float8 as lowest from accounts where kind not in ('rail', 'operator', 'fee', 'suspense')`,
  )
  return present(rows[0], 'the lowest balance')
}

async function heldSince(client: pg.Client, since: Date): Promise<number> {
  const { rows } = await client.query<{ held: number }>(
    `select (count(*) / extract(epoch from max(at) - $1))::float8 as held from transaction_events where kind = 'held' and at >= $1`,
    [since],
  )
  return present(rows[0], 'what was held').held
}

interface Measurements {
  readonly inserts: { readonly perSecond: number }
  readonly silent: Payouts
  readonly notified: Payouts
  readonly lowest: number
  readonly resident: number
}

function measurement({ inserts, silent, notified, lowest, resident }: Measurements): Omit<Measurement, 'raw'> {
  const { settled, load, heldPerSecond } = silent
  const wrong = [silent, notified].reduce(
    (sum, each) => sum + each.load.accepted - each.settled.completed + each.load.failed,
    0,
  )
  return {
    figures: [
      {
        name: 'payouts settled from one wallet',
        peer: `pgbench alone ${rate(inserts.perSecond)}`,
        ratio: settled.completed / settled.seconds / inserts.perSecond,
        value: rate(settled.completed / settled.seconds),
      },
      ...costFigures('a settled payout', silent.cost),
      ...costFigures('a settled payout and its callback', notified.cost),
      { name: 'confirmed by handshake and held', value: rate(heldPerSecond) },
      { name: '  accepted meanwhile', value: rate(load.perSecond) },
      ...costFigures('  an accepted payout, with what is held meanwhile', load.cost),
      { name: 'memory after the load, role all', value: `${wholeNumber(resident)} MB` },
      { name: 'lowest balance of any wallet', value: wholeNumber(lowest), target: '≥ 0', reached: lowest >= 0 },
      { name: 'payouts not paid, unexpected replies', ...atMost(0, 'of them', wrong) },
    ],
    notes: [
      "Settled: results of the rail, ledger entries and the wallet's balance committed, measured from the first to the last; its cost: until no job is left. malipo doctor found nothing afterwards.",
    ],
  }
}
