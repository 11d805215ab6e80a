import { expect, test } from 'vitest'
import { StorageUnavailable } from '../actions/ports/store.ts'
import type { WorkItem } from '../actions/ports/work.ts'
import { fixedClock, seededRandom } from '../testing/gateway.ts'
import { onBothStores } from '../testing/stores.ts'
import { at, START, uniqueId } from '../testing/transactions.ts'
import type { Lane } from './lane.ts'
import { createWorkLoop } from './loop.ts'
import { systemTimers } from './timers.ts'

onBothStores((under) => {
  const clock = fixedClock(START)

  /** Runs what is due in one lane, whose items each do this in a transaction of their own. */
  async function runDue(work: (item: WorkItem) => Promise<void>): Promise<string[]> {
    const { store, queue } = under()
    const lane: Lane = {
      kind: 'askRail',
      capacity: 10,
      batchMax: 10,
      run: (items) => items.map((item) => store.transaction(async () => work(item))),
    }
    const putAside: string[] = []
    await createWorkLoop({
      lanes: [lane],
      queue,
      clock,
      random: seededRandom('failures'),
      timers: systemTimers,
      reasonOf: (error) => (error as Error).message,
      onError: () => undefined,
      onPutAside: (error) => void putAside.push((error as Error).message),
    }).runDue()
    return putAside
  }

  const addWork = (subjectId: bigint) =>
    under().store.transaction((unit) => unit.addWork([{ kind: 'askRail', subjectId, dueAt: START }]))

  test.each(['something timed out', 'the account was closed', 'Connection terminated unexpectedly'])(
    'an item whose own code says "%s" is put aside: it does not wait for a database that is there',
    async (message) => {
      await addWork(uniqueId())
      expect(await runDue(() => Promise.reject(new Error(message)))).toEqual([message])
      expect(await under().read.work()).toMatchObject([{ failures: 1, lastError: message, held: false, dueAt: at(5) }])
    },
  )

  test('an item that met a database that is away is not put aside: it keeps its place until it is given back', async () => {
    await addWork(uniqueId())
    expect(await runDue(() => Promise.reject(new StorageUnavailable(new Error('ECONNREFUSED'))))).toEqual([])
    expect(await under().read.work()).toMatchObject([{ failures: 0, lastError: undefined }])
  })
})
