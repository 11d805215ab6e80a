import type { ColumnName } from './format.ts'

/** The trimmed value of a row in a column; empty if the file has no such column. */
export type Field = (name: ColumnName) => string

/** Why a row is invalid; the message follows "line 12 ". */
export class RowFault extends Error {
  override readonly name = 'RowFault'
}
