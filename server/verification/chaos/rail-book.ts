import { OPERATORS_BOOK } from '../testing/operators-book.ts'

/** A rule of the books: every row that the statement finds violates it. */
export interface Check {
  readonly broken: string
  readonly sql: string
}

// The operators of the sandbox keep their own records, as real ones do, in either form: the movements in them are
// compared with our ledger and our states.

/** Per order: what moved at the rail, signed as on our rail account. */
const MOVED = `
  select o.reference, o.transfers, o.currency, t.id as transaction_id, t.merchant_reference, t.type, t.status,
    t.provider_code,
    o.transfers * o.amount_minor * case t.type when 'PAYOUT' then 1 else -1 end as moved_minor
  from ${OPERATORS_BOOK} o left join transactions t on t.internal_reference = o.reference`

/** Per transaction: what went through a rail according to our ledger. */
const BOOKED = `
  select f.transaction_id, a.provider_code, a.currency, sum(e.amount_minor) as booked_minor
  from transfers f join entries e on e.transfer_id = f.id join accounts a on a.id = e.account_id
  where a.kind = 'rail' group by 1, 2, 3`

/** The first rules name a cause; the last two apply whatever the cause. */
export const railBookChecks: readonly Check[] = [
  {
    broken: 'moved by the rail more than once',
    sql: `select reference, transfers from ${OPERATORS_BOOK} o where transfers > 1`,
  },
  {
    broken: 'orders of the rail without a transaction',
    sql: `select reference from (${MOVED}) m where transaction_id is null`,
  },
  {
    broken: 'completed without a transfer of the rail',
    sql: `select t.merchant_reference, t.type
          from transactions t left join ${OPERATORS_BOOK} o on o.reference = t.internal_reference
          where t.status = 'COMPLETED' and coalesce(o.transfers, 0) <> 1`,
  },
  {
    broken: 'moved by the rail, not completed, and listed nowhere',
    sql: `select merchant_reference, type, status, (
            select detail from transaction_events e where e.transaction_id = m.transaction_id order by id desc limit 1
          ) as last
          from (${MOVED}) m where transfers > 0 and status not in ('PROCESSING', 'COMPLETED')`,
  },
  {
    broken: 'transactions whose booking is not what the rail moved',
    sql: `select coalesce(m.merchant_reference, 'transaction ' || b.transaction_id) as of,
            coalesce(m.moved_minor, 0)::text as moved, coalesce(b.booked_minor, 0)::text as booked
          from (${MOVED}) m full join (${BOOKED}) b using (transaction_id, provider_code, currency)
          where coalesce(m.moved_minor, 0) <> coalesce(b.booked_minor, 0)`,
  },
  {
    broken: 'rail accounts that are not the sum of what the rail moved',
    sql: `select provider_code, currency, coalesce(m.moved_minor, 0)::text as moved,
            coalesce(a.balance_minor, 0)::text as booked
          from (select provider_code, currency, sum(moved_minor) as moved_minor from (${MOVED}) each group by 1, 2) m
          full join (select provider_code, currency, sum(balance_minor) as balance_minor
            from accounts where kind = 'rail' group by 1, 2) a
            using (provider_code, currency)
          where coalesce(m.moved_minor, 0) <> coalesce(a.balance_minor, 0)`,
  },
]
