import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { withProgress } from '../../progress.ts'
import { importStatement, type ImportedStatement } from '../operations/import-statement.ts'
import { AccountNotSet, printableAccount } from '../operations/statement-account.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { note } from './output.ts'
import { runAddition } from './run-change.ts'
import type { RecordedOptions } from './staff-action.ts'
import { queryForAccount } from './statement-account.ts'
import { report } from './statement-report.ts'

interface ImportOptions extends RecordedOptions {
  readonly skipUnreadable?: true
}

/** `statement import`: imports a statement file of an operator. */
export async function importFile(name: string, file: string, options: ImportOptions): Promise<void> {
  const imported = await withDatabase((context) => {
    const importing = (account?: string): Promise<ImportedStatement> =>
      withProgress('reading the statement', ({ at }) => {
        const input = {
          rail_account: name,
          file: file === '-' ? '-' : basename(file),
          bytes: bytesOf(file),
          skip_unreadable: options.skipUnreadable,
          account,
          onLines: (count: number) => at(`importing the statement: ${count} lines`),
        }
        return runAddition(context, importStatement, input, options)
      })
    return importing().catch(async (error: unknown) => {
      // When the file is standard input, nobody can answer there.
      if (!(error instanceof AccountNotSet) || file === '-') throw error
      const account = await queryForAccount(name, file, error.accounts)
      if (account === undefined) throw error
      const again = await importing(account)
      note(`${printableAccount(account)} is the account of ${name} from now on (statement_account).`)
      return again
    })
  })
  report(imported, options.json === true)
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : usedWrongly(`malipo: ${file} cannot be read (${code})`)
  }
}
