import {
  lastHourEndsAfter,
  promptDecline,
  type AccountTally,
  type AccountUse,
  type AccountUseKind,
} from '../domain/account-bounds.ts'
import type { UnitOfWork } from '../actions/ports/unit-of-work.ts'
import { accountKey, lockLimits } from './limits.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

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
      from account_usage where account = any($1) and counts_until > $2 group by account, kind, merchant_id`,
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

export interface UsageOfTransaction {
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
 * Adds to the usage that counts toward the bounds of account numbers. The caller has checked the bounds under the
 * lock.
 */
export async function insertAccountUsage(client: Queryable, usages: readonly UsageOfTransaction[]): Promise<void> {
  const rows = usages.flatMap(({ uses, ...of }) => uses.map((use): StoredUse => ({ ...use, ...of })))
  if (rows.length === 0) return
  await client.query({
    name: 'insert-account-usage',
    text: `insert into account_usage (${ACCOUNT_USE.names()})
           select ${ACCOUNT_USE.names()} from json_to_recordset($1) as r(${ACCOUNT_USE.definition})`,
    values: [ACCOUNT_USE.json(rows)],
  })
}

export const accountUsageStatements = (
  client: Queryable,
): Pick<
  UnitOfWork,
  'lockAccountUsage' | 'addAccountUsage' | 'endPageUsage' | 'addPromptDeclines' | 'endPromptDeclines'
> => ({
  async lockAccountUsage(account, now) {
    const [, counted] = await Promise.all([
      lockLimits(client, [accountKey(account)]),
      countAccountUsage(client, [account], now),
    ])
    return counted.get(account) ?? []
  },

  addAccountUsage: ({ id, account, merchantId }, uses) =>
    insertAccountUsage(client, [{ account, merchantId, transactionId: id, uses }]),

  // Takes no lock: freeing room for one more page does no harm to a concurrent count.
  async endPageUsage({ id, account }) {
    await client.query({
      name: 'end-page-usage',
      text: `delete from account_usage where account = $2 and kind = 'open_page' and transaction_id = $1`,
      values: [id, account],
    })
  },

  addPromptDeclines: (transactions, now) =>
    insertAccountUsage(
      client,
      transactions.map(({ id, account, merchantId }) => ({
        account,
        merchantId,
        transactionId: id,
        uses: [promptDecline(now)],
      })),
    ),

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
