import { expect, test } from 'vitest'
import { onBothStores } from '../../verification/testing/stores.ts'
import { accepted, at, unique, uniqueToken } from '../../verification/testing/transactions.ts'
import type { AddressedCallback, DueCallback } from '../ports/callbacks.ts'
import type { Job } from '../ports/jobs.ts'

// Callbacks of merchants without a URL.

const URL_OF_SHOP = 'https://shop.example/hook'

const newCallback = (transactionId: bigint, merchantId: bigint): AddressedCallback => ({
  webhookId: `cb_withheld_${unique()}`,
  transactionId,
  merchantId,
  event: 'transaction.completed',
  type: 'COLLECTION',
  body: '{}',
  destination: `${merchantId}/collection`,
})

onBothStores((under) => {
  const claim = (from: number, until: number): Promise<readonly Job[]> =>
    under().queue.claim('deliverCallback', { token: uniqueToken(), now: at(from), leaseUntil: at(until) }, 10)

  /** A callback of a merchant without a URL gets its job when staff resend it. */
  async function resentCallback(): Promise<{ item: Job; callback: DueCallback }> {
    const merchantId = await under().newMerchant()
    const { id } = await accepted(under(), { merchantId })
    await under().store.transaction((unit) => unit.addCallbacks([newCallback(id, merchantId)], at(0)))
    const stored = await under().read.callback(id)
    await under().resend(stored!.id, at(0), at(0))
    const [item] = await claim(0, 30)
    const [callback] = await under().callbacks.load([item!])
    return { item: item!, callback: callback! }
  }
  const deliveryJob = async () => (await under().read.work()).filter(({ kind }) => kind === 'deliverCallback')

  test('without a URL a callback is stopped from the start, and has no job', async () => {
    const merchantId = await under().newMerchant()
    const { id } = await accepted(under(), { merchantId })
    const other = await accepted(under(), { merchantId: await under().newMerchant(URL_OF_SHOP) })
    const callbacks = [newCallback(id, merchantId), newCallback(other.id, other.merchantId)]
    expect(await under().store.transaction((unit) => unit.addCallbacks(callbacks, at(1)))).toMatchObject([
      { transactionId: id, event: 'transaction.completed' },
    ])
    const stored = await under().read.callback(id)
    expect(stored).toMatchObject({ status: 'STOPPED', attempts: 0, finishedAt: at(1) })
    expect(await under().read.callback(other.id)).toMatchObject({ status: 'PENDING', finishedAt: undefined })
    expect(await deliveryJob()).toMatchObject([{ subjectId: (await under().read.callback(other.id))!.id }])

    await under().setUrl(merchantId, URL_OF_SHOP)
    await under().resend(stored!.id, at(2), at(3))
    expect(await under().read.callback(id)).toMatchObject({ status: 'PENDING', finishedAt: undefined })
    expect((await deliveryJob()).map(({ subjectId }) => subjectId)).toContain(stored!.id)
  })

  // What is withheld gets a line in the history.
  test('a withheld callback stops without an attempt', async () => {
    const { item, callback } = await resentCallback()
    expect(callback).toMatchObject({ url: '', hadUrl: false })
    await under().callbacks.withhold(item, callback, at(1))
    expect(await under().read.callback(callback.transactionId)).toEqual({
      id: callback.id,
      status: 'STOPPED',
      attempts: 0,
      finishedAt: at(1),
    })
    expect(await deliveryJob()).toEqual([])
    expect(await under().read.callbackAttempts(callback.id)).toEqual([])
    expect(
      (await under().read.events(callback.transactionId)).map(({ at: when, kind, detail }) => [when, kind, detail]),
    ).toEqual([
      [at(0), 'callback_resent', 'transaction.completed: an operator sends it again'],
      [
        at(1),
        'callback_withheld',
        'transaction.completed: no callback URL is set; it goes out when one is set and it is resent',
      ],
    ])
  })

  test('withholding a callback with a URL by now only reschedules it by a second', async () => {
    const { item, callback } = await resentCallback()
    await under().setUrl(callback.merchantId, URL_OF_SHOP)
    await under().callbacks.withhold(item, callback, at(1))
    expect(await under().read.callback(callback.transactionId)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      finishedAt: undefined,
    })
    expect(await deliveryJob()).toMatchObject([{ dueAt: at(2), failures: 0 }])
    expect((await under().read.events(callback.transactionId)).map(({ kind }) => kind)).toEqual(['callback_resent'])
  })

  test('a lost lease withholds nothing; many are withheld together, each on its own', async () => {
    const due = [await resentCallback(), await resentCallback()]
    const current = await claim(30, 60)
    await Promise.all(due.map(({ item, callback }) => under().callbacks.withhold(item, callback, at(31))))
    expect(await deliveryJob()).toMatchObject([
      { dueAt: at(60), held: true },
      { dueAt: at(60), held: true },
    ])
    const itemOf = ({ callback }: { callback: DueCallback }): Job =>
      current.find(({ subjectId }) => subjectId === callback.id)!
    await Promise.all(due.map((one) => under().callbacks.withhold(itemOf(one), one.callback, at(32))))
    for (const { callback } of due)
      expect(await under().read.callback(callback.transactionId)).toMatchObject({
        status: 'STOPPED',
        finishedAt: at(32),
      })
    expect(await deliveryJob()).toEqual([])
  })
})
