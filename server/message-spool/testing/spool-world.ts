import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { RailCallback, Reception } from '../../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import { createMessageSpool, type MessageSpool, type MessageSpoolOptions } from '../message-spool.ts'
import { spoolOwner, type SpoolOwner } from '../spool-files.ts'

export const HOST = 'pay-1'
export const MIB = 1024 * 1024
export const RECEIVED_AT = new Date('2026-03-02T07:30:00.123Z')

/** What a spool test can inspect and change; created for each test. */
interface SpoolWorld {
  readonly home: string
  readonly folder: string
  /** The messages in the database, by their text, with the time of receipt. */
  readonly stored: Map<string, number>
  inserts: number
  isAway: boolean
  readonly poison: Set<string>
  readonly receptions: Map<string, Reception>
  events: string[]
  readonly opened: MessageSpool[]
}

/** Spools on real files, in front of a database that is down until a test changes that. */
export function spoolWorld() {
  const world = {} as { -readonly [Key in keyof SpoolWorld]: SpoolWorld[Key] }
  beforeEach(async () => {
    const home = await mkdtemp(join(tmpdir(), 'malipo-spool-'))
    Object.assign(world, {
      home,
      folder: join(home, 'spool', 'of-a-database'),
      stored: new Map(),
      inserts: 0,
      isAway: true,
      poison: new Set(),
      receptions: new Map(),
      events: [],
      opened: [],
    } satisfies SpoolWorld)
  })
  afterEach(async () => {
    world.isAway = true
    await Promise.all(world.opened.map((spool) => spool.stop()))
    await rm(world.home, { recursive: true, force: true })
  })
  const spoolWith = (changes: Partial<MessageSpoolOptions> = {}): MessageSpool => {
    const spool = createMessageSpool({ ...optionsIn(world), ...changes })
    world.opened.push(spool)
    return spool
  }
  const onlyFile = async (): Promise<string> => {
    const [name = '', ...more] = await readdir(world.folder)
    expect(more).toEqual([])
    return join(world.folder, name)
  }
  return {
    world,
    spoolWith,
    onlyFile,
    /** Leaves messages of a process that has ended. */
    async leftBy(owner: SpoolOwner, ...bodies: readonly string[]): Promise<string> {
      const spool = spoolWith({ owner })
      await appendAll(spool, ...bodies)
      await spool.stop()
      world.events = []
      world.inserts = 0
      return onlyFile()
    },
  }
}

const optionsIn = (world: SpoolWorld): MessageSpoolOptions => ({
  folder: world.folder,
  owner: ownerOf(),
  bytesMax: MIB,
  now: () => Date.now(),
  seal: (text) => Buffer.from(text).reverse(),
  open: (sealed) => Buffer.from(sealed).reverse().toString(),
  atOnceMax: 4,
  appends: true,
  async receive({ body }, receivedAt) {
    world.inserts += 1
    if (world.isAway) throw new StorageUnavailable(new Error('away'))
    if (world.poison.has(body)) throw new Error('the database refuses it')
    const known = world.stored.has(body)
    world.stored.set(body, receivedAt.getTime())
    return world.receptions.get(body) ?? (known ? 'known' : 'stored')
  },
  events: {
    replayed: (_callback, reception) => void world.events.push(reception),
    tookOver: () => void world.events.push('took over'),
    damaged: (_file, corrupt, isTorn) => void world.events.push(`damaged ${corrupt} ${isTorn}`),
    refused: (_error, _file, waiting) => void world.events.push(`refused, ${waiting} wait`),
    faultChanged: (fault) => void world.events.push(`fault ${fault}`),
  },
})

let ids = 0

/** An owner that no other test uses. */
export const ownerOf = (changes: Partial<SpoolOwner> = {}): SpoolOwner => {
  const { host, pid, id } = { host: HOST, pid: process.pid, id: (++ids).toString(16).padStart(16, '0'), ...changes }
  return spoolOwner(host, pid, id)
}

export const message = (body: string): { callback: RailCallback; receivedAt: Date } => ({
  callback: {
    railAccount: 'kenya',
    orderId: '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11',
    method: 'POST',
    tail: 'result',
    body,
  },
  receivedAt: RECEIVED_AT,
})

export const appendAll = (spool: MessageSpool, ...bodies: readonly string[]) =>
  Promise.all(bodies.map((body) => spool.append(message(body))))

/** The prototype of a file handle: spying on it sees every sync. */
export async function fileHandles(path: string): Promise<{ datasync: () => Promise<void> }> {
  const handle = await open(path, 'r')
  await handle.close()
  return Object.getPrototypeOf(handle) as { datasync: () => Promise<void> }
}
