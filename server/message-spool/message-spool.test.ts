import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Reception } from '../actions/ports/rail-callbacks.ts'
import { SpoolFault } from './segment-writer.ts'
import { appendAll, fileHandles, message, MIB, ownerOf, RECEIVED_AT, spoolWorld } from './testing/spool-world.ts'

const { world, spoolWith, onlyFile, leftBy } = spoolWorld()

describe('a message', () => {
  test('is in a file for this user alone when the append resolves', async () => {
    await spoolWith().append(message('paid'))
    const file = await onlyFile()
    expect((await readFile(file)).reverse().toString()).toContain('"body":"paid"')
    expect([(await stat(file)).mode & 0o777, (await stat(world.folder)).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('waits while the database is away, and keeps its time of receipt', async () => {
    const spool = spoolWith()
    await appendAll(spool, 'one', 'two')
    expect(await spool.poll()).toBe(false)
    expect(spool.figures()).toMatchObject({ messages: 2, spooled: 2 })
    world.isAway = false
    expect(await spool.poll()).toBe(true)
    expect([...world.stored]).toEqual([
      ['one', RECEIVED_AT.getTime()],
      ['two', RECEIVED_AT.getTime()],
    ])
    expect(spool.figures()).toMatchObject({ messages: 0, bytes: 0, oldestAt: undefined })
    expect(await readdir(world.folder)).toEqual([])
  })

  test('that was inserted already is known, and leaves the spool', async () => {
    const spool = spoolWith()
    await spool.append(message('paid'))
    world.stored.set('paid', RECEIVED_AT.getTime())
    world.isAway = false
    await spool.poll()
    expect(spool.figures()).toMatchObject({ messages: 0, replayed: { known: 1, stored: 0 } })
  })

  test.each(['unknown_order', 'too_many'] as const)('that the store refuses (%s) is counted', async (what) => {
    const spool = spoolWith()
    await spool.append(message('odd'))
    world.receptions.set('odd', what)
    world.isAway = false
    await spool.poll()
    expect(world.events).toContain(what)
    expect(spool.figures().replayed[what]).toBe(1)
  })

  test('that cannot be stored blocks none behind it, and is retried later', async () => {
    let now = Date.now()
    const spool = spoolWith({ now: () => now })
    world.poison.add('bad')
    await appendAll(spool, 'one', 'bad', 'two')
    world.isAway = false
    expect(await spool.poll()).toBe(true)
    expect([...world.stored.keys()].toSorted()).toEqual(['one', 'two'])
    expect(world.events).toContain('refused, 1 wait')
    await spool.poll()
    expect(world.inserts).toBe(3) // not retried yet
    world.poison.clear()
    now += 1_001
    await spool.poll()
    expect(world.inserts).toBe(4) // and the others are not inserted again
    expect([...world.stored.keys()]).toContain('bad')
    expect(await readdir(world.folder)).toEqual([])
  })

  test('that opens with no key is kept, and reported', async () => {
    const file = await leftBy(ownerOf(), 'sealed with another key')
    world.isAway = false
    const spool = spoolWith({
      open: () => {
        throw new Error('another key')
      },
    })
    await spool.poll()
    expect(world.events).toContain('refused, 1 wait')
    expect((await readFile(await onlyFile())).length).toBeGreaterThan(0)
    expect(file).not.toBe(await onlyFile())
  })
})

describe('appends', () => {
  test('that come together share a sync', async () => {
    const spool = spoolWith()
    await spool.append(message('opens the file'))
    const handles = await fileHandles(await onlyFile())
    const syncs = vi.spyOn(handles, 'datasync')
    try {
      await appendAll(spool, ...Array.from({ length: 200 }, (_, n) => `message ${n}`))
      expect(syncs.mock.calls.length).toBeGreaterThan(0)
      expect(syncs.mock.calls.length).toBeLessThanOrEqual(3)
    } finally {
      syncs.mockRestore()
    }
    expect(spool.figures()).toMatchObject({ messages: 201, spooled: 201 })
  })

  test('are refused while the spool is full', async () => {
    const spool = spoolWith({ bytesMax: 2_000 })
    await spool.append(message('x'.repeat(1_000)))
    await expect(spool.append(message('y'.repeat(1_000)))).rejects.toThrow(SpoolFault)
    expect(spool.figures()).toMatchObject({ fault: 'full', refused: 1 })
    await spool.append(message('small'))
    world.isAway = false
    await spool.poll()
    expect(spool.figures()).toMatchObject({ fault: undefined, bytes: 0 })
    await spool.append(message('y'.repeat(1_000)))
  })

  test('are refused with a file in place of the folder, and accepted once it is gone', async () => {
    await writeFile(join(world.home, 'spool'), '')
    const spool = spoolWith()
    await spool.poll()
    expect(world.events).toEqual(['fault ENOTDIR'])
    await expect(spool.append(message('paid'))).rejects.toThrow('ENOTDIR')
    await rm(join(world.home, 'spool'))
    await spool.append(message('paid'))
    await spool.poll()
    expect(world.events).toEqual(['fault ENOTDIR', 'fault undefined'])
    expect(spool.figures()).toMatchObject({ fault: undefined, messages: 1 })
  })

  test('that the disk refuses leave no file, and the next one starts another', async () => {
    const spool = spoolWith()
    await spool.append(message('kept'))
    const handles = await fileHandles(await onlyFile())
    const fault = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const syncs = vi.spyOn(handles, 'datasync').mockRejectedValue(fault)
    await expect(spool.append(message('lost'))).rejects.toThrow('ENOSPC')
    await expect(spool.append(message('lost too'))).rejects.toThrow('ENOSPC')
    syncs.mockRestore()
    expect(spool.figures()).toMatchObject({ fault: 'ENOSPC', messages: 1, refused: 2 })
    expect(await readdir(world.folder)).toHaveLength(1)
    await spool.append(message('kept again'))
    world.isAway = false
    await spool.poll()
    expect([...world.stored.keys()]).toEqual(expect.arrayContaining(['kept', 'kept again']))
    expect(spool.figures()).toMatchObject({ fault: undefined, messages: 0 })
  })

  test('go into another file when one has a megabyte', async () => {
    const spool = spoolWith({ bytesMax: 8 * MIB })
    for (let n = 0; n < 5; n += 1) await spool.append(message(`${n}`.repeat(400 * 1024)))
    expect((await readdir(world.folder)).length).toBe(2)
    world.isAway = false
    await spool.poll()
    expect(world.stored.size).toBe(5)
  })
})

test('does not wait for hanging inserts, and runs a bounded number at once', async () => {
  let begun = 0
  const hangs = () => (begun++, new Promise<Reception>(() => undefined))
  const spool = spoolWith({ atOnceMax: 2, answerMsMax: 10, receive: hangs })
  await appendAll(spool, 'one', 'two', 'three')
  for (let n = 0; n < 5; n += 1) expect(await spool.poll()).toBe(false)
  expect(begun).toBe(2)
})

test('a stop stores what waits, or leaves it to the next process', async () => {
  const one = spoolWith()
  await one.append(message('one'))
  await one.stop()
  expect(one.figures()).toMatchObject({ messages: 1 })
  world.isAway = false
  const next = spoolWith()
  await next.poll()
  expect([...world.stored.keys()]).toEqual(['one'])
  await next.append(message('two'))
  await next.stop()
  expect([[...world.stored.keys()], next.figures().messages]).toEqual([['one', 'two'], 0])
})

test('a spool that appends nothing needs no folder', async () => {
  await writeFile(join(world.home, 'spool'), '')
  const worker = spoolWith({ appends: false })
  await worker.poll()
  expect(world.events).toEqual([])
})
