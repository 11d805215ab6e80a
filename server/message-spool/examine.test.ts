import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineSpool } from './examine.ts'
import { appendAll, ownerOf, spoolWorld } from './testing/spool-world.ts'

const { world, spoolWith, leftBy } = spoolWorld()

test('counts what waits in all files of a folder, without a key', async () => {
  await appendAll(spoolWith(), 'one', 'two')
  await appendAll(spoolWith(), 'three')
  const { exists, fault, files, messages, bytes, oldestAt, damaged } = await examineSpool(world.folder)
  expect({ exists, fault, files, messages, damaged }).toEqual({
    exists: true,
    fault: undefined,
    files: 2,
    messages: 3,
    damaged: [],
  })
  expect(bytes).toBeGreaterThan(300)
  expect(Date.now() - oldestAt!).toBeLessThan(60_000)
})

test('counts no record that is done', async () => {
  const spool = spoolWith()
  world.poison.add('bad')
  await appendAll(spool, 'one', 'bad')
  world.isAway = false
  await spool.poll()
  expect(await examineSpool(world.folder)).toMatchObject({ files: 1, messages: 1 })
})

test('names files with damaged records', async () => {
  const file = await leftBy(ownerOf(), 'one', 'two')
  const bytes = await readFile(file)
  bytes[20]! ^= 0xff
  await writeFile(file, bytes)
  world.isAway = false
  await spoolWith().poll()
  expect(await examineSpool(world.folder)).toMatchObject({
    messages: 0,
    damaged: [expect.stringMatching(/\.damaged$/)],
  })
})

test('finds nothing where no folder is, and says why none can be made', async () => {
  expect(await examineSpool(world.folder)).toMatchObject({ exists: false, fault: undefined, messages: 0 })
  await writeFile(join(world.home, 'spool'), '')
  expect(await examineSpool(world.folder)).toMatchObject({ exists: false, fault: 'ENOTDIR' })
})
