import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { InvalidArgumentError, type Command } from 'commander'
import { holdsSecrets } from '../../domain/masking/mask-text.ts'
import type { Difference, DisplayValues } from '../queries/audit-log.ts'
import { MALIPO } from './called-as.ts'
import { addLeaf } from './command.ts'
import { usedWrongly } from './errors.ts'
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

/** Adds a command that changes money, keys, limits or settings to a group. */
export const addStaffAction = (...leaf: Parameters<typeof addLeaf>): Command => asStaffAction(addLeaf(...leaf))

/** Adds a command that adds something, or repeats what was done. */
export const addRecordedAction = (...leaf: Parameters<typeof addLeaf>): Command => asRecordedAction(addLeaf(...leaf))

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

/** Asks for one line. @returns it without spaces around it; end of input is an empty one */
export async function lineFor(question: string, input: Readable, output: Writable): Promise<string> {
  const lines = createInterface({ input, output })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question(question), ended])).trim()
  } finally {
    lines.close()
  }
}

/** @returns whether the answer is yes; end of input means no */
export const isConfirmed = async (input: Readable, output: Writable): Promise<boolean> =>
  /^y(es)?$/i.test(await lineFor('Do it? [y/N] ', input, output))

/** Each value that differs, old and new, on a line of its own. */
export const changeLines = (difference: Difference): readonly string[] =>
  Object.keys({ ...difference.old, ...difference.new }).map((name) => {
    const valueOf = (values: DisplayValues): string => printable(values[name] ?? '(none)')
    return `  ${name}: ${valueOf(difference.old)} -> ${valueOf(difference.new)}`
  })

export function showDifference(title: string, difference: Difference): void {
  const lines = changeLines(difference)
  note(`${printable(title)}: ${lines.length === 0 ? 'nothing changes' : 'old and new'}`)
  for (const line of lines) note(line)
}
