import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { isRoot } from './processes.ts'
import { nobodyCanRun, WITHOUT_SETUID, canDropCapabilities, NOBODY } from './testing/machine.ts'
import {
  cleanups,
  dataFolder,
  endWithEachTest,
  openHere,
  query,
  openElsewhere,
  opened,
  killed,
  postmasterPid,
  usedDataFolder,
  kill,
  happened,
} from './testing/opened.ts'

if (!isRoot()) skipReason('this user is not root', 'PostgreSQL started by root')

endWithEachTest()

describe('root and other users', () => {
  test.runIf(isRoot())('without user namespaces PostgreSQL runs as nobody in a folder closed to it', async () => {
    const dataDir = dataFolder(join('closed', '.malipo'))
    mkdirSync(join(dataDir, '..'), { mode: 0o700 })
    const first = openElsewhere({ dataDir, launchMode: 'other-user' })
    const { connection } = await opened(first)
    cleanups.push(() => rmSync(connection.host, { recursive: true, force: true }))
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY)
    expect(statSync(join(dataDir, 'postgres'))).toMatchObject({ uid: NOBODY, mode: 0o40700 })
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40700 })
    await killed(first)
    // Without the option: a cluster keeps its user.
    const second = await openHere({ dataDir })
    expect(second.events.map(({ type }) => type)).toEqual(['adopted'])
    kill(postmasterPid(dataDir)!, 'SIGKILL')
    await happened('restarted', second)
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.runIf(isRoot())('root in the data folder of an ordinary user runs PostgreSQL as that user', async () => {
    const dataDir = dataFolder()
    mkdirSync(dataDir, { mode: 0o700 })
    // A user that exists on every distribution; users without a name are tested below.
    chownSync(dataDir, 1, 1)
    const database = await openHere({ dataDir })
    cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(1)
    for (const name of ['postgres', 'postgres-password', 'postgres.log', 'owner.json'])
      expect(statSync(join(dataDir, name)).uid).toBe(1)
  })

  test.runIf(isRoot())('what root prepared belongs to the user whose data folder takes it over', async () => {
    const [dataDir, ahead] = [dataFolder(), await usedDataFolder()]
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, 1, 1)
    const database = await openHere({ dataDir, prepared: async () => ahead })
    cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(database.events.map(({ type }) => type)).toEqual(['taken_over', 'started'])
    for (const name of ['postgres', 'postgres/PG_VERSION', 'postgres/base/1/PG_VERSION', 'postgres-password'])
      expect([name, statSync(join(dataDir, name)).uid]).toEqual([name, 1])
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  // A container has such a folder.
  test.runIf(isRoot())('root runs PostgreSQL as nobody in the folder of a user without an account', async () => {
    const dataDir = dataFolder()
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, 54_321, 54_321)
    const database = await openHere({ dataDir })
    cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY)
  })

  test.runIf(isRoot())('a cluster made in a user namespace moves to where there are none', async () => {
    const dataDir = dataFolder()
    const first = await openHere({ dataDir, launchMode: 'userns' }).catch(() => undefined)
    if (!first) return console.warn('skipped: no user namespaces here')
    await query(first, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await openHere({ dataDir, launchMode: 'other-user' })
    cleanups.push(() => rmSync(second.connection.host, { recursive: true, force: true }))
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test.runIf(isRoot() && canDropCapabilities)(
    'reports to root that it may neither make namespaces nor become nobody',
    async () => {
      const dataDir = dataFolder()
      const confined = openElsewhere({ dataDir, launchMode: 'other-user' }, { wrapper: WITHOUT_SETUID })
      expect(await confined.said('refused')).toMatchObject({
        code: 'not_permitted',
        message: expect.stringMatching(/refuses to run as root.*DATABASE_URL/) as string,
      })
    },
  )

  test.runIf(nobodyCanRun)('an ordinary user starts PostgreSQL directly', async () => {
    const dataDir = dataFolder()
    chmodSync(join(dataDir, '..'), 0o755)
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, NOBODY, NOBODY)
    const user = openElsewhere({ dataDir }, { user: NOBODY })
    expect(await query(await opened(user), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(NOBODY)
    user.child.stdin!.write('stop\n')
    expect(await user.ended()).toBe(0)
  })

  test.runIf(nobodyCanRun)('the data folder of someone else is refused with advice', async () => {
    const dataDir = dataFolder()
    mkdirSync(dataDir, { mode: 0o700 })
    chmodSync(join(dataDir, '..'), 0o755)
    const user = openElsewhere({ dataDir }, { user: NOBODY })
    expect(await user.said('refused')).toMatchObject({
      code: 'not_permitted',
      message: expect.stringContaining(`uid ${NOBODY}`) as string,
    })
  })
})
