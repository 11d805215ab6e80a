import { CommanderError, type Command } from 'commander'
import { createProgram } from '../program.ts'

/** @param isWhole whether the required options must be present */
function silence(command: Command, isWhole: boolean): void {
  command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  for (const each of command.commands) silence(each, isWhole)
  // A required option that is missing would hide an option that does not exist.
  if (!isWhole) for (const option of command.options) option.mandatory = false
  // A group does what its default command does.
  if (command.commands.length === 0) command.action(() => undefined)
}

/**
 * Parses the words as the program does, and executes nothing.
 * @returns why the program rejects them; undefined when it accepts them
 */
export async function usageFault(
  words: readonly string[],
  { isWhole = true } = {},
): Promise<CommanderError | undefined> {
  const program = await createProgram(words)
  silence(program, isWhole)
  try {
    await program.parseAsync(words, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error
  }
}

/** Every command that does something, by its words: groups have their commands in their place. */
export async function leafCommands(): Promise<readonly string[]> {
  const leaves: string[] = []
  for (const { name } of await groups()) {
    const group = (await createProgram([name])).commands.find((each) => each.name() === name)
    if (group) leaves.push(...leavesOf(group, name))
  }
  return leaves
}

const leavesOf = ({ commands }: Command, words: string): string[] =>
  commands.length === 0 ? [words] : commands.flatMap((command) => leavesOf(command, `${words} ${command.name()}`))

/** The groups of commands, with the commands of each. */
export async function groups(): Promise<readonly { readonly name: string; readonly commands: readonly string[] }[]> {
  const names = (await createProgram([])).commands.map((group) => group.name())
  return Promise.all(
    names.map(async (name) => {
      const group = (await createProgram([name])).commands.find((each) => each.name() === name)
      return { name, commands: (group?.commands ?? []).map((command) => command.name()) }
    }),
  )
}
