import type { TransactionEvent, Unit } from '../actions/ports.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Queryable } from './pool.ts'
import { jsonRows, toTransaction, transactionColumns, type TransactionRow } from './rows.ts'

type TransactionStatements = Pick<Unit, 'lockTransactions' | 'saveStates' | 'releaseDailyLimit' | 'countTowardDailyLimit' | 'addEvents'>

export const transactionStatements = (client: Queryable): TransactionStatements => ({
  async lockTransactions(by) {
    const [column, values] = 'ids' in by ? (['id', by.ids] as const) : (['internal_reference', by.internalReferences] as const)
    if (values.length === 0) return []
    const { rows } = await client.query<TransactionRow>({
      name: `lock-transactions-by-${column}`,
      text: `select ${transactionColumns('t')} from transactions t where ${column} = any($1) order by id for update`,
      values: [values],
    })
    return rows.map(toTransaction)
  },

  async saveStates(transactions) {
    if (transactions.length === 0) return
    await client.query({
      name: 'save-states',
      text: `
        update transactions t set status = r.status, status_message = r.status_message, final_at = r.final_at
        from json_to_recordset($1) as r(id bigint, status text, status_message text, final_at timestamptz) where t.id = r.id`,
      values: [jsonRows(transactions.map(({ id, status, statusMessage, finalAt }) => ({ id, status, status_message: statusMessage, final_at: finalAt })))],
    })
  },

  async releaseDailyLimit(transactions) {
    if (transactions.length === 0) return
    await client.query({
      name: 'release-daily-limit',
      text: `
        delete from limit_usage u using json_to_recordset($1) as r(${USAGE_KEY})
        where u.provider_code = r.provider_code and u.transaction_type = r.transaction_type and u.account = r.account and u.transaction_id = r.transaction_id`,
      values: [jsonRows(transactions.map(usageRow))],
    })
  },

  async countTowardDailyLimit(transactions) {
    if (transactions.length === 0) return
    await client.query(
      `insert into limit_usage (provider_code, transaction_type, account, transaction_id, created_at, amount_minor)
       select provider_code, transaction_type, account, transaction_id, created_at, amount_minor
       from json_to_recordset($1) as r(${USAGE_KEY}, created_at timestamptz, amount_minor bigint) on conflict do nothing`,
      [jsonRows(transactions.map(usageRow))])
  },

  addEvents: (events, now) => insertEvents(client, events, now),
})

const USAGE_KEY = 'provider_code text, transaction_type text, account text, transaction_id bigint'

const usageRow = ({ providerCode, type, account, id, createdAt, amount }: Transaction) =>
  ({ provider_code: providerCode, transaction_type: type, account, transaction_id: id, created_at: createdAt, amount_minor: amount.amountMinor })

export async function insertEvents(client: Queryable, events: readonly TransactionEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  await client.query({
    name: 'insert-events',
    text: `insert into transaction_events (transaction_id, at, kind, detail)
           select transaction_id, $2, kind, detail from json_to_recordset($1) as r(transaction_id bigint, kind text, detail text)`,
    values: [jsonRows(events.map(({ transactionId, kind, detail }) => ({ transaction_id: transactionId, kind, detail }))), now],
  })
}
