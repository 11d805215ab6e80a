import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leaveSpool, SILENT_MS_MAX, spoolFileName } from './spool-files.ts'
import { appendAll, message, ownerOf, spoolWorld } from './testing/spool-world.ts'

const { world, spoolWith, leftBy } = spoolWorld()

describe('a file of a dead process', () => {
  test('is taken over and stored at the first check, without traffic', async () => {
    await leftBy(ownerOf(), 'one', 'two')
    world.isAway = false
    const next = spoolWith()
    expect(await next.poll()).toBe(true)
    expect([...world.stored.keys()]).toEqual(['one', 'two'])
    expect(world.events).toEqual(['took over', 'stored', 'stored'])
    expect(await readdir(world.folder)).toEqual([])
  })

  test('on another host is taken over after a long silence', async () => {
    const file = await leftBy(ownerOf({ host: 'pay-2' }), 'one')
    world.isAway = false
    await spoolWith().poll()
    expect(world.stored.size).toBe(0)
    const before = Date.now() / 1_000 - SILENT_MS_MAX / 1_000 - 1
    await utimes(file, before, before)
    await spoolWith().poll()
    expect([...world.stored.keys()]).toEqual(['one'])
  })

  test('is left alone while its process lives', async () => {
    const [one, other] = [spoolWith(), spoolWith()]
    await one.append(message('of the first'))
    world.isAway = false
    await other.poll()
    expect([world.stored.size, other.figures().messages]).toEqual([0, 0])
    await one.poll()
    expect([...world.stored.keys()]).toEqual(['of the first'])
  })

  test('is taken over by one of many processes that check at once', async () => {
    await leftBy(ownerOf(), 'one')
    world.isAway = false
    await Promise.all(Array.from({ length: 8 }, () => spoolWith().poll()))
    expect(world.inserts).toBe(1)
  })

  test('with a torn last record yields the others, and counts it', async () => {
    const file = await leftBy(ownerOf(), 'one', 'two')
    await writeFile(file, (await readFile(file)).subarray(0, -3))
    world.isAway = false
    const next = spoolWith()
    await next.poll()
    expect([...world.stored.keys()]).toEqual(['one'])
    expect(next.figures()).toMatchObject({ torn: 1, corrupt: 0 })
    expect(await readdir(world.folder)).toEqual([])
  })

  test('with damage in the middle yields the rest, is reported once, and kept', async () => {
    const file = await leftBy(ownerOf(), 'one', 'two', 'three')
    const bytes = await readFile(file)
    bytes[Math.floor(bytes.length / 2)]! ^= 0xff
    await writeFile(file, bytes)
    const next = spoolWith()
    await next.poll()
    world.isAway = false
    await next.poll()
    expect([...world.stored.keys()]).toEqual(['one', 'three'])
    expect(next.figures()).toMatchObject({ torn: 0, corrupt: 1, messages: 0, bytes: 0 })
    expect(world.events.filter((event) => event.startsWith('damaged'))).toEqual(['damaged 1 false'])
    expect(await readdir(world.folder)).toEqual([expect.stringMatching(/\.spool\.damaged$/)])
    await spoolWith().poll()
    expect(world.stored.size).toBe(2)
  })

  test('that is no spool ends no process', async () => {
    await mkdir(world.folder, { recursive: true })
    const dead = ownerOf()
    leaveSpool(dead)
    await writeFile(join(world.folder, spoolFileName(dead, 1, 0)), Buffer.alloc(5_000, 7))
    await writeFile(join(world.folder, spoolFileName(dead, 1, 1)), '')
    await mkdir(join(world.folder, spoolFileName(dead, 1, 2)))
    await writeFile(join(world.folder, 'README'), 'of a person')
    world.isAway = false
    const next = spoolWith()
    await next.poll()
    await next.append(message('paid'))
    await next.poll()
    expect([...world.stored.keys()]).toEqual(['paid'])
    expect(next.figures()).toMatchObject({ corrupt: 1 })
  })
})

test('a paused process acknowledges nothing that is only in its taken-over file', async () => {
  const paused = ownerOf()
  const one = spoolWith({ owner: paused })
  await one.append(message('before'))
  leaveSpool(paused) // other processes consider it dead
  world.isAway = false
  await spoolWith().poll()
  expect([...world.stored.keys()]).toEqual(['before'])
  world.isAway = true
  await one.append(message('after'))
  expect(one.figures()).toMatchObject({ messages: 1 })
  world.isAway = false
  await one.poll()
  expect([...world.stored.keys()]).toEqual(['before', 'after'])
})

test('does not store a record marked as done again after a takeover', async () => {
  const owner = ownerOf()
  const one = spoolWith({ owner })
  world.poison.add('two')
  await appendAll(one, 'one', 'two', 'three')
  world.isAway = false
  await one.poll()
  leaveSpool(owner)
  world.poison.clear()
  world.inserts = 0
  await spoolWith().poll()
  expect([world.inserts, [...world.stored.keys()]]).toEqual([1, ['one', 'three', 'two']])
})
