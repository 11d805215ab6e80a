import type { MerchantLists, TransactionQuery } from '../../actions/ports/merchant-lists.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { searchKey } from '../../storage/search.ts'
import { ID_MAX, idsOfPeriod, listTransactions } from './transactions.ts'

/** How many of a merchant's payments a page looks at: a filter that few of them pass must not read all of them. */
export const LOOKED_AT_MAX = 500

/** What merchants read, by the queries of staff. */
export const createMerchantLists = (pool: Pool): MerchantLists => ({
  archivedMonth: () =>
    available(async () => {
      const { rows } = await pool.query<{ month: string | null }>(
        'select max(month) as month from history_months where archived_at is not null',
      )
      return rows[0]?.month ?? undefined
    }),

  async transactions(merchantId, query) {
    const { from, to, after, limit, ...demands } = query
    const lowest = await lowestLookedAt(pool, merchantId, query)
    const filter = { ...demands, merchantId, since: from, until: to, after, lowest, limit: limit + 1 }
    const found = await listTransactions(pool, filter)
    const transactions = found.slice(0, limit)
    return { transactions, next: found.length > limit ? transactions.at(-1)?.id : lowest }
  },
})

/** The oldest payment that this page looks at; undefined if these are all. */
const lowestLookedAt = (pool: Pool, merchantId: bigint, { from, to, after }: TransactionQuery) =>
  available(async (): Promise<bigint | undefined> => {
    const { low, high } = idsOfPeriod(from, to)
    const { rows } = await pool.query<{ transaction_id: bigint }>(
      `select transaction_id from search_keys where key = $1 and transaction_id >= $2 and transaction_id < least($3::bigint, $4)
       order by transaction_id desc offset ${LOOKED_AT_MAX - 1} limit 1`,
      [searchKey.merchant(merchantId), low, high, after ?? ID_MAX],
    )
    return rows[0]?.transaction_id
  })
