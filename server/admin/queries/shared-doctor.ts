import { available, type Pool } from '../../storage/pool.ts'
import { examineChanged } from './doctor.ts'
import { readWarnings } from './doctor/warnings.ts'

type Run = Promise<Awaited<ReturnType<typeof examine>>>
const running = new WeakMap<Pool, Run>()

async function examine(pool: Pool, checkedAt: Date) {
  const { findings, since } = await examineChanged(pool, checkedAt)
  return { checkedAt, findings, since, warnings: await available(() => readWarnings(pool, checkedAt)) }
}

/** Runs the doctor on what has changed. It reads much, so all who call at the same time share one run. */
export function examineOnce(pool: Pool, now: Date): Run {
  const current = running.get(pool)
  if (current) return current
  const run = examine(pool, now).finally(() => running.delete(pool))
  running.set(pool, run)
  return run
}
