import type pg from 'pg'
import { BOOK_CHECKS } from './doctor/books.ts'
import { CALLBACK_CHECKS } from './doctor/callbacks.ts'
import { CAUSE_CHECKS } from './doctor/causes.ts'
import { examineChain } from './doctor/chain.ts'
import { copyChanged, keepDoctorMark, readDoctorMark, searchPath } from './doctor/changed.ts'
import { EXAMPLES_MAX, type Check, type Finding } from './doctor/check.ts'
import { GUARD_CHECKS } from './doctor/guards.ts'
import { MODE_CHECKS } from './doctor/mode.ts'
import { MONTH_CHECKS } from './doctor/months.ts'
import { PAYMENT_CHECKS } from './doctor/payments.ts'
import { RAIL_CHECKS } from './doctor/rails.ts'
import { RIGHTS_CHECKS } from './doctor/rights.ts'
import { WAITING_CHECKS } from './doctor/waiting.ts'
import { WORK_CHECKS } from './doctor/work.ts'
import { extendChain } from '../ledger-chain.ts'
import { available, type Pool } from '../pool.ts'
import { verifyOn } from './ledger-check.ts'
import type { Given } from './ledger-marks.ts'

// What must always be true of the books, the payments, the work and the callbacks, whatever crashed.

export type { Finding }

const CHECKS: readonly Check[] = [
  ...BOOK_CHECKS,
  ...CAUSE_CHECKS,
  ...GUARD_CHECKS,
  ...PAYMENT_CHECKS,
  ...WORK_CHECKS,
  ...CALLBACK_CHECKS,
  ...RAIL_CHECKS,
  ...MODE_CHECKS,
  ...MONTH_CHECKS,
  ...RIGHTS_CHECKS,
  ...WAITING_CHECKS,
]

/** A check may read whole tables; this bounds each of them, far above what millions of transactions take. */
const CHECK_MS_MAX = 10 * 60_000

type Told = (finding: Finding) => void
const nobody: Told = () => undefined

/**
 * Runs every check on everything, on one consistent snapshot, which no payment waits for.
 * @param onChecked hears of each result as it comes
 */
export const examine = (pool: Pool, now: Date, onChecked: Told = nobody): Promise<Finding[]> =>
  onSnapshot(pool, async (client) => {
    await client.query(`set transaction read only; ${searchPath('all')}`)
    const findings = await runAll(CHECKS, (check) => run(client, check, check.sql, now), onChecked)
    return [...findings, await chained(client, undefined, onChecked)]
  })

export interface Examined {
  readonly findings: readonly Finding[]
  /** The run before which nothing was looked at; undefined when everything was. */
  readonly since: Date | undefined
}

/**
 * Runs every check on what has changed since the last run that found nothing, or on everything where there was none.
 * @param full on everything in any case
 */
export async function examineChanged(pool: Pool, now: Date, full = false, onChecked: Told = nobody): Promise<Examined> {
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

/** Runs every check on what came after these ids. */
export const examineSince = (pool: Pool, now: Date, given: Given, onChecked: Told = nobody): Promise<Finding[]> =>
  onSnapshot(pool, async (client) => {
    await copyChanged(client, given)
    await client.query('set transaction read only')
    const runScoped = async (check: Check): Promise<Finding> => {
      await client.query(searchPath(check.scope))
      return run(client, check, check.sqlOfChanged ?? check.sql, now)
    }
    const findings = await runAll(CHECKS, runScoped, onChecked)
    return [...findings, await chained(client, given.linkSeq, onChecked)]
  })

/** Last: on everything it takes the longest. @param since only links after this one; absent: all */
async function chained(client: pg.PoolClient, since: bigint | undefined, onChecked: Told): Promise<Finding> {
  await client.query(searchPath('all'))
  const finding = await examineChain(client, since)
  onChecked(finding)
  return finding
}

async function runAll(
  checks: readonly Check[],
  runOne: (check: Check) => Promise<Finding>,
  onChecked: Told,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of checks) {
    const finding = await runOne(check)
    findings.push(finding)
    onChecked(finding)
  }
  return findings
}

/** What it creates ends with the transaction. */
const onSnapshot = <T>(pool: Pool, look: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  available(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(
        `begin isolation level repeatable read; set local statement_timeout = ${CHECK_MS_MAX};
           set local work_mem = '128MB'; set local enable_seqscan = on`,
      )
      const result = await look(client)
      await client.query('commit')
      return result
    } catch (error) {
      broken = error as Error // given up together with its transaction, whatever state it is in
      throw error
    } finally {
      client.release(broken)
    }
  })

async function run(client: pg.PoolClient, check: Check, sql: string, now: Date): Promise<Finding> {
  const { name, values } = check
  const { rows } = await client.query<{ example: string; found: bigint }>({
    text: `select example, count(*) over () as found from (${sql}) as broken(example) limit ${EXAMPLES_MAX}`,
    values: [...(values?.(now) ?? [])],
    answerMsMax: CHECK_MS_MAX,
  } as pg.QueryConfig)
  const rule = await ruleOf(client, check)
  return { name, rule, found: Number(rows[0]?.found ?? 0n), examples: rows.map(({ example }) => example) }
}

async function ruleOf(client: pg.PoolClient, { rule, sqlOfBefore }: Check): Promise<string> {
  if (sqlOfBefore === undefined) return rule
  const { rows } = await client.query<{ count: bigint }>(sqlOfBefore)
  const count = rows[0]?.count ?? 0n
  return count === 0n ? rule : `${rule} (${count} of before causes were kept have none)`
}
