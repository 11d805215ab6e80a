import { USER_AGENT } from '../user-agent.ts'
import { certifyCommand } from './certify/command.ts'
import { checkCommand } from './check/command.ts'
import { clockAdvanceCommand, clockShowCommand } from './clock.ts'
import { didYouMean } from './did-you-mean.ts'
import { listenCommand } from './listen.ts'
import { newShopCommand } from './new-shop.ts'
import { resendCommand } from './resend.ts'
import { scenarioLoadCommand, scenarioRemoveCommand, scenarioShowCommand } from './scenario.ts'
import type { Terminal } from './terminal.ts'
import { triggerCommand } from './trigger.ts'
import { helpOf, UsageError, type Command } from './usage.ts'
import { columnsFor, wrap } from './wrap.ts'

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  listenCommand,
  triggerCommand,
  resendCommand,
  checkCommand,
  certifyCommand,
  clockAdvanceCommand,
  clockShowCommand,
  scenarioLoadCommand,
  scenarioShowCommand,
  scenarioRemoveCommand,
  newShopCommand,
]

const width = Math.max(...COMMANDS.map(({ name }) => name.length))
const HELP = [
  ['malipo-dev: try and test your side of Malipo, without an account'],
  [''],
  ...COMMANDS.map(({ name, summary }) => [`  ${name.padEnd(width)}  ${summary}`, ' '.repeat(width + 4)] as const),
  [''],
  ['malipo-dev <command> --help describes a command, with an example; malipo-dev --version prints the version.'],
] as const

const help = ({ columns }: Terminal): string =>
  HELP.map(([line, indent]) => wrap(line, columnsFor(columns), indent)).join('\n')

/**
 * Runs one command of the toolbox.
 *
 * @param given the arguments of `malipo-dev` on the command line
 * @returns the exit code: 0 success, 1 something failed, 2 it could not run
 */
export async function runToolbox(given: readonly string[], terminal: Terminal): Promise<number> {
  // `new` writes only one thing, so its help does not need the name of it.
  const args = given[0] === 'new' && (given[1] ?? '-').startsWith('-') ? ['new', 'shop', ...given.slice(1)] : given
  const command = COMMANDS.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '))
  if (!command) return withoutCommand(args, terminal)
  const rest = args.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(helpOf(command, terminal.columns))
    return 0
  }
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.complain(`malipo-dev ${command.name}: ${error.message}`)
    terminal.complain(`malipo-dev ${command.name} --help shows how`)
    return 2
  }
}

function withoutCommand(args: readonly string[], terminal: Terminal): number {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help') {
    terminal.print(help(terminal))
    return 0
  }
  if (['--version', '-V', '-v', 'version'].includes(args[0] ?? '')) {
    terminal.print(USER_AGENT.replace('malipo-client/', 'malipo-dev '))
    return 0
  }
  const requested = args.slice(0, args[0] === 'new' ? 2 : 1).join(' ')
  const near = didYouMean(requested, [...COMMANDS.map(({ name }) => name), 'new'])
  terminal.complain(`malipo-dev has no command "${requested}".${near}`)
  terminal.complain(near === '' ? help(terminal) : 'malipo-dev --help shows all of them')
  return 2
}
