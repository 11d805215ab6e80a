// `npm run bench`: measures the gateway and its peers on this machine, in one run; `npm run bench -- end-to-end wallet` runs some
// sections only. Prints tables, writes them to dist/bench/ and exits with 0 whether or not the targets are reached: a
// busy machine is no failure of the code. Exits with 1 when something could not be measured.
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
const LIMIT_MS = 3_600_000
/** Former names of sections, and their present ones. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['lives', 'end-to-end'],
  ['dead-hosts', 'unresponsive-endpoints'],
])

const lineOf = ({ name, what }: Section): string => `  ${name.padEnd(24)}${what}`
const step = (text: string) => console.error(`… ${text}`)

/** What is wrong with the names of sections on the command line. */
function faultOfNames(names: readonly string[]): string | undefined {
  const renamed = names.find((name) => RENAMED.has(name))
  if (renamed !== undefined) return `bench: the section ${renamed} is now called ${RENAMED.get(renamed)}`
  const unknown = names.filter((name) => !SECTIONS.some((section) => section.name === name))
  if (unknown.length === 0) return undefined
  return `bench: no section ${unknown.join(', ')}; there are ${SECTIONS.map(({ name }) => name).join(', ')}`
}

async function bench(names: readonly string[]): Promise<void> {
  const measured: { readonly section: Section; readonly measurement: Measurement }[] = []
  for (const section of SECTIONS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    step(`${section.name}: ${section.what}`)
    measured.push({ section, measurement: await section.run((text) => step(`  ${text}`)) })
  }
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

const names = process.argv.slice(2)
if (names.some((name) => name === '--help' || name === '-h')) {
  console.log(`npm run bench -- [sections]; all without a name:\n\n${SECTIONS.map(lineOf).join('\n')}`)
  await end(0)
}
const fault = faultOfNames(names)
if (fault !== undefined) await end(2, fault)
await bench(names).then(
  () => end(0),
  (error: unknown) => end(1, withCause(error)),
)
