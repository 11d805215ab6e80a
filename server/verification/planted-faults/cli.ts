// `npm run faults`: plants one fault after the other, and reports which test finds it. Exits with 0 when all are found.
import { parseArgs } from 'node:util'
import { FaultedSuite } from '../../../contract-tests/strength/faults/find.ts'
import { startScratchDatabases, type ScratchDatabases } from '../testing/scratch-databases.ts'
import { BLIND_FAULTS, CATALOGUE, isOfRail, isOfSuite, type CatalogueFault } from './catalogue.ts'
import { findByRules, findByTests } from './find-by-rules.ts'
import { findInSchedules } from './find-in-schedules.ts'
import { createOutcomes, type Outcome } from './outcomes.ts'

const HELP = `npm run faults -- [options]

Plants every fault of the catalogue, one at a time, and reports which test finds it: the parts of the contract suite, one
after the other until one does; the simulation, in its two forms; the rules of rails; the tests of the admin API. About an
hour on two cores.

  --list           print the faults with the tests that find them, and end
  --only names     faults, kinds or tests, separated by commas
  --resume         continue a stopped drill: its outcomes stay valid while no source changes
  --blind          instead of the catalogue, faults that were chosen without knowing the tests: how many are found
  --seed n         of the contract suite, default 1
  --jobs n         concurrent faults, default 2`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    resume: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    blind: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const seed = Number(values.seed)
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())

const STOPPED = 130

async function main(): Promise<number> {
  if (values.help) return print(HELP, 0)
  const names = values.only?.split(',')
  const all: readonly CatalogueFault[] = values.blind ? BLIND_FAULTS : CATALOGUE
  const faults = all.filter((fault) => names?.some((name) => namesOf(fault).includes(name)) ?? true)
  const unknown = names?.filter((name) => !faults.some((fault) => namesOf(fault).includes(name))) ?? []
  if (unknown.length > 0) return print(`There is no fault, kind or test ${unknown.join(', ')}. See --list`, 2)
  if (values.list) return print(faults.map(lineOf).join('\n'), 0)
  const databases = values.blind || faults.some(isOfSuite) ? await startScratchDatabases() : undefined
  try {
    return await findEach(databases, faults)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    return print('Stopped. Continue with --resume', STOPPED)
  } finally {
    await databases?.close()
  }
}

/** Runs faults, some at a time. */
async function findEach(databases: ScratchDatabases | undefined, faults: readonly CatalogueFault[]): Promise<number> {
  const outcomes = createOutcomes(seed, { resumes: values.resume })
  const find = finder(databases, faults)
  const waiting = faults.filter(({ name }) => outcomes.of(name) === undefined).values()
  const work = async (): Promise<void> => {
    for (const fault of waiting) {
      const startedAt = performance.now()
      const detection = await find(fault).catch((error: unknown) => {
        if (stop.signal.aborted) throw error
        // Its sources do not fit together any more: nothing has found it.
        return { says: error instanceof Error ? error.message : String(error) }
      })
      const outcome = { name: fault.name, ...detection, seconds: Math.round((performance.now() - startedAt) / 1_000) }
      outcomes.add(outcome)
      console.log(outcomeLine(outcome, fault))
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
  const missed = faults.filter(({ name }) => outcomes.of(name)?.by === undefined).map(({ name }) => name)
  console.log(`${faults.length - missed.length} of ${faults.length} planted faults are found`)
  return missed.length === 0 ? 0 : print(`not found: ${missed.join(', ')}`, 1)
}

/** @returns how a fault is found: undefined when nothing finds it */
function finder(databases: ScratchDatabases | undefined, faults: readonly CatalogueFault[]) {
  const { signal } = stop
  const suite = databases && new FaultedSuite({ databases, seed, signal, log: console.error })
  const inRails = faults.filter(isOfRail).map(({ name }) => name)
  let byRules: Promise<ReadonlySet<string>> | undefined
  return async (fault: CatalogueFault): Promise<Pick<Outcome, 'by' | 'says'> | undefined> => {
    const [by] = fault.foundBy
    if (suite && isOfSuite(fault)) return suite.find(fault)
    if (isOfRail(fault)) {
      // One run for all of them: it starts a gateway.
      byRules ??= findByRules(inRails, signal)
      return (await byRules).has(fault.name) ? { by, says: fault.plant.breaks.join('; ') } : undefined
    }
    if (fault.plant.in !== 'source') throw new Error(`nothing finds ${fault.name}`)
    if (suite && values.blind) return suite.find({ ...fault, plant: fault.plant })
    const find = by.endsWith('.test.ts') ? findByTests : findInSchedules
    const says = await find({ ...fault, plant: fault.plant }, signal)
    return says === undefined ? undefined : { by, says }
  }
}

/** What `--only` takes. */
const namesOf = ({ name, kind, foundBy }: CatalogueFault): readonly string[] => [name, kind, ...foundBy]

const WIDTH = 160
const lineOf = ({ name, kind, does, foundBy }: CatalogueFault): string =>
  `${kind.padEnd(12)} ${name.padEnd(36)} ${does} (${foundBy.join(', ')})`
const outcomeLine = ({ name, by, says = '', seconds }: Outcome, { kind }: CatalogueFault): string =>
  `${kind.padEnd(12)} ${name.padEnd(36)} ${by ?? 'NOT FOUND'} (${seconds} s): ${says.slice(0, WIDTH)}`

function print(text: string, code: number): number {
  ;(code === 2 ? console.error : console.log)(text)
  return code
}

process.exit(
  await main().catch((error: unknown) =>
    print(error instanceof Error ? (error.stack ?? error.message) : String(error), 2),
  ),
)
