import type { Command } from 'commander'
import { OPERATIONS } from '../../domain/people/roles.ts'

/** What this process was started for. */
interface Invocation {
  /** As in the table of operations: `wallet deposit`, `transaction show --full`. */
  readonly operation: string
  readonly isBreakGlass: boolean
}

let current: Invocation = { operation: '', isBreakGlass: false }

/** The command that runs now. */
export const invocation = (): Invocation => current

/** Called before the command's own action. */
export function beginInvocation(program: Command, command: Command): void {
  const words = wordsOf(program, command).join(' ')
  const special = Object.keys(command.opts())
    .map((name) => `${words} --${name}`)
    .find((name) => name in OPERATIONS)
  current = { operation: special ?? words, isBreakGlass: program.opts<{ breakGlass?: true }>().breakGlass === true }
}

const wordsOf = (program: Command, command: Command): readonly string[] =>
  command.parent && command !== program ? [...wordsOf(program, command.parent), command.name()] : []
