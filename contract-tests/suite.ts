import { apartPart } from './parts/apart/apart.ts'
import { arrangedPart } from './parts/arranged/arranged.ts'
import { readContract } from '../openapi/reading/contract.ts'
import { createCoverage } from './harness/coverage/recorder.ts'
import { withoutKeys, type Redact } from './harness/curl.ts'
import { freshLine } from './harness/lines/fresh-line.ts'
import { createHistory, type History } from './harness/lines/history.ts'
import { createPoller } from './harness/poller.ts'
import { declaredPart } from './parts/declared/declared.ts'
import { optionsPart } from './parts/options/options.ts'
import { parityPart } from './parts/mock/parity.ts'
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
import { createTrafficJudge, RULES_ROW, type TrafficJudge } from './rules/judge-traffic.ts'
import { createWalletJudging } from './settle-wallets.ts'
import { wirePart } from './parts/wire/wire.ts'
import { workflowsPart } from './parts/workflows/workflows.ts'

/** Parts that need no special setup of the target, quick ones first. */
export const PARTS: readonly Part[] = [
  declaredPart,
  receiverPart,
  apartPart,
  outgoingPart,
  optionsPart,
  limitsPart,
  inputsPart,
  modelPart,
  workflowsPart,
  parityPart,
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

/** Runs the parts one after the other. A part never ends the run: whatever goes wrong is a finding. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const startedAt = performance.now()
  const { seed, size, only, given, contract, log, operations, signal, onPart, onExchange, onResult } = options
  const read = readContract(contract)
  const coverage = createCoverage(read)
  const isOneServer = given !== undefined
  const rules = createTrafficJudge({ contract: read, rules: RULES, isOneServer })
  const record = recording(coverage, rules, log)
  const poller = createPoller()
  const wallets = createWalletJudging(read, rules, isOneServer)
  const results: PartResult[] = []
  for (const part of chosenParts(options, record)) {
    if (signal?.aborted) {
      results.push(beginPart(part.name, seed).skipped(NOT_BEGUN))
      continue
    }
    onPart?.(part.name)
    const history = createHistory()
    const remember: Record = (exchange, direction) => {
      record(exchange, direction)
      wallets.record(exchange, direction)
      onExchange?.()
      if (direction === 'received') return
      history.record(exchange)
      poller.record(exchange)
    }
    const result = await runPart<Target>(
      part.name,
      () => startTarget(options, remember, rules),
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
    results.push(result)
    onResult?.(result)
  }
  // Only these parts were requested.
  const judged = only === undefined || only.includes(RULES_ROW) ? rules.result() : undefined
  if (judged) {
    results.push(judged)
    onResult?.(judged)
  }
  return suiteResult(startedAt, {
    seed,
    size,
    results,
    coverage: coverage.coverage({
      failure: given === undefined,
      receiver: given === undefined || given.receiver !== undefined,
      ...(operations && { operations }),
    }),
  })
}

function chosenParts({ only, operations, databases, parts = PARTS }: SuiteOptions, record: Record): readonly Part[] {
  const arranged =
    databases &&
    arrangedPart({ newDatabase: () => databases.create(), onExchange: (exchange) => record(exchange, 'asked') })
  return [...parts, ...(arranged ? [arranged] : [])].filter(
    ({ name, byOperation }) =>
      (only === undefined || only.includes(name)) && (operations === undefined || byOperation === true),
  )
}

/** The server of a part, whose traffic is judged from now on. */
async function startTarget(
  { given, databases, seed }: SuiteOptions,
  record: Record,
  rules: TrafficJudge,
): Promise<RecordedTarget> {
  const started = await (given
    ? startGivenTarget(given, record)
    : startOwnTarget(present(databases, 'database for a gateway of our own'), seed, record))
  const { target } = started
  rules.server({
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
