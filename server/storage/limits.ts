import type { LimitWrites, AccountUsageWrites } from '../actions/ports/limits.ts'
import {
  exceededLimit,
  dailyUseOf,
  dailyWindowStart,
  accountLocks,
  merchantLimitKey,
  type DailyUses,
  type LimitSubject,
} from '../domain/amount-limits.ts'
import type { OrderType } from '../domain/provider.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { QueryConfig } from 'pg'
import { optimizerFence } from './optimizer-fence.ts'
import { runAll, type Queryable } from './pool.ts'
import { columns } from './rows.ts'
import {
  lastHourEndsAfter,
  promptDecline,
  type AccountTally,
  type AccountUse,
  type AccountUseKind,
} from '../domain/account-bounds.ts'

// A fixed number of lock rows, created by the first migration: see limit_locks there.
const LIMIT_STRIPES = 16_384

/** FNV-1a: any uniform hash will do. Two accounts that share a stripe only wait for each other. */
function stripeOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % LIMIT_STRIPES
}

/**
 * Locks the limits with these keys until commit. One call must take all the locks that a commit needs: two commits
 * that lock stripes in several steps could deadlock.
 */
export function lockLimits(client: Queryable, keys: readonly string[]): Promise<unknown> {
  const stripes = [...new Set(keys.map(stripeOf))]
  if (stripes.length === 0) return Promise.resolve()
  return client.query({
    name: 'lock-limits',
    text: 'select from limit_locks where stripe = any($1::int[]) order by stripe for update',
    values: [stripes],
  })
}

/**
 * What each of these accounts has used in the last 24 hours; no entry for an unused one. Another statement takes the
 * locks first: the sum must include what committed while we waited for the lock, and a statement sees only what had
 * committed when it began. Both statements may be pipelined.
 */
export async function sumUsage(client: Queryable, subjects: readonly LimitSubject[], now: Date): Promise<DailyUses> {
  const accounts = [...new Map(subjects.map((subject) => [merchantLimitKey(subject), subject])).values()]
  if (accounts.length === 0) return new Map()
  const { rows } = await client.query<{ key: string; merchant_id: bigint; used_minor: bigint; own_minor: bigint }>({
    name: 'sum-usage',
    text: `
      select k.provider_code || ':' || k.transaction_type || ':' || k.account as key, k.merchant_id, u.used_minor,
        u.own_minor
      from unnest($1::text[], $2::text[], $3::text[], $5::bigint[])
        as k(provider_code, transaction_type, account, merchant_id)
      cross join lateral (
        select sum(amount_minor)::bigint as used_minor,
          coalesce(sum(amount_minor) filter (where merchant_id = k.merchant_id), 0)::bigint as own_minor
        from limit_usage
        where provider_code = k.provider_code and transaction_type = k.transaction_type and account = k.account
          and created_at > $4
      ) u where u.used_minor is not null`,
    values: [
      accounts.map((a) => a.providerCode),
      accounts.map((a) => a.type),
      accounts.map((a) => a.account),
      dailyWindowStart(now),
      accounts.map((a) => a.merchantId),
    ],
  })
  return new Map(
    rows.flatMap(({ key, merchant_id, used_minor, own_minor }) => [
      [key, used_minor] as const,
      [`${key}:${merchant_id}`, own_minor] as const,
    ]),
  )
}

export const limitStatements = (client: Queryable): LimitWrites => ({
  async claimDailyLimit(transaction, limit, now) {
    const locked = lockLimits(client, accountLocks([transaction.account]))
    const [, used] = await Promise.all([locked, sumUsage(client, [transaction], now)])
    const exceeded = exceededLimit(limit, dailyUseOf(used, transaction), transaction.amount.amountMinor)
    if (exceeded !== undefined) return exceeded
    // The window begins now: a hosted payment was created up to 30 minutes before its customer confirmed it.
    await insertUsage(client, [{ ...transaction, createdAt: now }])
    return undefined
  },

  async releaseDailyLimit(transactions) {
    if (transactions.length === 0) return
    await client.query({
      name: 'release-daily-limit',
      text: `
        delete from limit_usage u using json_to_recordset($1) as r(${USAGE.definition})
        where u.provider_code = r.provider_code and u.transaction_type = r.transaction_type and u.account = r.account
          and u.transaction_id = r.transaction_id`,
      values: [USAGE.json(transactions.map(usageOf))],
    })
  },

  async countTowardDailyLimit(transactions) {
    if (transactions.length > 0) await insertUsage(client, transactions)
  },
})

interface Usage {
  readonly providerCode: string
  readonly transactionType: OrderType
  readonly account: string
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly createdAt: Date
  readonly amountMinor: bigint
}

const USAGE = columns<Usage>({
  providerCode: 'text',
  transactionType: 'text',
  account: 'text',
  merchantId: 'bigint',
  transactionId: 'bigint',
  createdAt: 'timestamptz',
  amountMinor: 'bigint',
})

const usageOf = ({
  providerCode,
  type,
  account,
  merchantId,
  id,
  createdAt,
  amount: { amountMinor },
}: Transaction): Usage => ({
  providerCode,
  transactionType: type,
  account,
  merchantId,
  transactionId: id,
  createdAt,
  amountMinor,
})

async function insertUsage(client: Queryable, transactions: readonly Transaction[]): Promise<void> {
  await client.query(
    `insert into limit_usage (${USAGE.names()})
     select ${USAGE.names()} from json_to_recordset($1) as r(${USAGE.definition}) on conflict do nothing`,
    [USAGE.json(transactions.map(usageOf))],
  )
}

// Below: what counts toward the bounds of account numbers, under the same locks.

interface TallyRow {
  readonly account: string
  readonly kind: AccountUseKind
  readonly merchant_id: bigint | null
  readonly count: number
  readonly first_ends: Date
  readonly last_ends: Date
  readonly hour_count: number
  readonly hour_first_ends: Date | null
}

/**
 * The usage that counts for these account numbers now; no entry for an unused one. The caller locks them first: see
 * sumUsage.
 */
export async function countAccountUsage(
  client: Queryable,
  accounts: readonly string[],
  now: Date,
): Promise<Map<string, AccountTally[]>> {
  if (accounts.length === 0) return new Map()
  const { rows } = await client.query<TallyRow>({
    name: 'count-account-usage',
    text: `
      select account, kind, merchant_id, count(*)::int as count,
        min(counts_until) as first_ends, max(counts_until) as last_ends,
        (count(*) filter (where counts_until > $3))::int as hour_count,
        min(counts_until) filter (where counts_until > $3) as hour_first_ends
      from account_usage where account = any($1) and ${optimizerFence('counts_until > $2')}
      group by account, kind, merchant_id`,
    values: [[...new Set(accounts)], now, lastHourEndsAfter(now)],
  })
  return new Map([...Map.groupBy(rows, ({ account }) => account)].map(([account, of]) => [account, of.map(toTally)]))
}

const toTally = (row: TallyRow): AccountTally => ({
  kind: row.kind,
  merchantId: row.merchant_id ?? undefined,
  count: row.count,
  firstEnds: row.first_ends,
  lastEnds: row.last_ends,
  hourCount: row.hour_count,
  ...(row.hour_first_ends && { hourFirstEnds: row.hour_first_ends }),
})

interface UsageOfTransaction {
  readonly account: string
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly uses: readonly AccountUse[]
}

interface StoredUse extends AccountUse {
  readonly account: string
  readonly merchantId: bigint
  readonly transactionId: bigint
}

const ACCOUNT_USE = columns<StoredUse>({
  account: 'text',
  kind: 'text',
  merchantId: 'bigint',
  transactionId: 'bigint',
  number: 'int',
  countsUntil: 'timestamptz',
})

/**
 * The statement that adds to the usage that counts toward the bounds of account numbers, if there is any. The caller
 * has checked the bounds under the lock.
 */
export function accountUsageRows(usages: readonly UsageOfTransaction[]): QueryConfig[] {
  const rows = usages.flatMap(({ uses, ...of }) => uses.map((use): StoredUse => ({ ...use, ...of })))
  if (rows.length === 0) return []
  return [
    {
      name: 'insert-account-usage',
      text: `insert into account_usage (${ACCOUNT_USE.names()})
             select ${ACCOUNT_USE.names()} from json_to_recordset($1) as r(${ACCOUNT_USE.definition})`,
      values: [ACCOUNT_USE.json(rows)],
    },
  ]
}

export const accountUsageStatements = (client: Queryable): AccountUsageWrites => ({
  async lockAccountUsage(account, now) {
    const [, counted] = await Promise.all([
      lockLimits(client, accountLocks([account])),
      countAccountUsage(client, [account], now),
    ])
    return counted.get(account) ?? []
  },

  async addAccountUsage({ id, account, merchantId }, uses) {
    await runAll(client, accountUsageRows([{ account, merchantId, transactionId: id, uses }]))
  },

  // Takes no lock: freeing room for one more page does no harm to a concurrent count.
  async endPageUsage({ id, account }) {
    await client.query({
      name: 'end-page-usage',
      text: `delete from account_usage where account = $2 and kind = 'open_page' and transaction_id = $1`,
      values: [id, account],
    })
  },

  async addPromptDeclines(transactions, now) {
    const declines = transactions.map(({ id, account, merchantId }) => ({
      account,
      merchantId,
      transactionId: id,
      uses: [promptDecline(now)],
    }))
    await runAll(client, accountUsageRows(declines))
  },

  // Skips rows that another commit is deleting: two batches with the same account numbers could deadlock otherwise.
  async endPromptDeclines(accounts) {
    await client.query({
      name: 'end-prompt-declines',
      text: `
        delete from account_usage where ctid = any(array(
          select ctid from account_usage where account = any($1) and kind = 'prompt_decline' for update skip locked))`,
      values: [accounts],
    })
  },
})
