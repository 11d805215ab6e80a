import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { present } from '../../domain/present.ts'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { signal } from '../../local/embedded-postgres/processes.ts'
import type { FaultKind, ChaosEnvironment } from './faults/fault.ts'
import { databaseUrl } from '../testing/database-url.ts'
import { postmasterIn } from '../testing/postmaster.ts'
import { startFleet } from './fleet.ts'
import { judge } from './judge.ts'
import { createLoad } from './load.ts'
import { leadTo, startMerchant } from './merchant.ts'
import { createStaff } from './staff.ts'
import { patiently, pause } from './patience.ts'
import { seeded } from './seeded.ts'
import { settleAll } from './settle.ts'

// The fault drill: load over HTTP while faults of every kind are injected around the processes that serve it. The
// judges are the list of acknowledged payments, the callbacks that the merchant received, and the simulated operators'
// own records; none of them belongs to what is being broken.

interface DrillOptions {
  readonly seed: number
  readonly kinds: readonly FaultKind[]
  /** Number of faults of each kind. */
  readonly faults: number
  /** Collections and payouts in total, spread over the time of the faults. */
  readonly requests: number
  readonly apis: number
  readonly workers: number
  /** The rails: one of `FORMS`, simulated by default. */
  readonly rails?: Form
  /** The time over which the faults are spread; by default as long as the slowest kind needs. */
  readonly lengthMs?: number
  /** Receives progress messages. */
  readonly log: (line: string) => void
  /** Receives a line for every injected fault. */
  readonly onPlanted?: (line: string) => void
}

interface DrillResult {
  /** How many faults were injected, by kind. */
  readonly planted: Readonly<Record<string, number>>
  readonly acknowledged: number
  /** Findings, in words; empty when nothing was lost, doubled or left hanging. */
  readonly faults: readonly string[]
  /** Payouts that the gateway listed as paid by the rail but not covered by a wallet, and that staff completed. */
  readonly railPaid: number
  /** Payments whose late result was lost on its way and was recovered from the operator's statement. */
  readonly byStatement: number
  /** The longest time from acceptance to a final state, faults included. */
  readonly slowestSeconds: number
  readonly seconds: number
}

/** As in MALIPO_SANDBOX_RAILS. */
export const FORMS = ['simulated', 'wire'] as const
type Form = (typeof FORMS)[number]

const MASTER_KEY = 'a master key of the fault drill, nothing real'
/** Delay before a result of the simulated rails; a late result takes three times as long. */
const SANDBOX_DELAY_MS = 400
const PROGRESS_EVERY_MS = 30_000

/** The time over which the faults are spread, in milliseconds. */
export const lengthOf = ({ kinds, faults, lengthMs }: Pick<DrillOptions, 'kinds' | 'faults' | 'lengthMs'>): number =>
  lengthMs ?? Math.max(...kinds.map(({ spacingMs }) => spacingMs * faults))

/** @throws Error when the drill itself could not be run */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const startedAt = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'malipo-drill-'))
  const cleanUp: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const world = await build(folder, options, cleanUp)
    for (const { prepare } of options.kinds) await prepare?.(world)
    const { planted, problems } = await disturb(world, options)
    options.log(
      `${world.load.acknowledged.size} requests acknowledged, no more faults: now everything has to come to its end`,
    )
    const unsettled: string[] = []
    const { railPaid, byStatement } = await settleAll(world, unsettled)
    const faults = [...problems, ...unsettled, ...(await judge(world))]
    return {
      planted,
      faults,
      railPaid,
      byStatement,
      acknowledged: world.load.acknowledged.size,
      slowestSeconds: await slowest(world.pool),
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    for (const step of cleanUp.reverse()) await step()
  }
}

async function build(
  folder: string,
  { apis, workers, rails = 'simulated' }: DrillOptions,
  cleanUp: (() => Promise<unknown>)[],
): Promise<ChaosEnvironment> {
  const postgres = await openEmbeddedPostgres({ dataDir: folder, role: 'owner' })
  cleanUp.push(() => postgres.stop())
  const { connection } = postgres
  const merchant = await startMerchant()
  cleanUp.push(() => merchant.close())
  const shared = { MALIPO_MASTER_KEY: MASTER_KEY, MALIPO_DATA_DIR: join(folder, 'processes'), LOG_LEVEL: 'fatal' }
  const fleet = await startFleet({
    apis,
    workers,
    connection,
    env: {
      ...shared,
      MALIPO_SANDBOX_DELAY_MS: String(SANDBOX_DELAY_MS),
      MALIPO_SANDBOX_RAILS: rails,
      MALIPO_DATABASE_CONNECTIONS: '8',
    },
  })
  cleanUp.push(() => fleet.stop())
  const pool = new pg.Pool({ ...connection, max: 3 })
  pool.on('error', () => undefined)
  cleanUp.push(() => pool.end())
  await leadTo(merchant, pool)
  return {
    fleet,
    merchant,
    pool,
    load: createLoad(fleet.urls),
    staff: createStaff({ ...shared, DATABASE_URL: databaseUrl(connection) }),
    killPostgres: () => killPostgres(folder),
  }
}

/**
 * Runs load and faults together.
 * @returns how many faults were injected, and where the drill itself failed
 */
async function disturb(
  world: ChaosEnvironment,
  options: DrillOptions,
): Promise<{ planted: Record<string, number>; problems: string[] }> {
  const { kinds, faults, seed, requests, log, onPlanted } = options
  const planted: Record<string, number> = Object.fromEntries(kinds.map(({ name }) => [name, 0]))
  const problems: string[] = []
  const lengthMs = lengthOf(options)
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  const progress = () =>
    `${Math.round(elapsed() / 1000)} of about ${Math.round(lengthMs / 1000)} s: ${Object.entries(planted)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}; ${world.load.acknowledged.size} acknowledged`
  const progressTimer = setInterval(() => log(progress()), PROGRESS_EVERY_MS)

  const track = async (kind: FaultKind) => {
    const random = seeded(seed, kind.name)
    const running: Promise<void>[] = []
    for (let n = 0; n < faults; n += 1) {
      // Each fault draws its own random numbers, so that a seed gives the same faults however long they take.
      const own = seeded(Math.floor(random() * 2 ** 32))
      await pause(Math.max(((n + random() / 2) * lengthMs) / faults - elapsed(), 0))
      const plantedAt = elapsed()
      running.push(
        kind.plant(world, own).then(
          (what) => {
            planted[kind.name] = (planted[kind.name] ?? 0) + 1
            onPlanted?.(`${(plantedAt / 1000).toFixed(1)} s, ${kind.name}: ${what}`)
          },
          (error: Error) => void problems.push(`the drill itself: ${kind.name} could not be planted: ${error.message}`),
        ),
      )
    }
    await Promise.all(running)
  }
  try {
    await Promise.all([world.load.sendAll(requests, lengthMs), ...kinds.map(track)])
  } finally {
    clearInterval(progressTimer)
    world.merchant.calm()
  }
  return { planted, problems }
}

async function killPostgres(folder: string): Promise<void> {
  const pid = await postmasterIn(join(folder, 'postgres'))
  // The last kill may already have stopped it: then there is nothing to stop.
  if (pid !== undefined) signal(pid, 'SIGKILL')
}

async function slowest(pool: ChaosEnvironment['pool']): Promise<number> {
  const { rows } = await patiently(() =>
    pool.query<{ seconds: string }>(
      'select coalesce(extract(epoch from max(final_at - created_at)), 0) as seconds from transactions',
    ),
  )
  return Math.round(Number(present(rows[0], 'the slowest transaction').seconds))
}
