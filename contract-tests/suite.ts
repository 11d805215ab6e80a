import { additionsPart } from './parts/additions/additions.ts'
import { apartPart } from './parts/apart/apart.ts'
import { readContract, type Contract } from '../openapi/reading/contract.ts'
import { createCoverage, type CoverageRecorder } from './harness/coverage/recorder.ts'
import { withoutKeys, type Redact } from './harness/curl.ts'
import { freshLine } from './harness/lines/fresh-line.ts'
import { createHistory, type History } from './harness/lines/history.ts'
import { createPoller } from './harness/poller.ts'
import { declaredPart } from './parts/declared/declared.ts'
import { optionsPart } from './parts/options/options.ts'
import { inputsPart } from './parts/inputs/inputs.ts'
import { limitsPart } from './parts/limits/limits.ts'
import { modelPart } from './parts/model/model.ts'
import {
  beginPart,
  NOT_BEGUN,
  present,
  type Finding,
  type Part,
  type PartResult,
  type RunOptions,
  type Target,
} from './harness/part.ts'
import { outgoingPart } from './parts/outgoing/outgoing.ts'
import { receiverPart } from './parts/receiver/receiver.ts'
import { schemathesisPart } from './parts/schemathesis/part.ts'
import { runPart, withAddressOf } from './run-part.ts'
import { recording, suiteResult, type SuiteResult } from './suite-result.ts'
import type { ScratchDatabases } from '../server/verification/testing/scratch-databases.ts'
import {
  startGivenTarget,
  startOwnTarget,
  type TargetInput,
  type Record,
  type RecordedTarget,
} from './harness/targets.ts'
import { accountsOf } from './rules/accounts.ts'
import { RULES } from './rules/all.ts'
import {
  createTrafficJudge,
  RULES_ROW,
  type JudgedServer,
  type ServerJudge,
  type TrafficJudge,
} from './rules/judge-traffic.ts'
import { createWalletJudging, type WalletJudging } from './settle-wallets.ts'
import { wirePart } from './parts/wire/wire.ts'
import { workflowsPart } from './parts/workflows/workflows.ts'

/** Parts that need no special setup of the target, quick ones first. */
export const PARTS: readonly Part[] = [
  declaredPart,
  receiverPart,
  apartPart,
  additionsPart,
  outgoingPart,
  optionsPart,
  limitsPart,
  inputsPart,
  modelPart,
  workflowsPart,
  wirePart,
  schemathesisPart,
]
/** Needs gateways with its own settings, so it does not run on a third party's server. */
const OWN_ONLY = 'arranged'
export const PART_NAMES: readonly string[] = [...PARTS.map(({ name }) => name), OWN_ONLY]

export interface SuiteOptions extends RunOptions {
  /** A running server; absent: gateways of our own, one for each part. */
  readonly given?: TargetInput
  /** For our own gateways. */
  readonly databases?: ScratchDatabases
  /** Absent: all of them. */
  readonly parts?: readonly Part[]
  /** Names of parts, and of the row of the rules; absent: all. */
  readonly only?: readonly string[]
  readonly contract: string
  /** Ends the run early: the result has what ran so far. */
  readonly signal?: AbortSignal
  /** Called before each part. */
  readonly onPart?: (name: string) => void
  /** Called for each request and each message that passes a recorder. */
  readonly onExchange?: () => void
  /** Called after each part. */
  readonly onResult?: (result: PartResult) => void
}

/** Where `npm start` listens: curl lines about a gateway of our own, which is gone by then, use it. */
const STARTED_BY_HAND = 'http://127.0.0.1:8080'

/**
 * Runs the parts one after the other; on gateways of our own, those that leave a processor idle run beside them. A part
 * never ends the run: whatever goes wrong is a finding.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const startedAt = performance.now()
  const { seed, size, only, given, contract, operations, signal, onPart, onResult } = options
  const read = readContract(contract)
  const coverage = createCoverage(read)
  const isOneServer = given !== undefined
  const rules = createTrafficJudge({ contract: read, rules: RULES, isOneServer })
  const wallets = isOneServer ? createWalletJudging(read, rules, isOneServer) : undefined
  /** What the run waits for; the progress counts its traffic. */
  let front: PartTraffic | undefined
  const runOn = (part: Part, traffic: PartTraffic): Promise<PartResult> =>
    runOnePart(part, options, { rules, traffic, onExchange: () => traffic === front && options.onExchange?.() })
  const newTraffic = (): PartTraffic => createPartTraffic(read, coverage, options.log, wallets)
  const parts = await chosenParts(options, (exchange, direction) => front?.record(exchange, direction))
  const results = new Map<string, PartResult>()
  const ended = ({ name }: Part, result: PartResult): void => {
    results.set(name, result)
    onResult?.(result)
  }
  const beside = parts
    .filter(({ runsBeside }) => runsBeside && !isOneServer && !signal?.aborted)
    .map((part) => {
      const traffic = newTraffic()
      return { part, traffic, result: runOn(part, traffic) }
    })
  for (const part of parts.filter((each) => !beside.some((other) => other.part === each))) {
    if (signal?.aborted) {
      results.set(part.name, beginPart(part.name, seed).skipped(NOT_BEGUN))
      continue
    }
    onPart?.(part.name)
    front = newTraffic()
    ended(part, await runOn(part, front))
  }
  for (const { part, traffic, result } of beside) {
    onPart?.(part.name)
    front = traffic
    ended(part, await result)
  }
  // Only these parts were requested.
  const judged = only === undefined || only.includes(RULES_ROW) ? rules.result() : undefined
  if (judged) onResult?.(judged)
  return suiteResult(startedAt, {
    seed,
    size,
    results: [...parts.flatMap(({ name }) => results.get(name) ?? []), ...(judged ? [judged] : [])],
    coverage: coverage.coverage({
      failure: given === undefined,
      receiver: given === undefined || given.receiver !== undefined,
      ...(operations && { operations }),
    }),
  })
}

/** Where the traffic of one part goes. */
interface PartTraffic {
  /** Whose server it is, as soon as that is known. */
  judge?: ServerJudge
  readonly record: Record
  readonly wallets: WalletJudging
}

/** @param shared of a server that all parts use; absent: the part has one of its own */
function createPartTraffic(
  contract: Contract,
  coverage: CoverageRecorder,
  log: RunOptions['log'],
  shared: WalletJudging | undefined,
): PartTraffic {
  const rules: ServerJudge = {
    record: (exchange, direction) => traffic.judge?.record(exchange, direction),
    whole: (isWhole) => traffic.judge?.whole(isWhole),
  }
  const traffic: PartTraffic = {
    record: recording(coverage, rules, log),
    wallets: shared ?? createWalletJudging(contract, rules, false),
  }
  return traffic
}

interface PartRun {
  readonly rules: TrafficJudge
  readonly traffic: PartTraffic
  readonly onExchange: () => void
}

function runOnePart(part: Part, options: SuiteOptions, { rules, traffic, onExchange }: PartRun): Promise<PartResult> {
  const { seed, size, contract, log, operations, signal } = options
  const { wallets } = traffic
  const history = createHistory()
  const poller = createPoller()
  const remember: Record = (exchange, direction) => {
    traffic.record(exchange, direction)
    wallets.record(exchange, direction)
    onExchange()
    if (direction === 'received') return
    history.record(exchange)
    poller.record(exchange)
  }
  return runPart<Target>(
    part.name,
    () => startTarget(options, remember, (server) => (traffic.judge = rules.server(server))),
    (target) =>
      wallets.around(part, target, () =>
        poller.during(part.name, target, () =>
          part.run(
            { ...target, contract },
            { seed, size, log, ...(operations && { operations }), ...(signal && { signal }) },
          ),
        ),
      ),
    { seed, size, audited: withAudit, presentable, shown: withFreshLine(history), hide: hiderOf, signal },
  )
}

async function chosenParts(
  { only, operations, databases, parts = PARTS }: SuiteOptions,
  record: Record,
): Promise<readonly Part[]> {
  // Loaded only here: it brings all of our gateway.
  const arranged =
    databases &&
    (await import('./parts/arranged/arranged.ts')).arrangedPart({
      newDatabase: () => databases.create(),
      onExchange: (exchange) => record(exchange, 'asked'),
    })
  return [...parts, ...(arranged ? [arranged] : [])].filter(
    ({ name, byOperation }) =>
      (only === undefined || only.includes(name)) && (operations === undefined || byOperation === true),
  )
}

/** The server of a part, whose traffic is judged from now on. */
async function startTarget(
  { given, databases, seed }: SuiteOptions,
  record: Record,
  judge: (server: JudgedServer) => void,
): Promise<RecordedTarget> {
  const started = await (given
    ? startGivenTarget(given, record)
    : startOwnTarget(present(databases, 'database for a gateway of our own'), seed, record))
  const { target } = started
  judge({
    accounts: accountsOf(target),
    url: addressShown(target),
    sandbox: target.sandbox,
    isOnlyUser: target.own !== undefined || target.isOnlyUser === true,
  })
  return started
}

/** Whatever a part has done to a gateway of our own, its ledger must balance and its jobs must be done in the end. */
async function withAudit(result: PartResult, { own }: Target): Promise<PartResult> {
  if (!own) return result
  const faults = await own.audit()
  const findings = [
    ...result.findings,
    ...faults.map((what): Finding => ({ about: 'ledger and jobs', what: `after the part ${result.part}: ${what}` })),
  ]
  return { ...result, findings, checks: result.checks + 1, status: faults.length > 0 ? 'findings' : result.status }
}

const addressShown = ({ own, url, directUrl = url }: Target): string => (own ? STARTED_BY_HAND : directUrl)

/** The line of a finding in a repeatable form. */
const withFreshLine =
  (history: History) =>
  (finding: Finding, target: Target): Finding => {
    const { curl } = finding
    if (curl === undefined) return finding
    return { ...finding, curl: freshLine(curl, history, { url: target.url, hide: hiderOf(target) }) }
  }

const hiderOf =
  (target: Target): Redact =>
  (text, asVariable) =>
    withoutKeys(text, target, asVariable)

/** Removes keys from everything that is printed and kept. */
const presentable = (result: PartResult, target: Target): PartResult =>
  withAddressOf(result, target, addressShown(target), hiderOf(target))
