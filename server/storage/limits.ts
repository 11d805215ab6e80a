import { DAILY_WINDOW_MS, exceededLimit, type DailyUse } from '../domain/amount-limits.ts'
import type { UnitOfWork } from '../actions/ports/unit-of-work.ts'
import type { TransactionType } from '../domain/provider.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

// A fixed number of lock rows, created by the first migration: see limit_locks there.
const LIMIT_STRIPES = 16_384

/** What a daily limit applies to, and the merchant whose share of its usage is queried. */
export interface LimitSubject {
  readonly providerCode: string
  readonly type: Transaction['type']
  readonly account: string
  readonly merchantId: bigint
}

/** The lock and usage key that all requests under one daily limit share. */
export const limitKey = ({ providerCode, type, account }: Omit<LimitSubject, 'merchantId'>): string =>
  `${providerCode}:${type}:${account}`

/** The usage key of one merchant's share of the limit. */
export const merchantLimitKey = (subject: LimitSubject): string => `${limitKey(subject)}:${subject.merchantId}`

/** The lock key for the bounds of an account number: one for all providers and directions. */
export const accountKey = (account: string): string => `account:${account}`

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

/** The used part of daily limits by limitKey, and by merchantLimitKey for each queried merchant. */
export type DailyUses = Map<string, bigint>

/** The usage of one subject. */
export const dailyUseOf = (uses: DailyUses, subject: LimitSubject): DailyUse => ({
  usedMinor: uses.get(limitKey(subject)) ?? 0n,
  merchantUsedMinor: uses.get(merchantLimitKey(subject)) ?? 0n,
})

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
      new Date(now.getTime() - DAILY_WINDOW_MS),
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

export const limitStatements = (
  client: Queryable,
): Pick<UnitOfWork, 'claimDailyLimit' | 'releaseDailyLimit' | 'countTowardDailyLimit'> => ({
  async claimDailyLimit(transaction, limit, now) {
    // Also locks the account number: its own bounds may be queried next, in the same commit.
    const locked = lockLimits(client, [limitKey(transaction), accountKey(transaction.account)])
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
  readonly transactionType: TransactionType
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
