import { join } from 'node:path'
import { withProgress } from '../../progress.ts'
import { archiveMonth, KEPT_MONTHS, type ArchiveResult } from '../queries/archive/archive-month.ts'
import { ChainMismatch } from '../queries/archive/archived-chain.ts'
import { ArchiveDamaged } from '../queries/archive/month-files.ts'
import { MALIPO } from './called-as.ts'
import { CliError, notFound } from './errors.ts'
import { print, printJson, shortTime } from './output.ts'
import { withOwner } from './owner.ts'
import { actionOf, type RecordedOptions } from './staff-action.ts'

interface RunOptions extends RecordedOptions {
  readonly to?: string
}

/** `archive <month>`: writes the files first, then takes the month out of the database. */
export async function run(month: string, { to, json, reason }: RunOptions): Promise<void> {
  const archived = await withOwner(async (context) => {
    const { pool, clock, config } = context
    try {
      const folder = to ?? join(config.dataDir, 'archive')
      const action = actionOf(context, { command: 'archive run', subject: month }, reason)
      return await withProgress(`archiving ${month}`, () => archiveMonth(pool, month, folder, clock.now(), action))
    } catch (error) {
      if (error instanceof ChainMismatch)
        throw new CliError(
          `malipo: ${error.message}.\nThe database still has the whole month. See what was changed: ${MALIPO} doctor --full`,
        )
      if (!(error instanceof ArchiveDamaged)) throw error
      throw new CliError(
        `malipo: ${error.message}.\nThe month is still whole in the database: move that folder away and try again.`,
      )
    }
  })
  const refusal = refusalOf(month, archived)
  if (refusal) throw refusal
  if (json) return printJson(recordOf(month, archived))
  print(textOf(month, archived))
}

function refusalOf(month: string, archived: ArchiveResult): CliError | undefined {
  switch (archived.result) {
    case 'no_such_month':
      return notFound(`malipo: there is no month ${month} in the database.`)
    case 'too_young':
      return new CliError(
        `malipo: ${month} can be archived from ${shortTime(archived.archivableFrom)} on, ${KEPT_MONTHS} months after its end.`,
      )
    case 'open':
      return new CliError(
        [
          `malipo: ${month} is not over:`,
          ...archived.open.map(({ what, count }) => `  ${count} ${what}`),
          `End them first (${MALIPO} transaction list --stuck, ${MALIPO} callback list, ${MALIPO} reconcile list), then try again.`,
        ].join('\n'),
      )
    case 'archived':
    case 'archived_before':
      return undefined
  }
}

const recordOf = (month: string, archived: ArchiveResult) =>
  archived.result === 'archived'
    ? { month, result: archived.result, folder: archived.folder, tables: archived.manifest.tables }
    : { month, ...archived }

function textOf(month: string, archived: ArchiveResult): string {
  if (archived.result === 'archived_before') return `${month} was archived at ${shortTime(archived.at)}: nothing to do.`
  if (archived.result !== 'archived') return ''
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
