// A process of the drill: one run of a part against a gateway with a fault, whose source is edited already.
import { present, type Finding, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { recheckFindings } from '../../harness/recheck.ts'
import { rulesAround } from '../../rules/around.ts'
import { arrangedPart } from '../../parts/arranged/arranged.ts'
import { allOurCases } from '../../parts/wire/cases/all.ts'
import { runModel, SIZES } from '../../parts/model/model.ts'
import { runWire } from '../../parts/wire/wire.ts'
import { PARTS } from '../../suite.ts'
import { faultNamed } from './all.ts'
import { signedAnew } from './sign.ts'
import { openSite, type Connection } from './site.ts'

export interface RunOrder {
  readonly part: string
  /** The name of a fault in traffic; absent: none. */
  readonly fault?: string
  /** Messages are signed anew, as faults need it, and nothing else is changed. */
  readonly isControl?: true
  readonly connection: Connection
  /** For a part with a gateway of its own. */
  readonly spare?: Connection
  readonly seed: number
}

export interface RunReport {
  /** The part's, and those of the rules over all its exchanges. */
  readonly findings: readonly Finding[]
  /** Why the findings prove nothing: the part was skipped, or the gateway failed by itself. */
  readonly trouble?: string
}

/** Without a merchant's server of their own: the gateway's inbox answers. */
const WITHOUT_RECEIVER = ['schemathesis']
/** No flood of connections: each takes four open files here. */
const WIRE = { atOnce: 16, caseMs: 8_000, slowMs: 30_000, halfOpen: 50, ofEachSlowKind: 5, casesOf: allOurCases }
/** Twice as many lists of commands as for a pull request: the drill has the time. */
const MODEL = { ...SIZES['pull-request'], runs: 40 }

async function run({ part: name, fault, isControl, connection, spare, seed }: RunOrder): Promise<RunReport> {
  const part = present(
    [...PARTS, ...(spare ? [arrangedPart({ newDatabase: async () => spare })] : [])].find((each) => each.name === name),
    `part ${name}`,
  )
  const untouched = isControl ? signedAnew : () => ({})
  const site = await openSite(connection, fault === undefined ? untouched : faultNamed(fault).plant, {
    receives: !WITHOUT_RECEIVER.includes(name),
  })
  const watched = await rulesAround(site.target)
  const options: RunOptions = { seed, size: 'pull-request', log: () => undefined }
  const runIt = (target: Target): Promise<PartResult> => {
    if (name === 'wire') return runWire(target, options, WIRE)
    return name === 'model' ? runModel(target, options, MODEL) : part.run(target, options)
  }
  // As the suite does: a time-dependent finding must recur.
  const own = await recheckFindings(await watched.run(part, runIt))
  const trouble = own.status === 'skipped' ? own.reason : site.trouble()
  return {
    findings: [...own.findings, ...(watched.result()?.findings ?? [])],
    ...(trouble !== undefined && { trouble }),
  }
}

const report = JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as RunOrder))
// Findings may be more than a pipe holds: an exit would cut them off.
process.stdout.write(`${report}\n`, () => process.exit(0))
