import { arrangedPart } from './parts/arranged/arranged.ts'
import { readContract } from '../openapi/reading/contract.ts'
import { createCoverage } from './harness/coverage/recorder.ts'
import type { Coverage } from './harness/coverage/summary.ts'
import { withoutKeys } from './harness/curl.ts'
import { declaredPart } from './parts/declared/declared.ts'
import { parityPart } from './parts/mock/parity.ts'
import { modelPart } from './parts/model/model.ts'
import {
  beginPart,
  present,
  type Finding,
  type Part,
  type PartResult,
  type RunOptions,
  type Target,
} from './harness/part.ts'
import { receiverPart } from './parts/receiver/receiver.ts'
import { schemathesisPart } from './parts/schemathesis/part.ts'
import type { ScratchDatabases } from '../server/testing/scratch-databases.ts'
import {
  startGivenTarget,
  startOwnTarget,
  type GivenTarget,
  type Record,
  type RecordedTarget,
} from './harness/targets.ts'
import { wirePart } from './parts/wire/wire.ts'
import { workflowsPart } from './parts/workflows/workflows.ts'

/** Parts that take a target as it is, quick ones first. */
export const PARTS: readonly Part[] = [
  declaredPart,
  receiverPart,
  modelPart,
  workflowsPart,
  parityPart,
  wirePart,
  schemathesisPart,
]
/** Needs gateways that it can set up as it likes, so there is none for a server of somebody else. */
export const OWN_ONLY = 'arranged'
export const PART_NAMES: readonly string[] = [...PARTS.map(({ name }) => name), OWN_ONLY]

export interface SuiteOptions extends RunOptions {
  /** A server that runs; absent: gateways of our own, one for each part. */
  readonly given?: GivenTarget
  /** For our own gateways. */
  readonly databases?: ScratchDatabases
  /** Absent: all that there are. */
  readonly parts?: readonly Part[]
  /** Names of parts; absent: all. */
  readonly only?: readonly string[]
  readonly contract: string
  /** Told after each part. */
  readonly onResult?: (result: PartResult) => void
}

export interface SuiteResult {
  readonly seed: number
  readonly size: RunOptions['size']
  readonly results: readonly PartResult[]
  /** Of all parts, each once. */
  readonly findings: readonly Finding[]
  /** Parts, or some of their checks, that did not run, with the reason. */
  readonly warnings: readonly string[]
  readonly coverage: Coverage
  readonly durationMs: number
}

const PART_MS_MAX: Readonly<globalThis.Record<RunOptions['size'], number>> = {
  'pull-request': 10 * 60_000,
  nightly: 6 * 3_600_000,
}
/** Where `npm start` listens: curl lines about a gateway of our own, which is gone by then, lead there. */
const STARTED_BY_HAND = 'http://127.0.0.1:8080'

/** Runs the parts one after the other. What a part does never ends the run: whatever goes wrong is a finding. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const startedAt = performance.now()
  const { seed, size, only, given, databases, contract, log, onResult, parts: takenParts = PARTS } = options
  const coverage = createCoverage(readContract(contract))
  const record: Record = (exchange, direction) => {
    try {
      coverage.record(exchange, direction)
    } catch (error) {
      log(`coverage: an exchange could not be read: ${String(error)}`)
    }
  }
  const start = (): Promise<RecordedTarget> =>
    given
      ? startGivenTarget(given, record)
      : startOwnTarget(present(databases, 'database for a gateway of our own'), seed, record)
  const parts = [
    ...takenParts,
    ...(databases
      ? [arrangedPart({ newDatabase: () => databases.create(), onExchange: (exchange) => record(exchange, 'asked') })]
      : []),
  ].filter(({ name }) => only === undefined || only.includes(name))

  const results: PartResult[] = []
  for (const part of parts) {
    const result = await runPart(part, start, contract, { seed, size, log })
    results.push(result)
    onResult?.(result)
  }
  return {
    seed,
    size,
    results,
    findings: distinct(results.flatMap(({ findings }) => findings)),
    warnings: results.flatMap(({ part, reason }) => (reason === undefined ? [] : [`${part}: ${reason}`])),
    coverage: coverage.coverage({
      failure: given === undefined,
      receiver: given === undefined || given.receiver !== undefined,
    }),
    durationMs: Math.round(performance.now() - startedAt),
  }
}

async function runPart(
  part: Part,
  start: () => Promise<RecordedTarget>,
  contract: string,
  options: RunOptions,
): Promise<PartResult> {
  const { done } = beginPart(part.name, options.seed)
  const broken = (error: unknown): PartResult => {
    const what = `the part came to no end: ${error instanceof Error ? error.message : String(error)}`
    return done({ cases: 0, checks: 0, findings: [{ about: part.name, what }] })
  }
  let recorded: RecordedTarget | undefined
  let late: NodeJS.Timeout | undefined
  try {
    recorded = await start()
    const target: Target = { ...recorded.target, contract }
    const timeLimit = new Promise<never>((_resolve, reject) => {
      late = setTimeout(
        () => reject(new Error(`it took longer than ${PART_MS_MAX[options.size] / 60_000} minutes`)),
        PART_MS_MAX[options.size],
      )
    })
    return presentable(await withAudit(await Promise.race([part.run(target, options), timeLimit]), target), target)
  } catch (error) {
    // What an exception says goes into the same reports.
    return recorded ? presentable(broken(error), recorded.target) : broken(error)
  } finally {
    clearTimeout(late)
    await recorded?.close()
  }
}

/** Whatever a part has done to a gateway of our own, its books must balance and its work must be done in the end. */
async function withAudit(result: PartResult, { own }: Target): Promise<PartResult> {
  if (!own) return result
  const faults = await own.audit()
  const findings = [
    ...result.findings,
    ...faults.map((what): Finding => ({ about: 'books and work', what: `after the part ${result.part}: ${what}` })),
  ]
  return { ...result, findings, checks: result.checks + 1, status: faults.length > 0 ? 'findings' : result.status }
}

/** The recorders' addresses are of no use to a reader, and no key may be in what is printed and kept. */
function presentable(result: PartResult, target: Target): PartResult {
  const shown = target.own ? STARTED_BY_HAND : (target.directUrl ?? target.url)
  const { hostname, port, host } = new URL(shown)
  // As an address, as a Host header, and as `nc` takes it.
  const elsewhere = (text: string, url: string): string => {
    const own = new URL(url)
    return text
      .replaceAll(url, shown)
      .replaceAll(own.host, host)
      .replaceAll(`${own.hostname} ${own.port}`, `${hostname} ${port}`)
  }
  const plain = (text: string): string =>
    withoutKeys([target.url, target.directUrl ?? target.url].reduce(elsewhere, text), target)
  return {
    ...result,
    ...(result.reason !== undefined && { reason: plain(result.reason) }),
    findings: result.findings.map(({ about, what, curl }) => ({
      about,
      what: plain(what),
      ...(curl !== undefined && { curl: plain(curl) }),
    })),
  }
}

const distinct = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.about} ${finding.what}`, finding])).values(),
]
