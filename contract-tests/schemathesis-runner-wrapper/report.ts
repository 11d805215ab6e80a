import { eventOf, type Event, type Interaction, type Recorder, type ToolFailure } from './events.ts'
import type { NamedKey } from './key-ring.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Profile, RunOptions } from './options.ts'
import type { RequestAt } from './refused-field.ts'
import { createRejections, type Rejection } from './rejections.ts'
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
  /** What was tested. */
  readonly contract?: OpenApiDocument
}

/** What has been read so far. */
const newTally = (reading: ReportContext) => ({
  reading,
  failures: new Map<string, Failure>(),
  rejections: createRejections(reading.contract),
  perOperation: new Map<string, Figures>(),
  checks: new Map<string, { passed: number; failed: number }>(),
  errors: [] as Findings['errors'][number][],
  cases: 0,
  businessRefusals: 0,
  filtered: 0,
  unselected: 0,
  loaded: false,
  stopReason: undefined as string | undefined,
})
type Tally = ReturnType<typeof newTally>

/** Reads the findings from the report; the tool's exit code would not distinguish findings from accidents. */
export function readReport(report: string, reading: ReportContext): Findings {
  const tally = newTally(reading)
  for (const line of report.split('\n')) {
    const event = eventOf(line)
    if (event) readEvent(tally, event)
  }
  for (const failure of tally.rejections.failures())
    addFailure(tally, `${failure.operation} ${failure.title} ${failure.response?.status}`, () => failure)
  const { failures, perOperation, checks, errors, cases, businessRefusals, loaded, stopReason } = tally
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
      operations: tally.unselected,
      failures: tally.filtered,
    },
    ...(stopReason !== undefined && { stopReason }),
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

/** What is known of the exchanges of a scenario, by the id of their case. */
interface Scenario {
  readonly recorder: Recorder
  operationOf(id: string): string
  requestOf(id: string): RequestAt | undefined
  shown(id: string): Reproduction
}

function readScenario(tally: Tally, phase: string, recorder: Recorder): void {
  const { label, cases: made = {}, interactions = {}, filtered_failures = {} } = recorder
  const isSequence = phase === 'stateful'
  const operationOf = (id: string) => (isSequence ? `${made[id]?.value.method} ${made[id]?.value.path}` : label)
  const scenario: Scenario = {
    recorder,
    operationOf,
    shown: (id) => reproductionOf(id, { recorder, isSequence, ...tally.reading }),
    requestOf(id) {
      const { request } = interactions[id] ?? {}
      return request && { ...request, path: operationOf(id).replace(/^\S+ /, '') }
    },
  }
  readInteractions(tally, scenario)
  readChecks(tally, scenario)
  for (const count of Object.values(filtered_failures)) tally.filtered += count
}

function readInteractions(tally: Tally, { recorder, operationOf, requestOf, shown }: Scenario): void {
  const { cases: made = {}, checks = {}, interactions = {} } = recorder
  for (const [id, { response }] of Object.entries(interactions)) {
    if (!response) continue
    const { status_code: status } = response
    const [operation, request] = [operationOf(id), requestOf(id)]
    tally.cases++
    const figures = figuresOf(tally, operation)
    figures.cases++
    figures.statuses[status] = (figures.statuses[status] ?? 0) + 1
    if (request && status < 300) tally.rejections.accept(operation, request)
    const isPositive =
      made[id]?.value.meta?.generation.mode === 'positive' &&
      checks[id]?.some(({ name }) => name === 'positive_data_acceptance')
    if (status !== 400 || !isPositive || !request) continue
    judgeRefusal(tally, { operation, request, status, reply: textOf(response), shown: () => shown(id) })
  }
}

function readChecks(tally: Tally, { recorder, operationOf, requestOf, shown }: Scenario): void {
  const { checks = {}, interactions = {} } = recorder
  for (const [id, nodes] of Object.entries(checks)) {
    const failed = nodes.flatMap(({ name, failure_info }) => (failure_info?.failure ? [name] : []))
    const consequences = failed.includes('not_a_server_error') ? failed.filter((name) => OF_FAILING.has(name)) : []
    for (const { name, status, failure_info } of nodes) {
      const figures = entry(tally.checks, name, () => ({ passed: 0, failed: 0 }))
      if (status === 'success') figures.passed++
      else figures.failed++
      const failure = failure_info?.failure
      if (!failure || consequences.includes(name)) continue
      const about = interactions[failure.case_id ?? id] ? (failure.case_id ?? id) : id
      const operation = failure.operation ?? operationOf(id)
      const [request, response] = [requestOf(about), interactions[about]?.response]
      if (name !== 'positive_data_acceptance' || !request || !response) {
        addToolFailure(tally, name, withConsequences(failure, name, consequences), operation, () => shown(about))
        continue
      }
      // The tool's own sentences: what it expected, in two lines, and then what it knows of the reason.
      const remarks = failure.message.split('\n').slice(2).join('\n').trim()
      const { status_code } = response
      const rejection = { operation, request, status: status_code, reply: textOf(response), remarks }
      tally.rejections.add({ ...rejection, shown: () => shown(about) })
    }
  }
}

/** A reply of a server that fails has neither a declared status nor a declared form: that is one cause, not four. */
const OF_FAILING: ReadonlySet<string> = new Set([
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
])

const withConsequences = (failure: ToolFailure, name: string, consequences: readonly string[]): ToolFailure =>
  name === 'not_a_server_error' && consequences.length > 0
    ? { ...failure, message: `${failure.message}\nThe reply also fails ${consequences.join(', ')}` }
    : failure

const textOf = ({ content }: NonNullable<Interaction['response']>): string =>
  Buffer.from(content?.$base64 ?? '', 'base64').toString('utf8')

/** Valid data was answered 400. */
function judgeRefusal(tally: Tally, rejection: Rejection): void {
  const { isBusinessRefusal } = tally.reading
  if (!isBusinessRefusal) return
  if (isBusinessRefusal(rejection.reply)) tally.businessRefusals++
  else tally.rejections.add(rejection)
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
