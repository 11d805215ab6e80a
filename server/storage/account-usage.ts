import type { AccountUse, AccountUseKind } from '../domain/account-bounds.ts'
import type { Unit } from '../actions/ports/unit.ts'
import { accountKey, lockLimits } from './limits.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

/** What requests for one account number and one kind of use lock. */
export const usageKey = (account: string, kind: AccountUseKind): string => `${kind}:${account}`

/**
 * How many of each kind count for these account numbers now, by usageKey; nothing for none. Locked before: see
 * sumUsage.
 */
export async function countAccountUsage(
  client: Queryable,
  accounts: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map()
  const { rows } = await client.query<{ account: string; kind: AccountUseKind; uses: number }>({
    name: 'count-account-usage',
    text: `select account, kind, count(*)::int as uses from account_usage
           where account = any($1) and counts_until > $2 group by account, kind`,
    values: [[...new Set(accounts)], now],
  })
  return new Map(rows.map(({ account, kind, uses }) => [usageKey(account, kind), uses]))
}

export interface UsageOfTransaction {
  readonly account: string
  readonly transactionId: bigint
  readonly uses: readonly AccountUse[]
}

interface StoredUse extends AccountUse {
  readonly account: string
  readonly transactionId: bigint
}

const ACCOUNT_USE = columns<StoredUse>({
  account: 'text',
  kind: 'text',
  transactionId: 'bigint',
  number: 'int',
  countsUntil: 'timestamptz',
})

/** Adds to what counts toward the bounds of account numbers; whether there is room was asked before, under the lock. */
export async function insertAccountUsage(client: Queryable, usages: readonly UsageOfTransaction[]): Promise<void> {
  const rows = usages.flatMap(({ account, transactionId, uses }) =>
    uses.map((use): StoredUse => ({ ...use, account, transactionId })),
  )
  if (rows.length === 0) return
  await client.query({
    name: 'insert-account-usage',
    text: `insert into account_usage (${ACCOUNT_USE.names()})
           select ${ACCOUNT_USE.names()} from json_to_recordset($1) as r(${ACCOUNT_USE.definition})`,
    values: [ACCOUNT_USE.json(rows)],
  })
}

const KINDS: readonly AccountUseKind[] = ['otp_send', 'otp_wrong', 'open_page']

export const accountUsageStatements = (
  client: Queryable,
): Pick<Unit, 'lockAccountUsage' | 'addAccountUsage' | 'endPageUsage'> => ({
  async lockAccountUsage(account, now) {
    const [, counted] = await Promise.all([
      lockLimits(client, [accountKey(account)]),
      countAccountUsage(client, [account], now),
    ])
    return new Map(KINDS.map((kind) => [kind, counted.get(usageKey(account, kind)) ?? 0]))
  },

  addAccountUsage: ({ id, account }, uses) => insertAccountUsage(client, [{ account, transactionId: id, uses }]),

  // Not locked: room for one more page is no harm to whoever counts at this moment.
  async endPageUsage({ id, account }) {
    await client.query({
      name: 'end-page-usage',
      text: `delete from account_usage where account = $2 and kind = 'open_page' and transaction_id = $1`,
      values: [id, account],
    })
  },
})
