import type { SentRequest } from './curl.ts'

type ByName<Value> = Readonly<Record<string, Value>>
/** The NDJSON report, as far as it is read here. Everything but the label is keyed by the id of a case. */
export interface Recorder {
  readonly label: string
  readonly cases?: ByName<{ readonly value: MadeCase; readonly parent_id?: string }>
  readonly checks?: ByName<readonly CheckNode[]>
  readonly interactions?: ByName<Interaction>
  readonly filtered_failures?: ByName<number>
}
interface MadeCase {
  readonly method: string
  readonly path: string
  readonly meta?: { readonly generation: { readonly mode: string } }
}
interface CheckNode {
  readonly name: string
  readonly status: string
  readonly failure_info?: { readonly failure: ToolFailure }
}
export interface Interaction {
  readonly request: SentRequest
  readonly response?: {
    readonly status_code: number
    readonly headers?: ByName<readonly string[]>
    readonly content?: { readonly $base64: string }
  }
}
export interface ToolFailure {
  readonly type: string
  readonly operation?: string
  readonly title: string
  readonly message: string
  readonly case_id?: string
}
type ToolError = { readonly type?: string; readonly message: string }
/** A line of the report. */
export type Event =
  | { readonly ScenarioFinished: { readonly phase: string; readonly recorder: Recorder } }
  | { readonly LoadingFinished: { readonly statistic: { readonly operations: ByName<number> } } }
  | { readonly NonFatalError: { readonly label: string; readonly value: ToolError } }
  | { readonly FatalError: { readonly exception: ToolError } }
  | { readonly EngineFinished: { readonly stop_reason: string; readonly failures?: readonly ToolFailure[] } }

/** A killed run leaves an incomplete last line. */
export function eventOf(line: string): Event | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Event)
  } catch {
    return undefined
  }
}
