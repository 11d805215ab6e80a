import { expect, test } from 'vitest'
import { onBothStores } from '../../verification/testing/stores.ts'
import { at, uniqueToken } from '../../verification/testing/transactions.ts'
import type { Job } from '../ports/jobs.ts'
import type { UnitOfWork } from '../ports/store.ts'
import { workTools } from './testing/job-tools.ts'

onBothStores((under) => {
  const { addJobs, claim, hold, subjects, theWork } = workTools(under)

  test('a rescheduled job is unclaimed, due at its own time, as if it had not begun', async () => {
    await addJobs(subjects(2))
    const [first, second] = await claim(0, 30)
    await under().store.transaction((unit) =>
      unit.rescheduleJobs([
        { item: first!, dueAt: at(5) },
        { item: second!, dueAt: at(9) },
      ]),
    )
    expect(await under().read.work()).toMatchObject([
      { dueAt: at(5), attempt: 0, held: false },
      { dueAt: at(9), attempt: 0, held: false },
    ])
  })

  // It is the same row with the same count.
  test('a job replaced by another kind and reclaimed is lost to its first holder', async () => {
    await addJobs(subjects(1), at(0), 'verifyPayout')
    const [stale] = await claim(0, 30, 1, 'verifyPayout')
    const [current] = await claim(30, 60, 1, 'verifyPayout')
    await under().store.transaction((unit) => unit.replaceJobs([current!], 'holdFunds', at(60)))
    const [next] = await claim(60, 90, 1, 'holdFunds')
    expect(next).toMatchObject({ id: stale!.id, attempt: stale!.attempt, kind: 'holdFunds' })
    expect(await hold([stale!])).toEqual([])
    await under().store.transaction((unit) => unit.replaceJobs([stale!], 'verifyPayout', at(99)))
    await under().store.transaction((unit) => unit.finishJobs([{ ...next!, kind: 'verifyPayout' }]))
    expect(await hold([next!])).toEqual([next])
  })

  test('replaces several jobs, held or not, except those of another holder', async () => {
    const [lostId, oursId] = subjects(2) as [bigint, bigint]
    await addJobs([lostId])
    const [lost] = await claim(0, 30)
    const [taken] = await claim(30, 60)
    await addJobs([oursId])
    const [ours] = await claim(0, 30)
    expect(await under().store.transaction((unit) => unit.replaceJobs([ours!, lost!], 'submitToRail', at(9)))).toBe(1)
    expect(await hold([taken!])).toEqual([taken])
    expect(await under().read.work()).toMatchObject([
      { subjectId: lostId, kind: taken!.kind, held: true },
      { subjectId: oursId, kind: 'submitToRail', dueAt: at(9), held: false },
    ])
  })

  test('a replaced job that a result has ended meanwhile does not come back', async () => {
    const [endedId, oursId] = subjects(2) as [bigint, bigint]
    await addJobs([endedId, oursId])
    const claimed = await claim(0, 30)
    await under().store.transaction((unit) => unit.finishPaymentJobs([endedId]))
    await under().store.transaction((unit) => unit.replaceJobs(claimed, 'pollRail', at(9)))
    expect(await under().read.work()).toMatchObject([{ subjectId: oursId, kind: 'pollRail', held: false }])
  })

  // Either way nobody holds the job and its failures are cleared.
  test('replacing by another kind resets the attempts; the same kind keeps counting', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    const [queried] = await claim(0, 30)
    await under().queue.quarantine(queried!, at(1), 'a fault')
    const [again] = await claim(1, 31)
    expect(again).toMatchObject({ attempt: 2, failures: 1 })
    await under().store.transaction((unit) => unit.replaceJobs([again!], 'pollRail', at(2)))
    expect(await under().read.work()).toEqual([
      { kind: 'pollRail', subjectId, dueAt: at(2), attempt: 2, held: false, failures: 0, lastError: undefined },
    ])
    const [third] = await claim(2, 32)
    await under().store.transaction((unit) => unit.replaceJobs([third!], 'submitToRail', at(3)))
    expect(await under().read.work()).toEqual([
      { kind: 'submitToRail', subjectId, dueAt: at(3), attempt: 0, held: false, failures: 0, lastError: undefined },
    ])
    expect(await hold([third!])).toEqual([])
  })

  test('the same job added again takes the earlier due time and keeps the rest', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId], at(10))
    const [item] = await claim(10, 40)
    await addJobs([subjectId], at(50))
    expect(await under().read.work()).toMatchObject([{ dueAt: at(40), held: true, attempt: 1 }])
    await addJobs([subjectId], at(20))
    expect(await under().read.work()).toMatchObject([{ dueAt: at(20), held: true, attempt: 1 }])
    expect(await hold([item!])).toEqual([item])
  })

  test('one call does not add the same job twice', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await expect(addJobs([subjectId, subjectId])).rejects.toMatchObject({ code: '21000' })
    expect(await under().read.work()).toEqual([])
  })

  test('a second job of a kind for one subject fails, not as an unavailable database', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    await addJobs([subjectId], at(0), 'submitToRail')
    const [item] = await claim(0, 30)
    const replaced = under().store.transaction((unit) => unit.replaceJobs([item!], 'submitToRail', at(1)))
    await expect(replaced).rejects.toMatchObject({ code: '23505' })
    await expect(replaced).rejects.not.toMatchObject({ name: 'StorageUnavailable' })
    expect(await theWork()).toEqual([
      ['pollRail', subjectId],
      ['submitToRail', subjectId],
    ])
  })

  test('a job finished and added in one commit is a new job', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    const [item] = await claim(0, 30)
    await under().store.transaction(async (unit) => {
      await unit.finishJobs([item!])
      await unit.addJobs([{ kind: 'pollRail', subjectId, dueAt: at(7) }])
    })
    expect(await under().read.work()).toMatchObject([{ subjectId, dueAt: at(7), attempt: 0, held: false }])
    expect(await hold([item!])).toEqual([])
  })

  test('the end of a payment ends all its jobs, whoever holds them, and no other', async () => {
    const [ended, other] = subjects(2) as [bigint, bigint]
    const kinds = [
      'pollRail',
      'expirePage',
      'holdFunds',
      'sendOtp',
      'submitToRail',
      'verifyPayout',
      'deliverCallback',
      'clearFunds',
      'releaseReserve',
    ] as const
    for (const kind of kinds) await addJobs([ended], at(0), kind)
    await addJobs([other])
    await claim(0, 30)
    await under().store.transaction((unit) => unit.finishPaymentJobs([ended]))
    expect(await theWork()).toEqual([
      ['clearFunds', ended],
      ['deliverCallback', ended],
      ['pollRail', other],
      ['releaseReserve', ended],
    ])
  })

  test('holds jobs in the order of their ids, once for each time a job is named', async () => {
    await addJobs(subjects(3))
    const claimed = (await claim(0, 30)).toSorted((a, b) => Number(a.id - b.id))
    expect(await hold(claimed.toReversed())).toEqual(claimed)
    expect(await hold([claimed[0]!, claimed[0]!])).toEqual([claimed[0], claimed[0]])
    expect(await hold([claimed[0]!, { ...claimed[0]!, token: uniqueToken() }])).toEqual([claimed[0]])
  })

  test('an empty batch costs nothing and never fails', async () => {
    await under().store.transaction(async (unit) => {
      expect(await unit.holdJobs([])).toEqual([])
      await unit.finishJobs([])
      await unit.replaceJobs([], 'pollRail', at(0))
      await unit.addJobs([])
      await unit.finishPaymentJobs([])
    })
    await under().queue.release([], at(0))
  })

  /** Ends a payment while the holder of its job does this. */
  async function endedWhile(change: (unit: UnitOfWork, item: Job) => Promise<unknown>): Promise<bigint> {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    const [item] = await claim(0, 30)
    let ending: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.holdJobs([item!])
      ending = under().store.transaction((other) => other.finishPaymentJobs([subjectId]))
      await under().lockIsWaitedFor()
      await change(unit, item!)
    })
    await ending
    return subjectId
  }

  test("ending a payment waits for its job's holder and ends what the job became", async () => {
    await endedWhile((unit, item) => unit.replaceJobs([item], 'submitToRail', at(1)))
    expect(await theWork()).toEqual([])
  })

  test('ending a payment ignores jobs added while it waits for another', async () => {
    const subjectId = await endedWhile((unit, item) =>
      unit.addJobs([{ kind: 'submitToRail', subjectId: item.subjectId, dueAt: at(1) }]),
    )
    expect(await theWork()).toEqual([['submitToRail', subjectId]])
  })

  test('a waiter finds a held job gone when finished, its own when untouched', async () => {
    for (const finished of [true, false]) {
      await addJobs(subjects(1))
      const [item] = await claim(0, 30)
      let second: Promise<readonly Job[]> | undefined
      await under().store.transaction(async (unit) => {
        await unit.holdJobs([item!])
        second = hold([item!])
        await under().lockIsWaitedFor()
        if (finished) await unit.finishJobs([item!])
      })
      expect(await second).toEqual(finished ? [] : [item])
    }
  })

  test('a job added while the same one is being finished exists in the end', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    const [item] = await claim(0, 30)
    let adding: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.finishJobs([item!])
      adding = addJobs([subjectId], at(9))
      await under().lockIsWaitedFor()
    })
    await adding
    expect(await under().read.work()).toMatchObject([{ subjectId, dueAt: at(9), attempt: 0 }])
  })

  test('concurrent additions of one job store it once, due at the earlier time', async () => {
    const [subjectId] = subjects(1) as [bigint]
    let second: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.addJobs([{ kind: 'pollRail', subjectId, dueAt: at(9) }])
      second = addJobs([subjectId], at(4))
      await under().lockIsWaitedFor()
    })
    await second
    expect(await under().read.work()).toMatchObject([{ subjectId, dueAt: at(4) }])
  })
})
