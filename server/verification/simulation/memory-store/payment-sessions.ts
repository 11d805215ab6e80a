import type { SessionWrites } from '../../../actions/ports/transactions.ts'
import type { PaymentSession } from '../../../domain/payment-session.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'

/** As storage/payment-sessions.ts. */
export const sessionStatements = (unit: MemoryUnitOfWork): SessionWrites => ({
  loadSession: (transactionId) => unit.statement('read', 'loadSession', () => unit.sessions.get(transactionId)),
  saveSession: (session) => unit.statement('write', 'saveSession', () => saveSession(unit, session)),
})

/** Inserts or updates; the lifetime of the page, and whether it offers retries, is set once, at the insert. */
export async function saveSession(unit: MemoryUnitOfWork, session: PaymentSession): Promise<void> {
  const { transactionId, awaits, otpTriesLeft, otp } = session
  await unit.sessions.lock(transactionId)
  const { expiresAt, retries } = unit.sessions.get(transactionId) ?? session
  const kept = { expiresAt, ...(retries && { retries }) }
  unit.sessions.put(transactionId, { transactionId, awaits, ...kept, otpTriesLeft, ...(otp && { otp }) })
}
