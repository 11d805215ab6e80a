import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { databaseUrl } from '../../testing/database-url.ts'
import { startPostgres } from '../gateway-process.ts'
import { startMeter, type Cost } from '../meter.ts'
import { temporaryFolder, track } from '../processes.ts'
import { connectTo } from '../section.ts'

const WARM_UP = 2_000
const COUNT = 10_000

/**
 * What three chained jobs of graphile-worker cost that do nothing, at saturation.
 * @returns undefined where it is not installed: only `npm ci --include=peer` does so
 */
export async function measureChainedJobs(): Promise<Cost | undefined> {
  try {
    createRequire(import.meta.url).resolve('graphile-worker')
  } catch {
    return undefined
  }
  const dataDir = await temporaryFolder()
  const postgres = await startPostgres(dataDir)
  const { connection } = postgres
  const { metered, close } = await connectTo({ dataDir, connection })
  const worker = fork(join(import.meta.dirname, 'graphile-worker.ts'), {
    detached: true,
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl(connection), NO_LOG_SUCCESS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const child = track(worker)
  const ended = once(worker, 'exit').then(([code]) => Promise.reject(new Error(`graphile-worker ended with ${code}`)))
  const reply = () => Promise.race([once(worker, 'message'), ended])
  const pay = (count: number) => {
    worker.send(count)
    return reply()
  }
  await reply()
  await pay(WARM_UP)
  const costOf = await startMeter(metered({ worker: child.pid }))
  await pay(COUNT)
  const cost = await costOf(COUNT)
  ended.catch(() => {})
  await child.stop()
  await close()
  await postgres.stop()
  return cost
}
