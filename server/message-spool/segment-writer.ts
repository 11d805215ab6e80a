import { lstat, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { newSegment, type Segment } from './segment.ts'
import { makeFolder, spoolFileName, syncFolder, type SpoolOwner } from './spool-files.ts'

/** A message cannot be kept: nobody may acknowledge it. */
export class SpoolFault extends Error {
  override readonly name = 'SpoolFault'
}

export interface SegmentWriterOptions {
  readonly folder: string
  readonly now: () => number
  /** Where its files are listed, with those that were taken over. */
  readonly segments: Set<Segment>
  /** A file's name that no file has. */
  readonly nextName: (openedAt: number) => string
}

/** Writes the newest file of a process. To be called by one at a time. */
export interface SegmentWriter {
  /** Resolves when so many records are on the disk. @throws SpoolFault, or the system's error */
  write(records: Buffer, count: number): Promise<void>
  /** What comes from now on goes into another file. */
  close(): Promise<void>
  /** After a write that failed: what a failed sync leaves of a file nobody knows, nothing more is written into it. */
  abandon(): Promise<void>
  /** The file that is written. */
  current(): Segment | undefined
}

/** Then another file is begun, and the one before can go when all its records are in the database. */
export const SEGMENT_BYTES = 1024 * 1024
/** A file that is taken over again and again while it is written is no accident. */
const REWRITES_MAX = 3

interface OpenFile {
  readonly segment: Segment
  readonly handle: FileHandle
}

/** Names for the files of an owner: those of one process never meet. */
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
      // Nothing in it is acknowledged. On a full disk each message would leave another one.
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
        // Taken over: whoever did that may have read it before this was in it.
        segments.delete(segment)
        await close()
      }
      throw new SpoolFault('its files are taken away')
    },
  }
}

/** No other file ever gets the name of one that was taken over. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
