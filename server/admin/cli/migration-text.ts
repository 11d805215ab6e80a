import { blockerText, LOCK_BOUNDS, type LockNotHad } from '../../storage/bounded-locks.ts'
import type { OlderProcesses } from '../../storage/migrate.ts'
import type { LockMode, MigrationKind } from '../../storage/migration-files.ts'
import type { MigrationPlan, PlannedMigration, TouchedTable } from '../queries/migration-plan.ts'
import { processText, type LivingProcess } from '../../storage/processes.ts'
import { MALIPO } from './called-as.ts'
import { printable } from './output.ts'

/** What prevents a migration from starting, and what to do. */
export function heldUpText({ message, kind, processes }: OlderProcesses): string {
  const advice =
    kind === 'stop'
      ? `Stop them, then run ${MALIPO} migrate, or start the servers of this version.`
      : `This version works without it: replace them by this version, then run ${MALIPO} migrate.`
  return [`${message}; it was not started.`, ...processes.map(processLine), advice].join('\n')
}

/** Which processes blocked a migration until it timed out. */
export function blockedText({ message, blockers }: LockNotHad): string {
  const whom = blockers.length > 0 ? 'It waited for:' : 'The blocking sessions are not visible.'
  return [
    `${message}: it was rolled back.`,
    whom,
    ...blockers.map((blocker) => `  ${printable(blockerText(blocker))}`),
    `End that transaction, then run ${MALIPO} migrate again.`,
  ].join('\n')
}

const MEANING: Readonly<Record<MigrationKind, string>> = {
  expand: 'older processes keep running',
  contract: 'older processes must have ended; this version works without it until then',
  stop: 'older processes must have stopped',
}

const WAITING: Readonly<Record<LockMode, string>> = {
  share: 'writers wait',
  'share row exclusive': 'writers wait',
  exclusive: 'writers wait',
  'access exclusive': 'readers and writers wait',
}

/** What `migrate` would do, for people. */
export function planLines({ isNew, appliedCount, planned }: MigrationPlan): string[] {
  if (planned.length === 0) return ['The database is up to date.']
  if (isNew) {
    const creators = planned.length === 1 ? 'one migration creates' : `${planned.length} migrations create`
    return [`The database is empty: ${creators} it, and nothing has to wait.`]
  }
  const { waitMsMax, triesMax, pauseMs } = LOCK_BOUNDS
  return [
    `${planned.length} of ${appliedCount + planned.length} migrations are to come, each in a transaction of its own.`,
    ...planned.flatMap(migrationLines),
    '',
    `Each lock times out after ${waitMsMax / 1_000} s and is tried ${triesMax} times, ${pauseMs / 1_000} s apart, so that others can go on.`,
  ]
}

function migrationLines({ name, kind, tables, waitsFor }: PlannedMigration): string[] {
  return [
    '',
    `${name}: ${kind}, ${MEANING[kind]}`,
    ...(tables.length === 0 ? ['  takes no lock that blocks others'] : tables.map((table) => `  ${tableText(table)}`)),
    ...(waitsFor.length === 0 ? [] : ['  waits for', ...waitsFor.map((process) => `  ${processLine(process)}`)]),
  ]
}

function tableText({ table, lock, isRewritten, isRead, bytes }: TouchedTable): string {
  const facts = [
    lock === undefined ? 'no lock that blocks others' : `${lock} lock: ${WAITING[lock]}`,
    ...(isRewritten ? ['written anew'] : []),
    ...(isRead ? ['read completely'] : []),
    ...(bytes === undefined ? ['not there yet'] : [sizeText(bytes)]),
  ]
  return `${table}: ${facts.join(', ')}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const

function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${UNITS[power - 1]}`
}

const processLine = (process: LivingProcess): string => `  ${printable(processText(process))}`

/** The same as one JSON document. */
export const planRecord = ({ isNew, appliedCount, planned }: MigrationPlan) => ({
  empty: isNew,
  applied_count: appliedCount,
  can_run: planned.every(({ waitsFor }) => waitsFor.length === 0),
  lock_wait_ms_max: LOCK_BOUNDS.waitMsMax,
  lock_tries_max: LOCK_BOUNDS.triesMax,
  lock_pause_ms: LOCK_BOUNDS.pauseMs,
  migrations: planned.map(({ name, kind, tables, waitsFor }) => ({
    name,
    kind,
    tables: tables.map(({ table, lock, isRewritten, isRead, bytes }) => ({
      table,
      lock: lock ?? null,
      rewritten: isRewritten,
      read: isRead,
      bytes: bytes ?? null,
    })),
    waits_for: waitsFor.map(({ role, host, pid, knows, silentMs }) => ({
      role,
      host,
      pid,
      knows_up_to: knows.at(-1) ?? null,
      silent_ms: Math.round(silentMs),
    })),
  })),
})
