import { open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { RailCallback, RailCallbackStore, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { DONE_MARK, scanRecords, type SpoolRecord } from './records.ts'
import type { Segment } from './segment.ts'
import { DAMAGED } from './spool-files.ts'

/** A message as it is spooled: the time of its receipt makes a repeat of its insert the same message. */
export interface SpooledMessage {
  readonly callback: RailCallback
  readonly receivedAt: Date
}

export interface ReplayDeps {
  readonly folder: string
  readonly segments: Set<Segment>
  /** @throws Error when it is sealed with another key, or altered */
  readonly open: (payload: Uint8Array) => SpooledMessage
  readonly receive: RailCallbackStore['receive']
  /** So many are stored at the same time. */
  readonly atOnceMax: number
  readonly now: () => number
  readonly onReplayed: (callback: RailCallback, reception: Reception) => void
  /** Damaged bytes in a file, and a record that the process did not finish writing. */
  readonly onDamaged: (file: string, corrupt: number, isTorn: boolean) => void
  /** Records that cannot be stored are kept, and tried again. */
  readonly onRefused: (error: unknown, segment: Segment) => void
  /** How long an insert may take until the database counts as away. */
  readonly answerMsMax?: number
}

/** A stalled database costs a replay so long, and one connection. */
const ANSWER_MS_MAX = 5_000
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 10 * 60_000

/** Stores what waits in files that are written no more. */
export interface Replay {
  /** Counts what is in a file. */
  examine(segment: Segment): Promise<void>
  /** @returns whether the database answered all the time */
  run(closed: readonly Segment[]): Promise<boolean>
}

/** The database is away, or does not answer in time: everything behind waits too. */
class Away extends Error {}

/**
 * A record is marked in its place when its insert is committed, and a file goes when all its records are marked. What was
 * inserted and not marked, because the process died between the two, is inserted again, which the store knows.
 */
export function createReplay(deps: ReplayDeps): Replay {
  const { folder, segments, now, atOnceMax } = deps
  const inserts = createInserts(deps)

  async function replaySegment(segment: Segment): Promise<void> {
    const path = join(folder, segment.name)
    const waiting = await examine(deps, segment)
    const handle = await open(path, 'r+')
    try {
      const [refusal] = await replayAll(waiting, atOnceMax, async (record) => {
        await inserts.store(record)
        await handle.write(DONE_MARK, 0, 1, record.doneAt)
        segment.waiting -= 1
      })
      if (refusal !== undefined) return refuse(refusal, segment)
    } finally {
      await handle.close()
    }
    // Damaged bytes were acknowledged once: a person looks at them.
    await (segment.corrupt > 0 ? rename(path, path + DAMAGED) : unlink(path))
    segments.delete(segment)
  }

  function refuse(error: unknown, segment: Segment): void {
    deps.onRefused(error, segment)
    segment.retryAt = now() + Math.min(RETRY_MS_MIN * 2 ** segment.retries, RETRY_MS_MAX)
    segment.retries += 1
  }

  return {
    examine: async (segment) => void (await examine(deps, segment)),
    async run(closed) {
      for (const segment of closed) {
        if (segment.retryAt > now()) continue
        if (inserts.unanswered() >= atOnceMax) return false
        try {
          await replaySegment(segment)
        } catch (error) {
          if (error instanceof Away) return false
          // Another process has taken it over, and replays it.
          if (isGone(error)) segments.delete(segment)
          else refuse(error, segment)
        }
      }
      return true
    },
  }
}

/** Counts what is in a file. @returns what waits in it */
async function examine(
  { folder, onDamaged }: Pick<ReplayDeps, 'folder' | 'onDamaged'>,
  segment: Segment,
): Promise<readonly SpoolRecord[]> {
  const bytes = await readFile(join(folder, segment.name))
  const { records, corrupt, isTorn } = scanRecords(bytes)
  const waiting = records.filter(({ isDone }) => !isDone)
  const [news, isNewlyTorn] = [corrupt - segment.corrupt, isTorn && !segment.isTorn]
  Object.assign(segment, { bytes: bytes.length, waiting: waiting.length, corrupt, isTorn })
  if (news > 0 || isNewlyTorn) onDamaged(segment.name, Math.max(news, 0), isNewlyTorn)
  return waiting
}

/** @returns what kept records from being stored; those behind them are. @throws Away */
async function replayAll(
  waiting: readonly SpoolRecord[],
  atOnceMax: number,
  replay: (record: SpoolRecord) => Promise<void>,
): Promise<readonly unknown[]> {
  const refusals: unknown[] = []
  // The first one tries whether the database answers.
  for (let at = 0, count = 1; at < waiting.length; at += count, count = atOnceMax) {
    const results = await Promise.allSettled(waiting.slice(at, at + count).map(replay))
    const errors = results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason)
    if (errors.some((error) => error instanceof Away || error instanceof StorageUnavailable)) throw new Away()
    refusals.push(...errors)
  }
  return refusals
}

function createInserts({ open: opened, receive, onReplayed, answerMsMax = ANSWER_MS_MAX }: ReplayDeps) {
  /** Those that were not waited for any longer: each has a connection until the database answers. */
  let unanswered = 0
  return {
    unanswered: () => unanswered,
    /** @throws Away; whatever else keeps it from being stored */
    async store(record: SpoolRecord): Promise<void> {
      const { callback, receivedAt } = opened(record.payload)
      unanswered += 1
      const received = receive({ ...callback, isAcknowledged: true }, receivedAt).finally(() => (unanswered -= 1))
      const reception = await inTime(received, answerMsMax)
      if (reception === undefined) throw new Away()
      onReplayed(callback, reception)
    },
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** @returns undefined when it takes longer; what comes of it later is nobody's then */
export async function inTime<Result>(answer: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  answer.catch(() => undefined)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
