import { readProcessConfig, type Config } from '../../config.ts'
import { ConfigError } from '../../setting-values.ts'
import { StorageUnavailable } from '../../actions/ports/store.ts'
import { OperationRefusal } from '../operations/operation.ts'
import { ActorRefused } from '../queries/audit-log.ts'
import { OlderDatabase } from '../../storage/baseline.ts'
import { WrongMode } from '../../storage/database-mode.ts'
import { LockNotHad } from '../../storage/bounded-locks.ts'
import { MigrationFailed, NotMigrated, OlderProcesses } from '../../storage/migrate.ts'
import { MonthMissing } from '../../storage/months.ts'
import { NewerDatabase } from '../../storage/newer-database.ts'
import { blockedText, heldUpText } from './migration-text.ts'
import { databaseHosts } from '../../storage/database-hosts.ts'
import { codeOf, ConnectionFailed, NoWritableHost, ReadOnlyDatabase } from '../../storage/driver-errors.ts'
import { isStartupRefused, UnfitPooler } from '../../storage/pooler.ts'
import { OtherDatabase, OwnerAway, UnboundedRuntimeRole } from '../../storage/runtime-rights.ts'
import { WrongMasterKey } from '../../storage/secret-box.ts'
import { DataFolderError, explained } from '../../local/embedded-postgres/data-folder.ts'
import { asTyped, MALIPO } from './called-as.ts'
import { RailPackageRefused } from '../../rails/package-refused.ts'
import { safeMessage, stackOf } from '../../safe-error.ts'
import { CliError, FAILED, NOT_FOUND, USED_WRONGLY } from './errors.ts'

interface Explanation {
  readonly message: string
  readonly exitCode: number
}

/**
 * What to print for the person at the terminal: what is wrong and what to do, never a stack trace (that is for
 * LOG_LEVEL=debug).
 */
export function explain(error: unknown): Explanation {
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof OperationRefusal) return refusalExplained(error)
  const config = configOrNothing()
  return { message: `malipo: ${messageOf(error, config)}${stackFor(config, error)}`, exitCode: FAILED }
}

const EXIT_CODES = { invalid: USED_WRONGLY, not_found: NOT_FOUND, conflict: FAILED, forbidden: FAILED } as const

const refusalExplained = ({ message, hint, kind }: OperationRefusal): Explanation => ({
  message: `malipo: ${message}.${hint === undefined ? '' : `\n${asTyped(hint)}`}`,
  exitCode: EXIT_CODES[kind],
})

function messageOf(error: unknown, config: Config | undefined): string {
  if (error instanceof ConfigError) return asTyped(error.message)
  if (error instanceof DataFolderError) return error.message
  if (SAID_IN_FULL.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof WrongMode) return wrongModeAdvice(error)
  const cause = rootOf(error)
  if (cause.code === '57014')
    return 'the database needed more than 15 s for this query.\nQuery one transaction by its reference, or try again when the database is less busy.'
  return (
    listenerAdvice(cause) ??
    (config?.databaseUrl !== undefined ? databaseAdvice(cause, config.databaseUrl) : undefined) ??
    versionAdvice(cause) ??
    masterKeyAdvice(cause, config) ??
    (config && explained(cause, config.dataDir)?.message) ??
    `it failed unexpectedly: ${safeMessage(cause)}. LOG_LEVEL=debug shows where.`
  )
}

/** Their messages already say what to do. */
const SAID_IN_FULL = [ActorRefused, UnfitPooler, OtherDatabase, OwnerAway, UnboundedRuntimeRole, RailPackageRefused]

/** The root cause: what PostgreSQL or the system reported, below our own wrappers. */
function rootOf(error: unknown): NodeJS.ErrnoException {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0])
  if (error instanceof StorageUnavailable && error.cause !== undefined) return rootOf(error.cause)
  if (!(error instanceof Error)) return new Error(String(error))
  // The reason for the broken connection says more than the migration that it interrupted.
  if (
    error instanceof MigrationFailed &&
    (codeOf(error.cause).startsWith('08') || error.cause instanceof ConnectionFailed)
  )
    return rootOf(error.cause)
  return error
}

type ListenError = NodeJS.ErrnoException & { readonly port?: number; readonly address?: string }

function listenerAdvice(error: ListenError): string | undefined {
  const { code, syscall, port, address } = error
  if (syscall !== 'listen' && !(syscall === 'getaddrinfo' && isHostSetting(error))) return undefined
  if (code === 'EADDRINUSE')
    return `port ${port} on ${address} is taken by another program.\nUse another one, for example PORT=${(port ?? 8080) + 1} npm start, or let the system choose: PORT=0 npm start.`
  if (code === 'EACCES')
    return `port ${port} may not be used by this user.\nUse one above 1023, for example PORT=8080 npm start.`
  return `cannot listen on ${address ?? 'HOST'} (${code}): it is no address of this machine.\nSet HOST to one of its addresses, or unset it for 127.0.0.1.`
}

const isHostSetting = (error: NodeJS.ErrnoException & { hostname?: string }): boolean => {
  try {
    return readProcessConfig().host === error.hostname
  } catch {
    return false
  }
}

const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/
/** SQLSTATE: shutting down, or a lock or a commit timed out. */
const UNREACHABLE_STATE = /^(57P0\d|55P03|25P0[34])$/

function databaseAdvice(error: NodeJS.ErrnoException, databaseUrl: string): string | undefined {
  const { code = '', message } = error
  const target = code === 'ERR_INVALID_URL' ? undefined : targetOf(databaseUrl)
  if (!target) {
    return 'DATABASE_URL cannot be read as an address.\nIt looks like postgres://user:password@host:5432/database; special characters in the password are percent-encoded.'
  }
  const { place, user, database } = target
  if (isStartupRefused(error)) return new UnfitPooler('startup_parameters').message
  if (error instanceof ReadOnlyDatabase)
    return `PostgreSQL at ${place} takes no writes: ${message}.\n${WRITABLE_ADVICE}`
  if (error instanceof NoWritableHost)
    return `no host of DATABASE_URL takes writes (${message}).\nStart the primary, or correct DATABASE_URL.`
  if (code === '28P01' || code === '28000' || isPasswordMissing(error))
    return `PostgreSQL at ${place} refuses the user ${user} or its password.\nCorrect DATABASE_URL.`
  if (code === '3D000')
    return `PostgreSQL at ${place} has no database ${database}.\nCreate it (createdb ${database}), or correct DATABASE_URL.`
  if (code === '53300')
    return `PostgreSQL at ${place} has no connection left for Malipo.\nRaise its max_connections, or lower MALIPO_DATABASE_CONNECTIONS.`
  if (code === '42501')
    return `the user ${user} may not do this in the database ${database} at ${place}: ${message}.\nName the owner in MIGRATION_DATABASE_URL, and run ${MALIPO} migrate, which gives ${user} its rights.`
  if (UNREACHABLE.test(code) || UNREACHABLE_STATE.test(code) || error instanceof ConnectionFailed) {
    return `PostgreSQL at ${place} cannot be reached (${message || code}).\nStart it, or correct DATABASE_URL; without DATABASE_URL Malipo runs a PostgreSQL of its own.`
  }
  return undefined
}

const WRITABLE_ADVICE =
  'Malipo reads and writes the primary alone: name it in DATABASE_URL, or all hosts, as in postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write.'

const isPasswordMissing = (error: Error): boolean => error instanceof ConnectionFailed && error.fault === 'no_password'

interface Target {
  readonly place: string
  readonly user: string
  readonly database: string
}

/** Where DATABASE_URL points: everything but the password. @returns undefined when it cannot be parsed */
function targetOf(databaseUrl: string): Target | undefined {
  const hosts = databaseHosts(databaseUrl)
  // Only the driver accepts an address without a host, which a URL with several hosts contains.
  const [first] = hosts
  const one = hosts.length > 1 ? first?.connectionString.replace('@/', '@host/') : databaseUrl
  const url = URL.parse(one ?? '')
  if (!url) return undefined
  const decoded = (text: string, fallback: string) => {
    try {
      return decodeURIComponent(text) || fallback
    } catch {
      return fallback
    }
  }
  return {
    place: hosts.map(({ place }) => place).join(', '),
    user: decoded(url.username, 'of DATABASE_URL'),
    database: decoded(url.pathname.slice(1), 'of DATABASE_URL'),
  }
}

function wrongModeAdvice({ ofDatabase, ofProcess }: WrongMode): string {
  const said = ofProcess === 'sandbox' ? 'MALIPO_MODE is sandbox, or not set' : `MALIPO_MODE is ${ofProcess}`
  const advice =
    ofDatabase === 'sandbox'
      ? `Unset MALIPO_MODE to use it; ${ofProcess} mode needs a database of its own`
      : `Set MALIPO_MODE=${ofDatabase} to work on it; ${ofProcess === 'sandbox' ? 'a sandbox' : `${ofProcess} mode`} needs a database of its own`
  return (
    `this database belongs to ${ofDatabase} mode, and this process runs in ${ofProcess} mode (${said}): nothing was done.\n` +
    `${advice} (DATABASE_URL, or MALIPO_DATA_DIR for the embedded one).`
  )
}

function versionAdvice(error: Error): string | undefined {
  if (error instanceof NewerDatabase) return `${error.message}.\nUpdate Malipo, or use another database.`
  if (error instanceof OlderDatabase)
    return `${error.message}.\nCheck that commit out and run its ${MALIPO} migrate, then start this version. Nothing was changed.`
  if (error instanceof NotMigrated)
    return `${error.message}.\nRun ${MALIPO} migrate with MIGRATION_DATABASE_URL, which names the owner, beside DATABASE_URL.`
  if (error instanceof MonthMissing) return `${error.message.replace('malipo', MALIPO)}.`
  if (error instanceof OlderProcesses) return heldUpText(error)
  if (error instanceof LockNotHad) return blockedText(error)
  if (error instanceof MigrationFailed) return `${safeMessage(error)}.\nIt was rolled back; the database is unchanged.`
  return undefined
}

function masterKeyAdvice(error: Error, config: Config | undefined): string | undefined {
  if (!(error instanceof WrongMasterKey)) return undefined
  return config?.masterKey === undefined
    ? `the key in ${config?.dataDir ?? '.malipo'}/master-key is not the one that this database was written with.\nSet MALIPO_DATA_DIR to the data folder of the server that made the database, or MALIPO_MASTER_KEY to its key.`
    : `${error.message}.\nSet it to the key of the server that made the database.`
}

function configOrNothing(): Config | undefined {
  try {
    return readProcessConfig()
  } catch {
    return undefined
  }
}

const stackFor = (config: Config | undefined, error: unknown): string =>
  config !== undefined && ['debug', 'trace'].includes(config.logLevel) && error instanceof Error
    ? `\n${stackOf(error, safeMessage(error))}`
    : ''
