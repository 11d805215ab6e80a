import { join } from 'node:path'
import { withProgress } from '../../progress.ts'
import { archiveMonth, type Archived } from '../operations/archive-month.ts'
import { print, printJson, shortTime } from './output.ts'
import { withOwner } from './owner.ts'
import type { RecordedOptions } from './staff-action.ts'

interface RunOptions extends RecordedOptions {
  readonly to?: string
}

/** `archive <month>`: writes the files first, then takes the month out of the database. */
export async function run(month: string, { to, json, reason }: RunOptions): Promise<void> {
  const archived = await withOwner((context) =>
    withProgress(`archiving ${month}`, () =>
      archiveMonth(context, { month, folder: to ?? join(context.config.dataDir, 'archive'), reason }),
    ),
  )
  if (json) return printJson(recordOf(month, archived))
  print(textOf(month, archived))
}

const recordOf = (month: string, archived: Archived) =>
  archived.result === 'archived'
    ? { month, result: archived.result, folder: archived.folder, tables: archived.manifest.tables }
    : { month, ...archived }

function textOf(month: string, archived: Archived): string {
  if (archived.result === 'archived_before') return `${month} was archived at ${shortTime(archived.at)}: nothing to do.`
  const { folder, manifest } = archived
  const rows = manifest.tables.map(
    ({ table, rows: count }) => `  ${table.padEnd(20)}${String(count).padStart(12)} rows`,
  )
  return [
    `${month} is in ${folder}, read back and compared with the ledger:`,
    ...rows,
    'Keep a copy elsewhere: the database now has only the references and one opening entry per account.',
  ].join('\n')
}
