import { FAILURE_CODES, type Failure, type FailureCode } from '../domain/failure-code.ts'
import type { RailSetting } from './rail-kind.ts'

const ENTRIES_MAX = 100
const ENTRY = /^([A-Za-z0-9_.-]{1,80})=([a-z_]{1,40})$/

const entriesOf = (text: string): readonly string[] => text.split(',').map((entry) => entry.trim())

const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(FAILURE_CODES, text)

/** Operators of one kind do not agree on their codes: a rail account may have its own map, over the adapter's. */
export const FAILURE_CODES_SETTING: RailSetting = {
  meaning:
    "what this operator's failure codes mean, where they differ from the usual: `CODE=insufficient_funds, …`. They name a failure and never make one",
  optional: true,
  fault(value) {
    const entries = entriesOf(value)
    if (entries.length > ENTRIES_MAX) return `must have at most ${ENTRIES_MAX} codes`
    const wrong = entries.find((entry) => !isFailureCode(ENTRY.exec(entry)?.[2] ?? ''))
    return wrong === undefined ? undefined : `must be CODE=failure_code, separated by commas: ${wrong} is not`
  },
}

/** @param text the value of the setting, which has no fault */
export const failureCodesOf = (text = ''): ReadonlyMap<string, FailureCode> =>
  new Map(
    entriesOf(text).flatMap((entry) => {
      const [, code = '', meaning = ''] = ENTRY.exec(entry) ?? []
      return isFailureCode(meaning) ? [[code, meaning] as const] : []
    }),
  )

/** The failure under the rail account's own code; its text stays, as the own map has none. */
export function withOwnCode<Cause extends Failure>(
  failure: Cause,
  operatorCode: string | undefined,
  own: ReadonlyMap<string, FailureCode>,
): Cause {
  const code = operatorCode === undefined ? undefined : own.get(operatorCode)
  return code === undefined ? failure : { ...failure, code }
}
