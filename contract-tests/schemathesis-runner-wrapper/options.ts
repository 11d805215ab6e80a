import type { OpenApiDocument } from './openapi.ts'

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Values of the contract's security schemes, by the name of the scheme; for HTTP Basic `user:password`. */
export type Keys = Readonly<Record<string, string>>

/** A key with its expiry: milliseconds since 1970. */
export interface ExpiringKey {
  readonly value: string
  readonly expiresAt?: number
}

/** Fetches a key: before the run, and again before a request when the last one is about to expire. */
export type KeySource = () => string | ExpiringKey | Promise<string | ExpiringKey>

/** A request just before it is sent. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/**
 * Adds headers to a request, or replaces them: a signature, a nonce. It is called for every request except those that
 * are sent without keys, or with wrong ones, to test their refusal.
 */
export type BeforeRequest = (
  request: OutgoingRequest,
) => Readonly<Record<string, string>> | undefined | Promise<Readonly<Record<string, string>> | undefined>

export interface RunningServer {
  /** `http://127.0.0.1:4010`, without a slash at its end. */
  readonly baseUrl: string
  /** Keys that this server accepts, when it did not take the throw-away ones. */
  readonly keys?: Keys
  readonly stop?: () => Promise<void>
}

/** Starts the server under test. */
export type Start = (given: { readonly port: number; readonly keys: Keys }) => Promise<RunningServer>

/** Changes the copy that is tested, once the server answers; the published contract is never changed. */
export type Prepare = (
  contract: OpenApiDocument,
  running: { readonly baseUrl: string; readonly keys: Keys },
) => OpenApiDocument | Promise<OpenApiDocument>

/**
 * A value that a server accepts only once. The named group `fresh` of the pattern (Python's `(?P<fresh>…)`) is
 * replaced by a counter of the same length just before sending, in values that match as a whole; the values are the
 * same at every run with the same seed.
 */
export interface FreshValue {
  readonly in: 'body' | 'header'
  readonly name: string
  readonly pattern: string
  /** First value of the counter, for a server that knows those of an earlier run. Default 0. */
  readonly start?: number
}

export interface Profile {
  readonly name: string
  readonly prepare?: Prepare
  readonly freshValues?: readonly FreshValue[]
  /**
   * Distinguishes business refusals from faults: replies with status 400 to requests that fit the contract. Returns
   * whether the text of a reply is a business rule's; any other 400 to such a request stays a finding of
   * `positive_data_acceptance`. Absent: every 400 is a finding.
   */
  readonly isBusinessRefusal?: (reply: string) => boolean
  /** Statuses that a check of Schemathesis accepts, in place of its own: `not_a_server_error` → `2xx`, `503`. */
  readonly expectedStatuses?: Readonly<Record<string, readonly string[]>>
}

/** What selects operations, in the terms of Schemathesis; a `name` is `POST /things`. */
export const FILTER_KINDS = ['name', 'method', 'path', 'tag', 'operation-id'] as const
export type FilterKind = (typeof FILTER_KINDS)[number]

/**
 * Operations that match one of the values: `{ tag: ['books'], 'path-regex': '^/v1' }`. Regular expressions are
 * Python's.
 */
export type OperationFilter = Readonly<
  Partial<Record<FilterKind, readonly string[]> & Record<`${FilterKind}-regex`, string>>
>

/** The phases of Schemathesis, in the order in which it runs them. */
export const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'] as const
export type Phase = (typeof PHASES)[number]

export interface RunOptions {
  /** Path or URL of the contract, JSON or YAML; or the parsed contract. OpenAPI 3.0, 3.1 or 3.2. */
  readonly contract: string | URL | OpenApiDocument
  /** The server under test: already running, or started by the runner. */
  readonly server: { readonly baseUrl: string } | { readonly start: Start }
  readonly profile: Profile
  /** Absent ones come from `SCHEMATHESIS_KEY_<SCHEME>` in the environment; the rest are throw-away keys. */
  readonly keys?: Readonly<Record<string, string | KeySource>>
  readonly beforeRequest?: BeforeRequest
  /** Only these operations. Default: all. */
  readonly include?: OperationFilter
  /** Not these operations; counted in `exclusions`. */
  readonly exclude?: OperationFilter
  /** Only these phases; the others are counted in `exclusions`. Default: all. */
  readonly phases?: readonly Phase[]
  /** Same seed, same requests, byte for byte, if the server answers the same. Default 1. */
  readonly seed?: number
  /** Test cases per operation in the fuzzing phase. Default 20, the size for a pull request. */
  readonly maxExamples?: number
  /** Sequences in the stateful phase; its budget is far larger than it looks. Default 5. */
  readonly statefulExamplesMax?: number
  /** Ends the run after so many findings, when only their existence matters. Absent: the run finds all. */
  readonly failuresMax?: number
  /** Time limit of the whole run. Beyond it there is no verdict, but findings are kept. Default ten minutes. */
  readonly timeoutMs?: number
  /** Time limit of one request. Default ten seconds. */
  readonly requestTimeoutMs?: number
  /** Ends the run and all processes that it has started. */
  readonly signal?: AbortSignal
  /** Where reports are kept: a folder per profile. Absent: nothing is kept. */
  readonly reportDir?: string
  /** Folder of the virtual environment. Default: `schemathesis-runner` in the user's cache folder. */
  readonly cacheDir?: string
  /** The Python to use. Default: the newest of 3.10 to 3.14 that is found. */
  readonly python?: string
  /** Default: the process's. */
  readonly env?: Environment
  /** Called before slow steps. Default: no output. */
  readonly log?: (line: string) => void
}

/** The contract or an option cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
