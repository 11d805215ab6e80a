import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RailCallback, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { SpoolFault } from './segment-writer.ts'
import { createReception, DATABASE_WAIT_MS_MAX, type MessageReception } from './reception.ts'
import type { SpooledMessage } from './replay.ts'

const MESSAGE: RailCallback = { railAccount: 'kenya', orderId: 'an order', method: 'POST', body: '{}' }
const WAIT_MS = 40
/** For databases that answer, on a machine that may be busy. */
const PATIENT_MS = 60_000

let monotonicMs: number
let clockMs: number
let inserts: Date[]
let insert: () => Promise<Reception>
let spooled: SpooledMessage[]
let spoolFault: Error | undefined
let errors: unknown[]
let reception: MessageReception

beforeEach(() => {
  monotonicMs = 0
  clockMs = Date.parse('2026-03-02T07:30:00Z')
  inserts = []
  spooled = []
  errors = []
  spoolFault = undefined
  insert = async () => 'stored'
  reception = receptionWaiting(PATIENT_MS)
})

const receptionWaiting = (waitMsMax: number) =>
  createReception({
    receive: (_callback, receivedAt) => {
      inserts.push(receivedAt)
      return insert()
    },
    spool: {
      async append(message) {
        if (spoolFault) throw spoolFault
        spooled.push(message)
      },
    },
    atOnceMax: 2,
    now: () => new Date(clockMs++),
    onError: (error) => void errors.push(error),
    monotonicMs: () => monotonicMs,
    waitMsMax,
  })

const away = () => Promise.reject<Reception>(new StorageUnavailable(new Error('away')))
const hang = () => new Promise<Reception>(() => undefined)

test('no handler waits longer than half a second', () => {
  expect(DATABASE_WAIT_MS_MAX).toBe(500)
})

describe('a responsive database', () => {
  test.each(['stored', 'known', 'unknown_order', 'too_many'] as const)('reports its result: %s', async (what) => {
    insert = async () => what
    expect(await reception.take(MESSAGE)).toBe(what)
    expect(spooled).toEqual([])
  })

  test('accepts many at once, a few at a time', async () => {
    let [now, most] = [0, 0]
    insert = async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return 'stored'
    }
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => reception.take(MESSAGE))))).toEqual(
      new Set(['stored']),
    )
    expect([most, inserts.length]).toEqual([2, 50])
  })
})

describe('a message is spooled', () => {
  test('with its time of receipt when the database is away', async () => {
    insert = away
    expect(await reception.take(MESSAGE)).toBe('spooled')
    expect(spooled).toEqual([{ callback: MESSAGE, receivedAt: inserts[0] }])
  })

  test('when the database does not answer in time, however many come at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const released = Promise.withResolvers<Reception>()
    insert = () => released.promise
    const taken = Promise.all(Array.from({ length: 100 }, () => reception.take(MESSAGE)))
    await vi.advanceTimersByTimeAsync(PATIENT_MS - 1)
    expect(spooled).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(new Set(await taken)).toEqual(new Set(['spooled']))
    released.resolve('stored')
    await new Promise((resolve) => setImmediate(resolve))
    // A message that waited for a slot and was spooled is not inserted as well.
    expect([inserts.length, spooled.length]).toEqual([2, 100])
  })

  test('at once after a failure, until one message a second finds the database back', async () => {
    insert = away
    await reception.take(MESSAGE)
    insert = async () => 'stored'
    expect(await reception.take(MESSAGE)).toBe('spooled')
    monotonicMs += 1_001
    expect(await reception.take(MESSAGE)).toBe('stored')
    expect(await reception.take(MESSAGE)).toBe('stored')
    expect(inserts).toHaveLength(3)
  })

  test('by all but one while that one tries', async () => {
    reception = receptionWaiting(WAIT_MS)
    insert = away
    await reception.take(MESSAGE)
    monotonicMs += 1_001
    insert = hang
    await Promise.all(Array.from({ length: 20 }, () => reception.take(MESSAGE)))
    expect(inserts).toHaveLength(2)
  })

  test('without a try while all its permitted connections hang', async () => {
    reception = receptionWaiting(WAIT_MS)
    insert = hang
    await Promise.all([reception.take(MESSAGE), reception.take(MESSAGE)])
    for (let n = 0; n < 5; n += 1) {
      monotonicMs += 1_001
      void reception.take(MESSAGE)
      await new Promise((resolve) => setImmediate(resolve))
      expect(spooled).toHaveLength(3 + n) // at once
    }
    expect(inserts).toHaveLength(2)
  })

  test('when the insert fails for whatever reason, and the failure is reported', async () => {
    insert = () => Promise.reject(new Error('a fault of ours'))
    expect(await reception.take(MESSAGE)).toBe('spooled')
    expect(errors).toEqual([new Error('a fault of ours')])
  })
})

test('a replay that finds the database back lets the next message try', async () => {
  insert = away
  await reception.take(MESSAGE)
  insert = async () => 'stored'
  reception.answers()
  expect(await reception.take(MESSAGE)).toBe('stored')
})

test('a message that neither stores is not acknowledged', async () => {
  insert = away
  spoolFault = new SpoolFault('full')
  await expect(reception.take(MESSAGE)).rejects.toThrow(StorageUnavailable)
})
