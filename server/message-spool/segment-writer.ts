import { lstat, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { newSegment, type Segment } from './segment.ts'
import { syncFolder } from '../sync-folder.ts'
import { makeFolder, spoolFileName, type SpoolOwner } from './spool-files.ts'

/** A message cannot be spooled: it must not be acknowledged. */
export class SpoolFault extends Error {
  override readonly name = 'SpoolFault'
}

export interface SegmentWriterOptions {
  readonly folder: string
  readonly now: () => number
  /** The list of its files, including those that it took over. */
  readonly segments: Set<Segment>
  /** A file name that is not in use. */
  readonly nextName: (openedAt: number) => string
}

/** Writes the newest file of a process. Calls must not overlap. */
interface SegmentWriter {
  /** Resolves when the records are on disk. @throws SpoolFault, or the system's error */
  write(records: Buffer, count: number): Promise<void>
  /** Later records go into another file. */
  close(): Promise<void>
  /**
   * Called after a failed write: the state of a file after a failed sync is unknown, so nothing more is written into
   * it.
   */
  abandon(): Promise<void>
  /** The file that is currently written. */
  current(): Segment | undefined
}

/** At this size another file is started; the previous one can be removed when all its records are in the database. */
export const SEGMENT_BYTES = 1024 * 1024
/** A file that is taken over repeatedly during writes is not a coincidence. */
const REWRITES_MAX = 3

interface OpenFile {
  readonly segment: Segment
  readonly handle: FileHandle
}

/** File names of an owner: unique within the process. */
export function fileNames(owner: SpoolOwner): (openedAt: number) => string {
  let n = 0
  return (openedAt) => spoolFileName(owner, openedAt, n++)
}

export function createSegmentWriter({ folder, now, segments, nextName }: SegmentWriterOptions): SegmentWriter {
  let file: OpenFile | undefined

  async function begin(): Promise<OpenFile> {
    await makeFolder(folder)
    const segment = newSegment(nextName(now()), now())
    const handle = await open(join(folder, segment.name), 'ax', 0o600)
    segments.add(segment)
    file = { segment, handle }
    await syncFolder(folder)
    return file
  }

  async function close(): Promise<void> {
    const closed = file
    file = undefined
    await closed?.handle.close().catch(() => undefined)
  }

  return {
    close,
    current: () => file?.segment,
    async abandon() {
      const segment = file?.segment
      await close()
      if (segment?.waiting !== 0) return
      // Nothing in the file is acknowledged. On a full disk each message would otherwise leave another file.
      await unlink(join(folder, segment.name)).catch(() => undefined)
      segments.delete(segment)
    },
    async write(records, count) {
      for (let attempt = 0; attempt < REWRITES_MAX; attempt += 1) {
        const { segment, handle } = file ?? (await begin())
        segment.bytes += records.length
        await handle.appendFile(records)
        await handle.datasync()
        if (await isThere(join(folder, segment.name))) {
          segment.waiting += count
          if (segment.bytes >= SEGMENT_BYTES) await close()
          return
        }
        // Taken over: the other process may have read the file before this record was in it.
        segments.delete(segment)
        await close()
      }
      throw new SpoolFault('its files are taken away')
    },
  }
}

/** Names are never reused, so a missing name means that the file was taken over. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
