import type { WaitingPayoutsFigure } from '../actions/ports/figures.ts'
import type { PayoutWait, PayoutWaitWrites } from '../actions/ports/payout-waits.ts'
import { WAIT_MESSAGES } from '../domain/payout-waits.ts'
import { available, type Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

const WAIT = columns<PayoutWait>({
  transactionId: 'bigint',
  railAccount: 'text',
  merchantId: 'bigint',
  amountMinor: 'bigint',
  createdAt: 'timestamptz',
  reason: 'text',
  since: 'timestamptz',
})
/** Of each rail account. What they want is more than any float is likely to cover. */
const OLDEST = 1_000

/** Whether a transaction `t` waits: literals, because a generic plan searches a parameter's array for each row. */
const WAITS = `t.status_message in (${Object.values(WAIT_MESSAGES)
  .map((message) => `'${message}'`)
  .join(', ')})`

/** The balance of a rail account in the currency that it has now. */
const BALANCES = `(rail_balances b join rail_accounts i on i.name = b.rail_account and i.currency = b.currency)`

type FloatWrites = Pick<PayoutWaitWrites, 'handOver' | 'lockFloats' | 'takeFloats'>

const floatStatements = (client: Queryable): FloatWrites => ({
  async handOver(wantedMinor, readSince) {
    if (wantedMinor.size === 0) return new Set()
    const { rows } = await client.query<{ rail_account: string }>({
      name: 'hand-over',
      text: HAND_OVER,
      values: [[...wantedMinor.keys()], [...wantedMinor.values()], readSince],
    })
    return new Set(rows.map(({ rail_account }) => rail_account))
  },

  async lockFloats(railAccounts, readSince) {
    if (railAccounts.length === 0) return new Map()
    const { rows } = await client.query<{ rail_account: string; float_minor: bigint | null }>({
      name: 'lock-floats',
      text: `select b.rail_account, case when b.checked_at > $2 then b.float_minor end as float_minor from ${BALANCES}
             where b.rail_account = any($1) order by b.rail_account for update of b`,
      values: [railAccounts, readSince],
    })
    return new Map(rows.map((row) => [row.rail_account, row.float_minor ?? undefined]))
  },

  async takeFloats(takenMinor) {
    if (takenMinor.size === 0) return
    await client.query({
      name: 'take-floats',
      text: `update rail_balances b set float_minor = b.float_minor - r.minor, handed_minor = b.handed_minor + r.minor
             from unnest($1::text[], $2::bigint[]) r (name, minor) join rail_accounts i on i.name = r.name
             where b.rail_account = r.name and b.currency = i.currency`,
      values: [[...takenMinor.keys()], [...takenMinor.values()]],
    })
  },
})

// A payout that begins to wait meanwhile may be missed: it may be overtaken at first.
const HAND_OVER = `
  with free as (
    select b.rail_account, b.currency, r.minor
    from unnest($1::text[], $2::bigint[]) r (name, minor) join ${BALANCES} on b.rail_account = r.name
    where (b.checked_at > $3 and b.float_minor < r.minor) is not true
      and not exists (select from payout_waits w where w.rail_account = b.rail_account)
    order by b.rail_account for update of b)
  update rail_balances b set float_minor = b.float_minor - f.minor, handed_minor = b.handed_minor + f.minor
  from free f where b.rail_account = f.rail_account and b.currency = f.currency returning b.rail_account`

export const payoutWaitStatements = (client: Queryable): PayoutWaitWrites => ({
  ...floatStatements(client),

  async payoutWaits(railAccounts, ids) {
    if (railAccounts.length === 0 && ids.length === 0) return []
    const { rows } = await client.query<Row<PayoutWait>>({
      name: 'payout-waits',
      // Joined, not compared with the array: a generic plan would go through all of it for each row.
      text: `select ${WAIT.names('w')} from (
               select w.* from unnest($1::text[]) a (name) cross join lateral (select * from payout_waits
                 where rail_account = a.name order by created_at, transaction_id limit ${OLDEST}) w
               union select w.* from unnest($2::bigint[]) i (id) join payout_waits w on w.transaction_id = i.id
             ) w join transactions t on t.id = w.transaction_id where ${WAITS}
             order by w.created_at, w.transaction_id`,
      values: [railAccounts, ids],
    })
    return rows.map(WAIT.toFields)
  },

  async savePayoutWaits(waits) {
    if (waits.length === 0) return
    await client.query({
      name: 'save-payout-waits',
      text: `insert into payout_waits (${WAIT.names()})
             select ${WAIT.names()} from json_to_recordset($1) as r(${WAIT.definition}) order by transaction_id
             on conflict (transaction_id) do update
               set rail_account = excluded.rail_account, reason = excluded.reason, since = excluded.since`,
      values: [WAIT.json(waits)],
    })
  },

  async endPayoutWaits(ids) {
    if (ids.length === 0) return
    await client.query({
      name: 'end-payout-waits',
      text: 'delete from payout_waits where transaction_id = any($1)',
      values: [ids],
    })
  },
})

/** How many wait at each rail account, at most `countedMax` of each reason. */
export async function waitingPayouts(client: Queryable, countedMax: number): Promise<readonly WaitingPayoutsFigure[]> {
  const { rows } = await client.query<WaitingPayoutsFigure>({
    name: 'waiting-payouts',
    text: `select w.rail_account as "railAccount", w.reason, least(count(*), $1)::int as payouts from
             (select * from payout_waits order by transaction_id limit 4 * $1::int) w
             join transactions t on t.id = w.transaction_id
           where ${WAITS} group by 1, 2 order by 1, 2`,
    values: [countedMax],
  })
  return rows
}

/** Makes payouts due now that wait at a rail account: its operator is back, or has another balance. */
export const wakePayouts = (client: Queryable, railAccount: string, now: Date): Promise<void> =>
  available(async () => {
    await client.query({
      name: 'wake-payouts',
      text: `update jobs set due_at = $2 where kind = 'submitToRail' and due_at > $2 and token is null
               and subject_id = any(array(select transaction_id from payout_waits where rail_account = $1))`,
      values: [railAccount, now],
    })
  })
