import { expect, test } from 'vitest'
import type { DueCallback } from '../actions/ports/callbacks.ts'
import { CANARY, given, item, due, record, samples, store, sender } from './testing/sample-metrics.ts'

const outcomes = (delivered: number, retried: number, stopped: number, postponed: number) =>
  Object.fromEntries(
    Object.entries({ delivered, retried, stopped, postponed }).map(([outcome, count]) => [
      `malipo_callbacks_total{outcome="${outcome}"}`,
      count,
    ]),
  )

test('counts callbacks by outcome once it is stored', async () => {
  const { metrics } = given()
  const callbacks = metrics.instrumentCallbacks(store)
  await callbacks.record(record({ step: 'delivered' }))
  await callbacks.record(record({ step: 'retry', afterMs: 5_000 }))
  await callbacks.record(record({ step: 'retry', afterMs: 5_000 }))
  await callbacks.record(record({ step: 'stopped', why: CANARY }))
  await callbacks.reschedule(item, new Date(0))
  await expect(
    metrics
      .instrumentCallbacks({
        ...store,
        record: async () => {
          throw new Error(CANARY)
        },
      })
      .record(record({ step: 'delivered' })),
  ).rejects.toThrow(CANARY)
  expect(await callbacks.load([item])).toHaveLength(1)
  expect(await samples(metrics)).toMatchObject(outcomes(1, 2, 1, 1))
})

test('a callback that waits for a URL counts nowhere and adds no delay', async () => {
  const { metrics, clock } = given()
  const createdAt = clock.now()
  await metrics.instrumentCallbacks(store).withhold(item, due({ createdAt, hadUrl: false, url: '' }), clock.now())
  clock.advance(7 * 24 * 60 * 60_000)
  await (
    await metrics
      .instrumentSender(sender({ durationMs: 80, httpStatus: 200 }))
      .prepare(due({ createdAt, hadUrl: false }))
  )()
  expect(await samples(metrics)).toMatchObject({ ...outcomes(0, 0, 0, 0), malipo_callback_delay_seconds_count: 0 })
})

test("measures a callback's delay at its first attempt only, and never below zero", async () => {
  const { metrics, clock } = given()
  const delivery = { durationMs: 80, error: CANARY, replyExcerpt: CANARY }
  const instrumented = metrics.instrumentSender(sender(delivery))
  const send = async (callback: DueCallback) => (await instrumented.prepare(callback))()
  const createdAt = clock.now()
  clock.advance(2_000)
  expect(await send(due({ createdAt }))).toBe(delivery)
  await send(due({ createdAt, attempts: 1 }))
  await send(due({ createdAt: new Date(clock.now().getTime() + 50) }))
  expect(await samples(metrics)).toMatchObject({
    malipo_callback_delay_seconds_count: 2,
    malipo_callback_delay_seconds_sum: 2,
    malipo_callback_request_duration_seconds_count: 3,
  })
})
