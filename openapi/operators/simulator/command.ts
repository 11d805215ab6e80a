import { readFileSync } from 'node:fs'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { readJson } from './json.ts'
import { withReceiptsOf } from './later-receipts.ts'
import { railCommand } from './rail-command.ts'
import type { Scenario } from './scenarios/effects.ts'
import { readScenarios, WrongScenario } from './scenarios/read.ts'
import { startSimulator, type Simulator } from './simulator.ts'
import { SIMULATORS } from './simulators.ts'

interface Options {
  readonly port: number
  readonly host: string
  readonly auto?: true
  readonly frozen?: true
  readonly scenario?: string
  readonly seed?: number
  readonly currency?: string
  readonly environment?: string
  readonly callbackHost?: string
  readonly blockReceivers?: true
  readonly callbackUrl?: string
  readonly callbackHash?: true
  readonly signed?: true
  readonly pinPadding: 'pkcs1' | 'oaep'
  readonly testNumbers: 'operator' | 'malipo'
}

/** The usual delay of Malipo's sandbox. */
const MALIPO_DELAY_MS = 1_000

/** `malipo-operator mtn-momo --port 9101`, until it is interrupted. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  await new Command('malipo-operator')
    .description('A mobile money operator on this machine: its API on the wire, its customers as pages.')
    .addArgument(new Argument('<operator>').choices(Object.keys(SIMULATORS)))
    .option('--port <port>', 'the port to listen on; 0 takes any free one', portOf, 9101)
    .option('--host <address>', 'the address to listen on', valueOf, '127.0.0.1')
    .option('--auto', 'approve every order automatically within seconds, unless its number is a test number')
    .option('--frozen', 'time moves only by POST /simulator/clock')
    .option('--seed <number>', 'repeats ids and random behaviour for the same calls', wholeNumberOf)
    .addOption(
      new Option('--test-numbers <whose>', "test numbers: the operator's own, or those of Malipo's sandbox")
        .choices(['operator', 'malipo'])
        .default('operator'),
    )
    .option('--scenario <file>', 'JSON with scenarios to start with')
    .option('--currency <code>', 'currency currency of its accounts, where an operator has several', currencyOf)
    .option(
      '--environment <name>',
      "MTN: the value of X-Target-Environment, the sandbox's if absent; or the country, UG if absent",
      valueOf,
    )
    .option('--callback-host <host>', 'MTN: the callback host of the built-in API users', valueOf)
    .option(
      '--block-receivers',
      'MTN: retries callbacks to receivers that are slow or fail, and then blocks the receivers',
    )
    .option('--callback-url <url>', 'the callback URL, for an operator with one per application', valueOf)
    .option('--callback-hash', 'callbacks carry a hash, where the operator has one')
    .option('--signed', 'messages have to be signed, where the operator has signatures')
    .addOption(
      new Option('--pin-padding <how>', 'how the PIN of a payout is padded, where it carries one')
        .choices(['pkcs1', 'oaep'])
        .default('pkcs1'),
    )
    .action(async (name: string, options: Options) => {
      const simulator = await started(name, options)
      if (simulator === undefined) return
      process.stdout.write(greeting(simulator, options))
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())
    })
    .parseAsync([...argv])
}

/** The option after an option without its value would become the value: `--currency --auto` would be a currency. */
function valueOf(text: string): string {
  if (text.startsWith('-')) throw new InvalidArgumentError(`${text} is an option, and not the value of this one.`)
  return text
}

function currencyOf(text: string): string {
  const code = valueOf(text)
  if (!/^[A-Z]{3}$/.test(code)) throw new InvalidArgumentError('It is three capital letters, for example UGX.')
  return code
}

async function started(name: string, options: Options): Promise<Simulator | undefined> {
  const make = SIMULATORS[name]
  if (make === undefined) return undefined
  const { currency, environment, callbackHost, callbackUrl, blockReceivers, callbackHash, signed, pinPadding } = options
  const made = make({
    ...(currency !== undefined && { currency }),
    ...(environment !== undefined && { environment }),
    ...(callbackHost !== undefined && { callbackHost }),
    ...(blockReceivers && { blocksReceivers: true }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(callbackHash && { hashesCallbacks: true }),
    ...(signed && { isSigned: true }),
    pinPadding,
  })
  const operator = options.seed === undefined ? withReceiptsOf(new Date(), made) : made
  try {
    const simulator = await startSimulator(operator, {
      port: options.port,
      host: options.host,
      auto: options.auto ?? false,
      frozen: options.frozen ?? false,
      ...(options.seed !== undefined && { seed: options.seed }),
      ...(options.testNumbers === 'malipo' && { malipoNumbersMs: MALIPO_DELAY_MS }),
    })
    try {
      if (options.scenario !== undefined) simulator.scenarios.add(scenariosIn(options.scenario, simulator))
      return simulator
    } catch (error) {
      await simulator.close()
      throw error
    }
  } catch (error) {
    process.stderr.write(`malipo-operator: ${reasonOf(error, options)}\n`)
    process.exitCode = 1
    return undefined
  }
}

const scenariosIn = (file: string, { open, operator }: Simulator): readonly Scenario[] =>
  readScenarios(readJson(readFileSync(file, 'utf8')), {
    operations: Object.keys(open.handlers),
    quirks: Object.keys(operator.quirks),
  })

function reasonOf(error: unknown, { port, scenario }: Options): string {
  if (error instanceof WrongScenario) return `${scenario}: ${error.message}`
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') return `port ${port} is taken; choose another with --port`
  return error.message
}

function approval({ auto, testNumbers }: Options): string {
  if (testNumbers === 'malipo') return "The last three digits of a number choose the outcome, as in Malipo's sandbox."
  return auto
    ? 'Every order is approved automatically within seconds.'
    : 'Orders wait for their phone; --auto approves them automatically.'
}

function greeting({ url, operator, open }: Simulator, options: Options): string {
  const width = Math.max(...open.printed.map(({ name }) => name.length))
  return `${operator.title}, simulated: ${url}

  phones      ${url}/phone
  orders      ${url}/simulator/orders
  exchanges   ${url}/simulator/exchanges
  statement   ${url}/simulator/statement.csv

${open.printed.map(({ name, value }) => `  ${name.padEnd(width)}  ${value}`).join('\n')}

As a rail of a Malipo that rehearses:

${railCommand(operator, url)}

${approval(options)} Stop with Ctrl-C.
`
}

function wholeNumberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It is a number from 0 to 65535.')
  return port
}
