import type pg from 'pg'
import { available, type Pool } from './pool.ts'

// What must always be true of the books and of the work, whatever crashed. Each check selects what breaks its rule, as text for a person.

interface Check {
  readonly name: string
  /** What is true when nothing is found. */
  readonly rule: string
  readonly sql: string
  readonly values?: (now: Date) => readonly unknown[]
}

export interface Finding {
  readonly name: string
  readonly rule: string
  /** How many break the rule. */
  readonly found: number
  /** The first of them. */
  readonly examples: readonly string[]
}

const EXAMPLES_MAX = 5
/** How late work may be before somebody must look: leases and polls take seconds. */
export const OVERDUE_MS = 2 * 60_000

const ACCOUNT = `a.kind || ' ' || a.currency || case when a.merchant_id = 0 then '' else ' of merchant ' || a.merchant_id end || case when a.provider_code = '' then '' else ' of ' || a.provider_code end`
const TRANSACTION = `'transaction ' || t.id || ' (' || t.merchant_reference || ', ' || t.status || ')'`

/** What the balance of each account must be. */
export const ENTRIES_REPLAYED = 'select account_id, sum(amount_minor) as replayed from entries group by account_id'

const CHECKS: readonly Check[] = [
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
    name: 'collections_booked',
    rule: 'every completed collection is booked once with its amounts, every other one not at all',
    sql: `with booked as (
            select r.transaction_id, min(r.id) as first, max(r.id) as last, max(a.merchant_id) as merchant_id,
              coalesce(sum(e.amount_minor) filter (where a.merchant_id <> 0), 0) as credited, -coalesce(sum(e.amount_minor) filter (where a.kind = 'rail'), 0) as paid
            from transfers r join entries e on e.transfer_id = r.id join accounts a on a.id = e.account_id where r.kind = 'collection' group by r.transaction_id
          )
          select ${TRANSACTION} || case when b.transaction_id is null then ' is not booked' when t.status <> 'COMPLETED' or t.type <> 'COLLECTION' then ' is booked'
            when b.first <> b.last then ' is booked more than once'
            else ' is booked with a credit of ' || b.credited || ' to merchant ' || b.merchant_id || ' out of ' || b.paid || ', not ' || t.total_minor end
          from transactions t left join booked b on b.transaction_id = t.id
          where case when t.type = 'COLLECTION' and t.status = 'COMPLETED'
            then b.transaction_id is null or b.first <> b.last or b.credited <> t.total_minor or (b.merchant_id <> t.merchant_id and b.credited <> 0)
              or b.paid <> t.amount_minor + case when t.charge_customer then t.charge_minor else 0 end
            else b.transaction_id is not null end`,
  },
  {
    name: 'payouts_booked',
    rule: 'every completed payout has left its wallet once, every failed one has its money back, one on its way is held',
    sql: `with booked as (
            select r.transaction_id, coalesce(sum(e.amount_minor) filter (where a.kind = 'payout_held'), 0) as held,
              -coalesce(sum(e.amount_minor) filter (where a.kind = 'payout_available'), 0) as taken, coalesce(sum(e.amount_minor) filter (where a.kind = 'rail'), 0) as paid
            from transfers r join entries e on e.transfer_id = r.id join accounts a on a.id = e.account_id where r.kind like 'payout%' group by r.transaction_id
          ), payouts as (
            select t.id, t.merchant_reference, t.status, t.total_minor, t.amount_minor, coalesce(b.held, 0) as held, coalesce(b.taken, 0) as taken, coalesce(b.paid, 0) as paid
            from transactions t left join booked b on b.transaction_id = t.id where t.type = 'PAYOUT'
          )
          select ${TRANSACTION} || ' of ' || t.amount_minor || ' (with charge ' || t.total_minor || ') took ' || t.taken || ' from the wallet, holds ' || t.held || ', paid ' || t.paid
          from payouts t where not case t.status
            when 'COMPLETED' then t.held = 0 and t.taken = t.total_minor and t.paid = t.amount_minor
            when 'PROCESSING' then t.held = t.total_minor and t.taken = t.held and t.paid = 0
            when 'PENDING' then t.held in (0, t.total_minor) and t.taken = t.held and t.paid = 0
            else t.held = 0 and t.taken = 0 and t.paid = 0 end`,
  },
  {
    name: 'work_has_subject',
    rule: 'every piece of work has its transaction or callback',
    sql: `select 'work ' || w.id || ' (' || w.kind || ') is about ' || case w.kind when 'deliverCallback' then 'callback ' else 'transaction ' end || w.subject_id || ', which does not exist'
          from work w where case w.kind when 'deliverCallback' then not exists (select from callbacks c where c.id = w.subject_id)
            else not exists (select from transactions t where t.id = w.subject_id) end`,
  },
  {
    name: 'open_transactions_have_work',
    rule: 'every PENDING or PROCESSING transaction has work that brings it to an end',
    sql: `select ${TRANSACTION} || ' has no work' from transactions t where t.status in ('PENDING', 'PROCESSING')
          and not exists (select from work w where w.subject_id = t.id and w.kind not in ('deliverCallback', 'clearFunds', 'releaseReserve'))`,
  },
  {
    name: 'leases_taken_over',
    rule: `no work whose lease has ended waits longer than ${OVERDUE_MS / 60_000} minutes`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ', attempt ' || w.attempt || ') is due since ' || to_char(w.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
          from work w where w.attempt > 0 and w.due_at < $1 order by w.due_at`,
    values: (now) => [new Date(now.getTime() - OVERDUE_MS)],
  },
  {
    name: 'pending_callbacks_have_work',
    rule: 'every PENDING callback has work that delivers it',
    sql: `select 'callback ' || c.id || ' of transaction ' || c.transaction_id || ' has no work' from callbacks c
          where c.status = 'PENDING' and not exists (select from work w where w.kind = 'deliverCallback' and w.subject_id = c.id)`,
  },
  {
    name: 'references_match',
    rule: 'every transaction holds its merchant reference, every reference its transaction',
    sql: `select case when t.id is null then 'reference ' || r.merchant_reference || ' of merchant ' || r.merchant_id || ' is taken by transaction ' || r.transaction_id || ', which does not exist'
            when r.transaction_id is null then ${TRANSACTION} || ' does not hold its reference' else ${TRANSACTION} || ' holds another reference: ' || r.merchant_reference end
          from transaction_references r full join transactions t on t.id = r.transaction_id
          where t.id is null or r.transaction_id is null or t.merchant_id <> r.merchant_id or t.merchant_reference <> r.merchant_reference`,
  },
  {
    name: 'mode_known',
    rule: 'the database knows its mode, and a live one has neither the demo merchant nor a simulated payment',
    sql: `select 'the table database_mode is empty' where not exists (select from database_mode)
          union all
          select 'merchant ' || m.id || ' (' || m.public_key || ') is the demo merchant' from merchants m
          where m.sandbox_only and exists (select from database_mode where mode = 'live')
          union all
          select 'the simulator got ' || o.reference || ' of ' || o.amount_minor || ' ' || o.currency || ' (minor units)' from sandbox.orders o
          where exists (select from database_mode where mode = 'live')`,
  },
]

/** A check reads whole tables; this bounds each of them, far above what millions of transactions take. */
const CHECK_MS_MAX = 10 * 60_000

/**
 * Runs every check on one consistent snapshot, which no payment waits for.
 * @param onChecked hears of each result as it comes
 */
export function examine(pool: Pool, now: Date, onChecked: (finding: Finding) => void = () => undefined): Promise<Finding[]> {
  return available(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(`begin isolation level repeatable read, read only; set local statement_timeout = ${CHECK_MS_MAX}; set local work_mem = '128MB'; set local enable_seqscan = on`)
      const findings: Finding[] = []
      for (const check of CHECKS) {
        const finding = await run(client, check, now)
        findings.push(finding)
        onChecked(finding)
      }
      await client.query('commit')
      return findings
    } catch (error) {
      broken = error as Error // given up together with its transaction, whatever state it is in
      throw error
    } finally {
      client.release(broken)
    }
  })
}

async function run(client: pg.PoolClient, { name, rule, sql, values }: Check, now: Date): Promise<Finding> {
  const { rows } = await client.query<{ example: string; found: bigint }>({
    text: `select example, count(*) over () as found from (${sql}) as broken(example) limit ${EXAMPLES_MAX}`,
    values: [...(values?.(now) ?? [])],
    query_timeout: CHECK_MS_MAX,
  } as pg.QueryConfig)
  return { name, rule, found: Number(rows[0]?.found ?? 0n), examples: rows.map(({ example }) => example) }
}
