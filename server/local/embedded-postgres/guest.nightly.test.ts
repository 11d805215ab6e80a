import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive } from './processes.ts'
import {
  dataFolder,
  endWithEachTest,
  openHere,
  query,
  postmasterPid,
  kill,
  has,
  happened,
  usedDataFolder,
} from './testing/opened.ts'

endWithEachTest()

describe('a guest', () => {
  test('starts PostgreSQL for its own duration', async () => {
    const dataDir = dataFolder()
    const guest = await openHere({ dataDir, role: 'guest' })
    expect(await query(guest, 'select 1 as one')).toEqual([{ one: 1 }])
    const pid = postmasterPid(dataDir)!
    await guest.stop()
    expect(await isAlive(pid)).toBe(false)
  })

  test('stops no PostgreSQL that belongs to an owner or another guest', async () => {
    const dataDir = await usedDataFolder()
    const [first, second] = [await openHere({ dataDir, role: 'guest' }), await openHere({ dataDir, role: 'guest' })]
    await first.stop()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    const owner = await openHere({ dataDir })
    const third = await openHere({ dataDir, role: 'guest' })
    expect(third.connection).toEqual(owner.connection)
    for (const guest of [second, third]) await guest.stop()
    expect(await query(owner, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(has('exited', owner)).toBe(false)
  })

  test('waits for the owner to restart a dead PostgreSQL instead of starting its own', async () => {
    const dataDir = await usedDataFolder()
    const owner = await openHere({ dataDir })
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    const guest = await openHere({ dataDir, role: 'guest' })
    expect(has('started', guest)).toBe(false)
    await happened('restarted', owner)
    expect(await query(guest, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('the log of PostgreSQL', () => {
  test('does not grow without bound and holds no values of failed statements', async () => {
    const dataDir = await usedDataFolder()
    const first = await openHere({ dataDir })
    await query(first, 'create table numbers (number text primary key)')
    const secret = randomBytes(6).toString('hex')
    for (let i = 0; i < 2; i++) await query(first, `insert into numbers values ('${secret}')`).catch(() => {})
    await first.stop()
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(secret)
    truncateSync(join(dataDir, 'postgres.log'), 11 * 1024 * 1024)
    await openHere({ dataDir })
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(100_000)
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(11 * 1024 * 1024)
  })
})

test('finds a data folder that was moved while nothing ran at its new place', async () => {
  const dataDir = await usedDataFolder()
  const first = await openHere({ dataDir })
  await query(first, 'create table kept as select 42 as answer')
  await first.stop()
  renameSync(dataDir, `${dataDir}-moved`)
  expect(await query(await openHere({ dataDir: `${dataDir}-moved` }), 'select answer from kept')).toEqual([
    { answer: 42 },
  ])
})
