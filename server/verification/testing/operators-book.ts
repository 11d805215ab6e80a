import type { Queryable } from '../../storage/pool.ts'

/**
 * Everything that the operators of the sandbox accepted and moved, one row per transaction, in either form: the records
 * of the simulated rails, and those of the operators on the wire. To be selected from, as `from ${OPERATORS_BOOK} o`.
 *
 * On the wire an order is found by its id in the callback address; one that belongs to no transaction has that id as
 * its reference.
 */
export const OPERATORS_BOOK = `(
  select reference, amount_minor, currency, tries, accepted_at, transfers from sandbox.orders
  union all
  select coalesce(t.internal_reference, taken.order_id), max(taken.amount_minor), max(taken.currency), count(*)::int,
    min(taken.at), coalesce(sum(moved.times), 0)::int
  from (
    select operator, entry -> 'order' ->> 'kind' as kind, entry -> 'order' ->> 'id' as id, (entry ->> 'at')::timestamptz as at,
      split_part(coalesce(entry #>> '{order,details,callbackUrl}', entry #>> '{order,details,resultUrl}'), '/', 7) as order_id,
      entry -> 'order' ->> 'currency' as currency,
      ((entry -> 'order' ->> 'amount')::numeric
        * case when entry -> 'order' ->> 'currency' in ('UGX', 'RWF') then 1 else 100 end)::bigint as amount_minor
    from sandbox.operator_journal where entry ->> 'entry' = 'taken'
  ) taken
  left join (
    select operator, entry ->> 'kind' as kind, entry ->> 'id' as id, count(*) as times
    from sandbox.operator_journal where entry ->> 'entry' = 'settled' and entry ->> 'movement' is not null group by 1, 2, 3
  ) moved using (operator, kind, id)
  left join rail_references r on r.name = 'order' and r.reference = taken.order_id
  left join transactions t on t.id = r.transaction_id
  group by 1
)`

/** How often money moved for a transaction; undefined when no operator has it. */
export async function transfersOf(database: Queryable, internalReference: string): Promise<number | undefined> {
  const { rows } = await database.query<{ transfers: number }>(
    `select transfers from ${OPERATORS_BOOK} o where reference = $1`,
    [internalReference],
  )
  return rows[0]?.transfers
}

/** The same by the merchant's own reference; 0 when no operator has it. */
export async function transfersFor(database: Queryable, merchantReference: string): Promise<number> {
  const { rows } = await database.query<{ transfers: number }>(
    `select coalesce(sum(o.transfers), 0)::int as transfers from ${OPERATORS_BOOK} o
     join transactions t on t.internal_reference = o.reference where t.merchant_reference = $1`,
    [merchantReference],
  )
  return rows[0]?.transfers ?? 0
}
