import { expect, test } from 'vitest'
import { onBothStores } from '../../testing/stores.ts'
import { accepted, at, uniqueId, uniqueToken } from '../../testing/transactions.ts'
import type { WorkItem, WorkKind } from '../ports/work.ts'

const ascending = (a: bigint, b: bigint): number => Number(a - b)

onBothStores((under) => {
  const addWork = (subjectIds: readonly bigint[], dueAt = at(0), kind: WorkKind = 'askRail') =>
    under().store.transaction((unit) => unit.addWork(subjectIds.map((subjectId) => ({ kind, subjectId, dueAt }))))
  const claim = (from: number, until: number, limit = 10, kind: WorkKind = 'askRail'): Promise<readonly WorkItem[]> =>
    under().queue.claim(kind, { token: uniqueToken(), now: at(from), leaseUntil: at(until) }, limit)
  const hold = (items: readonly WorkItem[]) => under().store.transaction((unit) => unit.holdWork(items))
  const subjects = (count: number): bigint[] => Array.from({ length: count }, uniqueId)
  const theWork = async () => (await under().read.work()).map(({ kind, subjectId }) => [kind, subjectId])

  test('of many who claim at once each item goes to exactly one', async () => {
    await addWork(subjects(60))
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(1, 31, 20)))
    const ids = claims.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(60)
    expect(ids).toHaveLength(60)
  })

  test('a claim takes what is due, the longest overdue first, and never more than it may', async () => {
    const [late, later, latest, notYet] = subjects(4) as [bigint, bigint, bigint, bigint]
    await addWork([latest], at(3))
    await addWork([late], at(1))
    await addWork([notYet], at(11))
    await addWork([later], at(2))
    const claimed = await claim(10, 40, 2)
    expect(claimed.map(({ subjectId }) => subjectId).toSorted(ascending)).toEqual([late, later].toSorted(ascending))
    expect((await claim(10, 40)).map(({ subjectId }) => subjectId)).toEqual([latest])
    expect(await claim(10, 40)).toEqual([])
    expect(await claim(11, 41)).toHaveLength(1)
  })

  test('a claim takes no work of another kind', async () => {
    await addWork(subjects(1), at(0), 'submitToRail')
    expect(await claim(1, 31)).toEqual([])
  })

  test('a claim leaves out what these operators have or would get: what was handed to another stays with that one', async () => {
    const given = (providerCode: string) =>
      accepted(under(), { providerCode, firstWork: { kind: 'submitToRail', dueAt: at(0) } })
    const [unsent, others, handed, moved] = [
      await given('slow'),
      await given('x'),
      await given('y'),
      await given('slow'),
    ]
    await under().store.transaction(async (unit) => {
      await unit.lockTransactions({ ids: [handed.id, moved.id] })
      await unit.saveStates([
        { ...handed, railOrderId: 'order-1', railInstallation: 'at-slow' },
        { ...moved, railOrderId: 'order-2', railInstallation: 'elsewhere' },
      ])
    })
    const leftOut = { installations: ['at-slow'], providers: ['slow'] }
    const claimed = (token = uniqueToken(), ...beside: [typeof leftOut?]) =>
      under().queue.claim('submitToRail', { token, now: at(1), leaseUntil: at(31) }, 10, ...beside)
    const ids = (items: readonly WorkItem[]) => items.map(({ subjectId }) => subjectId).toSorted(ascending)
    expect(ids(await claimed(uniqueToken(), leftOut))).toEqual([others.id, moved.id].toSorted(ascending))
    expect(ids(await claimed())).toEqual([unsent.id, handed.id].toSorted(ascending))
  })

  test('a lease is renewed of what is still held, not of what is due already or another holds', async () => {
    await addWork(subjects(3))
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

  test('a lease is not renewed while its work is being ended, and nobody waits for that', async () => {
    await addWork(subjects(1))
    const [item] = await claim(0, 30)
    await under().store.transaction(async (unit) => {
      await unit.finishWork([item!])
      await under().queue.renew([item!], at(10), at(40))
    })
    expect(await under().read.work()).toEqual([])
  })

  test('a claim passes over what somebody has locked and does not wait for it', async () => {
    const [locked, free] = subjects(2) as [bigint, bigint]
    await addWork([locked])
    const [held] = await claim(0, 1)
    await addWork([free], at(2))
    await under().store.transaction(async (unit) => {
      expect(await unit.holdWork([held!])).toHaveLength(1)
      expect((await claim(5, 35)).map(({ subjectId }) => subjectId)).toEqual([free])
    })
  })

  test('what a claim gives tells its token, its number and that nothing failed', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const token = uniqueToken()
    const [item] = await under().queue.claim('askRail', { token, now: at(0), leaseUntil: at(30) }, 1)
    expect(item).toEqual({
      id: expect.any(BigInt) as bigint,
      kind: 'askRail',
      subjectId,
      attempt: 1,
      token,
      failures: 0,
    })
    expect(await under().read.work()).toEqual([
      { kind: 'askRail', subjectId, dueAt: at(30), attempt: 1, held: true, failures: 0, lastError: undefined },
    ])
  })

  test('a claim is taken over when its lease has ended; then its first holder can neither hold, finish, replace, release nor put it aside', async () => {
    await addWork(subjects(1))
    const [first] = await claim(0, 30)
    expect(await claim(29, 59)).toEqual([])
    const [second] = await claim(30, 60)
    expect(second).toEqual({ ...first!, attempt: 2, token: second!.token })
    const before = await under().read.work()
    expect(await hold([first!])).toEqual([])
    await under().store.transaction(async (unit) => {
      await unit.finishWork([first!])
      await unit.replaceWork([first!], 'submitToRail', at(99))
      await unit.postponeWork([{ item: first!, dueAt: at(99) }])
    })
    await under().queue.release([first!], at(1))
    await under().queue.putAside(first!, at(1), 'it failed')
    await under().callbacks.postpone(first!, at(1))
    expect(await under().read.work()).toEqual(before)
    expect(await hold([second!])).toEqual([second])
  })

  test("put off, each to its own time, it is nobody's and as if it had not been begun", async () => {
    await addWork(subjects(2))
    const [first, second] = await claim(0, 30)
    await under().store.transaction((unit) =>
      unit.postponeWork([
        { item: first!, dueAt: at(5) },
        { item: second!, dueAt: at(9) },
      ]),
    )
    expect(await under().read.work()).toMatchObject([
      { dueAt: at(5), attempt: 0, held: false },
      { dueAt: at(9), attempt: 0, held: false },
    ])
  })

  test('an item that has become another kind and is claimed again is nothing of its first holder, though it is the same row with the same count', async () => {
    await addWork(subjects(1), at(0), 'verifyPayout')
    const [stale] = await claim(0, 30, 1, 'verifyPayout')
    const [current] = await claim(30, 60, 1, 'verifyPayout')
    await under().store.transaction((unit) => unit.replaceWork([current!], 'holdFunds', at(60)))
    const [next] = await claim(60, 90, 1, 'holdFunds')
    expect(next).toMatchObject({ id: stale!.id, attempt: stale!.attempt, kind: 'holdFunds' })
    expect(await hold([stale!])).toEqual([])
    await under().store.transaction((unit) => unit.replaceWork([stale!], 'verifyPayout', at(99)))
    await under().store.transaction((unit) => unit.finishWork([{ ...next!, kind: 'verifyPayout' }]))
    expect(await hold([next!])).toEqual([next])
  })

  test('replaced by another kind it counts its tries anew; as the same kind it goes on counting; either way nobody holds it and its failures are forgotten', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const [asked] = await claim(0, 30)
    await under().queue.putAside(asked!, at(1), 'a fault')
    const [again] = await claim(1, 31)
    expect(again).toMatchObject({ attempt: 2, failures: 1 })
    await under().store.transaction((unit) => unit.replaceWork([again!], 'askRail', at(2)))
    expect(await under().read.work()).toEqual([
      { kind: 'askRail', subjectId, dueAt: at(2), attempt: 2, held: false, failures: 0, lastError: undefined },
    ])
    const [third] = await claim(2, 32)
    await under().store.transaction((unit) => unit.replaceWork([third!], 'submitToRail', at(3)))
    expect(await under().read.work()).toEqual([
      { kind: 'submitToRail', subjectId, dueAt: at(3), attempt: 0, held: false, failures: 0, lastError: undefined },
    ])
    expect(await hold([third!])).toEqual([])
  })

  test("what was put aside waits, counted and with its reason, and is nobody's", async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const [item] = await claim(0, 30)
    await under().queue.putAside(item!, at(5), 'TypeError: no such thing')
    expect(await under().read.work()).toEqual([
      {
        kind: 'askRail',
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

  test("what is given back is due again before its lease ends, and is nobody's", async () => {
    await addWork(subjects(2))
    const [one, two] = await claim(0, 30)
    await under().queue.release([one!], at(2))
    expect(await hold([one!, two!])).toEqual([two])
    expect(await claim(1, 31)).toEqual([])
    expect(await claim(2, 32)).toHaveLength(1)
  })

  test('a claim whose answer was lost is given back by its token, and no other of the same kind and lease', async () => {
    await addWork(subjects(3))
    const lost = { token: uniqueToken(), now: at(0), leaseUntil: at(30) }
    await under().queue.claim('askRail', lost, 2)
    const [other] = await claim(0, 30)
    await under().queue.releaseClaim('submitToRail', lost, at(2))
    expect(await claim(2, 32)).toEqual([])
    await under().queue.releaseClaim('askRail', lost, at(2))
    const again = await claim(2, 32)
    expect(again).toHaveLength(2)
    expect(again.map(({ id }) => id)).not.toContain(other!.id)
    expect(await hold([other!])).toEqual([other])
  })

  test('what a lost claim took and others have claimed since stays theirs', async () => {
    await addWork(subjects(1))
    const lost = { token: uniqueToken(), now: at(0), leaseUntil: at(30) }
    await under().queue.claim('askRail', lost, 1)
    const [taken] = await claim(30, 60)
    await under().queue.releaseClaim('askRail', lost, at(31))
    expect(await hold([taken!])).toEqual([taken])
  })

  test('the same work asked for again becomes due at the earlier time and stays what it is otherwise', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId], at(10))
    const [item] = await claim(10, 40)
    await addWork([subjectId], at(50))
    expect(await under().read.work()).toMatchObject([{ dueAt: at(40), held: true, attempt: 1 }])
    await addWork([subjectId], at(20))
    expect(await under().read.work()).toMatchObject([{ dueAt: at(20), held: true, attempt: 1 }])
    expect(await hold([item!])).toEqual([item])
  })

  test('one call does not ask for the same work twice', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await expect(addWork([subjectId, subjectId])).rejects.toMatchObject({ code: '21000' })
    expect(await under().read.work()).toEqual([])
  })

  test('a subject has one work of a kind: what would make two fails, and not as a database that is away', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    await addWork([subjectId], at(0), 'submitToRail')
    const [item] = await claim(0, 30)
    const replaced = under().store.transaction((unit) => unit.replaceWork([item!], 'submitToRail', at(1)))
    await expect(replaced).rejects.toMatchObject({ code: '23505' })
    await expect(replaced).rejects.not.toMatchObject({ name: 'StorageUnavailable' })
    expect(await theWork()).toEqual([
      ['askRail', subjectId],
      ['submitToRail', subjectId],
    ])
  })

  test('finished and asked for in one commit it is new work', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const [item] = await claim(0, 30)
    await under().store.transaction(async (unit) => {
      await unit.finishWork([item!])
      await unit.addWork([{ kind: 'askRail', subjectId, dueAt: at(7) }])
    })
    expect(await under().read.work()).toMatchObject([{ subjectId, dueAt: at(7), attempt: 0, held: false }])
    expect(await hold([item!])).toEqual([])
  })

  test('the end of a payment ends all work toward it, whoever holds it, and no other', async () => {
    const [ended, other] = subjects(2) as [bigint, bigint]
    const kinds = [
      'askRail',
      'expirePage',
      'holdFunds',
      'sendOtp',
      'submitToRail',
      'verifyPayout',
      'deliverCallback',
      'clearFunds',
      'releaseReserve',
    ] as const
    for (const kind of kinds) await addWork([ended], at(0), kind)
    await addWork([other])
    await claim(0, 30)
    await under().store.transaction((unit) => unit.finishPaymentWork([ended]))
    expect(await theWork()).toEqual([
      ['askRail', other],
      ['clearFunds', ended],
      ['deliverCallback', ended],
      ['releaseReserve', ended],
    ])
  })

  test('work that is held is held in the order of its ids, each item once for each time it is named', async () => {
    await addWork(subjects(3))
    const claimed = (await claim(0, 30)).toSorted((a, b) => Number(a.id - b.id))
    expect(await hold(claimed.toReversed())).toEqual(claimed)
    expect(await hold([claimed[0]!, claimed[0]!])).toEqual([claimed[0], claimed[0]])
    expect(await hold([claimed[0]!, { ...claimed[0]!, token: uniqueToken() }])).toEqual([claimed[0]])
  })

  test('nothing to do costs nothing and fails nowhere', async () => {
    await under().store.transaction(async (unit) => {
      expect(await unit.holdWork([])).toEqual([])
      await unit.finishWork([])
      await unit.replaceWork([], 'askRail', at(0))
      await unit.addWork([])
      await unit.finishPaymentWork([])
    })
    await under().queue.release([], at(0))
  })

  test('the end of a payment waits for who holds its work, and ends what that has become in the meantime', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const [item] = await claim(0, 30)
    let ending: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.holdWork([item!])
      ending = under().store.transaction((other) => other.finishPaymentWork([subjectId]))
      await under().lockIsWaitedFor()
      await unit.replaceWork([item!], 'submitToRail', at(1))
    })
    await ending
    expect(await theWork()).toEqual([])
  })

  test('the end of a payment does not see work that is added while it waits for other work', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const [item] = await claim(0, 30)
    let ending: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.holdWork([item!])
      ending = under().store.transaction((other) => other.finishPaymentWork([subjectId]))
      await under().lockIsWaitedFor()
      await unit.addWork([{ kind: 'submitToRail', subjectId, dueAt: at(1) }])
    })
    await ending
    expect(await theWork()).toEqual([['submitToRail', subjectId]])
  })

  test('who waits for held work finds it gone when it was finished, and his when it was not touched', async () => {
    for (const finished of [true, false]) {
      await addWork(subjects(1))
      const [item] = await claim(0, 30)
      let second: Promise<readonly WorkItem[]> | undefined
      await under().store.transaction(async (unit) => {
        await unit.holdWork([item!])
        second = hold([item!])
        await under().lockIsWaitedFor()
        if (finished) await unit.finishWork([item!])
      })
      expect(await second).toEqual(finished ? [] : [item])
    }
  })

  test('work asked for while the same is being finished is there in the end', async () => {
    const [subjectId] = subjects(1) as [bigint]
    await addWork([subjectId])
    const [item] = await claim(0, 30)
    let adding: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.finishWork([item!])
      adding = addWork([subjectId], at(9))
      await under().lockIsWaitedFor()
    })
    await adding
    expect(await under().read.work()).toMatchObject([{ subjectId, dueAt: at(9), attempt: 0 }])
  })

  test('the same new work asked for by two at once is there once, due at the earlier time', async () => {
    const [subjectId] = subjects(1) as [bigint]
    let second: Promise<void> | undefined
    await under().store.transaction(async (unit) => {
      await unit.addWork([{ kind: 'askRail', subjectId, dueAt: at(9) }])
      second = addWork([subjectId], at(4))
      await under().lockIsWaitedFor()
    })
    await second
    expect(await under().read.work()).toMatchObject([{ subjectId, dueAt: at(4) }])
  })
})
