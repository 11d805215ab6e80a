import { encodeRecord, PAYLOAD_BYTES_MAX } from './records.ts'
import type { Segment } from './segment.ts'
import { createSegmentWriter, SEGMENT_BYTES, SpoolFault, type SegmentWriterOptions } from './segment-writer.ts'
import { faultText } from './spool-files.ts'

interface AppendLogOptions extends SegmentWriterOptions {
  /** The limit for all files of this process together. */
  readonly bytesMax: number
}

export interface AppendLog {
  /** Resolves when the record is on disk. @throws SpoolFault */
  append(payload: Uint8Array): Promise<void>
  /** Later records go into another file. */
  rotate(): Promise<void>
  /** The file that is currently written. */
  current(): Segment | undefined
  /** Why no message can be stored; undefined after a successful attempt. */
  fault(): string | undefined
}

interface PendingRecord {
  readonly record: Buffer
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Appends records to files of this process. Records that arrive during a write share one sync (group commit), so that
 * a disk that needs 10 ms per sync handles thousands of messages a second.
 */
export function createAppendLog(options: AppendLogOptions): AppendLog {
  const { segments, bytesMax } = options
  const writer = createSegmentWriter(options)
  const inTurn = oneByOne()
  let fault: string | undefined
  const pending: PendingRecord[] = []
  let pendingBytes = 0
  let refusedBytes = 0
  let isWriting = false
  const used = (): number => [...segments].reduce((sum, { bytes }) => sum + bytes, pendingBytes)

  async function writeGroup(): Promise<void> {
    const group = pending.splice(0, groupLength(pending))
    const records = Buffer.concat(group.map(({ record }) => record))
    try {
      await writer.write(records, group.length)
      fault = undefined
      for (const { resolve } of group) resolve()
    } catch (error) {
      await writer.abandon()
      fault = error instanceof SpoolFault ? error.message : faultText(error)
      const refusal = new SpoolFault(fault, { cause: error })
      for (const { reject } of group) reject(refusal)
    } finally {
      pendingBytes -= records.length
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    while (pending.length > 0) await inTurn(writeGroup)
    isWriting = false
  }

  return {
    append(payload) {
      if (payload.length > PAYLOAD_BYTES_MAX) return Promise.reject(new SpoolFault('the message is too long'))
      const record = encodeRecord(payload)
      if (used() + record.length > bytesMax) {
        refusedBytes = record.length
        return Promise.reject(new SpoolFault('full'))
      }
      pendingBytes += record.length
      return new Promise((resolve, reject) => {
        pending.push({ record, resolve, reject })
        if (!isWriting) void writeAll()
      })
    },
    rotate: () => inTurn(writer.close),
    current: writer.current,
    fault: () => (refusedBytes > 0 && used() + refusedBytes > bytesMax ? 'full' : fault),
  }
}

/** Runs one call after the other: no file is closed while it is written. */
function oneByOne(): (run: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (run) => {
    const result = last.then(run)
    last = result.catch(() => undefined)
    return result
  }
}

/** The number of records that fit into a file. */
function groupLength(pending: readonly PendingRecord[]): number {
  let bytes = 0
  const end = pending.findIndex(({ record }) => (bytes += record.length) > SEGMENT_BYTES)
  return end === -1 ? pending.length : Math.max(end, 1)
}
