// A process of the drill: one run of a part against a gateway with a fault, whose source is edited already.
import { freePort } from '../../../server/verification/testing/free-port.ts'
import type { ScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import { startOwnGateway } from '../../harness/own-gateway.ts'
import { present, type Finding, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { startProxy } from '../../harness/proxy.ts'
import { recheckFindings } from '../../harness/recheck.ts'
import { rulesAround } from '../../rules/around.ts'
import { arrangedPart } from '../../parts/arranged/arranged.ts'
import { allOurCases } from '../../parts/wire/cases/all.ts'
import { runModel, SIZES } from '../../parts/model/model.ts'
import { runWire } from '../../parts/wire/wire.ts'
import { PARTS } from '../../suite.ts'

export type Connection = Awaited<ReturnType<ScratchDatabases['create']>>

export interface RunOrder {
  readonly part: string
  readonly connection: Connection
  /** For a part with a gateway of its own. */
  readonly spare?: Connection
  readonly seed: number
}

export interface RunReport {
  /** The part's, and those of the rules over all its exchanges. */
  readonly findings: readonly Finding[]
  /** Why the findings prove nothing: the part was skipped, or the gateway was overloaded. */
  readonly trouble?: string
}

/** Without a merchant's server of their own: the gateway's inbox answers. */
const WITHOUT_RECEIVER = ['schemathesis']
/** No flood of connections: each takes four open files here. */
const WIRE = { atOnce: 16, caseMs: 8_000, slowMs: 30_000, halfOpen: 50, ofEachSlowKind: 5, casesOf: allOurCases }
/** Twice as many lists of commands as for a pull request: the drill has the time. */
const MODEL = { ...SIZES['pull-request'], runs: 40 }

/** The reason of a reply about an operator that is silent: a test number asks for it. */
const OPERATOR_AWAY = '"operator_unavailable"'

async function run({ part: name, connection, spare, seed }: RunOrder): Promise<RunReport> {
  const part = present(
    [...PARTS, ...(spare ? [arrangedPart({ newDatabase: async () => spare })] : [])].find((each) => each.name === name),
    `part ${name}`,
  )
  const receives = WITHOUT_RECEIVER.includes(name) ? {} : { receiverPort: await freePort() }
  const gateway = await startOwnGateway({ connection, ...receives })
  let overload: string | undefined
  const api = await startProxy({
    to: gateway.url,
    // A 503 on a busy machine proves nothing about the fault.
    onReply: (reply, { method, path }) => {
      if (reply.status === 503 && !reply.body.includes(OPERATOR_AWAY)) overload ??= `503 to ${method} ${path}`
      return reply
    },
  })
  const watched = await rulesAround({ ...gateway, url: api.url, directUrl: gateway.url })
  const options: RunOptions = { seed, size: 'pull-request', log: () => undefined }
  const runIt = (target: Target): Promise<PartResult> => {
    if (name === 'wire') return runWire(target, options, WIRE)
    return name === 'model' ? runModel(target, options, MODEL) : part.run(target, options)
  }
  // As the suite does: a time-dependent finding must recur.
  const own = await recheckFindings(await watched.run(part, runIt))
  const trouble = own.status === 'skipped' ? own.reason : overload
  return {
    findings: [...own.findings, ...(watched.result()?.findings ?? [])],
    ...(trouble !== undefined && { trouble }),
  }
}

const report = JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as RunOrder))
// Findings may be more than a pipe holds: an exit would cut them off.
process.stdout.write(`${report}\n`, () => process.exit(0))
