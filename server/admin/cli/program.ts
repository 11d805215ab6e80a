import { Command, CommanderError } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { MALIPO } from './called-as.ts'
import { USED_WRONGLY } from './errors.ts'
import { beginInvocation } from './invocation.ts'
import { checkOptionValues } from './option-values.ts'
import { note, printableLines, quietOnBrokenPipe } from './output.ts'

/** A group of commands: listed in the help of the root, loaded on first use. */
interface Group {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<{ define(command: Command): void }>
}

const GROUPS: readonly Group[] = [
  { name: 'serve', description: 'start the gateway', load: () => import('./serve.ts') },
  {
    name: 'demo',
    description: 'play a payment through a lost reply, a kill and a failing shop, and compare the books',
    load: () => import('./demo.ts'),
  },
  {
    name: 'settings',
    description: 'list the environment variables, what they mean and their defaults',
    load: () => import('./settings.ts'),
  },
  { name: 'migrate', description: 'bring the database up to this version', load: () => import('./migrate.ts') },
  {
    name: 'months',
    description: 'create partitions for the coming months, for a daily timer',
    load: () => import('./months.ts'),
  },
  { name: 'merchant', description: 'create merchants, show and change them', load: () => import('./merchant.ts') },
  { name: 'keys', description: 'list keys and rotate them', load: () => import('./keys.ts') },
  {
    name: 'provider',
    description: 'list and change providers: limits, charges, clearing',
    load: () => import('./provider.ts'),
  },
  {
    name: 'rail',
    description: 'connect to operators: add, check, change and remove rail accounts',
    load: () => import('./rail.ts'),
  },
  { name: 'rate', description: 'set and list exchange rates', load: () => import('./rate.ts') },
  { name: 'wallet', description: 'show wallets, deposit, move money between them', load: () => import('./wallet.ts') },
  {
    name: 'transaction',
    description: 'find transactions, read their history, resolve stuck ones',
    load: () => import('./transaction.ts'),
  },
  {
    name: 'payout',
    description: 'send files of payouts, show what became of them, try the failed ones again',
    load: () => import('./payout.ts'),
  },
  {
    name: 'callback',
    description: 'list callbacks with their attempts, send them again',
    load: () => import('./callback.ts'),
  },
  {
    name: 'report',
    description: 'volumes, balances of all merchants, monthly statements of a merchant',
    load: () => import('./report.ts'),
  },
  {
    name: 'statement',
    description: "read operators' statements: import files, pull from the operator, list imports",
    load: () => import('./statement.ts'),
  },
  {
    name: 'reconcile',
    description: 'compare statements with the ledger, list differences, end them with a reason',
    load: () => import('./reconcile.ts'),
  },
  {
    name: 'suspense',
    description: 'list what customers have paid again, and give it back',
    load: () => import('./suspense.ts'),
  },
  {
    name: 'archive',
    description: 'move old months into files, and read them there',
    load: () => import('./archive.ts'),
  },
  {
    name: 'ledger',
    description: 'print the head of the hash chain over all transfers, to store elsewhere',
    load: () => import('./ledger.ts'),
  },
  {
    name: 'approval',
    description: 'list what waits for a second person, approve or refuse it, set the rules',
    load: () => import('./approval.ts'),
  },
  {
    name: 'people',
    description: 'list, invite and remove people, and change their roles',
    load: () => import('./people.ts'),
  },
  { name: 'login', description: 'log in with a one-time code', load: () => import('./login.ts') },
  { name: 'logout', description: 'end your login', load: () => import('./logout.ts') },
  { name: 'whoami', description: 'show who you are here, and your role', load: () => import('./whoami.ts') },
  {
    name: 'audit',
    description: 'list who changed what and why, and verify that no entry was changed',
    load: () => import('./audit.ts'),
  },
  {
    name: 'doctor',
    description: 'check the ledger, the payments, the jobs and the callbacks',
    load: () => import('./doctor.ts'),
  },
]

const AFTER_HELP = `
Every command takes --json: one JSON document on standard output. Every command's help has an example.

Exit codes: 0 done, 1 failed, 2 used wrongly, 3 not found, 4 waits for approval.

Environment: ${MALIPO} settings lists the variables.`

const EXAMPLE = `
Example:
  $ ${MALIPO} transaction list --status FAILED --since 1h`

/**
 * Runs one command and sets the exit code of the process. Never throws: an error becomes one or two lines on standard
 * error.
 */
export async function runProgram(argv: readonly string[]): Promise<void> {
  quietOnBrokenPipe()
  try {
    const args = argv.slice(2)
    await (await createProgram(args)).parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? usageExitCode(error) : await reportFailure(error)
  }
}

/** Creates the program with the command group that these arguments name. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command(MALIPO)
    .description('Malipo, a payment gateway: the server and its command line for staff.')
    .version(manifest.version)
    .option('--break-glass', 'change a live gateway without a login, in an emergency; goes with --reason')
    .hook('preAction', beginInvocation)
    .exitOverride()
    // Its error messages repeat what was typed, or what a script read from somewhere.
    .configureOutput({ writeErr: (text) => void process.stderr.write(printableLines(text)) })
    .showHelpAfterError('Add --help to see what it takes, with an example.')
    .addHelpText('after', AFTER_HELP)
    .addHelpText('after', EXAMPLE)
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  const wanted = first === 'help' ? second : first
  for (const { name, description, load } of GROUPS) {
    const command = program.command(name).description(description)
    if (name === wanted) {
      await addRailPackages(name)
      ;(await load()).define(command)
      checkOptionValues(command)
    }
  }
  return program
}

/** Before the group loads: its help lists the kinds of rails. Without a package nothing is loaded for it. */
async function addRailPackages(group: string): Promise<void> {
  if (group === 'settings') return
  const { railPackagesOfProcess } = await import('../../config.ts')
  const packages = railPackagesOfProcess()
  if (packages.length > 0) await (await import('../../rails/packages.ts')).addRailPackages(packages)
}

/** Commander has already printed: requested help is a success, help instead of a missing command is not. */
function usageExitCode({ code, exitCode }: CommanderError): number {
  if (code === 'commander.help') return USED_WRONGLY
  return exitCode === 0 ? 0 : USED_WRONGLY
}

async function reportFailure(error: unknown): Promise<number> {
  const { explain } = await import('./explain.ts')
  const { message, exitCode } = explain(error)
  note(message)
  return exitCode
}
