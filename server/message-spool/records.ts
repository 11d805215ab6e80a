import { crc32 } from 'node:zlib'

/** The prefix of every record: after damaged bytes it locates the next record. */
const MAGIC = Buffer.from([0x89, 0x4d, 0x53, 0x50])
/** Magic (4), done (1), length (4), CRC-32 (4), payload. The checksum covers length and payload. */
const DONE_AT = 4
const LENGTH_AT = 5
const CHECKSUM_AT = 9
const HEADER_BYTES = 13
const DONE = 1

/** A larger length is damage. A message has 64 KiB; sealed as JSON it is at most a few times larger. */
export const PAYLOAD_BYTES_MAX = 1024 * 1024

/** Overwrites the byte at `doneAt` when the record is in the database. */
export const DONE_MARK = Buffer.of(DONE)

/** A record in a file. */
export interface SpoolRecord {
  readonly payload: Buffer
  readonly isDone: boolean
  /** The offset in the file of the byte that marks it as done. */
  readonly doneAt: number
}

interface ScannedRecords {
  readonly records: readonly SpoolRecord[]
  /** Sections of bytes that used to be records and are not readable any more. */
  readonly corrupt: number
  /** The last record is shorter than its length field: the process died while writing it, and acknowledged nothing. */
  readonly isTorn: boolean
}

/** The bytes of a record that is not done. */
export function encodeRecord(payload: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32BE(payload.length, LENGTH_AT)
  header.writeUInt32BE(checksum(header, payload), CHECKSUM_AT)
  return Buffer.concat([header, payload])
}

const checksum = (header: Buffer, payload: Uint8Array): number =>
  crc32(payload, crc32(header.subarray(LENGTH_AT, CHECKSUM_AT)))

/**
 * Reads all records of a file. It never throws, whatever the bytes are, and finds every record that is still readable.
 */
export function scanRecords(bytes: Buffer): ScannedRecords {
  const records: SpoolRecord[] = []
  let corrupt = 0
  let at = 0
  while (at < bytes.length) {
    const record = recordAt(bytes, at)
    if (typeof record === 'object') {
      records.push(record)
      at = endOf(record)
      continue
    }
    const next = nextRecord(bytes, at + 1)
    if (next === undefined)
      return { records, corrupt: corrupt + (record === 'corrupt' ? 1 : 0), isTorn: record === 'cut' }
    corrupt += 1
    at = next
  }
  return { records, corrupt, isTorn: false }
}

const endOf = ({ doneAt, payload }: SpoolRecord): number => doneAt - DONE_AT + HEADER_BYTES + payload.length

/** `cut`: the bytes end within the record. */
function recordAt(bytes: Buffer, at: number): SpoolRecord | 'cut' | 'corrupt' {
  const header = bytes.subarray(at, at + HEADER_BYTES)
  const magic = header.subarray(0, MAGIC.length)
  if (!magic.equals(MAGIC.subarray(0, magic.length))) return isBlank(bytes.subarray(at)) ? 'cut' : 'corrupt'
  if (header.length < HEADER_BYTES) return 'cut'
  const length = header.readUInt32BE(LENGTH_AT)
  if (length > PAYLOAD_BYTES_MAX) return 'corrupt'
  const payload = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length)
  if (payload.length < length) return 'cut'
  if (checksum(header, payload) !== header.readUInt32BE(CHECKSUM_AT)) return 'corrupt'
  return { payload, isDone: header[DONE_AT] === DONE, doneAt: at + DONE_AT }
}

/** After a power failure a file may be longer than what was written into it. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

function nextRecord(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(MAGIC, from); at !== -1; at = bytes.indexOf(MAGIC, at + 1))
    if (typeof recordAt(bytes, at) === 'object') return at
  return undefined
}
