import type { ToolResult } from './run-tool.ts'

/** The folder and inputs of one generator run. */
export interface Job {
  /** An empty folder for this generator only. */
  readonly folder: string
  /** The contract as OpenAPI 3.1, and the derived copy for 3.0. */
  readonly contract31: string
  readonly contract30: string
  /** The running gateway, without a slash at the end. */
  readonly url: string
}

/** The path of the generator's program, or one line that says why it cannot run here. */
export type ToolStatus = { readonly tool: string } | { readonly missing: string }

/** A warning of a generator that does not affect users of the client. */
interface ExpectedLine {
  readonly line: RegExp
  readonly why: string
}

/** A client generator for one language. Each step returns what it printed; exit code 0 is success. */
export interface Generator {
  readonly name: string
  readonly language: string
  /** Pinned, because another version may generate different code. */
  readonly version: string
  /** Which of the two documents it reads. */
  readonly reads: '3.1' | '3.0'
  /** The issue in the generator's own tracker about OpenAPI 3.1; only for generators that cannot read 3.1. */
  readonly older?: string
  readonly explained: readonly ExpectedLine[]
  /** Finds the generator; `install` first installs it into the cache folder once. */
  find(options: { readonly cache: string; readonly install: boolean }): Promise<ToolStatus>
  generate(tool: string, job: Job): Promise<ToolResult>
  compile(tool: string, job: Job): Promise<ToolResult>
  /** Lists the providers and starts a collection with the generated client; prints `accepted <merchant_reference>`. */
  call(tool: string, job: Job): Promise<ToolResult>
}
