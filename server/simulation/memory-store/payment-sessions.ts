import type { Unit } from '../../actions/ports/unit.ts'
import type { PaymentSession } from '../../domain/payment-session.ts'
import type { Step } from './step.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const LOAD: Step = { what: 'loadSession', kind: 'read' }
const SAVE: Step = { what: 'saveSession', kind: 'write' }

/** As storage/payment-sessions.ts. */
export const sessionStatements = (unit: UnitOfWork): Pick<Unit, 'loadSession' | 'saveSession'> => ({
  loadSession: (transactionId) => unit.statement(LOAD, () => unit.sessions.get(transactionId)),
  saveSession: (session) => unit.statement(SAVE, () => saveSession(unit, session)),
})

/** New or changed; how long the page lives is said once and for all. */
export async function saveSession(unit: UnitOfWork, session: PaymentSession): Promise<void> {
  const { transactionId, awaits, otpTriesLeft, otp } = session
  await unit.sessions.lock(transactionId)
  const expiresAt = unit.sessions.get(transactionId)?.expiresAt ?? session.expiresAt
  unit.sessions.put(transactionId, { transactionId, awaits, expiresAt, otpTriesLeft, ...(otp && { otp }) })
}
