import { ensureMonthsWithin, monthOf } from './months.ts'
import type { Queryable } from './pool.ts'
import { idBase, nextIdOf } from './time-ids.ts'

/**
 * Reserves ids for transfers that belong to no transaction. The ids encode the current time; its month is created if
 * it is missing.
 * @param client in a transaction
 */
export async function nextTransferIds(client: Queryable, count: number, now: Date): Promise<bigint[]> {
  if (count === 0) return []
  const month = monthOf(now)
  if (month) await ensureMonthsWithin(client, [month], now)
  const { rows } = await client.query<{ id: bigint }>({
    name: 'next-transfer-ids',
    text: `select ${nextIdOf('$1::bigint', 'transfer_ids')} as id from generate_series(1, $2::int)`,
    values: [idBase(now), count],
  })
  return rows.map(({ id }) => id)
}
