import type { SessionWrites } from '../actions/ports/transactions.ts'
import type { PaymentSession } from '../domain/payment-session.ts'
import type { QueryConfig } from 'pg'
import { runAll, type Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'

/** A session with the columns of its OTP. */
interface SessionFields extends Omit<PaymentSession, 'otp'> {
  readonly otpDigest?: Uint8Array
  readonly otpSentAt?: Date
  readonly otpSends: number
}
export type SessionRow = Row<SessionFields>

export const SESSION = columns<SessionFields>({
  transactionId: 'bigint',
  awaits: 'text',
  expiresAt: 'timestamptz',
  otpTriesLeft: 'int',
  otpDigest: 'bytea',
  otpSentAt: 'timestamptz',
  otpSends: 'int',
  retries: 'boolean',
})

/** Converts a row of payment_sessions; the session has an OTP if there is a digest. */
export function toSession(row: SessionRow): PaymentSession {
  const { otpDigest: digest, otpSentAt: sentAt, otpSends: sends, ...session } = SESSION.toFields(row)
  return { ...session, ...(digest && { otp: { digest, ...(sentAt && { sentAt }), sends } }) }
}

const toFields = ({ otp, ...session }: PaymentSession): SessionFields => ({
  ...session,
  ...(otp && { otpDigest: otp.digest, ...(otp.sentAt && { otpSentAt: otp.sentAt }) }),
  otpSends: otp?.sends ?? 0,
})

export const sessionStatements = (client: Queryable): SessionWrites => ({
  async loadSession(transactionId) {
    const {
      rows: [row],
    } = await client.query<SessionRow>(`select ${SESSION.names()} from payment_sessions where transaction_id = $1`, [
      transactionId,
    ])
    return row && toSession(row)
  },
  saveSession: async (session) => void (await runAll(client, sessionRows([session]))),
})

/** The statement that inserts or updates sessions, if there are any. */
export function sessionRows(sessions: readonly PaymentSession[]): QueryConfig[] {
  if (sessions.length === 0) return []
  return [
    {
      name: 'save-sessions',
      text: `
        insert into payment_sessions (${SESSION.names()})
        select ${SESSION.names()} from json_to_recordset($1) as r(${SESSION.definition})
        on conflict (transaction_id) do update set awaits = excluded.awaits, otp_tries_left = excluded.otp_tries_left,
          otp_digest = excluded.otp_digest, otp_sent_at = excluded.otp_sent_at, otp_sends = excluded.otp_sends`,
      values: [SESSION.json(sessions.map(toFields))],
    },
  ]
}
