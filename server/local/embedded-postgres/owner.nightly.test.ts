import { spawn } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive, isRoot, waitFor } from './processes.ts'
import {
  cleanups,
  endWithEachTest,
  openHere,
  refused,
  query,
  openElsewhere,
  opened,
  killed,
  postmasterPid,
  kill,
  has,
  happened,
  lockHolders,
  asSuperuser,
  usedDataFolder,
} from './testing/opened.ts'

endWithEachTest()

describe('stopping', () => {
  test('does not wait for the statements of others', async () => {
    const dataDir = await usedDataFolder()
    const database = await openHere({ dataDir })
    const sleeping = query(database, 'select pg_sleep(60)').catch((error: unknown) => error)
    await waitFor(
      async () => (await query(database, `select 1 from pg_stat_activity where wait_event = 'PgSleep'`)).length === 1,
      10_000,
    )
    await database.stop()
    expect(await sleeping).toMatchObject({ code: '57P01' })
  })

  test('is not needed for a process to end, and PostgreSQL ends with it', async () => {
    const dataDir = await usedDataFolder()
    const process = openElsewhere({ dataDir }, { stay: false })
    const started = await process.said('started')
    process.child.stdin!.end()
    expect(await process.ended()).toBe(0)
    expect(await waitFor(async () => !(await isAlive(started['pid'] as number)), 10_000)).toBe(true)
  })

  test('works while PostgreSQL is being restarted', async () => {
    const dataDir = await usedDataFolder()
    const database = await openHere({ dataDir })
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    await happened('exited', database)
    await database.stop()
    const pid = postmasterPid(dataDir)
    expect(pid === undefined || !(await isAlive(pid))).toBe(true)
  })
})

describe('two owners', () => {
  test('a second one is refused by the pid of the first, with and without the note', async () => {
    const dataDir = await usedDataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    const inUse = {
      code: 'in_use',
      ownerPid: first.pid,
      message: expect.stringMatching(/MALIPO_DATA_DIR.*DATABASE_URL/) as string,
    }
    expect(await refused({ dataDir })).toMatchObject(inUse)
    rmSync(join(dataDir, 'owner.json'))
    expect(await refused({ dataDir })).toMatchObject(inUse)
    expect(await query(await opened(first), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test("refuses a second one also while the first's PostgreSQL does not answer", async () => {
    const dataDir = await usedDataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    const pid = postmasterPid(dataDir)!
    kill(pid, 'SIGSTOP')
    cleanups.push(() => kill(pid, 'SIGCONT'))
    expect(await refused({ dataDir })).toMatchObject({ code: 'in_use', ownerPid: first.pid })
    expect(await isAlive(pid)).toBe(true)
  })

  test('a note of a process whose pid was reused keeps nobody out', async () => {
    const dataDir = await usedDataFolder()
    writeFileSync(join(dataDir, 'owner.json'), JSON.stringify({ pid: process.pid, identity: 'another boot 1' }))
    expect(await query(await openHere({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('after kill -9 of the owner', () => {
  test('the next owner adopts the living PostgreSQL, restarts it, and stops it', async () => {
    const dataDir = await usedDataFolder()
    const first = openElsewhere({ dataDir })
    await opened(first)
    const pid = postmasterPid(dataDir)!
    await killed(first)
    const second = await openHere({ dataDir })
    expect(second.events).toEqual([{ type: 'adopted', pid }])
    kill(pid, 'SIGKILL')
    await happened('restarted', second)
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
    const restarted = postmasterPid(dataDir)!
    expect(restarted).not.toBe(pid)
    await second.stop()
    expect(await isAlive(restarted)).toBe(false)
  })

  // It gets its full timeout before it is replaced.
  test('a PostgreSQL that lives but does not answer is replaced', async () => {
    const dataDir = await usedDataFolder()
    const first = openElsewhere({ dataDir })
    await query(await opened(first), 'create table kept as select 42 as answer')
    const pid = postmasterPid(dataDir)!
    await killed(first)
    kill(pid, 'SIGSTOP')
    const second = await openHere({ dataDir })
    expect(second.events[0]).toEqual({ type: 'unresponsive', pid })
    expect(await isAlive(pid)).toBe(false)
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('ignores a postmaster.pid of another process and leaves that process alone', async () => {
    const dataDir = await usedDataFolder()
    const otherProcess = spawn('sleep', ['60'])
    cleanups.push(() => otherProcess.kill())
    const socket = '.s.PGSQL.5432'
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${otherProcess.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}\n\n0 0\nready   \n`,
      { mode: 0o600 },
    )
    if (isRoot()) chownSync(join(dataDir, 'postgres', 'postmaster.pid'), statSync(join(dataDir, 'postgres')).uid, -1)
    writeFileSync(join(dataDir, `${socket}.lock`), `${otherProcess.pid}\n`)
    const database = await openHere({ dataDir })
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    expect(otherProcess.exitCode ?? otherProcess.signalCode).toBeNull()
  })
})

describe('when PostgreSQL dies under its owner', () => {
  test('restarts a server killed with -9 in place, with its lock and data', async () => {
    const dataDir = await usedDataFolder()
    const database = await openHere({ dataDir })
    await query(database, 'create table kept as select 42 as answer')
    for (let round = 1; round <= 3; round++) {
      database.events.length = 0
      const pid = postmasterPid(dataDir)!
      kill(pid, 'SIGKILL')
      await happened('restarted', database)
      expect(await query(database, 'select answer from kept')).toEqual([{ answer: 42 }])
      expect(await lockHolders(database)).toBe(1)
      expect(postmasterPid(dataDir)).not.toBe(pid)
    }
  })

  test('waits for recovery after kill -9 of a server process and locks again', async () => {
    const dataDir = await usedDataFolder()
    const database = await openHere({ dataDir })
    const pid = postmasterPid(dataDir)
    const [backend] = await query<{ pid: number }>(
      asSuperuser(database, dataDir),
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    )
    kill(backend!.pid, 'SIGKILL')
    await happened('restarted', database)
    expect(postmasterPid(dataDir)).toBe(pid)
    expect(has('started', { ...database, events: database.events.slice(1) })).toBe(false)
    expect(await lockHolders(database)).toBe(1)
  })

  test('a busy backend that outlives its server blocks the restart only briefly', async () => {
    const dataDir = await usedDataFolder()
    const database = await openHere({ dataDir })
    const busy = query(
      database,
      'select count(*) from generate_series(1, 1000) a, generate_series(1, 1000000) b',
    ).catch((error: unknown) => error)
    const survivor = await waitFor(
      async () =>
        (
          await query<{ pid: number }>(
            database,
            `select pid from pg_stat_activity where query like 'select count%' and state = 'active' and pid <> pg_backend_pid()`,
          )
        )[0]?.pid,
      10_000,
    )
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    await happened('restarted', database)
    expect(await isAlive(survivor!)).toBe(false)
    expect(await busy).toBeInstanceOf(Error)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('reopens the watching session alone when an administrator ends it', async () => {
    const dataDir = await usedDataFolder()
    const database = await openHere({ dataDir })
    await query(
      asSuperuser(database, dataDir),
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'malipo %'`,
    )
    await happened('restarted', database)
    expect(await lockHolders(database)).toBe(1)
  })
})
