import { available, type Pool } from '../../storage/pool.ts'
import { ID_MAX, idsOfPeriod, keysOf, type TransactionFilter } from './transactions.ts'

/** At how many payments a page of staff looks: one after the other, or one by one through search rows. */
const LOOKED_AT_MAX = { byTime: 10_000, byKeys: 1_000 } as const

type Filter = Omit<TransactionFilter, 'limit'>

/**
 * A filter that few payments pass must not read all of them: a page looks at so many, and the next one goes on below.
 * @returns the oldest payment that a page looks at; undefined if it looks at all
 */
export const lowestLookedAt = (pool: Pool, filter: Filter, max?: number): Promise<bigint | undefined> =>
  available(async () => {
    const { low, high } = idsOfPeriod(filter.since, filter.until)
    const keys = keysOf(filter)
    const count = max ?? LOOKED_AT_MAX[keys ? 'byKeys' : 'byTime']
    const looked = keys?.map(
      (_, n) => `select transaction_id as id from search_keys
        where key = $${5 + n} and transaction_id >= $1 and transaction_id < least($2::bigint, $3)`,
    ) ?? ['select id from transactions where id >= $1 and id < least($2::bigint, $3)']
    const { rows } = await pool.query<{ id: bigint }>(
      `${looked.join(' union all ')} order by id desc offset $4 limit 1`,
      [low, high, filter.after ?? ID_MAX, count - 1, ...(keys ?? [])],
    )
    return rows[0]?.id
  })

/** Whether payments may have to be read that it does not let pass: more than its search rows and its period decide. */
export function mayPassFew({ status, type, reference, receipt, ...filter }: Filter): boolean {
  if (reference !== undefined || receipt !== undefined || (filter.name && filter.name.key === undefined)) return false
  const isOpen = status === 'PENDING' || status === 'PROCESSING'
  const { providerCode, merchantId, accounts, amounts, name } = filter
  const keyed = [providerCode, merchantId, accounts ?? amounts, name].filter((one) => one !== undefined)
  return (status !== undefined && !isOpen) || type !== undefined || keyed.length > 1 || (isOpen && keyed.length > 0)
}
