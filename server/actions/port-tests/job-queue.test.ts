import { describe, expect, test } from 'vitest'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, uniqueToken } from '../../verification/testing/transactions.ts'
import { present } from '../../domain/present.ts'
import { OUR_REFERENCE } from '../ports/rail-references.ts'
import type { ClaimExclusions, Job, JobKind } from '../ports/jobs.ts'
import { workTools } from './testing/job-tools.ts'

const ascending = (a: bigint, b: bigint): number => Number(a - b)

onBothStores((under) => {
  const { addJobs, claim, hold, subjects } = workTools(under)

  test('concurrent claims give each job to exactly one', async () => {
    await addJobs(subjects(60))
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(1, 31, 20)))
    const ids = claims.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(60)
    expect(ids).toHaveLength(60)
  })

  test('a claim takes due jobs up to its maximum, the longest overdue first', async () => {
    const [late, later, latest, notYet] = subjects(4) as [bigint, bigint, bigint, bigint]
    await addJobs([latest], at(3))
    await addJobs([late], at(1))
    await addJobs([notYet], at(11))
    await addJobs([later], at(2))
    const claimed = await claim(10, 40, 2)
    expect(claimed.map(({ subjectId }) => subjectId).toSorted(ascending)).toEqual([late, later].toSorted(ascending))
    expect((await claim(10, 40)).map(({ subjectId }) => subjectId)).toEqual([latest])
    expect(await claim(10, 40)).toEqual([])
    expect(await claim(11, 41)).toHaveLength(1)
  })

  test('reports when the first job of each kind is due, or its lease ends', async () => {
    const { queue } = under()
    expect(await queue.nextDue(['pollRail', 'submitToRail'], at(0))).toEqual(new Map())
    await addJobs(subjects(1), at(5), 'submitToRail')
    await addJobs(subjects(1), at(7))
    await addJobs(subjects(1), at(3))
    const due = (pollRail: number) =>
      new Map([
        ['pollRail', at(pollRail)],
        ['submitToRail', at(5)],
      ])
    expect(await queue.nextDue(['pollRail', 'submitToRail', 'sendOtp'], at(0))).toEqual(due(3))
    await claim(3, 33)
    expect(await queue.nextDue(['pollRail', 'submitToRail'], at(3))).toEqual(due(7))
    await claim(7, 37)
    expect(await queue.nextDue(['submitToRail', 'pollRail'], at(7))).toEqual(due(33))
  })

  test('reports when the first job for some destinations is due', async () => {
    const { queue, store } = under()
    const add = (destination: string, seconds: number, kind: JobKind = 'deliverCallback') =>
      store.transaction((unit) =>
        unit.addJobs(subjects(1).map((subjectId) => ({ kind, subjectId, dueAt: at(seconds), destination }))),
      )
    await add('one', 5)
    await add('one', 3)
    await add('other', 2)
    await add('third', 1)
    await add('held', 0)
    await claim(0, 1, 1, 'deliverCallback')
    await add('one', 1, 'verifyPayout')
    expect(await queue.nextDueFor('deliverCallback', ['one'])).toEqual(at(3))
    expect(await queue.nextDueFor('deliverCallback', ['one', 'other', 'held', 'none'])).toEqual(at(2))
    expect(await queue.nextDueFor('deliverCallback', ['none'])).toBeUndefined()
    expect(await queue.nextDueFor('deliverCallback', [])).toBeUndefined()
  })

  test('a claim takes no job of another kind', async () => {
    await addJobs(subjects(1), at(0), 'submitToRail')
    expect(await claim(1, 31)).toEqual([])
  })

  test('a claim skips orders of these operators; a moved order stays with its own', async () => {
    const given = (providerCode: string) =>
      accepted(under(), { providerCode, firstJob: { kind: 'submitToRail', dueAt: at(0) } })
    const [unsent, others, handed, moved] = [
      await given('slow'),
      await given('x'),
      await given('y'),
      await given('slow'),
    ]
    await under().store.transaction(async (unit) => {
      await unit.lockTransactions({ ids: [handed.id, moved.id] })
      await unit.saveStates([
        { ...handed, railOrderId: 'order-1', railAccount: 'at-slow' },
        { ...moved, railOrderId: 'order-2', railAccount: 'elsewhere' },
      ])
    })
    const skipped = { railAccounts: ['at-slow'], providers: ['slow'] }
    const claimed = (token = uniqueToken(), ...beside: [typeof skipped?]) =>
      under().queue.claim('submitToRail', { token, now: at(1), leaseUntil: at(31) }, 10, ...beside)
    const ids = (items: readonly Job[]) => items.map(({ subjectId }) => subjectId).toSorted(ascending)
    expect(ids(await claimed(uniqueToken(), skipped))).toEqual([others.id, moved.id].toSorted(ascending))
    expect(ids(await claimed())).toEqual([unsent.id, handed.id].toSorted(ascending))
  })

  test('a claim skips messages of these operators and nothing of others', async () => {
    const reported = async (railAccount: string): Promise<bigint> => {
      const { id } = await accepted(under())
      const [orderId, before] = [`order-${id}`, await subjectsOf('readRailCallback')]
      await under().store.transaction((unit) =>
        unit.addRailReferences([{ transactionId: id, railAccount, name: OUR_REFERENCE, reference: orderId }], at(0)),
      )
      await under().railCallbacks.receive({ railAccount, orderId, method: 'PUT', body: 'paid' }, at(0))
      return present(
        (await subjectsOf('readRailCallback')).find((one) => !before.includes(one)),
        'a message',
      )
    }
    const subjectsOf = async (kind: JobKind) =>
      (await under().read.work()).filter((one) => one.kind === kind).map(({ subjectId }) => subjectId)
    const [slow, prompt] = [await reported('at-slow'), await reported('at-prompt')]
    const claimed = async (...beside: [ClaimExclusions?]) =>
      (
        await under().queue.claim(
          'readRailCallback',
          { token: uniqueToken(), now: at(1), leaseUntil: at(31) },
          10,
          ...beside,
        )
      ).map(({ subjectId }) => subjectId)
    expect(await claimed({ railAccounts: ['at-slow'], providers: [] })).toEqual([prompt])
    expect(await claimed()).toEqual([slow])
  })

  test("renews the lease of what it holds, not of due jobs or another's", async () => {
    await addJobs(subjects(3))
    const [kept] = await claim(0, 30, 1)
    const [over] = await claim(0, 20, 1)
    const [lost] = await claim(0, 5, 1)
    const [taken] = await claim(5, 35, 1)
    await under().queue.renew([kept!, over!, lost!], at(20), at(50))
    expect(taken!.id).toBe(lost!.id)
    expect((await claim(49, 79)).map(({ id }) => id).toSorted(ascending)).toEqual(
      [over!.id, taken!.id].toSorted(ascending),
    )
    expect(await hold([kept!])).toEqual([kept])
    expect(await claim(50, 80)).toHaveLength(1)
  })

  test('a lease is not renewed while its job is being ended, and nothing waits for that', async () => {
    await addJobs(subjects(1))
    const [item] = await claim(0, 30)
    await under().store.transaction(async (unit) => {
      await unit.finishJobs([item!])
      await under().queue.renew([item!], at(10), at(40))
    })
    expect(await under().read.work()).toEqual([])
  })

  describe('a fair claim', () => {
    const addFor = (destination: string, subjectIds: readonly bigint[], dueAt = at(0)) =>
      under().store.transaction((unit) =>
        unit.addJobs(subjectIds.map((subjectId) => ({ kind: 'deliverCallback', subjectId, dueAt, destination }))),
      )
    const claimFairly = async (limit: number, of: Readonly<Record<string, number>> = {}, each = 10) =>
      (
        await under().queue.claimFairly(
          'deliverCallback',
          { token: uniqueToken(), now: at(10), leaseUntil: at(40) },
          limit,
          { each, of: new Map(Object.entries(of)) },
        )
      ).map(({ destination }) => destination)

    const sorted = (destinations: readonly (string | undefined)[]) =>
      destinations.toSorted((a = '', b = '') => a.localeCompare(b))

    test("claims up to each destination's capacity, and none of a full one", async () => {
      await addFor('dead', subjects(50))
      await addFor('busy', subjects(50))
      await addFor('other', subjects(3), at(9))
      await addFor('later', subjects(1), at(11))
      const taken = Map.groupBy(await claimFairly(30, { dead: 0, busy: 4 }), (destination) => destination)
      expect(new Map([...taken].map(([destination, { length }]) => [destination, length]))).toEqual(
        new Map([
          ['busy', 4],
          ['other', 3],
        ]),
      )
    })

    test('claims the first job of each destination before the second, overdue first', async () => {
      const [early, late] = [subjects(2), subjects(1)]
      await addFor('early', early, at(1))
      await addFor('late', late, at(9))
      await addFor('early', subjects(20), at(2))
      expect(sorted(await claimFairly(2))).toEqual(['early', 'late'])
      const work = await under().read.work()
      const [first] = work.filter(({ held, subjectId }) => held && subjectId !== late[0])
      expect(early).toContain(first!.subjectId)
    })

    test('claims as much of each unnamed destination as its maximum', async () => {
      await addFor('one', subjects(5))
      await addFor('two', subjects(5))
      expect(sorted(await claimFairly(10, {}, 2))).toEqual(['one', 'one', 'two', 'two'])
    })

    test('finds jobs without a destination, and claims no job of another kind', async () => {
      await addJobs(subjects(1), at(0), 'deliverCallback')
      await addJobs(subjects(1), at(0), 'verifyPayout')
      expect(await claimFairly(10)).toEqual([undefined])
      expect(await claimFairly(10)).toEqual([])
    })

    test('concurrent claims give each job to exactly one', async () => {
      await addFor('one', subjects(20))
      await addFor('two', subjects(20))
      await Promise.all(Array.from({ length: 4 }, () => claimFairly(40, {}, 20)))
      expect((await under().read.work()).map(({ attempt }) => attempt)).toEqual(Array(40).fill(1))
    })
  })

  test('a rescheduled job keeps its destination, or gets one', async () => {
    await addJobs(subjects(1), at(0), 'deliverCallback')
    const [unnamed] = await claim(0, 30, 1, 'deliverCallback')
    await under().callbacks.reschedule({ ...unnamed!, destination: '7/payout' }, at(1))
    const [named] = await claim(1, 31, 1, 'deliverCallback')
    expect([unnamed!.destination, named!.destination]).toEqual([undefined, '7/payout'])
  })

  test('a claim skips locked jobs without waiting', async () => {
    const [locked, free] = subjects(2) as [bigint, bigint]
    await addJobs([locked])
    const [held] = await claim(0, 1)
    await addJobs([free], at(2))
    await under().store.transaction(async (unit) => {
      expect(await unit.holdJobs([held!])).toHaveLength(1)
      expect((await claim(5, 35)).map(({ subjectId }) => subjectId)).toEqual([free])
    })
  })

  test('a claim returns its token, its number and that nothing failed', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    const token = uniqueToken()
    const [item] = await under().queue.claim('pollRail', { token, now: at(0), leaseUntil: at(30) }, 1)
    expect(item).toEqual({
      id: expect.any(BigInt) as bigint,
      kind: 'pollRail',
      subjectId,
      attempt: 1,
      token,
      failures: 0,
    })
    expect(await under().read.work()).toEqual([
      { kind: 'pollRail', subjectId, dueAt: at(30), attempt: 1, held: true, failures: 0, lastError: undefined },
    ])
  })

  // The first holder can neither hold, finish, replace, release nor quarantine it.
  test('a claim whose lease expired passes on; its first holder can change nothing', async () => {
    await addJobs(subjects(1))
    const [first] = await claim(0, 30)
    expect(await claim(29, 59)).toEqual([])
    const [second] = await claim(30, 60)
    expect(second).toEqual({ ...first!, attempt: 2, token: second!.token })
    const before = await under().read.work()
    expect(await hold([first!])).toEqual([])
    await under().store.transaction(async (unit) => {
      await unit.finishJobs([first!])
      await unit.replaceJobs([first!], 'submitToRail', at(99))
      await unit.rescheduleJobs([{ item: first!, dueAt: at(99) }])
    })
    await under().queue.release([first!], at(1))
    await under().queue.quarantine(first!, at(1), 'it failed')
    await under().callbacks.reschedule(first!, at(1))
    expect(await under().read.work()).toEqual(before)
    expect(await hold([second!])).toEqual([second])
  })

  test('a quarantined job waits unclaimed, counted and with its reason', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addJobs([subjectId])
    const [item] = await claim(0, 30)
    await under().queue.quarantine(item!, at(5), 'TypeError: no such thing')
    expect(await under().read.work()).toEqual([
      {
        kind: 'pollRail',
        subjectId,
        dueAt: at(5),
        attempt: 1,
        held: false,
        failures: 1,
        lastError: 'TypeError: no such thing',
      },
    ])
    expect(await hold([item!])).toEqual([])
    expect(await claim(4, 34)).toEqual([])
    expect((await claim(5, 35))[0]).toMatchObject({ failures: 1, attempt: 2 })
  })

  test('a released job is due again before its lease ends, and unclaimed', async () => {
    await addJobs(subjects(2))
    const [one, two] = await claim(0, 30)
    await under().queue.release([one!], at(2))
    expect(await hold([one!, two!])).toEqual([two])
    expect(await claim(1, 31)).toEqual([])
    expect(await claim(2, 32)).toHaveLength(1)
  })

  // Another claim may have the same kind and lease.
  test('releases a claim whose reply was lost by its token, and no other claim', async () => {
    await addJobs(subjects(3))
    const lost = { token: uniqueToken(), now: at(0), leaseUntil: at(30) }
    await under().queue.claim('pollRail', lost, 2)
    const [other] = await claim(0, 30)
    await under().queue.releaseClaim('submitToRail', lost, at(2))
    expect(await claim(2, 32)).toEqual([])
    await under().queue.releaseClaim('pollRail', lost, at(2))
    const again = await claim(2, 32)
    expect(again).toHaveLength(2)
    expect(again.map(({ id }) => id)).not.toContain(other!.id)
    expect(await hold([other!])).toEqual([other])
  })

  test("a lost claim's job stays with whoever has claimed it since", async () => {
    await addJobs(subjects(1))
    const lost = { token: uniqueToken(), now: at(0), leaseUntil: at(30) }
    await under().queue.claim('pollRail', lost, 1)
    const [taken] = await claim(30, 60)
    await under().queue.releaseClaim('pollRail', lost, at(31))
    expect(await hold([taken!])).toEqual([taken])
  })
})
