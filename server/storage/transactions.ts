import type { TransactionEvent, Unit } from '../actions/ports/unit.ts'
import type { Transaction } from '../domain/transaction.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'
import { TRANSACTION, toTransaction, type TransactionRow } from './transaction-row.ts'

type TransactionStatements = Pick<Unit, 'lockTransactions' | 'saveStates' | 'saveAccount' | 'addEvents'>

/** What a unit asks and writes about transactions; those it locks stay locked until it commits. */
export const transactionStatements = (client: Queryable): TransactionStatements => ({
  async lockTransactions(by) {
    const [column, values] =
      'ids' in by ? (['id', by.ids] as const) : (['internal_reference', by.internalReferences] as const)
    if (values.length === 0) return []
    const { rows } = await client.query<TransactionRow>({
      name: `lock-transactions-by-${column}`,
      text: `select ${TRANSACTION.names('t')} from transactions t where ${column} = any($1) order by id for update`,
      values: [values],
    })
    return rows.map(toTransaction)
  },

  async saveStates(transactions) {
    if (transactions.length === 0) return
    await client.query({
      name: 'save-states',
      text: `
        update transactions t set status = r.status, status_message = r.status_message,
          failure_code = r.failure_code, final_at = r.final_at, rail_paid_at = r.rail_paid_at,
          rail_order_id = r.rail_order_id, rail_installation = r.rail_installation
        from json_to_recordset($1) as r(${STATE.definition}) where t.id = r.id`,
      values: [STATE.json(transactions)],
    })
  },

  async saveAccount({ id, account, institutionName }) {
    await client.query('update transactions set account = $2, institution_name = $3 where id = $1', [
      id,
      account,
      institutionName,
    ])
  },

  addEvents: (events, now) => insertEvents(client, events, now),
})

type State = Pick<
  Transaction,
  'id' | 'status' | 'statusMessage' | 'failureCode' | 'finalAt' | 'railPaidAt' | 'railOrderId' | 'railInstallation'
>
const STATE = columns<State>({
  id: 'bigint',
  status: 'text',
  statusMessage: 'text',
  failureCode: 'text',
  finalAt: 'timestamptz',
  railPaidAt: 'timestamptz',
  railOrderId: 'text',
  railInstallation: 'text',
})
const EVENT = columns<TransactionEvent>({ transactionId: 'bigint', kind: 'text', detail: 'text' })

/** Appends to the history, in the order given. */
export async function insertEvents(client: Queryable, events: readonly TransactionEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  await client.query({
    name: 'insert-events',
    text: `insert into transaction_events (transaction_id, at, kind, detail)
           select transaction_id, $2, kind, detail from json_to_recordset($1) as r(${EVENT.definition})`,
    values: [EVENT.json(events), now],
  })
}
