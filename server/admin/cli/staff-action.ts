import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { InvalidArgumentError, type Command } from 'commander'
import { holdsSecrets } from '../../domain/masking/mask-text.ts'
import {
  applyChange,
  previewChange,
  type Difference,
  type DisplayValues,
  type AuditedAction,
  type StaffChange,
} from '../queries/audit-log.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import type { Pool } from '../../storage/pool.ts'
export { displayValues as shownValues } from '../operations/display-values.ts'
import { throughApproval, type GatedSubject } from './approval-gate.ts'
import { MALIPO } from './called-as.ts'
import { commandRun } from './command-run.ts'
import type { Context } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { note, printable } from './output.ts'
import { parseLine } from './staff-line.ts'

/** Options of every command that changes money, keys, limits or settings. */
export interface StaffOptions {
  readonly reason: string
  readonly yes?: true
  readonly json?: true
}

/** Options of every command that adds something, or repeats what was done: it takes nothing away. */
export interface RecordedOptions {
  readonly reason?: string | undefined
  readonly json?: true
}

const parseReasonLine = parseLine({ min: 3, max: 500 })

/** @throws InvalidArgumentError */
export function parseReason(text: string): string {
  const reason = parseReasonLine(text)
  // The audit log is append-only: nobody could remove a secret from it.
  if (holdsSecrets(reason))
    throw new InvalidArgumentError(
      'It must hold no password, no token and no phone number with a plus sign, because it is stored for good: remove it, or write only the last three digits.',
    )
  return reason
}

/** Adds `--reason` and `--yes`. */
export const asStaffAction = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', `why; stored with the old values: ${MALIPO} audit list`, parseReason)
    .option('--yes', 'without the confirmation prompt')

/** Adds an optional `--reason`. */
export const asRecordedAction = (command: Command): Command =>
  command.option('--reason <text>', `why, where that is worth storing: ${MALIPO} audit list`, parseReason)

interface Subject extends GatedSubject {
  readonly reference?: string | undefined
}

/**
 * Applies a command's change in one commit with its audit entry. On a terminal it shows the change and asks for
 * confirmation first; elsewhere nobody can confirm.
 */
export async function staffAction<Result>(
  context: Context,
  what: Subject,
  { reason, yes, json }: StaffOptions,
  intended: StaffChange<Result>,
): Promise<Result> {
  const { pool, clock } = context
  const change = await throughApproval(context, what, actionOf(context, what, reason), intended)
  const title = `${what.command} ${what.subject}`
  const isAgreed = commandRun.getStore()?.approved?.yes ?? yes
  const isQuestion = !isAgreed && isSomebodyThere(process.stdin, process.stderr)
  if (isQuestion) {
    showDifference(title, await previewChange(pool, change))
    if (!(await isConfirmed(process.stdin, process.stderr))) throw new CliError('malipo: nothing was changed.')
  }
  const { result, difference } = await applyChange(pool, actionOf(context, what, reason), change, clock.now())
  if (!json && !isQuestion) showDifference(title, difference)
  return result
}

/**
 * Applies a command's change in one commit with its audit entry, without confirmation; the command prints what it did.
 */
export async function recordedAction<Result>(
  context: Context,
  what: Subject,
  { reason }: RecordedOptions,
  intended: StaffChange<Result>,
): Promise<Result> {
  const action = actionOf(context, what, reason)
  const change = await throughApproval(context, what, action, intended)
  return (await applyChange(context.pool, action, change, context.clock.now())).result
}

/** A change that only adds: it has no previous values. @param values of what was added */
export const addition = <Result>(
  apply: (pool: AuditedPool) => Promise<Result>,
  values: (result: Result, pool: Pool) => DisplayValues | Promise<DisplayValues>,
): StaffChange<Result> => ({
  read: async (pool, result) => (result === undefined ? {} : values(result, pool)),
  apply,
})

/** What the actor of this command does. */
export const actionOf = (
  { actor }: Pick<Context, 'actor'>,
  what: Subject,
  reason: string | undefined,
): AuditedAction => ({
  ...what,
  actor,
  reason,
})

interface Terminal {
  readonly isTTY?: boolean
}

/** @throws CliError where the person would not see the question, as with `2>&1 | tee log` */
export function isSomebodyThere(input: Terminal, output: Terminal): boolean {
  if (!input.isTTY) return false
  if (!output.isTTY) throw usedWrongly(NOWHERE_TO_ASK)
  return true
}

const NOWHERE_TO_ASK =
  'malipo: nothing was changed: the confirmation prompt needs standard error to be a terminal.\nAdd --yes, or leave standard error on the terminal.'

/** @returns whether the answer is yes; end of input means no */
export async function isConfirmed(input: Readable, output: Writable): Promise<boolean> {
  const lines = createInterface({ input, output })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question('Do it? [y/N] '), ended])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

export function showDifference(title: string, difference: Difference): void {
  const names = [...new Set([...Object.keys(difference.old), ...Object.keys(difference.new)])]
  note(`${printable(title)}: ${names.length === 0 ? 'nothing changes' : 'old and new'}`)
  const valueOf = (values: DisplayValues, name: string): string => printable(values[name] ?? '(none)')
  for (const name of names) note(`  ${name}: ${valueOf(difference.old, name)} -> ${valueOf(difference.new, name)}`)
}
