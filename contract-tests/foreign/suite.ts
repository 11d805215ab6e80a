import { createCoverage } from '../harness/coverage/recorder.ts'
import { beginPart, NOT_BEGUN, type PartResult } from '../harness/part.ts'
import type { WireRequest } from '../harness/proxy.ts'
import { startApiRecorder, type Record as Recorder, type RecordedTarget } from '../harness/targets.ts'
import { hiderOf, spellingsOf, type Credential } from '../driver/credentials.ts'
import { declaredOfAnyContract } from '../parts/declared/declared.ts'
import { schemathesisOfAnyContract } from '../parts/schemathesis/any-contract.ts'
import type { ContractPart, ContractTarget } from '../driver/contract-target.ts'
import { wireOfAnyContract } from '../parts/wire/any-contract.ts'
import { runPart, withAddressOf } from '../run-part.ts'
import { recording, suiteResult, type SuiteResult } from '../suite-result.ts'
import { writeContract } from './contract-file.ts'
import { foreignRules } from '../rules/all.ts'
import { createTrafficJudge, RULES_ROW, type TrafficJudge } from '../rules/judge-traffic.ts'
import { PART_NAMES } from '../suite.ts'
import { createUnanswered } from '../harness/unanswered.ts'
import type { RunSettings } from '../settings.ts'
import type { Contract } from '../../openapi/reading/contract.ts'
import type { Values } from '../driver/contract-values.ts'

/** Parts that need no knowledge of the contract's subject, quick ones first. */
export const FOREIGN_PARTS: readonly ContractPart[] = [
  declaredOfAnyContract,
  wireOfAnyContract,
  schemathesisOfAnyContract,
]

/** Parts of the suite that need Malipo's own operations. */
export const OUR_PARTS: readonly string[] = PART_NAMES.filter(
  (name) => !FOREIGN_PARTS.some((part) => part.name === name),
)

/** Settings of a run on a third party's server. */
export interface ForeignSettings extends RunSettings {
  /** Without a trailing slash. */
  readonly url: string
  /** The file's name as given. */
  readonly file: string
  readonly contract: Contract
  readonly credentials: Readonly<Record<string, Credential>>
  readonly headers: Readonly<Record<string, string>>
  readonly values: Values
}

type ForeignOptions = Omit<ForeignSettings, 'coverageMin' | 'reportDir' | 'failOn' | 'file'> & {
  readonly log: (line: string) => void
  /** Ends the run early: the result has what ran so far. */
  readonly signal?: AbortSignal
  /** Called before each part. */
  readonly onPart?: (name: string) => void
  /** Called for each request that passes the recorder. */
  readonly onExchange?: () => void
  /** Called after each part. */
  readonly onResult?: (result: PartResult) => void
}

/** For the coverage, any refusal counts: the contract says which one an operation means. */
const REFUSALS = {
  request: (status: number): boolean => status >= 400 && status < 500 && status !== 401 && status !== 403,
  keys: (status: number): boolean => status === 401 || status === 403,
}

/** The only rule for an unknown contract: no credential of the suite ever comes back. */
function rulesFor({ contract, url }: ForeignOptions, spellings: ReturnType<typeof spellingsOf>): TrafficJudge {
  const rules = foreignRules(
    spellings.map(([value, variable]) => ({ name: `the value of ${variable}`, variable, value })),
  )
  const judge = createTrafficJudge({ contract, rules, isOneServer: true })
  judge.server({ accounts: [], url, sandbox: false, isOnlyUser: false })
  return judge
}

const chosenParts = ({ only, operations }: ForeignOptions): readonly ContractPart[] =>
  FOREIGN_PARTS.filter(
    ({ name, byOperation }) =>
      (only === undefined || only.includes(name)) && (operations === undefined || byOperation === true),
  )

/** @param file path of the bundled contract */
async function startTarget(
  { url, credentials, headers, values }: ForeignOptions,
  file: string,
  record: Recorder,
): Promise<RecordedTarget<ContractTarget>> {
  const spellings = spellingsOf(credentials, headers)
  const unanswered = createUnanswered(url)
  // For programs that do not know them.
  const onRequest = (request: WireRequest) => ({ ...request, headers: { ...listed(headers), ...request.headers } })
  const api = await startApiRecorder(url, record, { unanswered, onRequest })
  const [secrets, hide] = [Object.fromEntries(spellings), hiderOf(spellings)]
  return {
    unanswered,
    target: { url: api.url, directUrl: url, contract: file, credentials, headers, values, hide, secrets },
    close: () => api.close(),
  }
}

/** Runs the general parts one after the other. A part never ends the run: whatever goes wrong is a finding. */
export async function runForeignSuite(options: ForeignOptions): Promise<SuiteResult> {
  const startedAt = performance.now()
  const { url, contract, credentials, headers, seed, size, only, log } = options
  const { operations, signal, onPart, onExchange, onResult } = options
  const spellings = spellingsOf(credentials, headers)
  const hide = hiderOf(spellings)
  const coverage = createCoverage(contract, REFUSALS)
  const rules = rulesFor(options, spellings)
  const recorded = recording(coverage, rules, log)
  const record: Recorder = (exchange, direction) => {
    recorded(exchange, direction)
    onExchange?.()
  }
  const file = await writeContract(contract)
  const start = () => startTarget(options, file.path, record)
  const results: PartResult[] = []
  try {
    for (const { name, run } of chosenParts(options)) {
      if (signal?.aborted) {
        results.push(beginPart(name, seed).skipped(NOT_BEGUN))
        continue
      }
      onPart?.(name)
      const requested = { seed, size, log, ...(operations && { operations }), ...(signal && { signal }) }
      const result = await runPart<ContractTarget>(name, start, (target) => run(target, requested), {
        seed,
        size,
        signal,
        hide: () => hide,
        presentable: (reported, target) => withAddressOf(reported, target, url, hide),
      })
      results.push(result)
      onResult?.(result)
    }
  } finally {
    await file.remove()
  }
  const judged = only === undefined || only.includes(RULES_ROW) ? rules.result() : undefined
  if (judged) {
    const reported = withAddressOf(judged, { url }, url, hide)
    results.push(reported)
    onResult?.(reported)
  }
  return suiteResult(startedAt, {
    seed,
    size,
    results,
    coverage: coverage.coverage({ failure: false, receiver: false, ...(operations && { operations }) }),
  })
}

const listed = (headers: Readonly<{ [name: string]: string }>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
