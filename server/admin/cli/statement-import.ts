import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { openStatement } from '../../statements/read-statement.ts'
import { UnreadableStatement } from '../../statements/reading.ts'
import { withProgress, type Progress } from '../../progress.ts'
import type { NewStatementLine } from '../queries/statements/import.ts'
import { withDatabase, type Context } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { printable } from './output.ts'
import { railAccountNamed } from './rail-named.ts'
import type { RecordedOptions } from './staff-action.ts'
import { accountMissing, accountOf, AccountNotSet, queryForAccount, noneOfOurs } from './statement-account.ts'
import { formatOf } from './statement-lines.ts'
import { readStatements, type Faults, type ReadStatements } from './statement-readings.ts'
import { recordedImport } from './statement-recorded.ts'
import { report, type Report } from './statement-report.ts'

interface ImportOptions extends RecordedOptions {
  readonly skipUnreadable?: true
}

/** `statement import`: imports a statement file of an operator. */
export async function importFile(name: string, file: string, { json, ...options }: ImportOptions): Promise<void> {
  const shown = file === '-' ? 'standard input' : file
  const imported = await withDatabase(async (context) => {
    try {
      return await importedFrom(context, name, file, options)
    } catch (error) {
      if (!(error instanceof AccountNotSet)) throw reportedFault(error, shown)
      // When the file is standard input, nobody can answer there.
      if (file === '-' || !(await queryForAccount(context, name, shown, error.accounts)))
        throw accountMissing(shown, name, error.accounts)
      return importedFrom(context, name, file, options).catch((again: unknown) => {
        throw reportedFault(again, shown)
      })
    }
  })
  report(name, imported, json === true)
}

async function importedFrom(
  context: Context,
  name: string,
  file: string,
  { skipUnreadable, reason }: Omit<ImportOptions, 'json'>,
): Promise<Report> {
  const shown = file === '-' ? 'standard input' : file
  const installed = await railAccountNamed(context, name)
  const format = formatOf(installed)
  const setting = installed.railAccount.settings['statement_account']
  const account = setting === undefined ? undefined : accountOf(setting)
  const now = context.clock.now()
  const statement = await openStatement(bytesOf(file), format)
  const read = readStatements(statement.readings, { kind: installed.kind, format, account, now })
  const imported = await withProgress('reading the statement', (progress) =>
    recordedImport(
      context,
      'statement import',
      {
        railAccount: name,
        currency: installed.railAccount.currency,
        timeZone: format.timeZone,
        form: statement.form,
        name: file === '-' ? '-' : basename(file),
        batches: counted(read.batches, progress),
        end() {
          checkAccount(read, { name, shown, account })
          if (read.faults.count > 0 && !skipUnreadable) throw unreadableLines(shown, read.faults)
          const passedOver = [...read.passedOver.values()].reduce((sum, count) => sum + count, 0)
          return { digest: statement.digest(), skipped: read.faults.count, passedOver }
        },
      },
      { reason },
    ),
  )
  return {
    imported,
    form: statement.form,
    unreadable: read.faults.first,
    passedOver: read.passedOver,
    otherStatements: read.others,
  }
}

/** @throws AccountNotSet, CliError */
function checkAccount(
  { others, ownStatements: ours }: ReadStatements,
  { name, shown, account }: { readonly name: string; readonly shown: string; readonly account: string | undefined },
): void {
  if (others.size === 0) return
  if (account === undefined) throw new AccountNotSet(others)
  if (ours() === 0) throw noneOfOurs(shown, name, account, others)
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : usedWrongly(`malipo: ${file} cannot be read (${code})`)
  }
}

/** Passes the batches through, and shows the count as progress. */
async function* counted(
  batches: AsyncIterable<readonly NewStatementLine[]>,
  { at }: Progress,
): AsyncGenerator<readonly NewStatementLine[]> {
  let count = 0
  for await (const batch of batches) {
    yield batch
    count += batch.length
    at(`importing the statement: ${count} lines`)
  }
  at(`importing the statement: comparing ${count} lines`)
}

function unreadableLines(file: string, { count, first }: Faults): CliError {
  const more = count > first.length ? `\n  and ${count - first.length} more` : ''
  return new CliError(
    `malipo: nothing was imported: ${count === 1 ? 'a line' : `${count} lines`} of ${file} cannot be read.\n${first
      .map((fault) => `  ${printable(fault)}`)
      .join('\n')}${more}\nImport the others all the same: --skip-unreadable`,
  )
}

function reportedFault(error: unknown, file: string): unknown {
  if (!(error instanceof UnreadableStatement)) return error
  const where = error.lineNumber === undefined ? file : `${file}, line ${error.lineNumber},`
  return new CliError(`malipo: nothing was imported: ${where} ${printable(error.message)}`)
}
