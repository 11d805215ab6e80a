import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATORS_BOOK } from '../testing/operators-book.ts'
import type { World } from './faults/fault.ts'
import { patiently } from './patience.ts'

interface Owing {
  readonly name: string
  readonly base_url: string
  readonly payments: number
}

/**
 * An operator on the wire tells a late result once: when nobody heard it, its statement has it. It is downloaded, imported
 * and reconciled as its owner would at the end of the day. @returns how many payments that was about
 */
export async function readStatements(
  { pool, operator }: Pick<World, 'pool' | 'operator'>,
  faults: string[],
): Promise<number> {
  const { rows } = await patiently(() =>
    pool.query<Owing>(
      `select i.name, i.base_url, count(*)::int as payments
       from transactions t join ${OPERATORS_BOOK} o on o.reference = t.internal_reference
         join rail_installations i on i.name = t.rail_installation
       where t.status = 'FAILED' and t.rail_paid_at is null and o.transfers > 0 group by 1, 2`,
    ),
  )
  const folder = await mkdtemp(join(tmpdir(), 'malipo-drill-statements-'))
  try {
    for (const { name, base_url } of rows) {
      const file = join(folder, `${name}.csv`)
      const statement = await patiently(() => fetch(`${base_url}/simulator/statement.csv`))
      await writeFile(file, await statement.text())
      // One operator may serve several countries: what is in other currencies is not for this installation.
      for (const command of [
        ['statement', 'import', name, file, '--skip-unreadable'],
        ['reconcile', name],
      ]) {
        const { code, err } = await operator.malipo(...command)
        if (code !== 0) faults.push(`malipo ${command.slice(0, 2).join(' ')} ended with ${code}: ${err.trim()}`)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return rows.reduce((sum, { payments }) => sum + payments, 0)
}
