import { importStatement, type Imported, type StatementSource } from '../storage/operators/statements/import.ts'
import type { Context } from './database.ts'
import { addition, recordedAction, shownValues, type RecordedOptions } from './staff-action.ts'

/** Imports a statement in one commit with its entry: a reconciliation ends payments by what stands in it. */
export const recordedImport = (
  context: Context,
  command: string,
  source: StatementSource,
  options: RecordedOptions,
): Promise<Imported> =>
  recordedAction(
    context,
    { command, subject: source.installation },
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
