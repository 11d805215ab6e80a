import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skipReason } from '../../verification/testing/skip-reason.ts'
import { canMount } from './testing/machine.ts'
import {
  cleanups,
  dataFolder,
  endWithEachTest,
  openHere,
  refused,
  query,
  postmasterPid,
  has,
  happened,
  asSuperuser,
  usedDataFolder,
} from './testing/opened.ts'

if (!canMount) skipReason('nothing can be mounted here', 'PostgreSQL on full and read-only disks')

endWithEachTest()

describe('impossible starts explain why and what to do', () => {
  test.runIf(canMount).each([
    ['before the first file', '64k'],
    ['during initdb', '8m'],
  ])('a disk that is full %s', async (_, size) => {
    const dataDir = mounted(size)
    if (size === '64k') writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(65_536))
    expect(await refused({ dataDir })).toMatchObject({
      code: 'full',
      message: expect.stringMatching(/is full\..*MALIPO_DATA_DIR/) as string,
    })
    expect(readdirSync(dataDir).filter((name) => /^postgres(\.\d|$)|^initdb|probe/.test(name))).toEqual([])
  })

  test.runIf(canMount)('a disk that is full after initdb, and the next start after space was freed', async () => {
    const dataDir = mounted('60m')
    writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(20 * 1_048_576))
    expect(await refused({ dataDir })).toMatchObject({ code: 'full' })
    rmSync(join(dataDir, 'ballast'))
    execFileSync('mount', ['-o', 'remount,size=200m', dataDir])
    expect(await query(await openHere({ dataDir }), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.runIf(canMount)('PostgreSQL comes back with free space after the disk of its owner was full', async () => {
    const dataDir = mounted('120m')
    const database = await openHere({ dataDir })
    await query(database, 'create table kept as select 42 as answer')
    const administrator = asSuperuser(database, dataDir)
    fill(dataDir)
    // Until the write-ahead log cannot grow any more, which stops PostgreSQL.
    for (let round = 0; round < 20 && !has('restart_failed', database); round++) {
      await query(
        database,
        `create table if not exists filler as select repeat(md5(n::text), 20) from generate_series(1, 20000) n`,
      ).catch(() => {})
      await query(administrator, `select pg_switch_wal()`).catch(() => {})
    }
    await happened('restart_failed', database)
    expect(database.events.find(({ type }) => type === 'restart_failed')).toMatchObject({ error: { code: 'full' } })
    for (const name of readdirSync(dataDir).filter((found) => found.startsWith('ballast'))) rmSync(join(dataDir, name))
    execFileSync('mount', ['-o', 'remount,size=300m', dataDir])
    await happened('restarted', database)
    expect(await query(database, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test.runIf(canMount)('a disk that became full since the last start', async () => {
    const dataDir = mounted('100m')
    await (await openHere({ dataDir })).stop()
    fill(dataDir)
    expect(await refused({ dataDir })).toMatchObject({ code: 'full' })
    expect(postmasterPid(dataDir)).toBeUndefined()
  })

  test.runIf(canMount)('a read-only data folder, empty or with a cluster', async () => {
    const dataDir = mounted('100m')
    execFileSync('mount', ['-o', 'remount,ro', dataDir])
    expect(await refused({ dataDir })).toMatchObject({
      code: 'read_only',
      message: expect.stringContaining('read-only') as string,
    })
    execFileSync('mount', ['-o', 'remount,rw', dataDir])
    await (await openHere({ dataDir })).stop()
    execFileSync('mount', ['-o', 'remount,ro', dataDir])
    expect(await refused({ dataDir })).toMatchObject({ code: 'read_only' })
  })

  test('a cluster of another major version', async () => {
    const dataDir = await usedDataFolder()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    expect(await refused({ dataDir })).toMatchObject({
      code: 'version',
      message: expect.stringMatching(/PostgreSQL 17,.*PostgreSQL 18/) as string,
    })
  })

  test('a lost or wrong password file', async () => {
    const dataDir = await usedDataFolder()
    const file = join(dataDir, 'postgres-password')
    writeFileSync(file, 'wrong\n')
    expect(await refused({ dataDir })).toMatchObject({ code: 'password' })
    rmSync(file)
    expect(await refused({ dataDir })).toMatchObject({
      code: 'password',
      message: expect.stringContaining(file) as string,
    })
  })

  test('a damaged cluster', async () => {
    const dataDir = await usedDataFolder()
    rmSync(join(dataDir, 'postgres', 'global', 'pg_control'))
    expect(await refused({ dataDir })).toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/pg_control|control file|database system/) as string,
    })
  })

  test('a file where the data folder should be', async () => {
    const dataDir = dataFolder()
    writeFileSync(dataDir, '')
    expect(await refused({ dataDir })).toMatchObject({ code: 'not_a_folder' })
  })

  test.runIf(process.platform === 'linux')('a place that takes no folders', async () => {
    expect(await refused({ dataDir: '/proc/malipo/data' })).toMatchObject({
      code: 'no_place',
      message: expect.stringContaining('because /proc takes no folders') as string,
    })
  })
})

function mounted(size: string): string {
  const dataDir = dataFolder()
  mkdirSync(dataDir, { mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'malipo-test', dataDir])
  cleanups.push(() => execFileSync('umount', ['-l', dataDir]))
  return dataDir
}

function fill(folder: string): void {
  for (const bytes of [1_048_576, 4_096]) {
    for (let index = 0; ; index++) {
      try {
        writeFileSync(join(folder, `ballast-${bytes}-${index}`), Buffer.alloc(bytes))
      } catch {
        break
      }
    }
  }
}
