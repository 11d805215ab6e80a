import type { PayerReferenceReservation, PayerReferenceWrites } from '../actions/ports/rail-references.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

const RESERVATION = columns<PayerReferenceReservation>({
  transactionId: 'bigint',
  scope: 'text',
  reference: 'text',
  reservedUntil: 'timestamptz',
})

/** Which transaction holds a reference that payers read. */
export const payerReferenceStatements = (client: Queryable): PayerReferenceWrites => ({
  async reservePayerReferences(reservations, now) {
    if (reservations.length === 0) return new Set()
    // Lock order: rows are inserted in key order, so two batches that want the same references never deadlock. The
    // insert waits for an uncommitted row of another batch: only then is it known whether the reference is taken.
    const { rows } = await client.query<{ transaction_id: bigint }>({
      name: 'reserve-payer-references',
      text: `insert into payer_references as p (${RESERVATION.names()})
             select distinct on (scope, upper(reference)) transaction_id, scope, upper(reference), reserved_until
             from json_to_recordset($1) as r(${RESERVATION.definition})
             order by scope, upper(reference), transaction_id
             on conflict (scope, reference) do update
               set transaction_id = excluded.transaction_id, reserved_until = excluded.reserved_until
               where p.transaction_id = excluded.transaction_id or p.reserved_until <= $2
             returning transaction_id`,
      values: [RESERVATION.json(reservations), now],
    })
    return new Set(rows.map(({ transaction_id }) => transaction_id))
  },
})
