import type { ColumnName } from './format.ts'

/** What a row has in a column, without blanks around it; empty where the file has no such column. */
export type Field = (name: ColumnName) => string

/** What is wrong with a row, to follow "line 12 ". */
export class RowFault extends Error {
  override readonly name = 'RowFault'
}
