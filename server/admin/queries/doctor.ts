import type pg from 'pg'
import { examineAuditLog } from './audit-chain.ts'
import { APPROVAL_CHECKS } from './doctor/approvals.ts'
import { BOOK_CHECKS } from './doctor/books.ts'
import { CALLBACK_CHECKS } from './doctor/callbacks.ts'
import { CAUSE_CHECKS } from './doctor/causes.ts'
import { examineChain } from './doctor/chain.ts'
import { copyChanged, keepDoctorMark, readDoctorMark, searchPath } from './doctor/changed.ts'
import { EXAMPLES_MAX, type Check, type Finding } from './doctor/check.ts'
import { GUARD_CHECKS } from './doctor/guards.ts'
import { MODE_CHECKS } from './doctor/mode.ts'
import { MONTH_CHECKS } from './doctor/months.ts'
import { untilPlayed } from './doctor/past.ts'
import { PAYMENT_CHECKS } from './doctor/payments.ts'
import { RAIL_CHECKS } from './doctor/rails.ts'
import { RIGHTS_CHECKS } from './doctor/rights.ts'
import { WAITING_CHECKS } from './doctor/waiting.ts'
import { WORK_CHECKS } from './doctor/jobs.ts'
import { extendChain } from '../../storage/ledger-chain.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { verifyOn } from './ledger-check.ts'
import type { LedgerMark } from './ledger-marks.ts'

// Invariants of the ledger, the payments, the jobs and the callbacks, which hold whatever crashed.

export type { Finding }

const CHECKS: readonly Check[] = [
  ...BOOK_CHECKS,
  ...CAUSE_CHECKS,
  ...GUARD_CHECKS,
  ...PAYMENT_CHECKS,
  ...APPROVAL_CHECKS,
  ...WORK_CHECKS,
  ...CALLBACK_CHECKS,
  ...RAIL_CHECKS,
  ...MODE_CHECKS,
  ...MONTH_CHECKS,
  ...RIGHTS_CHECKS,
  ...WAITING_CHECKS,
]
/** What must hold, in words. */
export const DOCTOR_RULES = CHECKS.map(({ rule }) => rule)

/** A check may read whole tables. This limit of each check is far above what millions of transactions take. */
const CHECK_MS_MAX = 10 * 60_000

type ReportFinding = (finding: Finding) => void
const nobody: ReportFinding = () => undefined

/**
 * Runs every check on everything, on one consistent snapshot, which blocks no payment.
 * @param onChecked receives each result as it arrives
 */
export const examine = (pool: Pool, now: Date, onChecked: ReportFinding = nobody): Promise<Finding[]> =>
  onSnapshot(pool, async (client) => {
    await client.query(`set transaction read only; ${searchPath('all')}`)
    const findings = await runAll(CHECKS, (check) => run(client, check, check.sql, now), onChecked)
    return [...findings, ...(await chained(client, undefined, onChecked))]
  })

interface Examination {
  readonly findings: readonly Finding[]
  /** Time of the previous clean run, before which nothing was checked; undefined when everything was checked. */
  readonly since: Date | undefined
}

/**
 * Runs every check on what has changed since the last clean run, or on everything if there was none.
 * @param full checks everything in any case
 */
export async function examineChanged(
  pool: Pool,
  now: Date,
  full = false,
  onChecked: ReportFinding = nobody,
): Promise<Examination> {
  await untilPlayed(pool)
  await extendChain(pool, () => now)
  const { given, mark } = await available(async () => ({
    given: await verifyOn(pool, now),
    mark: full ? undefined : await readDoctorMark(pool),
  }))
  const findings = mark ? await examineSince(pool, now, mark, onChecked) : await examine(pool, now, onChecked)
  if (findings.every(({ found }) => found === 0))
    await available(() => keepDoctorMark(pool, { ...given, cleanAt: now }))
  return { findings, since: mark?.cleanAt }
}

/** Runs every check on what has higher ids than these. */
export const examineSince = (
  pool: Pool,
  now: Date,
  given: LedgerMark,
  onChecked: ReportFinding = nobody,
): Promise<Finding[]> =>
  onSnapshot(pool, async (client) => {
    await copyChanged(client, given)
    await client.query('set transaction read only')
    const runScoped = async (check: Check): Promise<Finding> => {
      await client.query(searchPath(check.scope))
      return run(client, check, check.sqlOfChanged ?? check.sql, now)
    }
    const findings = await runAll(CHECKS, runScoped, onChecked)
    return [...findings, ...(await chained(client, given.linkSeq, onChecked))]
  })

/** The hash chains. They run last: on everything they take the longest. @param since only links after this one; undefined for all */
async function chained(client: pg.PoolClient, since: bigint | undefined, onChecked: ReportFinding): Promise<Finding[]> {
  await client.query(searchPath('all'))
  const findings = [await examineAuditLog(client), await examineChain(client, since)]
  findings.forEach(onChecked)
  return findings
}

async function runAll(
  checks: readonly Check[],
  runOne: (check: Check) => Promise<Finding>,
  onChecked: ReportFinding,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of checks) {
    const finding = await runOne(check)
    findings.push(finding)
    onChecked(finding)
  }
  return findings
}

/** Temporary tables end with the transaction. */
const onSnapshot = <T>(pool: Pool, poll: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  available(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(
        `begin isolation level repeatable read; set local statement_timeout = ${CHECK_MS_MAX};
           set local work_mem = '128MB'; set local enable_seqscan = on`,
      )
      const result = await poll(client)
      await client.query('commit')
      return result
    } catch (error) {
      broken = error as Error // destroyed together with its transaction, whatever its state
      throw error
    } finally {
      client.release(broken)
    }
  })

async function run(client: pg.PoolClient, check: Check, sql: string, now: Date): Promise<Finding> {
  const { name, rule, values } = check
  const { rows } = await client.query<{ example: string; found: bigint }>({
    text: `select example, count(*) over () as found from (${sql}) as broken(example) limit ${EXAMPLES_MAX}`,
    values: [...(values?.(now) ?? [])],
    answerMsMax: CHECK_MS_MAX,
  } as pg.QueryConfig)
  return { name, rule, found: Number(rows[0]?.found ?? 0n), examples: rows.map(({ example }) => example) }
}
