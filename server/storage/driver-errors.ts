/**
 * Why PostgreSQL does not answer. `unreachable`: no connection could be opened. `lost`: the connection closed.
 * `silent`: no answer within the timeout. `no_password`: it requires one and none is set. `read_only`: it takes no
 * writes.
 */
export type ConnectionFault = 'unreachable' | 'lost' | 'silent' | 'no_password' | 'read_only'

/**
 * There is no connection to PostgreSQL, or there is none any more. `pg` gives such errors no class of their own, often
 * no code, and no message that is unique to them: `storage/database-client.ts` recognizes them by where they come
 * from.
 */
export class ConnectionFailed extends Error {
  override readonly name: string = 'ConnectionFailed'
  readonly fault: ConnectionFault
  /** The operating system's error code (ECONNREFUSED); empty when there is none. */
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
 * PostgreSQL answers but takes no writes: it is a standby, or a primary set to read-only. A running gateway treats
 * this as an outage of the database and tries another host.
 */
export class ReadOnlyDatabase extends ConnectionFailed {
  override readonly name = 'ReadOnlyDatabase'
  readonly reason: ReadOnlyReason

  constructor(reason: ReadOnlyReason) {
    super('read_only', new Error(READ_ONLY[reason]))
    this.reason = reason
  }
}

/** None of several hosts could be used. The message gives the reason for each, and never contains a password. */
export class NoWritableHost extends ConnectionFailed {
  override readonly name = 'NoWritableHost'
  /** The failure of each host. */
  readonly failures: readonly Error[]

  /** @param failures the last failure of each host that was tried */
  constructor(failures: ReadonlyMap<string, Error>) {
    const reported = [...failures].map(([place, error]) => `${place}: ${error.message}`).join('; ')
    super('unreachable', new Error(reported))
    this.failures = [...failures.values()]
    this.cause = this.failures.at(-1)
  }
}

/**
 * Picks the failure to report among those of several hosts: a rejected login is the same on every host, and shows what
 * to correct.
 * @param failures by host
 */
export function mostInformative(failures: ReadonlyMap<string, Error>): Error {
  const all = [...failures.values()]
  const [first] = all
  if (!first) return new Error('no host was tried')
  if (all.length === 1) return first
  return all.find((error) => /^(28|3D)/.test(codeOf(error))) ?? new NoWritableHost(failures)
}

/** The SQLSTATE, or the operating system's error code (ECONNREFUSED); empty for an error without one. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
