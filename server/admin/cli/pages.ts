import { idOf } from '../queries/transactions.ts'
import { usedWrongly } from './errors.ts'
import { note } from './output.ts'

/**
 * The query fetches one more row than a page holds. Whether there is a next page, and the command for it, goes to
 * standard error.
 */
export function firstPage<Row>(found: readonly Row[], limit: number, placeOf: (row: Row) => string): readonly Row[] {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last !== undefined)
    note(`There is more: repeat the command with --after ${placeOf(last)}`)
  return page
}

export const wrongPlace = () => usedWrongly('malipo: --after takes the end that the previous page printed')

/** The id of the last row of the previous page. @throws CliError */
export function parseId(text: string): bigint {
  const id = idOf(text)
  if (id === undefined) throw wrongPlace()
  return id
}
