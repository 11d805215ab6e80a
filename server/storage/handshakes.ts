import type { HandshakeAttempt, HandshakeWrites } from '../actions/ports/handshakes.ts'
import type { Queryable } from './pool.ts'
import { columns } from './rows.ts'

const HANDSHAKE = columns<Omit<HandshakeAttempt, 'replyExcerpt'>>({
  transactionId: 'bigint',
  at: 'timestamptz',
  durationMs: 'int',
  httpStatus: 'int',
  error: 'text',
})

export const handshakeStatements = (client: Queryable): HandshakeWrites => ({
  async recordHandshakes(attempts) {
    if (attempts.length === 0) return new Map()
    // The transactions are locked, so no other session numbers their attempts concurrently.
    const { rows } = await client.query<{ transaction_id: bigint; attempt: number }>({
      name: 'record-handshakes',
      text: `
        insert into handshake_attempts (transaction_id, attempt, at, duration_ms, http_status, error)
        select transaction_id,
          1 + coalesce((select max(attempt) from handshake_attempts h where h.transaction_id = r.transaction_id), 0),
          at, duration_ms, http_status, error
        from json_to_recordset($1) as r(${HANDSHAKE.definition}) returning transaction_id, attempt`,
      values: [HANDSHAKE.json(attempts)],
    })
    return new Map(rows.map(({ transaction_id, attempt }) => [transaction_id, attempt]))
  },
})
