import type { Redact } from '../harness/curl.ts'
import type { PartResult, RunOptions } from '../harness/part.ts'
import type { Credential } from './credentials.ts'
import type { Values } from './contract-values.ts'

/** A server with any contract: everything known about it. */
export interface ContractTarget {
  /** Without a trailing slash. */
  readonly url: string
  /** Address of the server itself, behind the recorder at `url`: for bytes that no recorder passes on. */
  readonly directUrl?: string
  /** Path of the bundled contract in JSON. */
  readonly contract: string
  /** By the name of the security scheme. */
  readonly credentials: Readonly<Record<string, Credential>>
  /** Sent with every request that does not have a header of this name. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly values: Values
  readonly hide: Redact
  /** Secrets, and the shell variable that replaces each. */
  readonly secrets: Readonly<Record<string, string>>
}

/** A part that knows no operation beforehand. */
export interface ContractPart {
  readonly name: string
  /** A short label for the printed table. */
  readonly what: string
  /** Whether it can be limited to some operations. */
  readonly byOperation?: true
  run(target: ContractTarget, options: RunOptions): Promise<PartResult>
}
