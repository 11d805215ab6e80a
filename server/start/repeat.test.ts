import { expect, test } from 'vitest'
import { StorageBusy, StorageUnavailable } from '../actions/ports/store.ts'
import { errorLog, inBursts, repeat } from './repeat.ts'

function memoryLog() {
  const lines: string[] = []
  return {
    lines,
    error: (_fields: object, message: string) => void lines.push(message),
    warn: (_fields: object, message: string) => void lines.push(message),
  }
}

test('an error does not end the repetition', async () => {
  let runs = 0
  const errors: unknown[] = []
  await new Promise<void>((resolve) => {
    const stop = repeat(
      0,
      async () => {
        runs += 1
        if (runs === 3) void stop().then(resolve)
        throw new Error(`run ${runs}`)
      },
      (error) => errors.push(error),
    )
  })
  expect(errors.map(String)).toEqual(['Error: run 1', 'Error: run 2', 'Error: run 3'])
})

test('logs an unavailable database once in five seconds, and every other error', () => {
  const log = memoryLog()
  let now = 0
  const logError = errorLog(log, () => now)
  for (now = 0; now < 10_000; now += 100) logError(new StorageUnavailable(new Error('ECONNREFUSED')), 'refreshing')
  logError(new Error('a fault'), 'refreshing')
  expect(log.lines).toEqual([
    'the database is away: jobs wait',
    'the database is away: jobs wait',
    'refreshing failed, it will be tried again',
  ])
})

test('masks what the cause of an outage repeats', () => {
  const causes: unknown[] = []
  const logError = errorLog({ error: () => undefined, warn: (fields) => causes.push(fields) })
  logError(new StorageUnavailable(new Error('no route to postgres://malipo:s3cret@db')), 'refreshing')
  expect(causes).toEqual([{ cause: 'no route to postgres://***@db' }])
})

test('reports a full pool as such, and not as an outage', () => {
  const log = memoryLog()
  errorLog(log)(new StorageBusy(new Error('all 10 connections are in use')), 'refreshing')
  expect(log.lines).toEqual(['all connections to the database are in use: jobs wait'])
})

test('logs the first of many at once, and the rest together at the end', () => {
  const reported: [number, string][] = []
  const waiting: (() => void)[] = []
  const report = inBursts(5_000, (count, last: string) => reported.push([count, last]), {
    after: (ms, then) => waiting.push(() => (ms === 5_000 ? then() : undefined)),
  })
  const pass = () => waiting.shift()?.()
  for (const thing of ['a', 'b', 'c', 'd']) report(thing)
  expect(reported).toEqual([[1, 'a']])
  pass()
  expect(reported).toEqual([
    [1, 'a'],
    [3, 'd'],
  ])
  pass()
  expect(waiting).toEqual([])
  report('e')
  expect(reported.at(-1)).toEqual([1, 'e'])
})
