import type { PoolClient } from 'pg'
import type { TransferKind } from '../../domain/ledger.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { TIME_ORIGIN_MS } from '../../domain/references.ts'
import type { WalletPurpose } from '../../domain/wallet-transfer.ts'
import { monthOf, type Month } from '../../storage/months.ts'
import { inTransaction, type Pool } from '../../storage/pool.ts'
import { paymentsOfMerchant, readSearchMark, searchKey } from '../../storage/search.ts'
import { idBaseFrom, ofPayment } from '../../storage/time-ids.ts'
import { forStatements, long } from './statements/bounds.ts'
import { readFigures, readLong } from './day-figures.ts'
import { ID_MAX } from './transactions.ts'
import { WALLETS, type WalletView } from './wallets.ts'

// Reports read whole months, with the timeouts of statements. No payment waits for them.

const GROUPS = {
  day: 'day',
  provider: 'provider_code',
  merchant: 'merchant_id',
  type: 'type',
  status: 'status',
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

/** What was accepted in a period, ordered by its groups. */
export const readVolumes = (
  pool: Pool,
  { since, until, merchantId }: VolumeFilter,
  groups: readonly VolumeGroup[],
): Promise<readonly Volume[]> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    const by = [...groups.map((group) => GROUPS[group]), 'currency'] as const
    const figures = await readFigures(readLong(client), since, until, { merchantId, by })
    const { rows: merchants } = await client.query<{ id: bigint; public_key: string; name: string }>(
      'select id, public_key, name from merchants where id = any($1)',
      [groups.includes('merchant') ? [...new Set(figures.map((one) => one.merchant_id))] : []],
    )
    const named = new Map(merchants.map((one) => [one.id, one]))
    return volumesBy(
      figures.map(({ day, provider_code, merchant_id, type, status, ...sums }) => {
        const { public_key: merchant_public_key, name: merchant_name } = named.get(merchant_id) ?? {}
        const of = {
          day: { day },
          provider: { provider_code },
          merchant: { merchant_public_key, merchant_name },
          type: { transaction_type: type },
          status: { transaction_status: status },
        }
        return { ...Object.assign({}, ...groups.map((group) => of[group])), ...sums } as Volume
      }),
    )
  })

/** Sums what is alike. */
function volumesBy(all: readonly Volume[]): readonly Volume[] {
  const volumes = new Map<string, Volume>()
  for (const one of all) {
    const { payments, amount_minor, charge_minor, ...names } = one
    const key = Object.values(names).join(' ')
    const sum = volumes.get(key) ?? { ...one, payments: 0, amount_minor: 0n, charge_minor: 0n }
    volumes.set(key, {
      ...sum,
      payments: sum.payments + payments,
      amount_minor: sum.amount_minor + amount_minor,
      charge_minor: sum.charge_minor + charge_minor,
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

// Not late: within an hour, or only between the parts of a wallet. The text of the index `late_transfers`.
const LATE_MS = 3_600_000
const LATE = `t.created_at - to_timestamp((t.id >> 22) + ${TIME_ORIGIN_MS / 1000}) > interval '1 hour'
  and t.kind not in ('clearing', 'reserve_release')`

const OWN = paymentsOfMerchant({ merchant: '$1', key: '$5', low: '$4', high: `${ID_MAX}`, mark: '$6' })

/**
 * Optimizer fences (`offset 0`): reads the transfers of the merchant's own payments one by one, and of all merchants
 * those that staff booked and those that were booked late, which are few. $4 is the lowest id of what is not late, $5
 * the key of the merchant's search rows, $6 their mark.
 */
const TRANSFERS = `
  select p.* from (${OWN}) k
  cross join lateral (select * from transfers t where ${ofPayment('t', 'k.id')} offset 0) p
  union select * from transfers t where t.transaction_id is null and t.id >= $4
  union select * from transfers t where ${LATE} and t.created_at >= $2`

// By the time of booking. Transfers between the parts of a wallet, such as a hold, are no movements of it. An archived
// month is brought forward by an opening, which belongs to the time before.
const MOVED = `
  select t.id as transfer_id, t.created_at as at, t.kind, t.transaction_id, a.purpose, a.currency,
    sum(e.amount_minor)::bigint as amount_minor
  from (${TRANSFERS}) t
    cross join lateral (select account_id, amount_minor from entries where transfer_id = t.id offset 0) e
    join (select id, currency, split_part(kind, '_', 1) as purpose from accounts
      where merchant_id = $1 and kind ~ '^(collection|payout)_') a on a.id = e.account_id
  where t.created_at >= $2 and t.kind <> 'opening'`
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
    const values = [
      merchantId,
      month.from,
      month.until,
      idBaseFrom(new Date(month.from.getTime() - LATE_MS)),
      searchKey.merchant(merchantId),
      await readSearchMark(client),
    ]
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
        values,
      ),
    )
    const wallets = rows.map((row) => ({
      ...row,
      movements: row.movements.map((one) => ({ ...one, amount_minor: BigInt(one.amount_minor) })),
    }))
    await use({ wallets, lines: linesOf(client, values) })
  })

const FETCHED = 1_000

/** Through a cursor: a month may have more lines than fit into memory. */
async function* linesOf(client: PoolClient, values: readonly unknown[]): AsyncGenerator<readonly StatementMovement[]> {
  await client.query(
    long(
      `declare statement_lines_of_month no scroll cursor for
       select m.*, t.merchant_reference, t.amount_minor as transaction_amount_minor, t.charge_minor, r.reference
       from (${MOVED} and t.created_at < $3 ${BY_WALLET}) m left join transactions t on t.id = m.transaction_id
         left join operator_references r on r.transfer_id = m.transfer_id
       order by m.at, m.transfer_id, m.purpose`,
      values,
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
