import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { present } from '../../domain/present.ts'
import { processorSeconds } from './machine.ts'
import { wholeNumber, type Figure } from './report.ts'

/** What is measured: processes by name, and the PostgreSQL that they use. */
export interface Metered {
  readonly processes: Readonly<Record<string, number>>
  readonly postgres?: {
    readonly postmaster: number
    /** A session of the superuser, who reads every counter. */
    readonly client: pg.Client
  }
}

/** What one payment or request costs. */
export interface Cost {
  /** How many share the cost. */
  readonly count: number
  /** Microseconds of processor time by process; NaN where the system does not report them (only Linux does cheaply). */
  readonly processorUs: Readonly<Record<string, number>>
  readonly totalUs: number
  /** Absent: no PostgreSQL takes part. */
  readonly database?: Counters
  /** Cores that nobody on the machine used meanwhile. */
  readonly idleCores: number
}

interface Counters {
  readonly walBytes: number
  readonly commits: number
  readonly statements: number
}

/** @returns what everything since then has cost, divided by that many payments */
export async function startMeter(metered: Metered): Promise<(count: number) => Promise<Cost>> {
  const before = await read(metered)
  return async (count) => {
    const after = await read(metered)
    const processorUs = Object.fromEntries(
      Object.entries(after.seconds).map(([name, seconds]) => [
        name,
        ((seconds - (before.seconds[name] ?? Number.NaN)) * 1e6) / count,
      ]),
    )
    const each = (of: keyof Counters): number => ((after.counters?.[of] ?? 0) - (before.counters?.[of] ?? 0)) / count
    return {
      count,
      processorUs,
      totalUs: Object.values(processorUs).reduce((sum, us) => sum + us, 0),
      ...(after.counters && {
        database: { walBytes: each('walBytes'), commits: each('commits'), statements: each('statements') },
      }),
      idleCores: (after.idleSeconds - before.idleSeconds) / ((after.atMs - before.atMs) / 1000),
    }
  }
}

async function read({ processes, postgres }: Metered) {
  const counters = postgres && (await countersOf(postgres.client))
  const stats = await processStats()
  const seconds: Record<string, number> = {}
  for (const [name, pid] of Object.entries(processes)) seconds[name] = stats.get(pid)?.own ?? Number.NaN
  if (postgres) seconds['PostgreSQL'] = withChildren(stats, postgres.postmaster)
  return { seconds, counters, atMs: performance.now(), idleSeconds: processorSeconds().idle }
}

async function countersOf(client: pg.Client): Promise<Counters> {
  const { rows } = await client.query<Counters>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes",
       (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
       (select sum(calls) from bench.pg_stat_statements)::float8 as statements`,
  )
  return present(rows[0], 'the counters of PostgreSQL')
}

interface ProcessStat {
  readonly parent: number
  /** Processor time in seconds. */
  readonly own: number
  /** That of its children which have ended. */
  readonly ended: number
}

/** All processes by pid; none where the system has no /proc. */
async function processStats(): Promise<ReadonlyMap<number, ProcessStat>> {
  const names = await readdir('/proc').catch(() => [])
  const stats = new Map<number, ProcessStat>()
  for (const pid of names.filter((name) => /^\d+$/.test(name))) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    if (text === undefined) continue
    // The name before the last parenthesis may itself contain spaces. Times are in ticks of 10 ms (proc_pid_stat(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (...indexes: readonly number[]) => indexes.reduce((sum, index) => sum + Number(fields[index]), 0)
    stats.set(Number(pid), { parent: Number(fields[1]), own: ticks(11, 12) / 100, ended: ticks(13, 14) / 100 })
  }
  return stats
}

/** PostgreSQL with all its backends: those that have ended are in the time of the postmaster's ended children. */
function withChildren(stats: ReadonlyMap<number, ProcessStat>, postmaster: number): number {
  const found = stats.get(postmaster)
  if (!found) return Number.NaN
  const living = [...stats.values()].filter(({ parent }) => parent === postmaster)
  return found.own + found.ended + living.reduce((sum, { own, ended }) => sum + own + ended, 0)
}

/** `1,690 µs (API 313, worker 848, PostgreSQL 529)` */
export function formatProcessor({ totalUs, processorUs }: Pick<Cost, 'totalUs' | 'processorUs'>): string {
  if (Number.isNaN(totalUs)) return 'not reported by this system'
  const parts = Object.entries(processorUs).map(([name, us]) => `${name} ${wholeNumber(us)}`)
  return `${wholeNumber(totalUs)} µs${parts.length > 1 ? ` (${parts.join(', ')})` : ''}`
}

/** The rows of a table that show a cost, beside that of the peer where there is one. */
export function costFigures(name: string, cost: Cost, peer?: { readonly name: string; readonly cost: Cost }): Figure[] {
  const { database, idleCores } = cost
  return [
    {
      name: `${name}: processor time`,
      value: formatProcessor(cost),
      ...(peer && {
        peer: `${peer.name} ${formatProcessor(peer.cost)}`,
        ratio: cost.totalUs / peer.cost.totalUs,
      }),
    },
    ...(database ? [{ name: '  written, committed, executed', value: formatCounters(database) }] : []),
    { name: '  idle meanwhile', value: `${idleCores.toFixed(2)} cores` },
  ]
}

const formatCounters = ({ walBytes, commits, statements }: Counters): string =>
  `${wholeNumber(walBytes)} B of WAL, ${commits.toFixed(2)} commits, ${statements.toFixed(2)} statements`
