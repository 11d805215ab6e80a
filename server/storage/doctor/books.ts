import { ACCOUNT, type Check } from './check.ts'

/** What the balance of each account must be. */
export const ENTRIES_REPLAYED = 'select account_id, sum(amount_minor) as replayed from entries group by account_id'

// Which accounts a transfer may touch, and whose: never another merchant's, another provider's, or one of another currency. Only an operator moves money
// without a transaction: into a payout wallet, or between a merchant's two wallets.
const FITS = `case when r.transaction_id is null then case r.kind
    when 'deposit' then (a.kind = 'operator' and e.amount_minor < 0) or (a.kind = 'payout_available' and e.amount_minor > 0)
    when 'wallet_transfer' then a.kind in ('collection_available', 'payout_available')
    else false end
  else a.currency = t.currency and a.merchant_id in (0, t.merchant_id) and a.provider_code in ('', t.provider_code) and case r.kind
    when 'collection' then t.type = 'COLLECTION' and a.kind in ('rail', 'charges', 'collection_available', 'collection_uncleared', 'collection_reserve')
    when 'clearing' then a.kind in ('collection_uncleared', 'collection_available')
    when 'reserve_release' then a.kind in ('collection_reserve', 'collection_available')
    when 'payout_hold' then a.kind in ('payout_available', 'payout_held')
    when 'payout_release' then a.kind in ('payout_available', 'payout_held')
    when 'payout' then t.type = 'PAYOUT' and a.kind in ('payout_held', 'rail', 'charges')
    when 'payout_late' then t.type = 'PAYOUT' and a.kind in ('payout_available', 'rail', 'charges')
    else false end
  end`

/** The book by itself, and what may move in it. */
export const BOOK_CHECKS: readonly Check[] = [
  {
    name: 'transfers_sum_to_zero',
    rule: 'every transfer sums to zero, in one currency',
    // Currencies as numbers: comparing their names takes a third of the time of this check.
    sql: `select 'transfer ' || e.transfer_id || ' sums to ' || sum(e.amount_minor) || case when min(a.currency) <> max(a.currency) then ' in several currencies' else '' end
          from entries e join (select id, dense_rank() over (order by currency) as currency from accounts) a on a.id = e.account_id
          group by e.transfer_id having sum(e.amount_minor) <> 0 or min(a.currency) <> max(a.currency)`,
  },
  {
    name: 'transfers_whole',
    rule: 'every transfer has entries and its transaction, every entry a transfer and an account',
    sql: `select 'transfer ' || r.id || ' has no entries' from transfers r where not exists (select from entries e where e.transfer_id = r.id)
          union
          select 'transfer ' || e.transfer_id || ' has entries and no row' from entries e where not exists (select from transfers r where r.id = e.transfer_id)
          union all
          select 'transfer ' || r.id || ' is of transaction ' || r.transaction_id || ', which does not exist' from transfers r
          where r.transaction_id is not null and not exists (select from transactions t where t.id = r.transaction_id)
          union all
          select 'entry ' || e.id || ' is on account ' || e.account_id || ', which does not exist' from entries e where not exists (select from accounts a where a.id = e.account_id)`,
  },
  {
    name: 'book_sums_to_zero',
    rule: 'the balances of all accounts sum to zero in every currency',
    sql: `select currency || ' sums to ' || sum(balance_minor) || ' minor units' from accounts group by currency having sum(balance_minor) <> 0`,
  },
  {
    name: 'balances_equal_replay',
    rule: "every account's balance equals the replay of its entries",
    sql: `select 'account ' || a.id || ' (' || ${ACCOUNT} || ') has ' || a.balance_minor || ', its entries sum to ' || coalesce(e.replayed, 0)
          from accounts a left join (${ENTRIES_REPLAYED}) e on e.account_id = a.id
          where a.balance_minor <> coalesce(e.replayed, 0)`,
  },
  {
    name: 'wallets_not_negative',
    rule: 'no wallet is below zero',
    sql: `select 'account ' || a.id || ' (' || ${ACCOUNT} || ') has ' || a.balance_minor from accounts a where a.balance_minor < 0 and a.merchant_id <> 0`,
  },
  {
    name: 'transfers_explained',
    rule: 'every entry is on an account that its transfer may touch, and only operators move money without a transaction: in a deposit, or between two wallets of one merchant',
    // What no transaction names is of few rows, and is held against each other besides.
    sql: `select 'transfer ' || r.id || ' (' || r.kind || coalesce(' of transaction ' || r.transaction_id, ' without a transaction') || ') moves ' || e.amount_minor || ' on ' || ${ACCOUNT}
          from entries e join accounts a on a.id = e.account_id join transfers r on r.id = e.transfer_id left join transactions t on t.id = r.transaction_id
          where (r.transaction_id is null or t.id is not null) and not ${FITS}
          union all
          select 'transfer ' || r.id || ' (' || r.kind || ' without a transaction) is between ' || count(*) || ' accounts of ' || count(distinct a.merchant_id) filter (where a.merchant_id <> 0) || ' merchants'
          from transfers r join entries e on e.transfer_id = r.id join accounts a on a.id = e.account_id where r.transaction_id is null and r.kind in ('deposit', 'wallet_transfer')
          group by r.id, r.kind having count(*) <> 2 or count(distinct a.merchant_id) filter (where a.merchant_id <> 0) <> 1`,
  },
]
