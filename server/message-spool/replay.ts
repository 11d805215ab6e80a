import { open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { RailCallback, RailCallbackStore, Reception } from '../actions/ports/rail-callbacks.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'
import { DONE_MARK, scanRecords, type SpoolRecord } from './records.ts'
import type { Segment } from './segment.ts'
import { DAMAGED } from './spool-files.ts'

/** A spooled message: its time of receipt identifies a repeated insert as the same message. */
export interface SpooledMessage {
  readonly callback: RailCallback
  readonly receivedAt: Date
}

interface ReplayDeps {
  readonly folder: string
  readonly segments: Set<Segment>
  /** @throws Error when it is sealed with another key, or altered */
  readonly open: (payload: Uint8Array) => SpooledMessage
  readonly receive: RailCallbackStore['receive']
  /** The limit of concurrent inserts. */
  readonly atOnceMax: number
  readonly now: () => number
  readonly onReplayed: (callback: RailCallback, reception: Reception) => void
  /** The file has damaged bytes, or a record that the process did not finish writing. */
  readonly onDamaged: (file: string, corrupt: number, isTorn: boolean) => void
  /** Records that cannot be stored are kept and retried. */
  readonly onRefused: (error: unknown, segment: Segment) => void
  /** After this time without a reply the database counts as down. */
  readonly answerMsMax?: number
}

/** A stalled database costs a replay this long, and one connection. */
const ANSWER_MS_MAX = 5_000
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 10 * 60_000

/** Stores the waiting messages of files that are no longer written. */
export interface Replay {
  /** Counts the records of a file. */
  examine(segment: Segment): Promise<void>
  /** @returns whether the database answered throughout */
  run(closed: readonly Segment[]): Promise<boolean>
}

/** The database is down or does not answer in time: all later records wait too. */
class DatabaseUnavailable extends Error {}

/**
 * A record is marked in place when its insert is committed, and a file is removed when all its records are marked. A
 * record that was inserted and not marked, because the process died in between, is inserted again; the store
 * deduplicates it.
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
    // Damaged bytes were acknowledged messages once: a person examines them.
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
          if (error instanceof DatabaseUnavailable) return false
          // Another process has taken the file over, and replays it.
          if (isGone(error)) segments.delete(segment)
          else refuse(error, segment)
        }
      }
      return true
    },
  }
}

/** Counts the records of a file. @returns those that wait */
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

/** @returns why records could not be stored; the records behind them are. @throws DatabaseUnavailable */
async function replayAll(
  waiting: readonly SpoolRecord[],
  atOnceMax: number,
  replay: (record: SpoolRecord) => Promise<void>,
): Promise<readonly unknown[]> {
  const refusals: unknown[] = []
  // The first record probes whether the database answers.
  for (let at = 0, count = 1; at < waiting.length; at += count, count = atOnceMax) {
    const results = await Promise.allSettled(waiting.slice(at, at + count).map(replay))
    const errors = results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason)
    if (errors.some((error) => error instanceof DatabaseUnavailable || error instanceof StorageUnavailable))
      throw new DatabaseUnavailable()
    refusals.push(...errors)
  }
  return refusals
}

function createInserts({ open: opened, receive, onReplayed, answerMsMax = ANSWER_MS_MAX }: ReplayDeps) {
  /** Inserts that timed out: each holds a connection until the database answers. */
  let unanswered = 0
  return {
    unanswered: () => unanswered,
    /** @throws DatabaseUnavailable, or any other reason why the record cannot be stored */
    async store(record: SpoolRecord): Promise<void> {
      const { callback, receivedAt } = opened(record.payload)
      unanswered += 1
      const received = receive({ ...callback, isAcknowledged: true }, receivedAt).finally(() => (unanswered -= 1))
      const reception = await inTime(received, answerMsMax)
      if (reception === undefined) throw new DatabaseUnavailable()
      onReplayed(callback, reception)
    },
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** @returns undefined after a timeout; the later result is ignored */
export async function inTime<Result>(answer: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  answer.catch(() => undefined)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
