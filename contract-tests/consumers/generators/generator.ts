import type { ToolResult } from './run-tool.ts'

/** Where one generator works. */
export interface Job {
  /** An empty folder of its own. */
  readonly folder: string
  /** The contract as OpenAPI 3.1, and the derived copy for 3.0. */
  readonly contract31: string
  readonly contract30: string
  /** The running gateway, without a slash at the end. */
  readonly url: string
}

/** What a generator was found as: the path of its program, or in one line why it cannot run here. */
export type ToolStatus = { readonly tool: string } | { readonly missing: string }

/** A line that a generator prints though nothing is wrong for those who use the client. */
export interface ExpectedLine {
  readonly line: RegExp
  readonly why: string
}

/** A generator of clients, in one language. Each step says what it printed; code 0 is success. */
export interface Generator {
  readonly name: string
  readonly language: string
  /** Pinned: another version may generate other code. */
  readonly version: string
  /** Which of the two documents it reads. */
  readonly reads: '3.1' | '3.0'
  /** The issue of its own tracker that says why it cannot read 3.1; only of those that do not. */
  readonly older?: string
  readonly explained: readonly ExpectedLine[]
  /** Looks for what it needs; with `install` the generator itself is installed into the cache folder once. */
  find(options: { readonly cache: string; readonly install: boolean }): Promise<ToolStatus>
  generate(tool: string, job: Job): Promise<ToolResult>
  compile(tool: string, job: Job): Promise<ToolResult>
  /** Lists the providers and starts a collection with the generated client; prints `accepted <merchant_reference>`. */
  call(tool: string, job: Job): Promise<ToolResult>
}
