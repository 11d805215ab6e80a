/**
 * Why PostgreSQL gives no answer. `unreachable`: no connection came about. `lost`: the connection ended. `silent`: it
 * said nothing in time. `no_password`: it asks for one and there is none. `read_only`: it takes no writes.
 */
export type ConnectionFault = 'unreachable' | 'lost' | 'silent' | 'no_password' | 'read_only'

/**
 * There is no connection to PostgreSQL (any more). `pg` gives such errors no class of their own, often no code, and no
 * text that another error could not have: `storage/database-client.ts` knows them by where they come from.
 */
export class ConnectionFailed extends Error {
  override readonly name: string = 'ConnectionFailed'
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

/** Why a server takes no writes. */
export type ReadOnlyReason = 'in_recovery' | 'read_only'

const READ_ONLY: Readonly<Record<ReadOnlyReason, string>> = {
  in_recovery: 'it is a standby (in recovery)',
  read_only: 'it is read-only (default_transaction_read_only is on)',
}

/**
 * PostgreSQL answers and takes no writes: a standby, or a primary that is kept from writing. To a running gateway the
 * database is away, and it looks for another host.
 */
export class ReadOnlyDatabase extends ConnectionFailed {
  override readonly name = 'ReadOnlyDatabase'
  readonly reason: ReadOnlyReason

  constructor(reason: ReadOnlyReason) {
    super('read_only', new Error(READ_ONLY[reason]))
    this.reason = reason
  }
}

/** None of several hosts could be used. Its text says of each why, and never repeats a password. */
export class NoWritableHost extends ConnectionFailed {
  override readonly name = 'NoWritableHost'
  /** Why not, of each host. */
  readonly failures: readonly Error[]

  /** @param failures of each host that was tried, the last failure of each */
  constructor(failures: ReadonlyMap<string, Error>) {
    const told = [...failures].map(([place, error]) => `${place}: ${error.message}`).join('; ')
    super('unreachable', new Error(told))
    this.failures = [...failures.values()]
    this.cause = this.failures.at(-1)
  }
}

/**
 * Of the failures of several hosts the one to tell: a refused login is the same everywhere, and says what to correct.
 * @param failures by host
 */
export function mostTelling(failures: ReadonlyMap<string, Error>): Error {
  const all = [...failures.values()]
  const [first] = all
  if (!first) return new Error('no host was tried')
  if (all.length === 1) return first
  return all.find((error) => /^(28|3D)/.test(codeOf(error))) ?? new NoWritableHost(failures)
}

/** SQLSTATE, or the name that the system has for it (ECONNREFUSED); empty for an error without one. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
