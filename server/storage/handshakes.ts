import type { Unit } from '../actions/ports/unit.ts'
import type { Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'

export const handshakeStatements = (client: Queryable): Pick<Unit, 'recordHandshakes'> => ({
  async recordHandshakes(attempts) {
    if (attempts.length === 0) return new Map()
    // The transactions are locked, so nobody else numbers attempts of them now.
    const { rows } = await client.query<{ transaction_id: bigint; attempt: number }>({
      name: 'record-handshakes',
      text: `insert into handshake_attempts (transaction_id, attempt, at, duration_ms, http_status, error)
             select transaction_id, 1 + coalesce((select max(h.attempt) from handshake_attempts h where h.transaction_id = r.transaction_id), 0), at, duration_ms, http_status, error
             from json_to_recordset($1) as r(transaction_id bigint, at timestamptz, duration_ms int, http_status int, error text) returning transaction_id, attempt`,
      values: [
        jsonRows(
          attempts.map((a) => ({
            transaction_id: a.transactionId,
            at: a.at,
            duration_ms: a.durationMs,
            http_status: a.httpStatus,
            error: a.error,
          })),
        ),
      ],
    })
    return new Map(rows.map(({ transaction_id, attempt }) => [transaction_id, attempt]))
  },
})
