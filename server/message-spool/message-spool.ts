import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { SpoolFigures } from '../actions/ports/message-spool.ts'
import type { RailCallback, RailCallbackStore, Reception } from '../actions/ports/rail-callbacks.ts'
import { createAppendLog, type AppendLog } from './append-log.ts'
import { fileNames } from './segment-writer.ts'
import { newSegment, type Segment } from './segment.ts'
import { createReplay, inTime, type Replay, type SpooledMessage } from './replay.ts'
import { faultText, folderFault, isDead, leaveSpool, spoolFiles, touch, type SpoolOwner } from './spool-files.ts'

/** The interval for retrying stored messages and for finding the files of dead processes. */
export const SPOOL_POLL_MS = 1_000
/** The limit of the wait for a stalled database when the process stops. */
const STOP_MS_MAX = 2_000

export interface MessageSpoolOptions {
  /** Belongs to one database: its messages are never stored in another. Created when it is needed. */
  readonly folder: string
  readonly owner: SpoolOwner
  readonly bytesMax: number
  readonly now: () => number
  /** Seals a message for the spool; `open` reverses it. */
  readonly seal: (text: string) => Uint8Array
  readonly open: (sealed: Uint8Array) => string
  readonly receive: RailCallbackStore['receive']
  /** The limit of concurrent inserts. */
  readonly atOnceMax: number
  /** False: the spool only stores what other processes left, and needs no folder. */
  readonly appends: boolean
  /** After this time without a reply the database counts as down. */
  readonly answerMsMax?: number
  readonly events: SpoolEvents
}

/** Events for logs and metrics. */
export interface SpoolEvents {
  readonly replayed: (callback: RailCallback, reception: Reception) => void
  readonly tookOver: (file: string) => void
  readonly damaged: (file: string, corrupt: number, isTorn: boolean) => void
  readonly refused: (error: unknown, file: string, waiting: number) => void
  /** Messages can no longer be spooled, or can be again. */
  readonly faultChanged: (fault: string | undefined) => void
}

export interface MessageSpool {
  readonly folder: string
  /** Resolves when the message is on the disk of this machine. @throws SpoolFault */
  append(message: SpooledMessage): Promise<void>
  /**
   * Takes over what dead processes left, and stores the waiting messages.
   * @returns whether the database answered, if there was something to store
   */
  poll(): Promise<boolean>
  figures(): SpoolFigures
  /** Tries a last time. The next process with this folder stores what is left. */
  stop(): Promise<void>
}

interface Counts {
  spooled: number
  refused: number
  corrupt: number
  torn: number
  readonly replayed: Record<Reception, number>
}

/** Holds operator messages that the database did not accept in time, in files of this process, until it does. */
export function createMessageSpool(options: MessageSpoolOptions): MessageSpool {
  const { folder, owner, seal, events } = options
  const segments = new Set<Segment>()
  const nextName = fileNames(owner)
  const log = createAppendLog({ ...options, segments, nextName })
  const counts: Counts = {
    spooled: 0,
    refused: 0,
    corrupt: 0,
    torn: 0,
    replayed: { stored: 0, known: 0, unknown_order: 0, too_many: 0 },
  }
  const replay = replayOf(options, segments, counts)
  let folderProblem: string | undefined
  let lastFault: string | undefined
  const fault = () => log.fault() ?? folderProblem

  async function poll(): Promise<boolean> {
    try {
      folderProblem = options.appends ? await folderFault(folder) : undefined
      const taken = await takeOver(options, nextName)
      for (const segment of taken) segments.add(segment)
      for (const segment of taken) await replay.examine(segment)
    } catch (error) {
      folderProblem = faultText(error)
    }
    if (fault() !== lastFault) events.faultChanged((lastFault = fault()))
    return replayClosed(log, replay, segments)
  }

  let polling: Promise<boolean> | undefined
  const pollOnce = (): Promise<boolean> => (polling ??= poll().finally(() => (polling = undefined)))
  return {
    folder,
    poll: pollOnce,
    async append({ callback, receivedAt }) {
      try {
        await log.append(seal(JSON.stringify({ callback, receivedAt: receivedAt.getTime() })))
        counts.spooled += 1
      } catch (error) {
        counts.refused += 1
        throw error
      }
    },
    figures: () => ({ ...counts, ...sizeOf(segments), fault: fault() }),
    async stop() {
      await inTime(Promise.resolve(polling).then(pollOnce), STOP_MS_MAX)
      await log.rotate()
      leaveSpool(owner)
    },
  }
}

const replayOf = (options: MessageSpoolOptions, segments: Set<Segment>, counts: Counts): Replay => {
  const { open, events } = options
  return createReplay({
    ...options,
    segments,
    open: (payload) => messageIn(open(payload)),
    onReplayed(callback, reception) {
      counts.replayed[reception] += 1
      events.replayed(callback, reception)
    },
    onDamaged(file, corrupt, isTorn) {
      counts.corrupt += corrupt
      counts.torn += isTorn ? 1 : 0
      events.damaged(file, corrupt, isTorn)
    },
    onRefused: (error, { name, waiting }) => events.refused(error, name, waiting),
  })
}

function messageIn(text: string): SpooledMessage {
  const { callback, receivedAt } = JSON.parse(text) as { callback: RailCallback; receivedAt: number }
  return { callback, receivedAt: new Date(receivedAt) }
}

/** Replays the oldest file first. */
async function replayClosed(log: AppendLog, replay: Replay, segments: ReadonlySet<Segment>): Promise<boolean> {
  if ((log.current()?.waiting ?? 0) > 0) await log.rotate()
  const current = log.current()
  return replay.run([...segments].filter((segment) => segment !== current).toSorted((a, b) => a.openedAt - b.openedAt))
}

/**
 * Touches our own files, so that other hosts see that this process is alive.
 * @returns what dead processes have left
 */
async function takeOver(
  { folder, owner, now, events }: MessageSpoolOptions,
  nextName: (openedAt: number) => string,
): Promise<readonly Segment[]> {
  const taken: Segment[] = []
  for (const file of await spoolFiles(folder)) {
    if (file.owner.id === owner.id) await touch(join(folder, file.name), now())
    else if (await isDead(folder, file, owner, now())) {
      const name = nextName(file.openedAt)
      // When two processes try, only one finds the file.
      const isOurs = await rename(join(folder, file.name), join(folder, name)).then(
        () => true,
        () => false,
      )
      if (!isOurs) continue
      taken.push(newSegment(name, file.openedAt))
      events.tookOver(file.name)
    }
  }
  return taken
}

function sizeOf(segments: ReadonlySet<Segment>): Pick<SpoolFigures, 'messages' | 'bytes' | 'oldestAt'> {
  const all = [...segments]
  const opened = all.filter(({ waiting }) => waiting > 0).map(({ openedAt }) => openedAt)
  return {
    messages: all.reduce((sum, { waiting }) => sum + waiting, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: opened.length === 0 ? undefined : Math.min(...opened),
  }
}
