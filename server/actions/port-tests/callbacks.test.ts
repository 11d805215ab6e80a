import { expect, test } from 'vitest'
import type { NextStep } from '../../domain/callback.ts'
import type { StoreUnderTest } from '../../verification/testing/store-under-test.ts'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, unique, uniqueId, uniqueToken } from '../../verification/testing/transactions.ts'
import type { AddressedCallback, DueCallback } from '../ports/callbacks.ts'
import type { Job } from '../ports/jobs.ts'

const DELIVERED: NextStep = { step: 'delivered' }
const STOPPED: NextStep = { step: 'stopped', why: 'The merchant answered 410 Gone' }
const RETRY: NextStep = { step: 'retry', afterMs: 5_000 }

const URL_OF_SHOP = 'https://shop.example/hook'

const newCallback = (transactionId: bigint, merchantId: bigint): AddressedCallback => ({
  webhookId: `cb_${String(unique()).padStart(26, '0')}`,
  transactionId,
  merchantId,
  event: 'transaction.completed',
  type: 'COLLECTION',
  body: JSON.stringify({ event: 'transaction.completed', payload: { transaction_status: 'COMPLETED' } }),
  destination: `${merchantId}/collection`,
})

onBothStores((under) => {
  const claim = (from: number, until: number): Promise<readonly Job[]> =>
    under().queue.claim('deliverCallback', { token: uniqueToken(), now: at(from), leaseUntil: at(until) }, 10)

  async function dueCallback({ store, callbacks }: StoreUnderTest = under()): Promise<{
    item: Job
    callback: DueCallback
  }> {
    const transaction = await accepted(under(), { merchantId: await under().newMerchant(URL_OF_SHOP) })
    await store.transaction((unit) => unit.addCallbacks([newCallback(transaction.id, transaction.merchantId)], at(0)))
    const [item] = await claim(0, 30)
    const [callback] = await callbacks.load([item!])
    return { item: item!, callback: callback! }
  }
  const record = (item: Job, callback: DueCallback, next: NextStep, seconds = 1, httpStatus = 200) =>
    under().callbacks.record({
      item,
      callback,
      next,
      attempt: { at: at(seconds), url: 'https://shop.example/hook', durationMs: 250, httpStatus },
    })
  const deliveryJob = async () => (await under().read.work()).filter(({ kind }) => kind === 'deliverCallback')

  test('stores a callback with its delivery job and loads what its signatures cover', async () => {
    const transaction = await accepted(under(), { merchantId: await under().newMerchant(URL_OF_SHOP) })
    const callback = newCallback(transaction.id, transaction.merchantId)
    await under().store.transaction((unit) => unit.addCallbacks([callback], at(2)))
    const [work] = await deliveryJob()
    expect(work).toMatchObject({ dueAt: at(2), attempt: 0 })
    const { merchantReference, internalReference, account } = transaction
    const [item] = await claim(2, 32)
    const { destination, type: _type, ...reported } = callback
    expect(item!.destination).toBe(destination)
    expect(await under().callbacks.load([item!, { ...item!, subjectId: uniqueId() }])).toEqual([
      {
        id: work!.subjectId,
        ...reported,
        url: URL_OF_SHOP,
        attempts: 0,
        attemptsBefore: 0,
        resends: 0,
        status: 'PENDING',
        createdAt: at(2),
        hadUrl: true,
        signed: { merchantReference, internalReference, type: 'COLLECTION', status: 'COMPLETED' },
        account,
      },
    ])
  })

  test('returns the span of the acceptance with the payment and its callback', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const merchantId = await under().newMerchant(URL_OF_SHOP)
    const [traced, other] = [
      await accepted(under(), { merchantId, traceparent }),
      await accepted(under(), { merchantId }),
    ]
    const locked = await under().store.transaction(async (unit) => {
      await unit.addCallbacks([newCallback(traced.id, merchantId), newCallback(other.id, merchantId)], at(0))
      return unit.lockTransactions({ ids: [traced.id, other.id] })
    })
    const tracesOf = (payments: readonly { readonly traceparent?: string | undefined }[]) =>
      payments.map((one) => one.traceparent)
    expect(tracesOf(locked)).toEqual([traceparent, undefined])
    const loaded = await under().callbacks.load(await claim(0, 30))
    expect(tracesOf(loaded.toSorted((a, b) => Number(a.transactionId - b.transactionId)))).toEqual([
      traceparent,
      undefined,
    ])
  })

  test('a webhook id is used once: a unit that repeats it is rolled back', async () => {
    const transaction = await accepted(under(), { merchantId: await under().newMerchant(URL_OF_SHOP) })
    const callback = newCallback(transaction.id, transaction.merchantId)
    await under().store.transaction((unit) => unit.addCallbacks([callback], at(0)))
    await expect(
      under().store.transaction((unit) => unit.addCallbacks([newCallback(transaction.id, 1n), callback], at(0))),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await deliveryJob()).toHaveLength(1)
  })

  test('an acknowledged or stopped callback has ended, and its job is done', async () => {
    for (const [next, status] of [
      [DELIVERED, 'DELIVERED'],
      [STOPPED, 'STOPPED'],
    ] as const) {
      const { item, callback } = await dueCallback()
      await record(item, callback, next)
      expect(await under().read.callback(callback.transactionId)).toEqual({
        id: callback.id,
        status,
        attempts: 1,
        finishedAt: at(1),
      })
      expect(await deliveryJob()).toEqual([])
      expect(await under().read.callbackAttempts(callback.id)).toEqual([
        { attempt: 1, at: at(1), url: 'https://shop.example/hook', durationMs: 250, httpStatus: 200 },
      ])
      expect(await under().callbacks.load([item])).toEqual([])
    }
  })

  test("a retry is due after the delay, counted from the attempt's end, and unclaimed", async () => {
    const { item, callback } = await dueCallback()
    await record(item, callback, RETRY, 1, 503)
    expect(await deliveryJob()).toEqual([
      {
        kind: 'deliverCallback',
        subjectId: callback.id,
        dueAt: new Date(at(6).getTime() + 250),
        attempt: 1,
        held: false,
        failures: 0,
        lastError: undefined,
      },
    ])
    expect(await under().read.callback(callback.transactionId)).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      finishedAt: undefined,
    })
    expect((await under().callbacks.load([item]))[0]?.attempts).toBe(1)
    const [again] = await claim(7, 37)
    await record(again!, callback, DELIVERED, 8)
    expect(
      (await under().read.callbackAttempts(callback.id)).map(({ attempt, httpStatus }) => [attempt, httpStatus]),
    ).toEqual([
      [1, 503],
      [2, 200],
    ])
    expect((await under().read.events(callback.transactionId)).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['callback_retry', 'transaction.completed, attempt 1: HTTP 503; next attempt in 5 s'],
      ['callback_delivered', 'transaction.completed, attempt 2: HTTP 200; acknowledged'],
    ])
  })

  test('stores an attempt of a worker whose lease was lost; it decides nothing', async () => {
    const { item, callback } = await dueCallback()
    const [current] = await claim(30, 60)
    await record(item, callback, RETRY, 31, 503)
    expect(await under().read.callback(callback.transactionId)).toMatchObject({ status: 'PENDING', attempts: 1 })
    expect(await deliveryJob()).toMatchObject([{ dueAt: at(60), held: true }])
    await record(current!, callback, STOPPED, 32, 410)
    expect(await under().read.callback(callback.transactionId)).toEqual({
      id: callback.id,
      status: 'STOPPED',
      attempts: 2,
      finishedAt: at(32),
    })
    expect((await under().read.events(callback.transactionId))[0]?.detail).toContain('another attempt is under way')
  })

  test('an acknowledgement after a lost lease ends the callback all the same', async () => {
    for (const holderFirst of [true, false]) {
      const { item, callback } = await dueCallback()
      const [current] = await claim(30, 60)
      const late = () => record(item, callback, DELIVERED, 31)
      const holder = () => record(current!, callback, STOPPED, 31, 410)
      for (const store of holderFirst ? [holder, late] : [late, holder]) await store()
      expect(await under().read.callback(callback.transactionId)).toEqual({
        id: callback.id,
        status: 'DELIVERED',
        attempts: 2,
        finishedAt: at(31),
      })
      expect(await deliveryJob()).toEqual([])
    }
    const { item, callback } = await dueCallback()
    const [current] = await claim(30, 60)
    await Promise.all([record(current!, callback, RETRY, 31, 503), record(item, callback, DELIVERED, 31)])
    expect(await under().read.callback(callback.transactionId)).toMatchObject({ status: 'DELIVERED', attempts: 2 })
    expect(await deliveryJob()).toEqual([])
  })

  test('an attempt under way decides nothing once the callback is resent', async () => {
    for (const [next, httpStatus] of [
      [DELIVERED, 200],
      [STOPPED, 410],
      [RETRY, 503],
    ] as const) {
      const { item, callback } = await dueCallback()
      await under().resend(callback.id, at(2), at(3))
      await record(item, callback, next, 4, httpStatus)
      expect(await under().read.callback(callback.transactionId)).toEqual({
        id: callback.id,
        status: 'PENDING',
        attempts: 1,
        finishedAt: undefined,
      })
      expect(await deliveryJob()).toMatchObject([{ dueAt: at(3), held: false }])
      const [again] = await claim(4, 34)
      const [due] = await under().callbacks.load([again!])
      await record(again!, due!, DELIVERED, 5)
      expect(await under().read.callback(callback.transactionId)).toMatchObject({
        status: 'DELIVERED',
        attempts: 2,
        finishedAt: at(5),
      })
    }
  })

  test('a resend restarts the schedule and keeps the numbers of the attempts', async () => {
    const { item, callback } = await dueCallback()
    await record(item, callback, STOPPED, 1, 410)
    await under().resend(callback.id, at(2), at(3))
    const [again] = await claim(3, 33)
    expect(await under().callbacks.load([again!])).toMatchObject([{ attempts: 1, attemptsBefore: 1, resends: 1 }])
    expect((await under().read.events(callback.transactionId)).at(-1)).toMatchObject({
      at: at(2),
      kind: 'callback_resent',
    })
  })

  test("an attempt after a lost lease decides nothing when stored with the holder's", async () => {
    for (const staleFirst of [true, false]) {
      const { item, callback } = await dueCallback()
      const [current] = await claim(30, 60)
      const stale = () => record(item, callback, RETRY, 31, 503)
      const holder = () => record(current!, callback, DELIVERED, 32)
      await Promise.all(staleFirst ? [stale(), holder()] : [holder(), stale()])
      expect(await under().read.callback(callback.transactionId)).toEqual({
        id: callback.id,
        status: 'DELIVERED',
        attempts: 2,
        finishedAt: at(32),
      })
      expect(await deliveryJob()).toEqual([])
      const events = await under().read.events(callback.transactionId)
      expect(events.filter(({ detail }) => detail.includes('another attempt is under way'))).toHaveLength(1)
    }
  })

  test('stores the attempts of many callbacks together, each with its own end', async () => {
    const due = [await dueCallback(), await dueCallback(), await dueCallback()]
    const steps = [DELIVERED, RETRY, STOPPED]
    await Promise.all(due.map(({ item, callback }, index) => record(item, callback, steps[index]!)))
    const statuses = await Promise.all(
      due.map(async ({ callback }) => (await under().read.callback(callback.transactionId))?.status),
    )
    expect(statuses).toEqual(['DELIVERED', 'PENDING', 'STOPPED'])
    expect((await deliveryJob()).map(({ subjectId }) => subjectId)).toEqual([due[1]!.callback.id])
  })

  test('reschedules without an attempt and unclaimed; a lost lease reschedules nothing', async () => {
    const { item, callback } = await dueCallback()
    await under().callbacks.reschedule(item, at(9))
    expect(await deliveryJob()).toMatchObject([{ dueAt: at(9), attempt: 0, held: false }])
    expect(await under().read.callback(callback.transactionId)).toMatchObject({ attempts: 0 })
    await under().callbacks.reschedule(item, at(99))
    expect(await deliveryJob()).toMatchObject([{ dueAt: at(9) }])
  })

  test('ends a job of an ended callback when it is loaded', async () => {
    const { item, callback } = await dueCallback()
    await record(item, callback, DELIVERED)
    await under().store.transaction((unit) =>
      unit.addJobs([{ kind: 'deliverCallback', subjectId: callback.id, dueAt: at(5) }]),
    )
    expect(await under().callbacks.load([item])).toEqual([])
    expect(await deliveryJob()).toMatchObject([{ subjectId: callback.id }]) // a new job, not the one that was loaded
    expect(await under().callbacks.load(await claim(5, 35))).toEqual([])
    expect(await deliveryJob()).toEqual([])
  })
})
