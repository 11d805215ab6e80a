import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { RailKind } from '../rails/rail-kind.ts'
import type { StatementFormat } from '../statements/format.ts'
import { openStatement, type OpenStatement } from '../statements/read-statement.ts'
import { UnreadableStatement } from '../statements/reading.ts'
import { importStatement, type Imported, type NewStatementLine } from '../storage/operators/statements/import.ts'
import { withProgress, type Progress } from '../progress.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase, type Context } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { print, printable, printJson, shortTime } from './output.ts'
import { installationNamed } from './rail-named.ts'
import { formatOf, toStored } from './statement-lines.ts'

interface ImportOptions {
  readonly skipUnreadable?: true
  readonly json?: true
}

const BATCH = 2_000
/** So many lines that cannot be read are named; the others are counted. */
const FAULTS_SHOWN = 20

/** `statement import`: a file of an operator's own book. */
export async function importFile(name: string, file: string, options: ImportOptions): Promise<void> {
  const shown = file === '-' ? 'standard input' : file
  const importing = async (context: Context, { at }: Progress) => {
    const installed = await installationNamed(context, name)
    const format = formatOf(installed)
    try {
      const statement = await openStatement(bytesOf(file), format)
      const lines = linesOf(statement, installed.kind, format, at)
      const imported = await importStatement(
        context.pool,
        {
          installation: name,
          currency: installed.installation.currency,
          form: statement.form,
          name: file === '-' ? '-' : basename(file),
          batches: lines.batches,
          end() {
            if (lines.faults.count > 0 && !options.skipUnreadable) throw unreadableLines(shown, lines.faults)
            return { digest: statement.digest(), skipped: lines.faults.count }
          },
        },
        context.clock.now(),
      )
      return { imported, form: statement.form, unreadable: lines.faults.first }
    } catch (error) {
      throw toldFault(error, shown)
    }
  }
  const { imported, form, unreadable } = await withDatabase((context) =>
    withProgress('reading the statement', (progress) => importing(context, progress)),
  )
  report(name, imported, { ...options, form, unreadable })
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : usedWrongly(`malipo: ${file} cannot be read (${code})`)
  }
}

interface Faults {
  count: number
  readonly first: string[]
}

function linesOf({ readings }: OpenStatement, kind: RailKind, format: StatementFormat, at: Progress['at']) {
  const faults: Faults = { count: 0, first: [] }
  async function* batches(): AsyncGenerator<readonly NewStatementLine[]> {
    let batch: NewStatementLine[] = []
    let count = 0
    for await (const reading of readings) {
      if (reading.got === 'line') batch.push(toStored(reading.line, reading.lineNumber, kind, format))
      if (reading.got === 'fault') {
        faults.count += 1
        if (faults.first.length < FAULTS_SHOWN) faults.first.push(`line ${reading.lineNumber} ${reading.fault}`)
      }
      if (batch.length < BATCH) continue
      yield batch
      count += batch.length
      at(`importing the statement: ${count} lines`)
      batch = []
    }
    if (batch.length > 0) yield batch
    at(`importing the statement: comparing ${count + batch.length} lines`)
  }
  return { faults, batches: batches() }
}

function unreadableLines(file: string, { count, first }: Faults): CliError {
  const more = count > first.length ? `\n  and ${count - first.length} more` : ''
  return new CliError(
    `malipo: nothing was imported: ${count === 1 ? 'a line' : `${count} lines`} of ${file} cannot be read.\n${first
      .map((fault) => `  ${printable(fault)}`)
      .join('\n')}${more}\nImport the others all the same: --skip-unreadable`,
  )
}

function toldFault(error: unknown, file: string): unknown {
  if (!(error instanceof UnreadableStatement)) return error
  const where = error.lineNumber === undefined ? file : `${file}, line ${error.lineNumber},`
  return new CliError(`malipo: nothing was imported: ${where} ${printable(error.message)}`)
}

/** Says what an import brought, and what to do next. */
export function report(
  installation: string,
  imported: Imported,
  { json, form, unreadable }: ImportOptions & { readonly form: string; readonly unreadable: readonly string[] },
): void {
  const { lines, newLines, toldFees, skipped, firstAt, lastAt, before } = imported
  if (json)
    return printJson({
      installation,
      form,
      lines,
      new_lines: newLines,
      told_fees: toldFees,
      skipped,
      unreadable,
      first_at: firstAt,
      last_at: lastAt,
      imported_before: before,
    })
  const period = firstAt && lastAt ? `, from ${shortTime(firstAt)} to ${shortTime(lastAt)}` : ''
  print(`${lines} ${lines === 1n ? 'line' : 'lines'} of ${installation}${period}: ${newLines} new.`)
  if (toldFees > 0n) print(`Known before without a fee, told now: ${toldFees}.`)
  if (before) print(`The same file was imported before, at ${shortTime(before)}.`)
  if (skipped > 0n) print(`Skipped, because they cannot be read: ${skipped}.`)
  for (const fault of unreadable) print(`  ${printable(fault)}`)
  print(`Hold it against the book: ${MALIPO} reconcile ${installation}`)
}
