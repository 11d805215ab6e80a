import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATORS_BOOK } from '../testing/operators-book.ts'
import type { ChaosEnvironment } from './faults/fault.ts'
import { patiently } from './patience.ts'

interface DueStatement {
  readonly name: string
  readonly base_url: string
  readonly payments: number
}

/**
 * An operator on the wire reports a late result once: when the message is lost, the statement has the result.
 * Downloads, imports and reconciles it, as the owner of the rail account would at the end of the day.
 * @returns how many payments that was about
 */
export async function readStatements(
  { pool, staff }: Pick<ChaosEnvironment, 'pool' | 'staff'>,
  faults: string[],
): Promise<number> {
  const { rows } = await patiently(() =>
    pool.query<DueStatement>(
      `select i.name, i.base_url, count(*)::int as payments
       from transactions t join ${OPERATORS_BOOK} o on o.reference = t.internal_reference
         join rail_accounts i on i.name = t.rail_account
       where t.status = 'FAILED' and t.rail_paid_at is null and o.transfers > 0 group by 1, 2`,
    ),
  )
  const folder = await mkdtemp(join(tmpdir(), 'malipo-drill-statements-'))
  try {
    for (const { name, base_url } of rows) {
      const file = join(folder, `${name}.csv`)
      const statement = await patiently(() => fetch(`${base_url}/simulator/statement.csv`))
      await writeFile(file, await statement.text())
      // One operator may serve several countries: entries in other currencies do not belong to this rail account.
      for (const command of [
        ['statement', 'import', name, file, '--skip-unreadable'],
        ['reconcile', name],
      ]) {
        const { code, err } = await staff.malipo(...command)
        if (code !== 0) faults.push(`malipo ${command.slice(0, 2).join(' ')} ended with ${code}: ${err.trim()}`)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return rows.reduce((sum, { payments }) => sum + payments, 0)
}
