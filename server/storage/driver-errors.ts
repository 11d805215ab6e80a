import pg from 'pg'

/**
 * What can be wrong with the way to PostgreSQL. `lost`: the connection ended. `silent`: no answer in time.
 * `no_password`: it asks for one and there is none.
 */
export type DriverFault = 'lost' | 'silent' | 'no_password' | 'encryption'

// `pg` and Node's TLS give these errors no code of PostgreSQL or the system, so their texts are read, here and nowhere
// else.
const FAULT_BY_TEXT: readonly (readonly [RegExp, DriverFault])[] = [
  [/timeout expired|timeout exceeded when trying to connect|Query read timeout|timed out/, 'silent'],
  [/Connection terminated|not queryable|was closed/, 'lost'],
  [/password must be a string/, 'no_password'],
  [/SSL|certificate/i, 'encryption'],
]

/** @returns undefined for what PostgreSQL itself answered, and for what is no error of the driver */
export const driverFault = (error: unknown): DriverFault | undefined =>
  error instanceof Error && !(error instanceof pg.DatabaseError)
    ? FAULT_BY_TEXT.find(([text]) => text.test(error.message))?.[1]
    : undefined

/** SQLSTATE, or the name that the system has for it (ECONNREFUSED); empty for an error without one. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
