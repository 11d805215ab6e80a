import { AsyncLocalStorage } from 'node:async_hooks'
import type { Party } from '../../domain/approvals.ts'

/** A stored change that a second person executes. */
export interface ApprovedRun {
  readonly id: bigint
  readonly command: string
  readonly subject: string
  readonly maker: Party
  /** Of the request that the approver has read. */
  readonly digestSeen: string
  /** Why the approver agrees. */
  readonly because: string
  readonly yes: true | undefined
}

interface CommandRun {
  /** The words after `malipo`. */
  readonly args: readonly string[]
  readonly approved?: ApprovedRun
  /** Runs the command of a stored change. */
  readonly execute: (args: readonly string[], approved: ApprovedRun) => Promise<void>
}

/** The command that runs now: what waits for approval is stored by these words. */
export const commandRun = new AsyncLocalStorage<CommandRun>()
