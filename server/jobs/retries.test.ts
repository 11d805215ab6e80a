import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { Job } from '../actions/ports/jobs.ts'
import { fixedClock, seededRandom } from '../verification/testing/gateway.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { at, START, uniqueId } from '../verification/testing/transactions.ts'
import { systemTimers } from '../start/timers.ts'
import type { JobQueue } from './queues.ts'
import { createWorker } from './worker.ts'

onBothStores((under) => {
  const clock = fixedClock(START)

  /** Runs what is due in one queue. Each job does this in a transaction of its own. */
  async function runDue(work: (item: Job) => Promise<void>): Promise<string[]> {
    const { store, queue } = under()
    const jobQueue: JobQueue = {
      kind: 'pollRail',
      capacity: 10,
      batchMax: 10,
      run: (items) => items.map((item) => store.transaction(async () => work(item))),
    }
    const quarantined: string[] = []
    await createWorker({
      queues: [jobQueue],
      queue,
      clock,
      random: seededRandom('failures'),
      timers: systemTimers,
      reasonOf: (error) => (error as Error).message,
      onError: () => undefined,
      onQuarantined: (error) => void quarantined.push((error as Error).message),
    }).runDue()
    return quarantined
  }

  const addJobs = (subjectId: bigint) =>
    under().store.transaction((unit) => unit.addJobs([{ kind: 'pollRail', subjectId, dueAt: START }]))

  test.each(['something timed out', 'the account was closed', 'Connection terminated unexpectedly'])(
    'quarantines a job whose own code says "%s": the database is there',
    async (message) => {
      await addJobs(uniqueId())
      expect(await runDue(() => Promise.reject(new Error(message)))).toEqual([message])
      expect(await under().read.work()).toMatchObject([{ failures: 1, lastError: message, held: false, dueAt: at(5) }])
    },
  )

  test('quarantines no job for an unavailable database: it stays leased until released', async () => {
    await addJobs(uniqueId())
    expect(await runDue(() => Promise.reject(new StorageUnavailable(new Error('ECONNREFUSED'))))).toEqual([])
    expect(await under().read.work()).toMatchObject([{ failures: 0, lastError: undefined }])
  })
})
