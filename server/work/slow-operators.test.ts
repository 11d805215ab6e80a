import { afterEach, expect, test } from 'vitest'
import type { Rail, RailKnowledge, RailOrder } from '../actions/ports/rail.ts'
import { present } from '../domain/present.ts'
import { ASK_RAIL_AFTER_MS, type Transaction } from '../domain/transaction.ts'
import { fixedClock, seededRandom } from '../testing/gateway.ts'
import { onBothStores } from '../testing/stores.ts'
import { accepted, START, unique } from '../testing/transactions.ts'
import { createLanes, type LaneDeps } from './lanes.ts'
import { createWorkLoop, type WorkLoop } from './loop.ts'
import { systemTimers } from './timers.ts'

const WITHIN = { timeout: 30_000, interval: 50 }

onBothStores((under) => {
  let loop: WorkLoop | undefined
  let speak = (): void => undefined
  afterEach(async () => {
    speak()
    await loop?.stop(10_000)
  })

  /** The lanes of a gateway whose providers each lead to an installation of their name; that of `slow` says nothing yet. */
  function started(silentAt: 'submit' | 'ask') {
    const { promise: spoken, resolve } = Promise.withResolvers<void>()
    speak = resolve
    const told: string[] = []
    const answers =
      <Answer>(call: 'submit' | 'ask', answer: Answer) =>
      async (orders: readonly RailOrder[]): Promise<readonly Answer[]> => {
        told.push(...orders.map(({ internalReference }) => `${call} ${internalReference}`))
        if (call === silentAt && orders.some(({ providerCode }) => providerCode === 'slow')) await spoken
        return orders.map(() => answer)
      }
    const rail: Rail = {
      installationOf: (providerCode) => providerCode,
      traitsOf: () => ({ repeat: 'never', askAfterMs: () => ASK_RAIL_AFTER_MS }),
      submit: answers('submit', { answer: 'accepted' }),
      ask: answers<RailKnowledge>('ask', { knows: 'in_progress' }),
      readCallback: () => ({ mayAsk: true, theirs: {} }),
    }
    const clock = fixedClock(START)
    // Nobody gets the order ids of another test.
    const random = seededRandom(`${silentAt} ${unique()}`)
    const reference = { merchantById: async () => undefined }
    const deps = { ...under(), clock, random, rail, reference, timers: systemTimers, keepMessage: () => undefined }
    const lanes = createLanes(() => deps as unknown as LaneDeps)
    loop = createWorkLoop({
      lanes: lanes.filter(({ kind }) => ['submitToRail', 'askRail', 'readRailCallback'].includes(kind)),
      queue: under().queue,
      clock,
      random,
      timers: systemTimers,
      reasonOf: String,
      onError: () => undefined,
      onPutAside: () => undefined,
    })
    loop.start()
    return { clock, told }
  }
  const given = (providerCode: string): Promise<Transaction> => accepted(under(), { providerCode })
  const workOf = async ({ id }: Transaction): Promise<string | undefined> => {
    const [work] = (await under().read.work()).filter(({ subjectId }) => subjectId === id)
    return work && `${work.kind} ${work.attempt}${work.held ? ' held' : ''}`
  }

  test('while an operator says nothing the orders of others go out, its own are claimed by nobody, and none goes out twice', async () => {
    const { told } = started('submit')
    const first = await given('slow')
    await expect.poll(() => told, WITHIN).toHaveLength(1)
    const [second, prompt] = [await given('slow'), await given('prompt')]
    await expect.poll(() => workOf(prompt), WITHIN).toBe('askRail 0')
    expect([await workOf(first), await workOf(second)]).toEqual(['submitToRail 1 held', 'submitToRail 0'])
    speak()
    await expect.poll(() => workOf(second), WITHIN).toBe('askRail 0')
    expect(await workOf(first)).toBe('askRail 0')
    expect(told.toSorted()).toEqual([first, second, prompt].map((one) => `submit ${one.internalReference}`).toSorted())
  })

  test('a question that an operator does not answer holds up no question to others', async () => {
    const { clock, told } = started('ask')
    const [slow, prompt] = [await given('slow'), await given('prompt')]
    for (const one of [slow, prompt]) await expect.poll(() => workOf(one), WITHIN).toBe('askRail 0')
    clock.advance(ASK_RAIL_AFTER_MS)
    await expect.poll(() => workOf(prompt), WITHIN).toBe('askRail 1')
    clock.advance(ASK_RAIL_AFTER_MS)
    await expect.poll(() => told.filter((one) => one === `ask ${prompt.internalReference}`), WITHIN).toHaveLength(2)
    expect(told.filter((one) => one === `ask ${slow.internalReference}`)).toHaveLength(1)
  })

  test('a message whose operator does not answer holds up its next ones, and none that others told', async () => {
    const { told } = started('ask')
    const [slow, prompt] = [await given('slow'), await given('prompt')]
    for (const one of [slow, prompt]) await expect.poll(() => workOf(one), WITHIN).toBe('askRail 0')
    const tell = async (
      { merchantId, merchantReference, providerCode: installation }: Transaction,
      body: string,
    ): Promise<void> => {
      const sent = await under().lookups.transactionByMerchantReference(merchantId, merchantReference)
      const orderId = present(sent?.railOrderId, 'its order')
      await under().railCallbacks.receive({ installation, orderId, method: 'POST', body }, START)
    }
    const messages = async () =>
      (await under().read.work())
        .filter(({ kind }) => kind === 'readRailCallback')
        .map(({ attempt, held }) => `${attempt}${held ? ' held' : ''}`)
    await tell(slow, 'first')
    await expect.poll(() => told, WITHIN).toContain(`ask ${slow.internalReference}`)
    await tell(slow, 'second')
    await tell(prompt, 'first')
    await expect.poll(messages, WITHIN).toEqual(['1 held', '0'])
    expect(told.filter((one) => one.startsWith('ask')).toSorted()).toEqual(
      [slow, prompt].map((one) => `ask ${one.internalReference}`).toSorted(),
    )
    speak()
    await expect.poll(messages, WITHIN).toEqual([])
  })
})
