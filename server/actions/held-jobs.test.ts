import { expect, test } from 'vitest'
import { onBothStores } from '../verification/testing/stores.ts'
import { at, START, uniqueId, uniqueToken } from '../verification/testing/transactions.ts'
import { heldJobs } from './held-jobs.ts'
import type { Job } from './ports/jobs.ts'

onBothStores((under) => {
  const claim = async (now: Date, leaseUntil: Date): Promise<Job> => {
    const [item] = await under().queue.claim('pollRail', { token: uniqueToken(), now, leaseUntil }, 1)
    if (!item) throw new Error('nothing was due')
    return item
  }

  test('of two claims of one row in one batch the one that lost it does not hold it', async () => {
    const subjectId = uniqueId()
    await under().store.transaction((unit) => unit.addJobs([{ kind: 'pollRail', subjectId, dueAt: START }]))
    const lost = await claim(START, at(30))
    const held = await claim(at(30), at(60))
    expect(held.id).toBe(lost.id)
    await under().store.transaction(async (unit) => {
      const isHeld = await heldJobs(unit, [lost, held])
      expect([isHeld(lost), isHeld(held)]).toEqual([false, true])
    })
  })
})
