import type { ExpectedWrites, StoredExpectation } from '../actions/ports/expected-payments.ts'
import type { Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

const EXPECTED = columns<StoredExpectation>({
  transactionId: 'bigint',
  paidTo: 'text',
  railAccount: 'text',
  receiptName: 'text',
  reference: 'text',
  minMinor: 'bigint',
  maxMinor: 'bigint',
  chargeBps: 'int',
  chargeFlatMinor: 'bigint',
  expiresAt: 'timestamptz',
})

/** @returns the transactions that got their reference: no other open one of the same place has it */
export async function insertExpected(
  client: Queryable,
  expected: readonly StoredExpectation[],
): Promise<ReadonlySet<bigint>> {
  // Lock order: in the order of the references, so two batches never deadlock.
  const { rows } = await client.query<{ transaction_id: bigint }>({
    name: 'insert-expected',
    text: `insert into expected_payments (${EXPECTED.names()})
           select ${EXPECTED.names()} from json_to_recordset($1) as r(${EXPECTED.definition})
           order by paid_to, reference on conflict do nothing returning transaction_id`,
    values: [EXPECTED.json(expected)],
  })
  return new Set(rows.map(({ transaction_id }) => transaction_id))
}

/** @returns what is expected under a reference, or was the last time; outside a unit of work, for a first answer */
export async function findExpected(pool: Queryable, paidTo: string, reference: string) {
  const { rows } = await pool.query<Row<StoredExpectation> & { is_open: boolean }>({
    name: 'find-expected',
    text: `select ${EXPECTED.names()}, is_open from expected_payments where paid_to = $1 and reference = $2
           order by is_open desc, transaction_id desc limit 1`,
    values: [paidTo, reference],
  })
  return rows.map((row) => ({ ...EXPECTED.toFields(row), isOpen: row.is_open }))[0]
}

/** Payments that customers start, in a unit of work. */
export const expectedStatements = (client: Queryable): ExpectedWrites => ({
  async expectedAt(paidTo, reference) {
    const { rows } = await client.query<Row<StoredExpectation>>({
      name: 'expected-at',
      text: `select ${EXPECTED.names()} from expected_payments where paid_to = $1 and reference = $2
             order by is_open desc, transaction_id desc limit 1`,
      values: [paidTo, reference],
    })
    return rows.map(EXPECTED.toFields)[0]
  },

  async expectedOf(transactionIds) {
    const { rows } = await client.query<Row<StoredExpectation>>({
      name: 'expected-of',
      text: `select ${EXPECTED.names()} from expected_payments where transaction_id = any($1)`,
      values: [transactionIds],
    })
    return rows.map(EXPECTED.toFields)
  },

  async endExpected(transactionIds) {
    await client.query({
      name: 'end-expected',
      text: 'update expected_payments set is_open = false where transaction_id = any($1)',
      values: [transactionIds],
    })
  },

  async takeReceipt(paidTo, { receipt, amount, account, reference, paidAt }, transactionId, now) {
    const { rowCount } = await client.query({
      name: 'take-receipt',
      text: `insert into unrequested_payments as p (rail_account, receipt, currency, amount_minor, account, reference,
               paid_at, recorded_at, transaction_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             -- What the operator has confirmed, not the claim.
             on conflict (rail_account, receipt) do update set transaction_id = excluded.transaction_id,
               currency = excluded.currency, amount_minor = excluded.amount_minor
             where p.transaction_id is null and p.line_id is null`,
      values: [paidTo, receipt, amount.currency, amount.amountMinor, account, reference, paidAt, now, transactionId],
    })
    return rowCount === 1
  },
})
