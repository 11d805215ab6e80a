import type { ErrorObject } from 'ajv'
import { firstFault, isRequired, notAllowed } from './fault-message.ts'
import type { NumberTexts } from './body.ts'
import type { RequestShape } from './request-shape.ts'

/** A row of a batch: its fields as a single request's body would have them, or what is wrong with it. */
export type FittedRow = { readonly line: number } & (
  { readonly body: Readonly<Record<string, unknown>>; readonly numbers: NumberTexts } | { readonly fault: string }
)

interface RowChecks {
  readonly shape: RequestShape
  /** What the schema of a single request refuses. */
  readonly errorsOf: (body: object) => readonly ErrorObject[]
  /** The digits of a row's amount: JSON.parse rounds them. */
  readonly amountOf: (row: object) => string | undefined
}

/** Checks each row of a batch as the body of a single request, so that every faulty row is named, in the same words. */
export const fittedRows = (rows: readonly unknown[], checks: RowChecks): readonly FittedRow[] =>
  rows.map((row, index) => ({ line: index + 1, ...fittedRow(row, checks) }))

function fittedRow(row: unknown, { shape, errorsOf, amountOf }: RowChecks) {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return { fault: 'it must be an object' }
  const { body, missing, unknown } = shape.fit(row)
  if (missing !== undefined) return { fault: isRequired(missing) }
  const errors = errorsOf(body)
  if (errors.length > 0) return { fault: firstFault(errors).message }
  if (unknown !== undefined) return { fault: notAllowed(unknown) }
  const digits = amountOf(row)
  const numbers: NumberTexts = new Map(digits === undefined ? [] : [['amount', digits]])
  return { body, numbers }
}

/** The amounts of all objects of a JSON text, digit for digit, by the parsed object. */
export function amountsIn(text: string): { readonly value: unknown; readonly amountOf: RowChecks['amountOf'] } {
  const digits = new WeakMap<object, string>()
  const keep = function (this: object, key: string, value: unknown, context?: { readonly source?: string }): unknown {
    if (key === 'amount' && typeof value === 'number' && context?.source !== undefined) digits.set(this, context.source)
    return value
  }
  return { value: JSON.parse(text, keep), amountOf: (row) => digits.get(row) }
}
