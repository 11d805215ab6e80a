import { OperationRefusal } from '../operations/operation.ts'

const LIMIT = 50

interface PageOf<Row> {
  readonly items: readonly Row[]
  /** The place of the next page, if there is one. */
  readonly next: { readonly next?: string }
}

/** One page of rows by their id. @param find returns the first `count` rows after the place */
export async function firstPage<Row extends { readonly id: bigint }>(
  limit: number | undefined,
  find: (count: number) => Promise<readonly Row[]>,
): Promise<PageOf<Row>> {
  const size = limit ?? LIMIT
  const found = await find(size + 1)
  const items = found.slice(0, size)
  const last = items.at(-1)
  return { items, next: found.length > size && last ? { next: String(last.id) } : {} }
}

/** @throws OperationRefusal for anything but the `next` of a page */
export function placeOf(after: string | undefined): bigint | undefined {
  if (after === undefined) return undefined
  if (/^\d{1,18}$/.test(after)) return BigInt(after)
  throw new OperationRefusal('invalid', 'after must be the next of a previous page')
}
