import { afterEach, expect, test } from 'vitest'
import type { Rail, RailKnowledge, RailOrder } from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import { POLL_RAIL_AFTER_MS, type Transaction } from '../domain/transaction.ts'
import { fixedClock, seededRandom } from '../verification/testing/gateway.ts'
import { onBothStores } from '../verification/testing/stores.ts'
import { accepted, START, unique } from '../verification/testing/transactions.ts'
import { systemTimers } from '../start/timers.ts'
import { createQueues, type QueueDeps } from './queues.ts'
import { createWorker, type JobWorker } from './worker.ts'

const WITHIN = { timeout: 60_000, interval: 50 }

onBothStores((under) => {
  let worker: JobWorker | undefined
  let speak = (): void => undefined
  afterEach(async () => {
    speak()
    await worker?.stop(10_000)
  })

  /**
   * The queues of a gateway whose providers each lead to a rail account of their name. The one of `slow` does not
   * answer yet.
   */
  function started(silentAt: 'submit' | 'ask') {
    const { promise: spoken, resolve } = Promise.withResolvers<void>()
    speak = resolve
    const reported: string[] = []
    const answers =
      <Value>(call: 'submit' | 'ask', answer: Value) =>
      async (orders: readonly RailOrder[]): Promise<readonly Value[]> => {
        reported.push(...orders.map(({ internalReference }) => `${call} ${internalReference}`))
        if (call === silentAt && orders.some(({ providerCode }) => providerCode === 'slow')) await spoken
        return orders.map(() => answer)
      }
    const rail: Rail = {
      railAccountOf: (providerCode) => providerCode,
      traitsOf: () => ({ repeat: 'never', pollAfterMs: () => POLL_RAIL_AFTER_MS }),
      submit: answers('submit', { answer: 'accepted' }),
      query: answers<RailKnowledge>('ask', { knows: 'in_progress' }),
      readCallback: () => ({ mayQuery: true, externalIds: {} }),
    }
    const clock = fixedClock(START)
    // Order ids differ from those of other tests.
    const random = seededRandom(`${silentAt} ${unique()}`)
    const reference = { merchantById: async () => undefined }
    const deps = { ...under(), clock, random, rail, reference, timers: systemTimers, keepMessage: () => undefined }
    const queues = createQueues(() => deps as unknown as QueueDeps)
    worker = createWorker({
      queues: queues.filter(({ kind }) => ['submitToRail', 'pollRail', 'readRailCallback'].includes(kind)),
      queue: under().queue,
      clock,
      random,
      timers: systemTimers,
      reasonOf: String,
      onError: () => undefined,
      onQuarantined: () => undefined,
    })
    worker.start()
    return { clock, reported }
  }
  const given = (providerCode: string): Promise<Transaction> => accepted(under(), { providerCode })
  const workOf = async ({ id }: Transaction): Promise<string | undefined> => {
    const [work] = (await under().read.work()).filter(({ subjectId }) => subjectId === id)
    return work && `${work.kind} ${work.attempt}${work.held ? ' held' : ''}`
  }

  // Nobody claims its orders meanwhile.
  test('a silent operator delays only its own orders; none goes out twice', async () => {
    const { reported } = started('submit')
    const first = await given('slow')
    await expect.poll(() => reported, WITHIN).toHaveLength(1)
    const [second, prompt] = [await given('slow'), await given('prompt')]
    await expect.poll(() => workOf(prompt), WITHIN).toBe('pollRail 0')
    expect([await workOf(first), await workOf(second)]).toEqual(['submitToRail 1 held', 'submitToRail 0'])
    speak()
    await expect.poll(() => workOf(second), WITHIN).toBe('pollRail 0')
    expect(await workOf(first)).toBe('pollRail 0')
    expect(reported.toSorted()).toEqual(
      [first, second, prompt].map((one) => `submit ${one.internalReference}`).toSorted(),
    )
  })

  test('a query that an operator does not answer delays no query to others', async () => {
    const { clock, reported } = started('ask')
    const [slow, prompt] = [await given('slow'), await given('prompt')]
    for (const one of [slow, prompt]) await expect.poll(() => workOf(one), WITHIN).toBe('pollRail 0')
    clock.advance(POLL_RAIL_AFTER_MS)
    await expect.poll(() => workOf(prompt), WITHIN).toBe('pollRail 1')
    clock.advance(POLL_RAIL_AFTER_MS)
    await expect.poll(() => reported.filter((one) => one === `ask ${prompt.internalReference}`), WITHIN).toHaveLength(2)
    expect(reported.filter((one) => one === `ask ${slow.internalReference}`)).toHaveLength(1)
  })

  test("a message of an unresponsive operator delays its own next ones and no other's", async () => {
    const { reported } = started('ask')
    const [slow, prompt] = [await given('slow'), await given('prompt')]
    for (const one of [slow, prompt]) await expect.poll(() => workOf(one), WITHIN).toBe('pollRail 0')
    const report = async (
      { merchantId, merchantReference, providerCode: railAccount }: Transaction,
      body: string,
    ): Promise<void> => {
      const sent = await under().lookups.transactionByMerchantReference(merchantId, merchantReference)
      const orderId = present(sent?.railOrderId, 'its order')
      await under().railCallbacks.receive({ railAccount, orderId, method: 'POST', body }, START)
    }
    const messages = async () =>
      (await under().read.work())
        .filter(({ kind }) => kind === 'readRailCallback')
        .map(({ attempt, held }) => `${attempt}${held ? ' held' : ''}`)
    await report(slow, 'first')
    await expect.poll(() => reported, WITHIN).toContain(`ask ${slow.internalReference}`)
    await report(slow, 'second')
    await report(prompt, 'first')
    await expect.poll(messages, WITHIN).toEqual(['1 held', '0'])
    expect(reported.filter((one) => one.startsWith('ask')).toSorted()).toEqual(
      [slow, prompt].map((one) => `ask ${one.internalReference}`).toSorted(),
    )
    speak()
    await expect.poll(messages, WITHIN).toEqual([])
  })
})
