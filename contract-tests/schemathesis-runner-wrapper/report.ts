import { curlLine, type SentRequest } from './curl.ts'
import { CHECKS } from './settings.ts'
import type { CheckFigures, Exclusions, Failure, Keys, OperationFigures } from './types.ts'

/** What the NDJSON report tells, as far as we read it. */
interface Recorder {
  readonly label: string
  readonly cases?: Readonly<
    Record<
      string,
      {
        readonly value: {
          readonly method: string
          readonly path: string
          readonly meta?: { readonly generation: { readonly mode: string } }
        }
      }
    >
  >
  readonly checks?: Readonly<
    Record<
      string,
      readonly {
        readonly name: string
        readonly status: string
        readonly failure_info?: { readonly failure: ToolFailure }
      }[]
    >
  >
  readonly interactions?: Readonly<
    Record<
      string,
      {
        readonly request: SentRequest
        readonly response?: { readonly status_code: number; readonly content?: { readonly $base64: string } }
      }
    >
  >
  readonly filtered_failures?: Readonly<Record<string, number>>
}
interface ToolFailure {
  readonly type: string
  readonly operation?: string
  readonly title: string
  readonly message: string
  readonly case_id?: string
}
interface ToolError {
  readonly type?: string
  readonly message: string
}
type Event =
  | { readonly ScenarioFinished: { readonly phase: string; readonly recorder: Recorder } }
  | {
      readonly LoadingFinished: {
        readonly statistic: { readonly operations: { readonly total: number; readonly selected: number } }
      }
    }
  | { readonly NonFatalError: { readonly label: string; readonly value: ToolError } }
  | { readonly FatalError: { readonly exception: ToolError } }
  | { readonly EngineFinished: { readonly stop_reason: string; readonly failures?: readonly ToolFailure[] } }

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
  /** `completed`, another reason, or absent when the run did not end by itself. */
  readonly stopReason?: string
  /** What kept Schemathesis from its work. */
  readonly errors: readonly { readonly type: string; readonly message: string }[]
}

export interface Reading {
  readonly baseUrl: string
  readonly keys: Keys
  readonly businessRefusals: readonly RegExp[] | undefined
}

/** Reads what was found from the report; the exit code of the tool would not tell findings from accidents. */
export function readReport(report: string, { baseUrl, keys, businessRefusals }: Reading): Findings {
  const failures = new Map<string, Failure>()
  const perOperation = new Map<string, Figures>()
  const checks = new Map<string, { passed: number; failed: number }>()
  const errors: { type: string; message: string }[] = []
  let [cases, refusals, filtered, unselected, loaded] = [0, 0, 0, 0, false]
  let stopReason: string | undefined
  const figuresOf = (operation: string) =>
    entry(perOperation, operation, (): Figures => ({ cases: 0, failures: 0, statuses: {} }))

  const add = (failure: Failure, identity: string) => {
    if (failures.has(identity)) return
    failures.set(identity, failure)
    figuresOf(failure.operation).failures++
  }
  const addToolFailure = (check: string, failure: ToolFailure, operation: string, request: SentRequest | undefined) =>
    add(
      {
        operation,
        check,
        title: failure.title,
        message: shortened(failure.message),
        curl: request ? curlLine(request, baseUrl, keys) : '',
      },
      identityOf(check, failure, operation),
    )

  const readScenario = (
    phase: string,
    { label, cases: made = {}, checks: checked = {}, interactions = {}, filtered_failures = {} }: Recorder,
  ) => {
    const operationOf = (id: string) =>
      phase === 'stateful' ? `${made[id]?.value.method} ${made[id]?.value.path}` : label
    for (const [id, { request, response }] of Object.entries(interactions)) {
      if (!response) continue
      cases++
      const figures = figuresOf(operationOf(id))
      figures.cases++
      figures.statuses[response.status_code] = (figures.statuses[response.status_code] ?? 0) + 1
      const isPositive =
        made[id]?.value.meta?.generation.mode === 'positive' &&
        checked[id]?.some(({ name }) => name === 'positive_data_acceptance')
      if (!businessRefusals || response.status_code !== 400 || !isPositive) continue
      const text = Buffer.from(response.content?.$base64 ?? '', 'base64').toString('utf8')
      if (businessRefusals.some((pattern) => pattern.test(text))) refusals++
      else {
        const message = `Valid data should have been accepted, or refused by a declared business rule. The reply was 400: ${text}`
        add(
          {
            operation: operationOf(id),
            check: 'positive_data_acceptance',
            title: 'Schema-valid request rejected',
            message: shortened(message),
            curl: curlLine(request, baseUrl, keys),
          },
          `positive_data_acceptance ${operationOf(id)}`,
        )
      }
    }
    for (const [id, nodes] of Object.entries(checked)) {
      for (const { name, status, failure_info } of nodes) {
        const figures = entry(checks, name, () => ({ passed: 0, failed: 0 }))
        if (status === 'success') figures.passed++
        else figures.failed++
        const failure = failure_info?.failure
        if (failure)
          addToolFailure(
            name,
            failure,
            failure.operation ?? operationOf(id),
            interactions[failure.case_id ?? id]?.request ?? interactions[id]?.request,
          )
      }
    }
    for (const count of Object.values(filtered_failures)) filtered += count
  }

  for (const line of report.split('\n')) {
    const event = parsed(line)
    if (!event) continue
    if ('ScenarioFinished' in event) readScenario(event.ScenarioFinished.phase, event.ScenarioFinished.recorder)
    else if ('LoadingFinished' in event) {
      loaded = true
      const { total, selected } = event.LoadingFinished.statistic.operations
      unselected = total - selected
    } else if ('NonFatalError' in event)
      errors.push({
        type: event.NonFatalError.value.type ?? 'Error',
        message: `${event.NonFatalError.label}: ${event.NonFatalError.value.message}`,
      })
    else if ('FatalError' in event)
      errors.push({ type: event.FatalError.exception.type ?? 'Error', message: event.FatalError.exception.message })
    else if ('EngineFinished' in event) {
      stopReason = event.EngineFinished.stop_reason
      for (const failure of event.EngineFinished.failures ?? [])
        addToolFailure(failure.type, failure, failure.operation ?? 'the whole run', undefined)
    }
  }
  return {
    cases,
    failures: [...failures.values()],
    perOperation: Object.fromEntries(perOperation),
    checks: Object.fromEntries(checks),
    errors,
    loaded,
    businessRefusals: refusals,
    exclusions: { checks: CHECKS.filter((name) => !checks.has(name)), operations: unselected, failures: filtered },
    ...(stopReason !== undefined && { stopReason }),
  }
}

/** A run that was killed leaves half a line at the end. */
function parsed(line: string): Event | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Event)
  } catch {
    return undefined
  }
}

/**
 * One finding per operation, check and fault. A schema fault is told by the part of the schema, which follows the value
 * that was seen.
 */
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
