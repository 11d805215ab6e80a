import { readFile, readdir } from 'node:fs/promises'

const FOLDER = new URL('./migrations/', import.meta.url)

/**
 * Kinds: `expand` adds what older processes do not notice: they keep running beside it. `contract` removes what the
 * previous release no longer uses: this release works before and after it, so it can wait until the last older process
 * has ended. `stop` changes what older processes rely on: they must end first.
 */
export type MigrationKind = 'expand' | 'contract' | 'stop'
const KINDS: readonly string[] = ['expand', 'contract', 'stop'] satisfies MigrationKind[]

/** The lock modes that block writers, strongest last. Weaker ones disturb no other session. */
export const LOCK_MODES = ['share', 'share row exclusive', 'exclusive', 'access exclusive'] as const
export type LockMode = (typeof LOCK_MODES)[number]

export interface TableLock {
  readonly table: string
  readonly mode: LockMode
}

/** A file of migrations/, and what its header declares; a test compares the headers with what PostgreSQL does. */
export interface Migration {
  /** `0099_baseline.sql`; migrations run in the order of their names. */
  readonly name: string
  readonly kind: MigrationKind
  /** Locks on tables and sequences that existed before; a partitioned table under its own name. */
  readonly locks: readonly TableLock[]
  /** Tables that are rewritten completely while they are locked. */
  readonly rewrites: readonly string[]
  /** Tables that are scanned completely, for an index or a constraint: the larger the table, the longer it takes. */
  readonly reads: readonly string[]
  readonly sql: string
}

/**
 * Reads the migrations of this version, or of a folder, in order.
 * @throws Error when a header is missing or malformed
 */
export async function readMigrations(folder: URL = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))))
}

const NOTHING = 'none'

/**
 * Parses the header, the first four lines: kind, locks, rewrites and reads.
 * @throws Error
 */
export function parseMigration(name: string, sql: string): Migration {
  const lines = sql.split('\n')
  const said = (at: number, field: string): string => {
    const line = lines[at] ?? ''
    if (!line.startsWith(`-- ${field}: `)) throw new Error(`line ${at + 1} of ${name} must begin with "-- ${field}: "`)
    return line.slice(`-- ${field}: `.length).trim()
  }
  const listed = (at: number, field: string): string[] => {
    const text = said(at, field)
    return text === NOTHING ? [] : text.split(', ')
  }
  const kind = said(0, 'migration')
  if (!isKind(kind)) throw new Error(`${name} must be one of ${KINDS.join(', ')}, not ${kind}`)
  return {
    name,
    kind,
    locks: listed(1, 'locks').map((lock) => parseLock(name, lock)),
    rewrites: listed(2, 'rewrites'),
    reads: listed(3, 'reads'),
    sql,
  }
}

const isKind = (text: string): text is MigrationKind => KINDS.includes(text)

function parseLock(name: string, text: string): TableLock {
  const [, table = '', mode] = /^(\S+) (.+)$/.exec(text) ?? []
  const known = LOCK_MODES.find((lockMode) => lockMode === mode)
  if (!known) throw new Error(`${name} names a lock that is none: ${text}`)
  return { table, mode: known }
}
