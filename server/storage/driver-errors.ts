/**
 * Why PostgreSQL gives no answer. `unreachable`: no connection came about. `lost`: the connection ended. `silent`: it
 * said nothing in time. `no_password`: it asks for one and there is none.
 */
export type ConnectionFault = 'unreachable' | 'lost' | 'silent' | 'no_password'

/**
 * There is no connection to PostgreSQL (any more). `pg` gives such errors no class of their own, often no code, and no
 * text that another error could not have: `storage/database-client.ts` knows them by where they come from.
 */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
  readonly fault: ConnectionFault
  /** What the system calls it (ECONNREFUSED); empty when it has no name for it. */
  readonly code: string

  constructor(fault: ConnectionFault, cause: unknown) {
    const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
    super(first instanceof Error ? first.message : String(first), { cause })
    this.fault = fault
    this.code = codeOf(first)
  }
}

/** SQLSTATE, or the name that the system has for it (ECONNREFUSED); empty for an error without one. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
