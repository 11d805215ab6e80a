import { expect, test } from 'vitest'
import type { Transaction } from '../../domain/transaction.ts'
import type { StoreUnderTest } from '../../verification/testing/store-under-test.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, START, uniqueId } from '../../verification/testing/transactions.ts'
import { StorageUnavailable } from '../ports/store.ts'

onBothStores((under) => {
  const lock = (id: bigint) => under().store.transaction((unit) => unit.lockTransactions({ ids: [id] }))
  const statusOf = async (reference: string) => (await under().lookups.payment(reference))?.transaction.status

  test('a failed unit leaves nothing', async () => {
    const transaction = await accepted(under())
    await expect(
      under().store.transaction(async (unit) => {
        await unit.lockTransactions({ ids: [transaction.id] })
        await unit.saveStates([{ ...transaction, status: 'COMPLETED', finalAt: at(1) }])
        await unit.addEvents([{ transactionId: transaction.id, kind: 'settled', detail: 'never' }], at(1))
        await unit.finishPaymentJobs([transaction.id])
        await unit.addJobs([{ kind: 'pollRail', subjectId: transaction.id, dueAt: at(0) }])
        await unit.releaseDailyLimit([transaction])
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect((await under().lookups.payment(transaction.internalReference))?.transaction).toEqual(transaction)
    expect(await under().read.events(transaction.id)).toEqual([])
    expect(await under().read.work()).toMatchObject([{ kind: 'submitToRail', subjectId: transaction.id }])
    expect((await under().read.usage(transaction.account)).get(transaction.id)).toBe(1_000n)
  })

  test('a unit reads its own writes, and nobody else does before the commit', async () => {
    const transaction = await accepted(under())
    await under().store.transaction(async (unit) => {
      await unit.lockTransactions({ ids: [transaction.id] })
      await unit.saveStates([{ ...transaction, status: 'PROCESSING' }])
      await unit.addEvents([{ transactionId: transaction.id, kind: 'submitted', detail: 'now' }], at(1))
      expect((await unit.lockTransactions({ internalReferences: [transaction.internalReference] }))[0]?.status).toBe(
        'PROCESSING',
      )
      expect(await statusOf(transaction.internalReference)).toBe('PENDING')
      expect(await under().read.events(transaction.id)).toEqual([])
    })
    expect(await statusOf(transaction.internalReference)).toBe('PROCESSING')
    expect(await under().read.events(transaction.id)).toEqual([
      { transactionId: transaction.id, kind: 'submitted', detail: 'now', at: at(1) },
    ])
  })

  test('a waiter for a locked transaction reads it again', async () => {
    const transaction = await accepted(under())
    let second: ReturnType<typeof lock> | undefined
    await under().store.transaction(async (unit) => {
      await unit.lockTransactions({ ids: [transaction.id] })
      second = lock(transaction.id)
      await under().lockIsWaitedFor()
      await unit.saveStates([{ ...transaction, status: 'FAILED', statusMessage: 'No', finalAt: at(1) }])
    })
    expect(await second).toEqual([{ ...transaction, status: 'FAILED', statusMessage: 'No', finalAt: at(1) }])
  })

  test('a waiter for a lock goes on when its holder rolls back', async () => {
    const transaction = await accepted(under())
    let second: ReturnType<typeof lock> | undefined
    await expect(
      under().store.transaction(async (unit) => {
        await unit.lockTransactions({ ids: [transaction.id] })
        await unit.saveStates([{ ...transaction, status: 'FAILED' }])
        second = lock(transaction.id)
        await under().lockIsWaitedFor()
        throw new Error('given up')
      }),
    ).rejects.toThrow('given up')
    expect(await second).toEqual([transaction])
  })

  test('locks transactions in id order, each once, and skips unknown ones', async () => {
    const [first, second] = [await accepted(under()), await accepted(under())]
    const ids = [second.id, uniqueId(), first.id, second.id]
    expect(await under().store.transaction((unit) => unit.lockTransactions({ ids }))).toEqual(
      [first, second].toSorted((a, b) => Number(a.id - b.id)),
    )
    expect(
      await under().store.transaction((unit) =>
        unit.lockTransactions({ internalReferences: [second.internalReference, 'MLPnone', second.internalReference] }),
      ),
    ).toEqual([second])
    expect(await under().store.transaction((unit) => unit.lockTransactions({ ids: [] }))).toEqual([])
  })

  test('reports the database unavailable to one side of a deadlock; the other goes on', async () => {
    const [a, b] = [await accepted(under()), await accepted(under())]
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const crossed = (mine: bigint, other: bigint, ready: () => void, othersReady: Promise<void>) =>
      under().store.transaction(async (unit) => {
        await unit.lockTransactions({ ids: [mine] })
        ready()
        await othersReady
        return unit.lockTransactions({ ids: [other] })
      })
    const results = await Promise.allSettled([
      crossed(a.id, b.id, first.resolve, second.promise),
      crossed(b.id, a.id, second.resolve, first.promise),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((result) => result.status === 'rejected')?.reason).toBeInstanceOf(StorageUnavailable)
  })

  test('the id of an order is saved and cleared', async () => {
    const transaction = await accepted(under())
    const saved = async (change: object) => {
      await under().store.transaction((unit) => unit.saveStates([{ ...transaction, status: 'PROCESSING', ...change }]))
      return (await under().lookups.payment(transaction.internalReference))?.transaction.railOrderId
    }
    expect(await saved({ railOrderId: 'an id' })).toBe('an id')
    expect(await saved({})).toBe(undefined)
  })

  test('a failure code is saved with its state, and cleared', async () => {
    const transaction = await accepted(under())
    const failed = { ...transaction, status: 'FAILED', statusMessage: 'No', finalAt: at(1) } as const
    const stored = async (state: Transaction) => {
      await under().store.transaction((unit) => unit.saveStates([state]))
      const [locked] = await lock(transaction.id)
      expect((await under().lookups.payment(transaction.internalReference))?.transaction).toEqual(locked)
      return locked
    }
    expect(await stored({ ...failed, failureCode: 'declined' })).toEqual({ ...failed, failureCode: 'declined' })
    expect(await stored({ ...failed, failureCode: 'expired' })).toEqual({ ...failed, failureCode: 'expired' })
    expect(await stored({ ...transaction, status: 'COMPLETED', finalAt: at(3) })).not.toHaveProperty('failureCode')
  })

  test('saves and clears the time of the end and of what the rail paid', async () => {
    const transaction = await accepted(under())
    const save = (change: object) =>
      under().store.transaction((unit) => unit.saveStates([{ ...transaction, ...change }]))
    await save({ status: 'FAILED', statusMessage: 'No', finalAt: at(1), railPaidAt: at(2) })
    const paid = { ...transaction, status: 'FAILED', statusMessage: 'No', finalAt: at(1), railPaidAt: at(2) }
    expect((await under().lookups.payment(transaction.internalReference))?.transaction).toEqual(paid)
    await save({ status: 'COMPLETED', finalAt: at(3) })
    expect((await under().lookups.payment(transaction.internalReference))?.transaction).toEqual({
      ...transaction,
      status: 'COMPLETED',
      finalAt: at(3),
    })
  })

  test('only state, account and charge of a transaction are ever changed', async () => {
    const transaction = await accepted(under())
    await under().store.transaction(async (unit) => {
      await unit.saveStates([{ ...transaction, status: 'PROCESSING', totalMinor: 1n, account: '1' }])
      await unit.saveAccount({
        ...transaction,
        account: '2',
        institutionName: 'Bank',
        totalMinor: 2n,
        chargeCustomer: !transaction.chargeCustomer,
        status: 'FAILED',
      })
    })
    expect((await under().lookups.payment(transaction.internalReference))?.transaction).toEqual({
      ...transaction,
      status: 'PROCESSING',
      totalMinor: 2n,
      account: '2',
      institutionName: 'Bank',
    })
  })

  test('keeps events in the order of their addition', async () => {
    const id = uniqueId()
    await under().store.transaction(async (unit) => {
      await unit.addEvents(
        [
          { transactionId: id, kind: 'one', detail: '1' },
          { transactionId: id, kind: 'two', detail: '2' },
        ],
        at(1),
      )
      await unit.addEvents([{ transactionId: id, kind: 'three', detail: '3' }], at(2))
    })
    expect((await under().read.events(id)).map(({ kind, at: when }) => [kind, when])).toEqual([
      ['one', at(1)],
      ['two', at(1)],
      ['three', at(2)],
    ])
  })

  test('numbers requests to a verification URL from 1, per payout', async () => {
    const [one, other] = [await accepted(under()), await accepted(under())]
    const query = (ids: readonly bigint[], seconds: number) =>
      under().store.transaction(async (unit) => {
        await unit.lockTransactions({ ids })
        return unit.recordHandshakes(
          ids.map((transactionId) => ({
            transactionId,
            at: at(seconds),
            durationMs: 12,
            ...(seconds > 1 && { httpStatus: 503 }),
            ...(seconds <= 1 && { error: 'refused' }),
          })),
        )
      })
    expect(await query([one.id], 1)).toEqual(new Map([[one.id, 1]]))
    expect(await query([one.id, other.id], 2)).toEqual(
      new Map([
        [one.id, 2],
        [other.id, 1],
      ]),
    )
    expect(await under().read.handshakes(one.id)).toEqual([
      { attempt: 1, at: at(1), durationMs: 12, error: 'refused' },
      { attempt: 2, at: at(2), durationMs: 12, httpStatus: 503 },
    ])
    await expect(query([one.id, one.id], 3)).rejects.toMatchObject({ code: '23505' })
    expect(await under().read.handshakes(one.id)).toHaveLength(2)
  })

  test("saves a session with and without its OTP; its page's end stays the same", async () => {
    const session = { awaits: 'confirmation', expiresAt: at(1_800), otpTriesLeft: 5 } as const
    const { id, internalReference } = await accepted(under(), {
      session,
      firstJob: { kind: 'expirePage', dueAt: at(1_800) },
    })
    const load = () => under().store.transaction((unit) => unit.loadSession(id))
    expect(await load()).toEqual({ transactionId: id, ...session })
    const otp = { digest: new Uint8Array([1, 2, 250]), sentAt: at(5), sends: 1 }
    await under().store.transaction(async (unit) => {
      await unit.saveSession({ transactionId: id, ...session, awaits: 'otp', otp, expiresAt: at(99_999) })
      expect((await unit.loadSession(id))?.awaits).toBe('otp')
    })
    const saved = await load()
    expect({ ...saved, otp: { ...saved!.otp, digest: [...saved!.otp!.digest] } }).toEqual({
      transactionId: id,
      ...session,
      awaits: 'otp',
      otp: { ...otp, digest: [1, 2, 250] },
    })
    expect((await under().lookups.payment(internalReference))?.session?.otp?.sends).toBe(1)
    await under().store.transaction((unit) =>
      unit.saveSession({ transactionId: id, ...session, awaits: 'nothing', otpTriesLeft: 2 }),
    )
    expect(await load()).toEqual({ transactionId: id, ...session, awaits: 'nothing', otpTriesLeft: 2 })
    expect(await under().store.transaction((unit) => unit.loadSession(uniqueId()))).toBeUndefined()
  })

  test('joint requests share a commit in order; a failing one fails alone', async () => {
    const { store, read } = under()
    const [good, bad, better] = [uniqueId(), uniqueId(), uniqueId()]
    const sizes: number[] = []
    const query = store.together<bigint, string>(64, async (unit, items) => {
      sizes.push(items.length)
      await unit.addEvents(
        items.map((transactionId) => ({ transactionId, kind: 'asked', detail: '' })),
        START,
      )
      if (items.includes(bad)) throw new Error(`cannot: ${items.length}`)
      return items.map((id) => `done ${id}`)
    })
    const results = await Promise.allSettled([query(good), query(bad), query(better)])
    expect(results).toMatchObject([
      { value: `done ${good}` },
      { reason: { message: 'cannot: 1' } },
      { value: `done ${better}` },
    ])
    expect(sizes).toEqual([3, 1, 1, 1])
    expect(await Promise.all([good, bad, better].map(async (id) => (await read.events(id)).length))).toEqual([1, 0, 1])
  })

  test('joint requests come in batches of a bounded size', async () => {
    const sizes: number[] = []
    const query = under().store.together<number, number>(4, async (_unit, items) => {
      sizes.push(items.length)
      return items
    })
    expect(await Promise.all(Array.from({ length: 10 }, (_, n) => query(n)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(sizes).toEqual([4, 4, 2])
  })

  test('lookups return nothing for what does not exist', async () => {
    const { lookups } = under()
    expect(await lookups.transactionByMerchantReference(uniqueId(), 'order')).toBeUndefined()
    expect(await lookups.payment('MLPnone')).toBeUndefined()
    const { merchantReference } = await accepted(under())
    expect(await lookups.transactionByMerchantReference(uniqueId(), merchantReference)).toBeUndefined()
  })

  test('a lookup of a payment includes all that its customer sees', async () => {
    const session = { awaits: 'confirmation', expiresAt: at(1_800), otpTriesLeft: 5 } as const
    const merchantId = uniqueId()
    const transaction = await acceptedAll(under(), merchantId, session)
    expect(await under().lookups.payment(transaction.internalReference)).toEqual({
      transaction,
      session: { transactionId: transaction.id, ...session },
      description: 'An order',
      redirectUrl: 'https://shop.example/back',
    })
    expect(transaction).toMatchObject({ merchantId, customerName: 'Amina Nakato', status: 'PENDING', createdAt: START })
  })
})

const acceptedAll = (
  under: StoreUnderTest,
  merchantId: bigint,
  session: { awaits: 'confirmation'; expiresAt: Date; otpTriesLeft: number },
) =>
  accepted(under, {
    merchantId,
    session,
    customerName: 'Amina Nakato',
    customerEmail: 'amina@example.com',
    redirectUrl: 'https://shop.example/back',
    bankCode: 'b1',
    branchCode: '7',
    institutionName: 'A Bank',
    firstJob: { kind: 'expirePage', dueAt: at(1_800) },
  })
