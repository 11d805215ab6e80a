import type { Unit } from '../actions/ports.ts'
import type { Queryable } from './pool.ts'

export const handshakeStatements = (client: Queryable): Pick<Unit, 'recordHandshake'> => ({
  async recordHandshake(transactionId, { at, durationMs, httpStatus, error }) {
    // The transaction is locked, so nobody else numbers attempts of it now.
    const { rows: [row] } = await client.query<{ attempt: number }>(
      `insert into handshake_attempts (transaction_id, attempt, at, duration_ms, http_status, error)
       select $1, 1 + coalesce(max(attempt), 0), $2, $3, $4, $5 from handshake_attempts where transaction_id = $1 returning attempt`,
      [transactionId, at, durationMs, httpStatus, error])
    return row!.attempt
  },
})
