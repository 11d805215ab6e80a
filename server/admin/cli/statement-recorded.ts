import { importStatement, type ImportSummary, type StatementSource } from '../queries/statements/import.ts'
import type { Context } from './database.ts'
import { addition, recordedAction, shownValues, type RecordedOptions } from './staff-action.ts'

/** Imports a statement in one commit with its audit entry: a reconciliation settles payments by its content. */
export const recordedImport = (
  context: Context,
  command: string,
  source: StatementSource,
  options: RecordedOptions,
): Promise<ImportSummary> =>
  recordedAction(
    context,
    { command, subject: source.railAccount },
    options,
    addition(
      (pool) => importStatement(pool, source, context.clock.now()),
      ({ lines, newLines, skipped }) =>
        shownValues({
          [source.form === 'pull' ? 'period' : 'file']: source.name,
          lines,
          'new lines': newLines,
          skipped,
        }),
    ),
  )
