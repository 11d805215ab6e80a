import type { Redact } from '../../harness/curl.ts'
import type { PartResult, RunOptions } from '../../harness/part.ts'
import type { Credential } from './credentials.ts'
import type { Values } from './values.ts'

/** A server of somebody else, with a contract that is not ours: all that is known of it. */
export interface ForeignTarget {
  /** Without a slash at the end. */
  readonly url: string
  /** Where the server itself listens, behind a recorder at `url`: for bytes that no recorder passes on. */
  readonly directUrl?: string
  /** Path of the bundled contract in JSON. */
  readonly contract: string
  /** By the name of the security scheme. */
  readonly credentials: Readonly<Record<string, Credential>>
  /** Sent with every request, where the request has none of this name. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly values: Values
  readonly hide: Redact
  /** What is hidden, and the shell's variable in its place. */
  readonly secrets: Readonly<Record<string, string>>
}

/** A part that knows no operation beforehand. */
export interface ForeignPart {
  readonly name: string
  /** In a few words, for the printed table. */
  readonly what: string
  /** Whether it can be limited to some operations. */
  readonly byOperation?: true
  run(target: ForeignTarget, options: RunOptions): Promise<PartResult>
}
