import type { SentRequest } from './curl.ts'

type Named<Value> = Readonly<Record<string, Value>>
/** What the NDJSON report tells, as far as we read it. Everything but the label is by the id of a case. */
export interface Recorder {
  readonly label: string
  readonly cases?: Named<{ readonly value: MadeCase; readonly parent_id?: string }>
  readonly checks?: Named<readonly CheckNode[]>
  readonly interactions?: Named<Interaction>
  readonly filtered_failures?: Named<number>
}
export interface MadeCase {
  readonly method: string
  readonly path: string
  readonly meta?: { readonly generation: { readonly mode: string } }
}
export interface CheckNode {
  readonly name: string
  readonly status: string
  readonly failure_info?: { readonly failure: ToolFailure }
}
export interface Interaction {
  readonly request: SentRequest
  readonly response?: {
    readonly status_code: number
    readonly headers?: Named<readonly string[]>
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
  | { readonly LoadingFinished: { readonly statistic: { readonly operations: Named<number> } } }
  | { readonly NonFatalError: { readonly label: string; readonly value: ToolError } }
  | { readonly FatalError: { readonly exception: ToolError } }
  | { readonly EngineFinished: { readonly stop_reason: string; readonly failures?: readonly ToolFailure[] } }

/** A run that was killed leaves half a line at the end. */
export function eventOf(line: string): Event | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Event)
  } catch {
    return undefined
  }
}
