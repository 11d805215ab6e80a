import { InvalidArgumentError, type Command } from 'commander'
import { KEPT_MONTHS } from '../queries/archive/archive-month.ts'
import { show } from './archive-show.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, describeLeaf } from './command.ts'
import { asRecordedAction, type RecordedOptions } from './staff-action.ts'
import { join } from 'node:path'
import { withProgress } from '../../progress.ts'
import { archiveMonth, type Archived } from '../operations/archive-month.ts'
import { print, printJson, shortTime } from './output.ts'
import { withOwner, withDatabase } from './database.ts'
import { existsSync } from 'node:fs'
import { ChainMismatch, verifyChained } from '../queries/archive/archived-chain.ts'
import { ArchiveDamaged, MANIFEST, readManifest, verifyFiles } from '../queries/archive/month-files.ts'
import { CliError, notFound } from './errors.ts'

const FOLDER = 'where the archive is; without it the folder archive in MALIPO_DATA_DIR'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} archive 2025-09`, `${MALIPO} archive show ORDER-2025-0001`)
  asRecordedAction(
    describeLeaf(
      group
        .command('run', { isDefault: true })
        .description(
          `move a month that ended ${KEPT_MONTHS} months ago or earlier into files, and delete it from the database; balances stay`,
        ),
      `${MALIPO} archive 2025-09`,
      `${MALIPO} archive 2025-09 --to /srv/malipo-archive --json`,
    ),
  )
    .argument('<month>', 'like 2025-09, in UTC: when its payments were accepted', parseMonth)
    .option('--to <folder>', FOLDER)
    .action(run)
  addLeaf(
    group,
    'show',
    'show a payment from the files, with its history, entries and callbacks; no database is needed',
    `${MALIPO} archive show ORDER-2025-0001`,
    `${MALIPO} archive show MLP2X1A7KQ4M8Z0V5T9C3R6B1D --from /srv/malipo-archive --json`,
  )
    .argument('<reference>', "the merchant's or the internal reference")
    .option('--from <folder>', FOLDER)
    .action(show)
  addLeaf(
    group,
    'check',
    'compare the files of an archived month with their manifest and the hash chain in the database',
    `${MALIPO} archive check 2025-09`,
    `${MALIPO} archive check 2025-09 --from /srv/malipo-archive --json`,
  )
    .argument('<month>', 'like 2025-09', parseMonth)
    .option('--from <folder>', FOLDER)
    .action(check)
}

function parseMonth(text: string): string {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month like 2025-09.')
  return text
}

interface RunOptions extends RecordedOptions {
  readonly to?: string
}

/** `archive <month>`: writes the files first, then takes the month out of the database. */
async function run(month: string, { to, json, reason }: RunOptions): Promise<void> {
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

interface CheckOptions {
  readonly from?: string
  readonly json?: true
}

/**
 * `archive check <month>`: checks the files against their manifest, and their transfers against the hash
 * chain.
 */
async function check(month: string, { from, json }: CheckOptions): Promise<void> {
  const { folder, transfers } = await withDatabase(async ({ pool, config }) => {
    const folder = join(from ?? join(config.dataDir, 'archive'), month)
    if (!existsSync(join(folder, MANIFEST))) throw notFound(`malipo: there is no archived month in ${folder}.`)
    return { folder, transfers: await withProgress(`checking ${month}`, () => checkFiles(folder)) }

    async function checkFiles(at: string): Promise<number> {
      const manifest = await readManifest(at)
      await verifyFiles(at, manifest)
      return verifyChained(pool, at, manifest)
    }
  }).catch((error: unknown) => {
    if (error instanceof ArchiveDamaged || error instanceof ChainMismatch)
      throw new CliError(`malipo: ${error.message}.`)
    throw error
  })
  if (json) return printJson({ month, folder, transfers, clean: true })
  print(`${month} in ${folder} is unchanged: ${transfers} transfers agree with the hash chain.`)
}
