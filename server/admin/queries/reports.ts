import type { PoolClient } from 'pg'
import type { TransferKind } from '../../domain/ledger.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { WalletPurpose } from '../../domain/wallet-transfer.ts'
import { monthOf, type Month } from '../../storage/months.ts'
import { inTransaction, type Pool } from '../../storage/pool.ts'
import { forStatements, long } from './statements/bounds.ts'
import { readFigures, readLong, type Figure } from './day-figures.ts'
import { idsOfPeriod } from './transactions.ts'
import { WALLETS, type WalletView } from './wallets.ts'

// Reports read whole months, with the timeouts of statements. No payment waits for them.

const GROUPS = {
  day: `to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day`,
  provider: 't.provider_code',
  merchant: 'm.public_key as merchant_public_key, m.name as merchant_name',
  type: 't.type as transaction_type',
  status: 't.status as transaction_status',
} as const
/** By what volumes are grouped, besides the currency. */
export type VolumeGroup = keyof typeof GROUPS
export const VOLUME_GROUPS = Object.keys(GROUPS) as readonly VolumeGroup[]

/** Present are the fields of the groups. */
export interface Volume {
  /** In UTC. */
  readonly day?: string
  readonly provider_code?: string
  readonly merchant_public_key?: string
  readonly merchant_name?: string
  readonly transaction_type?: TransactionType
  readonly transaction_status?: TransactionStatus
  readonly currency: string
  readonly payments: number
  readonly amount_minor: bigint
  /** Zero for what moved no money. */
  readonly charge_minor: bigint
}

interface VolumeFilter {
  readonly since: Date
  readonly until: Date
  readonly merchantId: bigint | undefined
}

/** What was accepted in a period. */
export const readVolumes = (
  pool: Pool,
  { since, until, merchantId }: VolumeFilter,
  groups: readonly VolumeGroup[],
): Promise<readonly Volume[]> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    if (merchantId === undefined && !groups.includes('merchant')) {
      const read = readLong(client)
      return volumesBy(groups, await readFigures(read, since, until))
    }
    const columns = [...groups.map((group) => GROUPS[group]), 't.currency'].join(', ')
    const names = columns.replaceAll(/ as \w+/g, '')
    const { low, high } = idsOfPeriod(since, until)
    const { rows } = await client.query<Volume>(
      long(
        `select ${columns}, count(*)::int as payments, sum(t.amount_minor)::bigint as amount_minor,
           sum(case when t.status in ('FAILED', 'CANCELLED') then 0 else t.charge_minor end)::bigint as charge_minor
         from transactions t join merchants m on m.id = t.merchant_id
         where t.id >= $1 and t.id < $2 and t.created_at >= $3 and t.created_at < $4
           and ($5::bigint is null or t.merchant_id = $5) and t.type <> 'ATTEMPT'
         group by ${names} order by ${names}`,
        [low, high, since, until, merchantId],
      ),
    )
    return rows
  })

const NAMES = {
  day: 'day',
  provider: 'provider_code',
  type: 'transaction_type',
  status: 'transaction_status',
} as const satisfies Partial<Record<VolumeGroup, keyof Volume>>

/** Ordered by their groups. */
function volumesBy(groups: readonly VolumeGroup[], figures: readonly Figure[]): readonly Volume[] {
  const volumes = new Map<string, Volume>()
  for (const { type, status, payments, amount_minor, charge_minor, ...names } of figures) {
    const all = { ...names, transaction_type: type, transaction_status: status }
    const fields = groups.flatMap((group) => (group === 'merchant' ? [] : [NAMES[group]]))
    const shown = Object.fromEntries(fields.map((name) => [name, all[name]]))
    const key = [...Object.values(shown), names.currency].join(' ')
    const { payments: count = 0, amount_minor: amount = 0n, charge_minor: charge = 0n } = volumes.get(key) ?? {}
    volumes.set(key, {
      ...shown,
      currency: names.currency,
      payments: count + payments,
      amount_minor: amount + amount_minor,
      charge_minor: charge + charge_minor,
    })
  }
  return [...volumes].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, volume]) => volume)
}

export interface MerchantWallet extends WalletView {
  readonly merchant_id: bigint
  readonly merchant_public_key: string
  readonly merchant_name: string
}

interface MerchantPage {
  /** Only merchants with a greater id. */
  readonly after: bigint
  /** How many merchants. */
  readonly limit: number
}

const OF_MERCHANTS = `from merchants m cross join lateral (${WALLETS} where merchant_id = m.id
  and kind ~ '^(collection|payout)_' group by 1, 2) w where ($1 or not m.sandbox_only)`

/** @param withSandbox whether the merchants of the sandbox are listed */
export const readBalances = (
  pool: Pool,
  withSandbox: boolean,
  page?: MerchantPage,
): Promise<readonly MerchantWallet[]> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    const { rows } = await client.query<MerchantWallet>(
      long(
        `select m.id as merchant_id, m.public_key as merchant_public_key, m.name as merchant_name, w.* ${OF_MERCHANTS}
           and ($2::bigint is null or m.id in (select id from merchants o where o.id > $2 and ($1 or not o.sandbox_only)
             order by o.id limit $3))
         order by ${page ? '' : 'm.name, '}m.id, w.currency, w.purpose`,
        [withSandbox, page?.after, page?.limit],
      ),
    )
    return rows
  })

/** What all merchants hold in each kind of wallet. */
export const readBalanceTotals = (pool: Pool, withSandbox: boolean): Promise<readonly WalletView[]> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    const sums = ['available', 'uncleared', 'reserve', 'held'].map(
      (part) => `sum(w.${part}_minor)::bigint as ${part}_minor`,
    )
    const { rows } = await client.query<WalletView>(
      long(`select w.purpose, w.currency, ${sums.join(', ')} ${OF_MERCHANTS} group by 1, 2 order by 2, 1`, [
        withSandbox,
      ]),
    )
    return rows
  })

/** One wallet of a merchant in one month: opening + movements = closing. What payouts in flight hold is part of it. */
export interface WalletStatement {
  readonly purpose: WalletPurpose
  readonly currency: string
  readonly opening_minor: bigint
  readonly closing_minor: bigint
  readonly movements: readonly { readonly kind: TransferKind; readonly count: number; readonly amount_minor: bigint }[]
}

/** A merchant has wallets in all currencies of the providers. */
export const isUsed = ({ opening_minor, movements }: WalletStatement): boolean =>
  opening_minor !== 0n || movements.length > 0

/** JSON has the amounts as texts: they are exact in any size. */
interface WalletStatementRow extends Omit<WalletStatement, 'movements'> {
  readonly movements: readonly { readonly kind: TransferKind; readonly count: number; readonly amount_minor: string }[]
}

/** A line of a statement: what a transfer moved in a wallet. */
export interface StatementMovement {
  readonly purpose: WalletPurpose
  readonly currency: string
  readonly at: Date
  readonly transfer_id: bigint
  readonly kind: TransferKind
  readonly amount_minor: bigint
  /** Of the payment, if it is one. */
  readonly merchant_reference: string | null
  readonly transaction_amount_minor: bigint | null
  readonly charge_minor: bigint | null
  /** Of the movement by staff, if it is one. */
  readonly reference: string | null
}

export interface MonthlyStatement {
  readonly wallets: readonly WalletStatement[]
  /** Ordered by time. */
  readonly lines: AsyncIterable<readonly StatementMovement[]>
}

// By the time of booking. Transfers between the parts of a wallet, such as a hold, are no movements of it. An archived
// month is brought forward by an opening, which belongs to the time before.
const MOVED = `
  select t.id as transfer_id, t.created_at as at, t.kind, t.transaction_id, a.purpose, a.currency,
    sum(e.amount_minor)::bigint as amount_minor
  from transfers t join entries e on e.transfer_id = t.id
    join (select id, currency, split_part(kind, '_', 1) as purpose from accounts
      where merchant_id = $1 and kind ~ '^(collection|payout)_') a on a.id = e.account_id
  where t.created_at >= $2 and t.kind <> 'opening' `
const BY_WALLET = 'group by 1, 2, 3, 4, 5, 6 having sum(e.amount_minor) <> 0'

type Period = Pick<Month, 'from' | 'until'>

/**
 * The statement of a merchant for a month, or another period, that may still run. All of it is read in one snapshot.
 * @param use gets it while the snapshot is open
 */
export const withStatement = (
  pool: Pool,
  merchantId: bigint,
  month: Period,
  use: (statement: MonthlyStatement) => Promise<void>,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only')
    await forStatements(client)
    const { rows } = await client.query<WalletStatementRow>(
      // Backwards from the present balances: reads what was booked since, and no older month.
      long(
        `with moved as materialized (${MOVED} ${BY_WALLET}), kinds as (
           select purpose, currency, kind, count(*)::int as count, sum(amount_minor)::bigint as amount_minor
           from moved where at < $3 group by 1, 2, 3
         ), wallets as (
           select purpose, currency, (available_minor + uncleared_minor + reserve_minor + held_minor - coalesce((
             select sum(m.amount_minor) from moved m
             where m.purpose = w.purpose and m.currency = w.currency and m.at >= $3), 0))::bigint as closing_minor
           from (${WALLETS} where merchant_id = $1 and kind ~ '^(collection|payout)_' group by 1, 2) w
         )
         select w.purpose, w.currency, w.closing_minor,
           (w.closing_minor - coalesce(sum(k.amount_minor), 0))::bigint as opening_minor,
           coalesce(json_agg(json_build_object('kind', k.kind, 'count', k.count, 'amount_minor', k.amount_minor::text)
             order by k.kind) filter (where k.kind is not null), '[]') as movements
         from wallets w left join kinds k using (purpose, currency) group by 1, 2, 3 order by 2, 1`,
        [merchantId, month.from, month.until],
      ),
    )
    const wallets = rows.map((row) => ({
      ...row,
      movements: row.movements.map((one) => ({ ...one, amount_minor: BigInt(one.amount_minor) })),
    }))
    await use({ wallets, lines: linesOf(client, merchantId, month) })
  })

const FETCHED = 1_000

/** Through a cursor: a month may have more lines than fit into memory. */
async function* linesOf(
  client: PoolClient,
  merchantId: bigint,
  month: Period,
): AsyncGenerator<readonly StatementMovement[]> {
  await client.query(
    long(
      `declare statement_lines_of_month no scroll cursor for
       select m.*, t.merchant_reference, t.amount_minor as transaction_amount_minor, t.charge_minor, r.reference
       from (${MOVED} and t.created_at < $3 ${BY_WALLET}) m left join transactions t on t.id = m.transaction_id
         left join operator_references r on r.transfer_id = m.transfer_id
       order by m.at, m.transfer_id, m.purpose`,
      [merchantId, month.from, month.until],
    ),
  )
  for (;;) {
    const { rows } = await client.query<StatementMovement>(long(`fetch ${FETCHED} from statement_lines_of_month`))
    yield rows
    if (rows.length < FETCHED) return
  }
}

/** @returns undefined when the text is no month; `archived` when the payments of it or of a later one are in files */
export async function findStatementMonth(pool: Pool, name: string): Promise<Month | 'archived' | undefined> {
  const month = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(name) ? monthOf(new Date(`${name}-01T00:00:00Z`)) : undefined
  if (!month) return undefined
  const { rowCount } = await pool.query(
    'select from history_months where month >= $1 and archived_at is not null limit 1',
    [name],
  )
  return rowCount === 0 ? month : 'archived'
}
