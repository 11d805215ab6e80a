import pg from 'pg'
import { ConnectionFailed, NoWritableHost, ReadOnlyDatabase } from './driver-errors.ts'

/** SQLSTATE: PostgreSQL is ending or starting, or was made a standby under us. */
const CHANGING = /^(57P0[1-3]|25006)$/

/**
 * Whether the database that says so may take writes in a moment: it is a standby, which may be promoted, it is starting
 * or ending, or a proxy in front has nobody behind it just now. A wrong address, login or name stays wrong.
 * @param wasFound a primary has answered there before: whatever is away now may come back
 */
export function mayTakeWritesSoon(error: unknown, wasFound = false): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof ReadOnlyDatabase) return true
  if (error instanceof NoWritableHost && error.failures.some((one) => mayTakeWritesSoon(one, wasFound))) return true
  if (error instanceof pg.DatabaseError) return CHANGING.test(error.code ?? '')
  if (error instanceof ConnectionFailed)
    return error.fault === 'lost' || error.code === 'ECONNRESET' || (wasFound && error.fault !== 'no_password')
  return mayTakeWritesSoon(error.cause, wasFound)
}
