import { eventOf, type Event, type Recorder, type ToolFailure } from './events.ts'
import type { NamedKey } from './key-ring.ts'
import type { Profile, RunOptions } from './options.ts'
import { reproductionOf, type Reproduction } from './reproduction.ts'
import { CHECKS, excludedPhases } from './settings.ts'
import type { CheckFigures, Exclusions, Failure, OperationFigures } from './types.ts'

interface Figures {
  cases: number
  failures: number
  readonly statuses: Record<string, number>
}

export interface Findings {
  readonly cases: number
  readonly failures: readonly Failure[]
  readonly perOperation: Readonly<Record<string, OperationFigures>>
  readonly checks: Readonly<Record<string, CheckFigures>>
  readonly exclusions: Exclusions
  readonly businessRefusals: number
  /** Whether the contract was read at all. */
  readonly loaded: boolean
  /** `completed`, another reason, or absent when the run did not end on its own. */
  readonly stopReason?: string
  /** Errors that kept Schemathesis from its work. */
  readonly errors: readonly { readonly type: string; readonly message: string }[]
}

interface ReportContext {
  readonly baseUrl: string
  /** Every key that was sent. */
  readonly keys: readonly NamedKey[]
  readonly isBusinessRefusal: Profile['isBusinessRefusal'] | undefined
  /** What ran; absent: all. */
  readonly phases: RunOptions['phases'] | undefined
}

/** What has been read so far. */
interface Tally {
  readonly reading: ReportContext
  readonly failures: Map<string, Failure>
  readonly perOperation: Map<string, Figures>
  readonly checks: Map<string, { passed: number; failed: number }>
  readonly errors: { readonly type: string; readonly message: string }[]
  cases: number
  businessRefusals: number
  filtered: number
  unselected: number
  loaded: boolean
  stopReason?: string
}

/** Reads the findings from the report; the tool's exit code would not distinguish findings from accidents. */
export function readReport(report: string, reading: ReportContext): Findings {
  const tally: Tally = {
    reading,
    failures: new Map(),
    perOperation: new Map(),
    checks: new Map(),
    errors: [],
    cases: 0,
    businessRefusals: 0,
    filtered: 0,
    unselected: 0,
    loaded: false,
  }
  for (const line of report.split('\n')) {
    const event = eventOf(line)
    if (event) readEvent(tally, event)
  }
  const { failures, perOperation, checks, errors, cases, businessRefusals, filtered, unselected, loaded } = tally
  return {
    cases,
    failures: [...failures.values()],
    perOperation: Object.fromEntries(perOperation),
    checks: Object.fromEntries(checks),
    errors,
    loaded,
    businessRefusals,
    exclusions: {
      phases: excludedPhases(reading.phases),
      checks: CHECKS.filter((name) => !checks.has(name)),
      operations: unselected,
      failures: filtered,
    },
    ...(tally.stopReason !== undefined && { stopReason: tally.stopReason }),
  }
}

function readEvent(tally: Tally, event: Event): void {
  if ('ScenarioFinished' in event) readScenario(tally, event.ScenarioFinished.phase, event.ScenarioFinished.recorder)
  else if ('LoadingFinished' in event) {
    tally.loaded = true
    const { total = 0, selected = 0 } = event.LoadingFinished.statistic.operations
    tally.unselected = total - selected
  } else if ('NonFatalError' in event) {
    const { label, value } = event.NonFatalError
    tally.errors.push({ type: value.type ?? 'Error', message: `${label}: ${value.message}` })
  } else if ('FatalError' in event) {
    const { type = 'Error', message } = event.FatalError.exception
    tally.errors.push({ type, message })
  } else if ('EngineFinished' in event) {
    tally.stopReason = event.EngineFinished.stop_reason
    for (const failure of event.EngineFinished.failures ?? [])
      addToolFailure(tally, failure.type, failure, failure.operation ?? 'the whole run', () => ({
        curl: '',
        before: [],
      }))
  }
}

function readScenario(tally: Tally, phase: string, recorder: Recorder): void {
  const { label, cases: made = {}, checks = {}, interactions = {}, filtered_failures = {} } = recorder
  const isSequence = phase === 'stateful'
  const operationOf = (id: string) => (isSequence ? `${made[id]?.value.method} ${made[id]?.value.path}` : label)
  const shown = (id: string) => reproductionOf(id, { recorder, isSequence, ...tally.reading })
  for (const [id, { response }] of Object.entries(interactions)) {
    if (!response) continue
    const operation = operationOf(id)
    tally.cases++
    const figures = figuresOf(tally, operation)
    figures.cases++
    figures.statuses[response.status_code] = (figures.statuses[response.status_code] ?? 0) + 1
    const isPositive =
      made[id]?.value.meta?.generation.mode === 'positive' &&
      checks[id]?.some(({ name }) => name === 'positive_data_acceptance')
    if (response.status_code !== 400 || !isPositive) continue
    const text = Buffer.from(response.content?.$base64 ?? '', 'base64').toString('utf8')
    judgeRefusal(tally, operation, text, () => shown(id))
  }
  for (const [id, nodes] of Object.entries(checks)) {
    for (const { name, status, failure_info } of nodes) {
      const figures = entry(tally.checks, name, () => ({ passed: 0, failed: 0 }))
      if (status === 'success') figures.passed++
      else figures.failed++
      const failure = failure_info?.failure
      if (!failure) continue
      const about = interactions[failure.case_id ?? id] ? (failure.case_id ?? id) : id
      addToolFailure(tally, name, failure, failure.operation ?? operationOf(id), () => shown(about))
    }
  }
  for (const count of Object.values(filtered_failures)) tally.filtered += count
}

/** Valid data was answered 400. */
function judgeRefusal(tally: Tally, operation: string, text: string, shown: () => Reproduction): void {
  const { isBusinessRefusal } = tally.reading
  if (!isBusinessRefusal) return
  if (isBusinessRefusal(text)) tally.businessRefusals++
  else
    addFailure(tally, `positive_data_acceptance ${operation}`, () => ({
      operation,
      check: 'positive_data_acceptance',
      title: 'Schema-valid request rejected',
      message: shortened(
        `Valid data should have been accepted, or refused by a declared business rule. The reply was 400: ${text}`,
      ),
      ...shown(),
    }))
}

function addToolFailure(
  tally: Tally,
  check: string,
  failure: ToolFailure,
  operation: string,
  shown: () => Reproduction,
): void {
  addFailure(tally, identityOf(check, failure, operation), () => ({
    operation,
    check,
    title: failure.title,
    message: shortened(failure.message),
    ...shown(),
  }))
}

/** The first occurrence is reported. */
function addFailure(tally: Tally, identity: string, reported: () => Failure): void {
  if (tally.failures.has(identity)) return
  const failure = reported()
  tally.failures.set(identity, failure)
  figuresOf(tally, failure.operation).failures++
}

const figuresOf = ({ perOperation }: Tally, operation: string): Figures =>
  entry(perOperation, operation, (): Figures => ({ cases: 0, failures: 0, statuses: {} }))

/** One finding per operation, check and fault; a schema fault is identified by the part of the schema. */
function identityOf(check: string, failure: ToolFailure, operation: string): string {
  return [check, operation, failure.type, failure.title, detailOf(failure)].join(' ')
}

function detailOf({ type, message }: ToolFailure): string {
  if (type === 'JsonSchemaError') return /^Schema[^\n]*:\n([\s\S]*?)(?:\nValue|$)/m.exec(message)?.[1] ?? message
  return ['UndefinedStatusCode', 'UndefinedContentType', 'MissingHeaders'].includes(type) ? message : ''
}

const MESSAGE_LENGTH_MAX = 1_000
const shortened = (text: string): string =>
  text.length > MESSAGE_LENGTH_MAX ? `${text.slice(0, MESSAGE_LENGTH_MAX)}…` : text

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
