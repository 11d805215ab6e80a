import type { Phase } from './options.ts'

/**
 * Result of a run. Only `passed` and `findings` say something about the server:
 * - `config-error`: the contract or an option cannot be used
 * - `tool-error`: the server could not be reached, or Schemathesis failed
 * - `timeout`: the server, or the whole run, took too long
 * - `aborted`: its AbortSignal was aborted
 * - `unavailable`: Schemathesis is not installed and cannot be installed
 */
export type Status = 'passed' | 'findings' | 'tool-error' | 'config-error' | 'timeout' | 'aborted' | 'unavailable'

/** A request as it was sent, with `[scheme]` in place of its keys. */
export interface FailureRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Text, shortened; invalid bytes are replaced. */
  readonly body?: string
}

export interface FailureResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, readonly string[]>>
  /** Text, shortened; invalid bytes are replaced. */
  readonly body: string
}

/** One defect of the server, reported once however often it occurred. */
export interface Failure {
  /** `POST /payments`. */
  readonly operation: string
  /** Name of the Schemathesis check. */
  readonly check: string
  readonly title: string
  /** What was expected and what came. */
  readonly message: string
  /** Of a request that fits the contract and was refused: the field that it was refused for, where the run shows it. */
  readonly field?: string
  /** A line for `sh` that repeats the request. Keys and address come from the environment, see `keyVariable`. */
  readonly curl: string
  /** Lines for `sh` with the requests before it, oldest first, for a sequence of requests. */
  readonly before: readonly string[]
  /** Absent where a failure is about no single request. */
  readonly request?: FailureRequest
  /** Absent where none came. */
  readonly response?: FailureResponse
}

export interface OperationFigures {
  readonly cases: number
  readonly failures: number
  /** Number of replies with each status. */
  readonly statuses: Readonly<Record<string, number>>
}

export interface CheckFigures {
  readonly passed: number
  readonly failed: number
}

/** What was excluded. All of these are 0 in the three profiles with all phases; they are measured, not promised. */
export interface Exclusions {
  /** Phases that the run was configured to leave out. */
  readonly phases: readonly Phase[]
  /** Checks that Schemathesis has and that never ran. */
  readonly checks: readonly string[]
  /** Operations of the contract that the run was configured to skip. */
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
  /** Valid requests, answered 400 by a declared business rule. 0 without `isBusinessRefusal`. */
  readonly businessRefusals: number
  readonly durationMs: number
  /** Why there is no verdict; absent for `passed` and `findings`. */
  readonly reason?: string
  /** Where the reports are, redacted. */
  readonly reportDir?: string
}

/** Ends a run without a verdict. */
export class NoVerdict extends Error {
  readonly status: Status
  constructor(status: Status, reason: string) {
    super(reason)
    this.status = status
  }
}
