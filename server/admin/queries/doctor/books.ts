import type { AccountKind, TransferKind } from '../../../domain/ledger.ts'
import { ACCOUNT, type Check } from './check.ts'

/** What the balance of each account must be. */
const ENTRIES_REPLAYED = 'select account_id, sum(amount_minor) as replayed from entries group by account_id'

/** @param replayed a table with the columns of ENTRIES_REPLAYED */
const balancesOff = (replayed: string): string =>
  `select 'account ' || a.id || ' (' || ${ACCOUNT} || ') has ' || a.balance_minor || ', its entries sum to '
     || coalesce(e.replayed, 0)
   from accounts a left join ${replayed} e on e.account_id = a.id where a.balance_minor <> coalesce(e.replayed, 0)`

const ACCOUNT_KINDS: readonly AccountKind[] = [
  'collection_available',
  'collection_uncleared',
  'collection_reserve',
  'collection_held',
  'payout_available',
  'payout_uncleared',
  'payout_reserve',
  'payout_held',
  'rail',
  'fee',
  'suspense',
  'charges',
  'operator',
]

// Which accounts each kind of transfer may touch. As bits, because a million comparisons of names take seconds.
const MAY_TOUCH: Readonly<Record<TransferKind, readonly AccountKind[]>> = {
  collection: ['rail', 'charges', 'collection_available', 'collection_uncleared', 'collection_reserve'],
  collection_again: ['rail', 'suspense'],
  suspense_return: ['rail', 'suspense'],
  suspense_taken: ['rail', 'suspense'],
  clearing: ['collection_uncleared', 'collection_available'],
  reserve_release: ['collection_reserve', 'collection_available'],
  payout_hold: ['payout_available', 'payout_held'],
  payout_release: ['payout_available', 'payout_held'],
  payout: ['payout_held', 'rail', 'charges'],
  payout_late: ['payout_available', 'rail', 'charges'],
  refund_hold: ['collection_available', 'collection_held'],
  refund_release: ['collection_available', 'collection_held'],
  refund: ['collection_held', 'rail', 'charges'],
  refund_late: ['collection_available', 'rail', 'charges'],
  deposit: ['operator', 'payout_available'],
  wallet_transfer: ['collection_available', 'payout_available'],
  operator_fee: ['rail', 'fee'],
  difference: ['rail', 'fee', 'suspense'],
  difference_moved: ['suspense', 'fee', 'operator'],
  // What the entries of an archived month moved, on every account that they touched.
  opening: ACCOUNT_KINDS,
}
const KINDS = Object.entries(MAY_TOUCH) as readonly (readonly [TransferKind, readonly AccountKind[]])[]
/** Kinds that may have no transaction: movements by staff, from statements, and of the archive. */
const BY_OPERATOR = (
  ['deposit', 'wallet_transfer', 'operator_fee', 'difference', 'difference_moved', 'opening'] satisfies TransferKind[]
)
  .map((kind) => `'${kind}'`)
  .join(', ')
const KIND_BIT = `case r.kind ${KINDS.map(([kind], n) => `when '${kind}' then ${2 ** n}`).join(' ')} else 0 end`
const ACCOUNT_BITS = KINDS.map(
  ([, accounts], n) =>
    `case when kind in (${accounts.map((kind) => `'${kind}'`).join(', ')}) then ${2 ** n} else 0 end`,
).join(' + ')

/** Checks of the ledger itself, and of what may move in it. */
export const BOOK_CHECKS: readonly Check[] = [
  {
    name: 'transfers_sum_to_zero',
    scope: 'changed',
    rule: 'every transfer sums to zero, in one currency',
    // Currencies as numbers: comparing their names takes a third of this check's time.
    sql: `select 'transfer ' || e.transfer_id || ' sums to ' || sum(e.amount_minor) || case
          when min(a.currency) <> max(a.currency) then ' in several currencies' else '' end
          from entries e join (select id, dense_rank() over (order by currency) as currency
            from accounts) a on a.id = e.account_id
          group by e.transfer_id having sum(e.amount_minor) <> 0 or min(a.currency) <> max(a.currency)`,
  },
  {
    name: 'transfers_whole',
    scope: 'changed',
    rule: 'every transfer has entries and its transaction, every entry a transfer and an account',
    sql: `select 'transfer ' || r.id || ' has no entries' from transfers r
          where not exists (select from entries e where e.transfer_id = r.id)
          union
          select 'transfer ' || e.transfer_id || ' has entries and no row' from entries e
            where not exists (select from transfers r where r.id = e.transfer_id)
          union all
          select 'transfer ' || r.id || ' is of transaction ' || r.transaction_id || ', which does not exist'
            from transfers r
          where r.transaction_id is not null and not exists (select from transactions t where t.id = r.transaction_id)
          union all
          select 'entry ' || e.id || ' is on account ' || e.account_id || ', which does not exist' from entries e
            where not exists (select from accounts a where a.id = e.account_id)`,
  },
  {
    name: 'book_sums_to_zero',
    scope: 'all',
    rule: 'the balances of all accounts sum to zero in every currency',
    sql: `select currency || ' sums to ' || sum(balance_minor) || ' minor units' from accounts group by currency
          having sum(balance_minor) <> 0`,
  },
  {
    name: 'balances_equal_replay',
    scope: 'all',
    rule: "every account's balance equals the replay of its entries",
    sql: balancesOff(`(${ENTRIES_REPLAYED})`),
    sqlOfChanged: balancesOff('replayed'),
  },
  {
    name: 'wallets_not_negative',
    scope: 'all',
    rule: 'no wallet is below zero',
    sql: `select 'account ' || a.id || ' (' || ${ACCOUNT} || ') has ' || a.balance_minor from accounts a
          where a.balance_minor < 0 and a.merchant_id <> 0`,
  },
  {
    name: 'transfers_explained',
    scope: 'changed',
    rule: 'every entry is on an account that its transfer may touch, and only staff and statements move money without a transaction: in a deposit, between two wallets of one merchant, or at a rail account',
    sql: `with touching as materialized (select *, ${ACCOUNT_BITS} as bits from accounts), moved as materialized (
            select r.id, r.kind, r.transaction_id, ${KIND_BIT} as bit, r.kind in (${BY_OPERATOR}) as by_operator,
              t.id is null as unknown, t.merchant_id, t.provider_code, t.currency
            from transfers r left join transactions t on t.id = r.transaction_id
          )
          select 'transfer ' || r.id || ' (' || r.kind
            || coalesce(' of transaction ' || r.transaction_id, ' without a transaction') || ') moves '
              || e.amount_minor || ' on ' || ${ACCOUNT}
          from entries e join touching a on a.id = e.account_id join moved r on r.id = e.transfer_id
          where a.bits & r.bit = 0 or r.by_operator <> (r.transaction_id is null)
            or (not r.unknown and ((a.merchant_id <> 0 and a.merchant_id <> r.merchant_id)
              or (a.provider_code <> '' and a.provider_code <> r.provider_code) or a.currency <> r.currency))
          union all
          select 'transfer ' || r.id || ' (' || r.kind || ' without a transaction) is between ' || count(*)
            || ' accounts of ' || count(distinct a.merchant_id) filter (where a.merchant_id <> 0) || ' merchants'
          from transfers r join entries e on e.transfer_id = r.id join accounts a on a.id = e.account_id
            where r.transaction_id is null and r.kind in ('deposit', 'wallet_transfer')
          group by r.id, r.kind having count(*) <> 2
            or bool_or((a.kind = 'operator') <> (e.amount_minor < 0)) filter (where r.kind = 'deposit')
              or count(distinct a.merchant_id) filter (where a.merchant_id <> 0) <> 1`,
  },
]
