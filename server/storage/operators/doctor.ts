import type pg from 'pg'
import { BOOK_CHECKS } from './doctor/books.ts'
import { CALLBACK_CHECKS } from './doctor/callbacks.ts'
import type { Check } from './doctor/check.ts'
import { MODE_CHECKS } from './doctor/mode.ts'
import { MONTH_CHECKS } from './doctor/months.ts'
import { PAYMENT_CHECKS } from './doctor/payments.ts'
import { RAIL_CHECKS } from './doctor/rails.ts'
import { WAITING_CHECKS } from './doctor/waiting.ts'
import { WORK_CHECKS } from './doctor/work.ts'
import { available, type Pool } from '../pool.ts'

// What must always be true of the books, the payments, the work and the callbacks, whatever crashed.

export interface Finding {
  readonly name: string
  readonly rule: string
  /** How many break the rule. */
  readonly found: number
  /** The first of them. */
  readonly examples: readonly string[]
}

const EXAMPLES_MAX = 5

const CHECKS: readonly Check[] = [
  ...BOOK_CHECKS,
  ...PAYMENT_CHECKS,
  ...WORK_CHECKS,
  ...CALLBACK_CHECKS,
  ...RAIL_CHECKS,
  ...MODE_CHECKS,
  ...MONTH_CHECKS,
  ...WAITING_CHECKS,
]

/** A check reads whole tables; this bounds each of them, far above what millions of transactions take. */
const CHECK_MS_MAX = 10 * 60_000

/**
 * Runs every check on one consistent snapshot, which no payment waits for.
 * @param onChecked hears of each result as it comes
 */
export function examine(
  pool: Pool,
  now: Date,
  onChecked: (finding: Finding) => void = () => undefined,
): Promise<Finding[]> {
  return available(async () => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(
        `begin isolation level repeatable read, read only; set local statement_timeout = ${CHECK_MS_MAX};
           set local work_mem = '128MB'; set local enable_seqscan = on`,
      )
      const findings: Finding[] = []
      for (const check of CHECKS) {
        const finding = await run(client, check, now)
        findings.push(finding)
        onChecked(finding)
      }
      await client.query('commit')
      return findings
    } catch (error) {
      broken = error as Error // given up together with its transaction, whatever state it is in
      throw error
    } finally {
      client.release(broken)
    }
  })
}

async function run(client: pg.PoolClient, { name, rule, sql, values }: Check, now: Date): Promise<Finding> {
  const { rows } = await client.query<{ example: string; found: bigint }>({
    text: `select example, count(*) over () as found from (${sql}) as broken(example) limit ${EXAMPLES_MAX}`,
    values: [...(values?.(now) ?? [])],
    answerMsMax: CHECK_MS_MAX,
  } as pg.QueryConfig)
  return { name, rule, found: Number(rows[0]?.found ?? 0n), examples: rows.map(({ example }) => example) }
}
