import { createHash, hash } from 'node:crypto'

// A hash chain over records that are never changed: each link holds the digests of all records in its batch, and a hash
// over these and the link before. Whoever changes, removes or inserts a record has to rewrite every later link, and a
// head that is stored elsewhere reveals that.

const DIGEST_BYTES = 32

/** The predecessor of the first link. */
export const CHAIN_START: Uint8Array = new Uint8Array(DIGEST_BYTES)

/** The part of a link that its hash covers. */
export interface Link {
  readonly seq: bigint
  readonly hash: Uint8Array
}

type RecordField = string | null | readonly RecordField[]

/** The digest of a record. JSON separates the fields, so that different fields never have the same text. */
export const recordDigest = (fields: readonly RecordField[]): Uint8Array =>
  hash('sha256', JSON.stringify(fields), 'buffer')

/** The hash of a link: over the previous hash and the digests of its records, concatenated. */
export const linkHash = (seq: bigint, previous: Uint8Array, digests: Uint8Array): Uint8Array =>
  createHash('sha256').update(`${seq}\n`).update(previous).update(digests).digest()

/** The digest of the record at this position of a link. */
export const digestAt = (digests: Uint8Array, index: number): Uint8Array =>
  digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)

export const isSameDigest = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
