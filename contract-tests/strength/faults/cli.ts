// `npm run faults [-- --only name,group --parts schemathesis,model --resume]`: plants one fault at a time in the proxies around a gateway, and records which part of the contract tests finds it. Exits with 0 when every fault was found by some part.
import { parseArgs } from 'node:util'
import { FAULTS } from './all.ts'
import { atOnceText, findAtOnce } from './at-once.ts'
import { spread } from './choose.ts'
import { DRILL_PARTS } from './drill-parts.ts'
import type { Fault } from './fault.ts'
import { drillFaults, type DrillOptions } from './fault-drill.ts'
import { startDrillWorkers } from './drill-workers.ts'
import { readKeptOutcomes } from './kept-outcomes.ts'
import { DrillStopped } from './run.ts'
import { startScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import { tableText, totalsOf, writeTable } from './table.ts'

const HELP = `node contract-tests/strength/faults/cli.ts [options]

Without options: all faults, and after each outcome the table so far in dist/contract-tests/faults.txt and faults.json.

  --resume         continue a stopped drill: outcomes stay valid while contract, seed, fault and part are the same
  --only names     faults or whole groups, separated by commas
  --parts names    parts of the contract tests; default: all
  --full           run every part against every fault that it can see; otherwise until one has found it, and Schemathesis
  --seed n         default 1
  --jobs n         concurrent processes that plant faults, default 2
  --at-once n      n faults, spread over all groups, in one server: the number of different findings
  --list           print the faults with the parts that can see them, and end`

const FOLDER = new URL('../../../dist/contract-tests/', import.meta.url)
const STOPPED = 130

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    parts: { type: 'string' },
    full: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
    'at-once': { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function main(): Promise<number> {
  const names = values.only?.split(',')
  const faults = FAULTS.filter(({ name, group }) => names?.some((given) => given === name || given === group) ?? true)
  const wanted = values.parts?.split(',')
  const parts = DRILL_PARTS.filter(({ name }) => wanted?.includes(name) ?? true)
  if (values.help) return said(HELP, 0)
  if (values.list) return said(faults.map(lineOf).join('\n'), 0)
  if (faults.length === 0 || parts.length === 0) return said('There is no such fault or part. See --list and --help', 2)

  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())
  const databases = await startScratchDatabases()
  const holders = startDrillWorkers()
  try {
    const count = values['at-once']
    if (count !== undefined)
      return await atOnce({ databases, parts, faults, count: Number(count), signal: stop.signal })
    const drill = await drillFaults({
      databases,
      parts,
      faults,
      seed: Number(values.seed),
      jobs: Number(values.jobs),
      full: values.full,
      log: console.error,
      hold: holders.hold,
      signal: stop.signal,
      ...(values.resume && {
        kept: (fingerprint) => readKeptOutcomes(new URL('faults.json', FOLDER), FAULTS, fingerprint),
      }),
      onOutcome: (soFar) => writeTable(soFar, FOLDER),
    })
    writeTable(drill, FOLDER)
    return said(tableText(drill), totalsOf(drill).survivors.length === 0 ? 0 : 1)
  } catch (error) {
    if (!(error instanceof DrillStopped)) throw error
    console.error('Stopped. Go on with --resume')
    return STOPPED
  } finally {
    await holders.close()
    await databases.close()
  }
}

/** Of 65 at least 60. */
const SAID_MIN = 60 / 65

async function atOnce({
  count,
  faults,
  ...rest
}: Pick<DrillOptions, 'databases' | 'parts' | 'faults' | 'signal'> & { readonly count: number }): Promise<number> {
  const seed = Number(values.seed)
  const found = await findAtOnce({ ...rest, faults: spread(faults, seed, count), seed, log: console.error })
  return said(atOnceText(found), found.things.length >= count * SAID_MIN ? 0 : 1)
}

/** One fault, and the parts that can see it: one of them must find it. */
function lineOf(fault: Fault): string {
  const parts = DRILL_PARTS.filter((part) => part.reaches(fault)).map(({ name }) => name)
  return `${fault.group.padEnd(10)} ${fault.name.padEnd(36)} ${fault.what} (${parts.join(', ')})`
}

function said(text: string, code: number): number {
  ;(code === 2 ? console.error : console.log)(text)
  return code
}

process.exit(await main().catch((error: unknown) => said(error instanceof Error ? error.message : String(error), 2)))
