import type { OpenApiDocument } from './openapi.ts'

/**
 * What became of a run. Only `passed` and `findings` say something about the server:
 * - `config-error`: the contract or an option cannot be used
 * - `tool-error`: the server could not be reached, or Schemathesis failed at its work
 * - `timeout`: the server, or the whole run, took too long
 * - `unavailable`: Schemathesis is not here and cannot be installed
 */
export type Status = 'passed' | 'findings' | 'tool-error' | 'config-error' | 'timeout' | 'unavailable'

/** One thing that is wrong with the server, reported once however often it was seen. */
export interface Failure {
  /** `POST /payments`. */
  readonly operation: string
  /** Name of the Schemathesis check. */
  readonly check: string
  readonly title: string
  /** What was expected and what came. */
  readonly message: string
  /** A line for `sh` that sends the request again. Keys and address come from the environment, see `keyVariable`. */
  readonly curl: string
}

export interface OperationFigures {
  readonly cases: number
  readonly failures: number
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>
}

export interface CheckFigures {
  readonly passed: number
  readonly failed: number
}

/** What was left out. All of these are 0 in the three profiles; they are measured, not promised. */
export interface Exclusions {
  /** Checks that Schemathesis has and that never ran. */
  readonly checks: readonly string[]
  /** Operations of the contract that was given to Schemathesis, and that it was not asked to test. */
  readonly operations: number
  /** Failures that a hook dropped. */
  readonly failures: number
}

export interface Result {
  readonly status: Status
  readonly profile: string
  readonly seed: number
  /** Version of Schemathesis. */
  readonly version: string
  /** Requests that were sent and answered. */
  readonly cases: number
  readonly failures: readonly Failure[]
  readonly perOperation: Readonly<Record<string, OperationFigures>>
  readonly checks: Readonly<Record<string, CheckFigures>>
  /** Warnings of Schemathesis, as `missing_test_data: GET /things`. */
  readonly warnings: readonly string[]
  readonly exclusions: Exclusions
  /** Requests that fit the contract, answered 400 by a declared business rule. 0 without `isBusinessRefusal`. */
  readonly businessRefusals: number
  readonly durationMs: number
  /** Why there is no verdict; absent for `passed` and `findings`. */
  readonly reason?: string
  /** Where the reports are, redacted. */
  readonly reportDir?: string
}

/** Values of the contract's security schemes, by the name of the scheme. */
export type Keys = Readonly<Record<string, string>>

export interface Running {
  /** `http://127.0.0.1:4010`, without a slash at its end. */
  readonly baseUrl: string
  /** Keys that this server accepts, when it did not take the throw-away ones. */
  readonly keys?: Keys
  readonly stop?: () => Promise<void>
}

/** Starts the server under test. */
export type Start = (given: { readonly port: number; readonly keys: Keys }) => Promise<Running>

/** Changes the copy that is tested, once the server answers; the published contract is never touched. */
export type Prepare = (
  contract: OpenApiDocument,
  running: { readonly baseUrl: string; readonly keys: Keys },
) => OpenApiDocument | Promise<OpenApiDocument>

/**
 * A value that a server takes only once. The named group `fresh` of the pattern (Python's `(?P<fresh>…)`) is replaced
 * by a counter of the same length just before sending, in values that match as a whole; the values are the same at
 * every run with the same seed.
 */
export interface FreshValue {
  readonly in: 'body' | 'header'
  readonly name: string
  readonly pattern: string
}

export interface Profile {
  readonly name: string
  readonly prepare?: Prepare
  readonly freshValues?: readonly FreshValue[]
  /**
   * Told apart from faults: replies with status 400 to requests that fit the contract. Whoever gives this says
   * whether the text of a reply is a business rule's; any other 400 to such a request stays a finding of
   * `positive_data_acceptance`. Absent: every 400 is a finding.
   */
  readonly isBusinessRefusal?: (reply: string) => boolean
  /** Statuses that a check of Schemathesis is content with, in place of its own: `not_a_server_error` → `2xx`, `503`. */
  readonly expectedStatuses?: Readonly<Record<string, readonly string[]>>
}

export interface RunOptions {
  /** Path of the contract (JSON), or the parsed contract. */
  readonly contract: string | URL | OpenApiDocument
  /** The server under test: already running, or started by us. */
  readonly server: { readonly baseUrl: string } | { readonly start: Start }
  readonly profile: Profile
  readonly keys?: Keys
  /** Same seed, same answers: same requests, byte for byte. Default 1. */
  readonly seed?: number
  /** Test cases per operation in the fuzzing phase. Default 20, the size for a pull request. */
  readonly maxExamples?: number
  /** Sequences in the stateful phase; its budget is far larger than it looks. Default 5. */
  readonly statefulExamplesMax?: number
  /** Ends the run after so many findings, when it matters only whether there are any. Absent: all are looked for. */
  readonly failuresMax?: number
  /** For the whole run. Default ten minutes. */
  readonly timeoutMs?: number
  /** For one request. Default ten seconds. */
  readonly requestTimeoutMs?: number
  /** Where reports are kept: a folder per profile. Absent: nothing is kept. */
  readonly reportDir?: string
  /** Where the virtual environment lives. Default: `schemathesis-runner` in the user's cache folder. */
  readonly cacheDir?: string
  /** Default: the process's. */
  readonly env?: NodeJS.ProcessEnv
  /** Told what takes long. Default: nobody. */
  readonly log?: (line: string) => void
}

/** The contract or an option cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
