import type { Unit } from '../actions/ports/unit.ts'
import type { PaymentSession } from '../domain/payment-session.ts'
import type { Queryable } from './pool.ts'
import { jsonRows } from './rows.ts'

export interface SessionRow {
  readonly transaction_id: bigint
  readonly awaits: PaymentSession['awaits']
  readonly expires_at: Date
  readonly otp_tries_left: number
  readonly otp_digest: Uint8Array | null
  readonly otp_sent_at: Date | null
  readonly otp_sends: number
}

export const toSession = (row: SessionRow): PaymentSession => ({
  transactionId: row.transaction_id,
  awaits: row.awaits,
  expiresAt: row.expires_at,
  otpTriesLeft: row.otp_tries_left,
  ...(row.otp_digest && {
    otp: { digest: row.otp_digest, ...(row.otp_sent_at && { sentAt: row.otp_sent_at }), sends: row.otp_sends },
  }),
})

const toRow = ({ transactionId, awaits, expiresAt, otpTriesLeft, otp }: PaymentSession) => ({
  transaction_id: transactionId,
  awaits,
  expires_at: expiresAt,
  otp_tries_left: otpTriesLeft,
  otp_digest: otp && `\\x${Buffer.from(otp.digest).toString('hex')}`,
  otp_sent_at: otp?.sentAt,
  otp_sends: otp?.sends ?? 0,
})

export const sessionStatements = (client: Queryable): Pick<Unit, 'loadSession' | 'saveSession'> => ({
  async loadSession(transactionId) {
    const {
      rows: [row],
    } = await client.query<SessionRow>('select * from payment_sessions where transaction_id = $1', [transactionId])
    return row && toSession(row)
  },
  saveSession: (session) => saveSessions(client, [session]),
})

/** Stores sessions, new or changed. */
export async function saveSessions(client: Queryable, sessions: readonly PaymentSession[]): Promise<void> {
  if (sessions.length === 0) return
  await client.query({
    name: 'save-sessions',
    text: `
      insert into payment_sessions (transaction_id, awaits, expires_at, otp_tries_left, otp_digest, otp_sent_at, otp_sends)
      select transaction_id, awaits, expires_at, otp_tries_left, otp_digest, otp_sent_at, otp_sends
      from json_to_recordset($1) as r(transaction_id bigint, awaits text, expires_at timestamptz, otp_tries_left int, otp_digest bytea, otp_sent_at timestamptz, otp_sends int)
      on conflict (transaction_id) do update set awaits = excluded.awaits, otp_tries_left = excluded.otp_tries_left,
        otp_digest = excluded.otp_digest, otp_sent_at = excluded.otp_sent_at, otp_sends = excluded.otp_sends`,
    values: [jsonRows(sessions.map(toRow))],
  })
}
