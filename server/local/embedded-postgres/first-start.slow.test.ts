import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isNightly } from '../../verification/testing/nightly.ts'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { NIGHTLY_ONLY } from '../../verification/testing/skipped-part.ts'
import { createPassword, openDataFolder, readPassword } from './data-folder.ts'
import { waitFor } from './processes.ts'
import { takeOver } from './take-over.ts'
import {
  cleanups,
  dataFolder,
  endWithEachTest,
  killed,
  openElsewhere,
  openHere,
  opened,
  query,
  superuserOf,
  usedDataFolder,
} from './testing/opened.ts'

if (!isNightly)
  skipReason(NIGHTLY_ONLY, 'the embedded PostgreSQL with users, guests, owners and refusals of other kinds')

endWithEachTest()

describe('the first start', () => {
  test('keeps folder and password private to the user, and out of commands and logs', async () => {
    const dataDir = dataFolder()
    const { connection, events } = await openHere({ dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const passwords = [superuserOf(dataDir).password, connection.password]
    expect(new Set(passwords).size).toBe(2)
    for (const password of passwords) {
      expect(password.length).toBeGreaterThanOrEqual(32)
      expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(password)
      expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password)
      expect(JSON.stringify(events)).not.toContain(password)
    }
    expect(readdirSync(dataDir).sort()).toEqual([
      '.s.PGSQL.5432',
      '.s.PGSQL.5432.lock',
      'owner.json',
      'postgres',
      'postgres-password',
      'postgres.log',
    ])
  })

  test('killed in the middle leaves nothing that breaks the next start', async () => {
    const dataDir = dataFolder()
    const first = openElsewhere({ dataDir })
    const drafts = () => {
      try {
        return readdirSync(dataDir).filter((name) => /^postgres\.\d+-/.test(name))
      } catch {
        return []
      }
    }
    expect(
      await waitFor(() => drafts().some((name) => readdirSync(join(dataDir, name)).includes('base')), 20_000, 1),
    ).toBe(true)
    await killed(first)
    expect(readdirSync(dataDir)).not.toContain('postgres')
    const database = await openHere({ dataDir })
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(drafts()).toEqual([])
  })

  test('makes one cluster with one owner even when two start at once', async () => {
    const dataDir = dataFolder()
    const both = [openElsewhere({ dataDir }), openElsewhere({ dataDir })]
    const answers = () =>
      both.map(({ messages }) => messages.find(({ type }) => type === 'opened' || type === 'refused'))
    expect(await waitFor(() => answers().every((answer) => answer !== undefined), 30_000)).toBe(true)
    expect(
      answers()
        .map((answer) => String(answer?.type))
        .sort(),
    ).toEqual(['opened', 'refused'])
    const winner = both[answers().findIndex((answer) => answer?.type === 'opened')]!
    expect(answers().find((answer) => answer?.type === 'refused')).toMatchObject({
      code: 'in_use',
      ownerPid: winner.pid,
    })
    expect(await query(await opened(winner), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test("puts the socket into a private folder when the data folder's path is too long", async () => {
    const dataDir = dataFolder(join('long'.repeat(15), 'path'.repeat(15)))
    const database = await openHere({ dataDir })
    cleanups.push(() => rmSync(database.connection.host, { recursive: true, force: true }))
    expect(database.connection.host.startsWith(realpathSync(tmpdir()))).toBe(true)
    expect(database.connection.host).not.toContain('long')
    expect(statSync(database.connection.host)).toMatchObject({ uid: process.geteuid!(), mode: 0o40700 })
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a data folder that was made ahead', () => {
  const majorVersion = (ahead: string) => Number(readFileSync(join(ahead, 'postgres', 'PG_VERSION'), 'utf8'))
  const take = async (dataDir: string, ahead: string, version = majorVersion(ahead)) =>
    takeOver(async () => ahead, await openDataFolder(dataDir), version)

  test('goes to the first folder that needs one, and to no other', async () => {
    const ahead = await usedDataFolder()
    const { password } = superuserOf(ahead)
    const [first, second] = [dataFolder(), dataFolder()]
    const prepared = async () => ahead
    const version = majorVersion(ahead)
    const taker = await openHere({ dataDir: first, prepared })
    expect(taker.events.map(({ type }) => type)).toEqual(['taken_over', 'started'])
    expect(await query(taker, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(superuserOf(first)).toEqual({ user: 'malipo', password })
    expect(statSync(join(first, 'postgres-password')).mode & 0o777).toBe(0o600)
    expect(readdirSync(first).filter((name) => /^postgres\.\d/.test(name))).toEqual([])
    expect(existsSync(ahead)).toBe(false)
    expect(await take(second, ahead, version)).toBe(false)
    expect(readdirSync(second)).toEqual([])
  })

  test('stays where it is when the folder has a database, or a password of one', async () => {
    const [ahead, used, begun] = [await usedDataFolder(), await usedDataFolder(), await usedDataFolder()]
    const passwords = [used, begun].map(superuserOf)
    rmSync(join(begun, 'postgres'), { recursive: true })
    expect([await take(used, ahead), await take(begun, ahead)]).toEqual([false, false])
    expect([used, begun].map(superuserOf)).toEqual(passwords)
    expect(existsSync(join(ahead, 'postgres'))).toBe(true)
  })

  test('is refused with another PostgreSQL version or no password, and leaves nothing', async () => {
    for (const spoil of [
      (ahead: string) => writeFileSync(join(ahead, 'postgres', 'PG_VERSION'), '11\n'),
      (ahead: string) => rmSync(join(ahead, 'postgres-password')),
    ]) {
      const [ahead, dataDir] = [await usedDataFolder(), dataFolder()]
      const version = majorVersion(ahead)
      spoil(ahead)
      expect(await take(dataDir, ahead, version)).toBe(false)
      expect(readdirSync(dataDir)).toEqual([])
    }
  })

  test('goes to one of several processes that each start with a folder', async () => {
    const ahead = await usedDataFolder()
    const folders = [dataFolder(), dataFolder(), dataFolder()]
    const version = majorVersion(ahead)
    const taken = await Promise.all(folders.map((folder) => take(folder, ahead, version)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(folders.map((folder) => readdirSync(folder).toSorted())).toEqual(
      taken.map((isTaken) => (isTaken ? ['postgres', 'postgres-password'] : [])),
    )
  })

  test('starts as usual after its taker is killed before the database has its name', async () => {
    const [dataDir, ahead] = [dataFolder(), await usedDataFolder()]
    const { pid: dead } = spawnSync(process.execPath, ['--version'])
    const folder = await openDataFolder(dataDir)
    // The state of an interrupted takeover: its draft exists, and the password.
    renameSync(ahead, join(folder.path, `postgres.${dead}-0123456789ab`))
    await createPassword(folder, 'of-the-one-that-was-killed')
    const database = await openHere({ dataDir, prepared: usedDataFolder })
    expect(database.events.map(({ type }) => type)).toEqual(['initialised', 'started'])
    expect(await readPassword(folder)).toBe('of-the-one-that-was-killed')
    expect(readdirSync(dataDir).filter((name) => /^postgres\.\d/.test(name))).toEqual([])
  })
})
