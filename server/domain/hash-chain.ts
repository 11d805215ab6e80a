import { createHash, hash } from 'node:crypto'

// A chain of hashes over records that are never changed: each link holds a digest of every record of its batch and a hash
// over them and the link before. Who changes, removes or inserts a record has to make every later link anew, and a head
// that is kept elsewhere shows that.

export const DIGEST_BYTES = 32

/** What the first link follows. */
export const CHAIN_START: Uint8Array = new Uint8Array(DIGEST_BYTES)

/** A link in a chain, as far as its hash goes. */
export interface Link {
  readonly seq: bigint
  readonly hash: Uint8Array
}

export type RecordField = string | null | readonly RecordField[]

/** The digest of a record. JSON keeps fields apart: no text looks like two of them. */
export const recordDigest = (fields: readonly RecordField[]): Uint8Array =>
  hash('sha256', JSON.stringify(fields), 'buffer')

/** The hash of a link over the one before and the digests of its own records, one after the other. */
export const linkHash = (seq: bigint, previous: Uint8Array, digests: Uint8Array): Uint8Array =>
  createHash('sha256').update(`${seq}\n`).update(previous).update(digests).digest()

/** The digest of the record at this place of a link. */
export const digestAt = (digests: Uint8Array, index: number): Uint8Array =>
  digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)

export const isSameDigest = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
