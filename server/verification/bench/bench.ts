// `npm run bench`: measures the gateway and its peers on this machine, in one run; `npm run bench -- end-to-end wallet` runs some
// sections only. Prints tables, writes them to dist/bench/ and exits with 0 whether or not the targets are reached: a
// busy machine is no failure of the code. Exits with 1 when something could not be measured.
// With `--against <git ref>` it measures the gateway of that commit in turn with today's, and also exits with 1 when a
// payment costs more processor time than it did there: a busy machine slows both.
import { parseArgs } from 'node:util'
import { compareWith, isComparable, RATIO_MAX } from './against.ts'
import { describeMachine } from './machine.ts'
import { cleanUp, PROJECT_ROOT, RESULTS_FOLDER } from './processes.ts'
import { formatReport, writeReport } from './report.ts'
import type { Measurement, Section } from './section.ts'
import { apiSection } from './sections/api.ts'
import { busyWalletSection } from './sections/busy-wallet.ts'
import { unresponsiveEndpointsSection } from './sections/unresponsive-endpoints.ts'
import { endToEndSection } from './sections/end-to-end.ts'
import { operatorsSection } from './sections/operators.ts'
import { partitionsSection } from './sections/partitions.ts'
import { startSection } from './sections/start.ts'

const SECTIONS: readonly Section[] = [
  startSection,
  apiSection,
  endToEndSection,
  unresponsiveEndpointsSection,
  busyWalletSection,
  partitionsSection,
  operatorsSection,
]
const LIMIT_MS = 7_200_000

const lineOf = ({ name, what }: Section): string => `  ${name.padEnd(24)}${what}`
const step = (text: string) => console.error(`… ${text}`)

/** What is wrong with the names of sections on the command line. */
function faultOfNames(names: readonly string[], compares: boolean): string | undefined {
  const sections = compares ? SECTIONS.filter(isComparable) : SECTIONS
  const unknown = names.filter((name) => !sections.some((section) => section.name === name))
  if (unknown.length === 0) return undefined
  return `bench: no section ${unknown.join(', ')}${compares ? ' compares commits' : ''}; there are ${sections.map(({ name }) => name).join(', ')}`
}

type Measured = readonly { readonly section: Section; readonly measurement: Measurement }[]

const chosen = (names: readonly string[]): readonly Section[] =>
  SECTIONS.filter(({ name }) => names.length === 0 || names.includes(name))

async function measure(names: readonly string[]): Promise<Measured> {
  const measured: Measured[number][] = []
  for (const section of chosen(names)) {
    step(`${section.name}: ${section.what}`)
    measured.push({ section, measurement: await section.run((text) => step(`  ${text}`)) })
  }
  return measured
}

async function write(measured: Measured): Promise<void> {
  const report = {
    date: new Date().toISOString(),
    machine: await describeMachine(PROJECT_ROOT),
    postgres: Object.assign({}, ...measured.map(({ measurement }) => measurement.postgres ?? {})) as Readonly<
      Record<string, string>
    >,
    sections: measured.map(({ section: { name, what }, measurement }) => ({ name, what, ...measurement })),
  }
  const path = await writeReport(report, RESULTS_FOLDER)
  console.log(`\n${formatReport(report)}\n\nwritten to ${path}.txt and .json`)
}

/** @returns the exit code */
async function bench(names: readonly string[], against: string | undefined): Promise<number> {
  if (against === undefined) {
    await write(await measure(names))
    return 0
  }
  const measured = await compareWith(against, chosen(names).filter(isComparable), step)
  await write(measured)
  const slower = measured.flatMap(({ measurement }) => measurement.figures.filter(({ reached }) => reached === false))
  for (const { name, ratio } of slower)
    console.error(`bench: ${name}: ${ratio?.toFixed(2)} × the processor time of ${against}, more than ${RATIO_MAX} ×`)
  return slower.length === 0 ? 0 : 1
}

let ending = false
async function end(code: number, reason?: string): Promise<void> {
  if (ending) return
  ending = true
  if (reason !== undefined) console.error(reason)
  await cleanUp()
  process.exit(code)
}

function withCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.stack, error.cause]
    .filter((part) => part !== undefined)
    .map(String)
    .join('\n')
}

process.on('SIGINT', () => void end(130, 'broken off'))
process.on('SIGTERM', () => void end(143, 'broken off'))
setTimeout(() => void end(1, `not done after ${LIMIT_MS / 1000} s: given up`), LIMIT_MS).unref()

const USAGE = `npm run bench -- [--against <git ref>] [sections]; all without a name:

${SECTIONS.map(lineOf).join('\n')}

--against measures today's gateway and that of another commit in turn: ${SECTIONS.filter(isComparable)
  .map(({ name }) => name)
  .join(', ')}`
const options = { against: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const fault = faultOfNames(positionals, values.against !== undefined)
  if (values.help === true) console.log(USAGE)
  else if (fault !== undefined) console.error(fault)
  else return bench(positionals, values.against)
  return values.help === true ? 0 : 2
}

const isWrongOption = (error: unknown): error is TypeError =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

await main().then(end, (error: unknown) =>
  isWrongOption(error) ? end(2, `bench: ${error.message}`) : end(1, withCause(error)),
)
