import pg from 'pg'
import { ConnectionFailed, NoWritableHost, ReadOnlyDatabase } from './driver-errors.ts'

/** SQLSTATE: PostgreSQL is shutting down or starting, or became read-only while we were connected. */
const CHANGING = /^(57P0[1-3]|25006)$/

/**
 * Whether the database that returned this error may take writes soon: it is a standby that may be promoted, it is
 * starting or shutting down, or a proxy in front has no server behind it at the moment. A wrong address, login or
 * database name stays wrong.
 * @param wasFound a primary has answered at this address before, so an outage may be temporary
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
