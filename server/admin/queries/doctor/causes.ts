import type { Check } from './check.ts'

// The hash chain detects changes. A forged transfer by somebody who may append is detected by its missing cause.

const NAME = `'transfer ' || r.id || ' (' || r.kind || ')'`

/** The payment states that allow each kind of transfer. */
const FITS_PAYMENT = `case
  when r.kind in ('collection', 'clearing', 'reserve_release') then t.type = 'COLLECTION' and t.status = 'COMPLETED'
  when r.kind in ('collection_again', 'suspense_taken') then t.type = 'ATTEMPT' and t.status = 'COMPLETED'
  when r.kind = 'suspense_return' then t.type = 'RETURN' and t.status = 'COMPLETED'
  when r.kind in ('payout', 'payout_late') then t.type = 'PAYOUT' and t.status = 'COMPLETED'
  when r.kind = 'payout_release' then t.type = 'PAYOUT' and t.status in ('FAILED', 'CANCELLED', 'COMPLETED')
  when r.kind = 'payout_hold' then t.type = 'PAYOUT'
  when r.kind in ('refund', 'refund_late') then t.type = 'REFUND' and t.status = 'COMPLETED'
  when r.kind = 'refund_release' then t.type = 'REFUND' and t.status in ('FAILED', 'COMPLETED')
  when r.kind = 'refund_hold' then t.type = 'REFUND'
  else false end`

const OF_PAYMENTS = `
  select ${NAME} || ' is of transaction ' || t.id || ', a ' || t.type || ' that is ' || t.status
  from transfers r join transactions t on t.id = r.transaction_id where not ${FITS_PAYMENT}`

/** What each transfer without a payment moves: into a wallet, or at a rail account. */
const MOVED = `
  select r.id, r.kind, max(e.amount_minor) as amount_minor, min(a.currency) as currency,
    max(a.merchant_id) as merchant_id, max(a.rail_account) as rail_account,
    coalesce(sum(e.amount_minor) filter (where a.kind = 'rail'), 0) as rail_minor,
    coalesce(sum(e.amount_minor) filter (where a.kind = 'suspense'), 0) as suspense_minor
  from transfers r left join entries e on e.transfer_id = r.id left join accounts a on a.id = e.account_id
  where r.transaction_id is null group by r.id, r.kind`

/** The amount in a staff member's audit entry, in minor units. */
const SHOWN_MINOR = `case when s.new ->> 'amount' ~ '^[0-9]{1,16}([.][0-9]{1,3})? [A-Z]{3}$'
  then replace(split_part(s.new ->> 'amount', ' ', 1), '.', '')::bigint end`

const OF_PEOPLE = `
  select ${NAME} || case
    when c.transfer_id is null then ' has no cause: no person''s entry names it'
    when c.kind <> 'staff_action' then ' has a cause that is none of its kind: ' || c.kind
    when s.id is null then ' names entry ' || c.staff_action_id || ' of the audit log, which does not exist'
    else ' of ' || coalesce(r.amount_minor, 0) || ' ' || coalesce(r.currency, '') || ' (minor units) to merchant '
      || coalesce(r.merchant_id, 0) || ' does not fit entry ' || s.id || ' of the audit log: ' || s.command || ' '
      || s.subject || coalesce(' ' || (s.new ->> 'amount'), '') end
  from moved r left join transfer_causes c on c.transfer_id = r.id left join audit_log s on s.id = c.staff_action_id
    left join merchants m on m.id = r.merchant_id
  where r.kind in ('deposit', 'wallet_transfer') and not case
    when c.kind = 'demo_balance' then r.kind = 'deposit' and coalesce(m.sandbox_only, false)
      and exists (select from database_mode where mode = 'sandbox')
    else coalesce(s.command = case r.kind when 'deposit' then 'wallet deposit' else 'wallet transfer' end
      and s.subject = m.public_key and right(s.new ->> 'amount', 3) = r.currency
      and ${SHOWN_MINOR} = r.amount_minor, false) end`

const OF_FEES = `
  select ${NAME} || ' of ' || r.rail_minor || ' has lines of statements with fees of ' || coalesce(l.minor, 0)
  from moved r cross join lateral (
    select sum(fee_minor) as minor from statement_lines l
    where l.fee_transfer_id = r.id and l.rail_account = r.rail_account and l.currency = r.currency
  ) l
  where r.kind = 'operator_fee' and l.minor is distinct from r.rail_minor`

const OF_EXCEPTIONS = `
  select ${NAME} || ' moves ' || r.suspense_minor || ' on suspense, its exceptions '
    || coalesce(x.minor::text, 'nothing: it has none')
  from moved r cross join lateral (
    select sum(minor) as minor from (
      select e.suspense_minor as minor from reconciliation_exceptions e
      where r.kind = 'difference' and e.opening_transfer_id = r.id
        and e.rail_account = r.rail_account and e.currency = r.currency
      union all
      select -e.suspense_minor from reconciliation_exceptions e
      where e.closing_transfer_id = r.id and (r.kind = 'difference_moved') = (e.moved_to is not null)
        and e.rail_account = r.rail_account and e.currency = r.currency
    ) named
  ) x
  where r.kind in ('difference', 'difference_moved') and x.minor is distinct from r.suspense_minor`

/** Only the owner writes the ids of the transfers that bring an archived month forward. */
const OF_ARCHIVED = `
  select ${NAME} || ' has no cause: no month that went into files names it'
  from moved r where r.kind = 'opening' and not exists (select from history_months h
    where h.archived_at is not null and r.id = any(h.opening_transfer_ids))`

/** Checks that every movement of money has a cause: a payment, a statement or a person. */
export const CAUSE_CHECKS: readonly Check[] = [
  {
    name: 'transfers_caused',
    scope: 'changed',
    rule: "every transfer has a cause that fits it: a payment in the right state, a person's entry, a statement, or a month that went into files",
    sql: `with moved as materialized (${MOVED}) ${[OF_PAYMENTS, OF_PEOPLE, OF_FEES, OF_EXCEPTIONS, OF_ARCHIVED].join(' union all ')}`,
  },
  {
    name: 'resolves_caused',
    scope: 'changed',
    rule: "every transaction that was resolved by hand has a person's entry",
    sql: `select 'transaction ' || t.id || ' (' || t.merchant_reference || ') was resolved by hand, and no person''s entry says so'
          from transaction_events v join transactions t on t.id = v.transaction_id
          where v.kind = 'resolved' and not exists (select from audit_log s where s.subject = t.internal_reference
              and s.command in ('transaction resolve', 'suspense take'))`,
  },
]
