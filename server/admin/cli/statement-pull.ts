import type { StatementLine } from '../../domain/statement-line.ts'
import { NoAnswer, NotSent } from '../../rails/operator-errors.ts'
import { withProgress } from '../../progress.ts'
import type { NewStatementLine } from '../queries/statements/import.ts'
import { MALIPO } from './called-as.ts'
import type { RelativeTime } from './command.ts'
import { withDatabase, type Context } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { queriedHere } from './rail-connected.ts'
import { railAccountNamed } from './rail-named.ts'
import type { RecordedOptions } from './staff-action.ts'
import { formatOf, lineStorer, NO_STATEMENT } from './statement-lines.ts'
import { recordedImport } from './statement-recorded.ts'
import { report } from './statement-report.ts'

interface PullOptions extends RecordedOptions {
  readonly since: RelativeTime
}

/** `statement pull`: imports what the operator's API reports. */
export async function pull(name: string, { since, json, reason }: PullOptions): Promise<void> {
  const pulling = async (context: Context) => {
    const installed = await railAccountNamed(context, name)
    const format = formatOf(installed)
    const now = context.clock.now()
    const from = since(now)
    const lines = await queriedHere(context, installed, async ({ adapter }) => {
      if (!adapter.statement)
        throw usedWrongly(
          `malipo: ${name} offers no statement by API; import its file: ${MALIPO} statement import ${name} <file>`,
        )
      return collected(adapter.statement(from, now), name)
    })
    const store = lineStorer(installed.kind, format, now)
    // A payment with an unreadable time counts up to the end of the requested period: its day is unknown.
    const stored = lines.map((line, index) =>
      store.line(line, { ...NO_STATEMENT, lineNumber: index + 1 }, { isTimed: line.at < now }),
    )
    return recordedImport(
      context,
      'statement pull',
      {
        railAccount: name,
        currency: installed.railAccount.currency,
        timeZone: format.timeZone,
        form: 'pull',
        name: `${from.toISOString()} to ${now.toISOString()}`,
        batches: inOne(stored),
        end: () => ({ skipped: 0 }),
      },
      { reason },
    )
  }
  const imported = await withDatabase((context) =>
    withProgress(`pulling the statement of ${name}`, () => pulling(context)),
  )
  const nothing = { unreadable: [], passedOver: new Map<string, number>(), otherStatements: new Map<string, number>() }
  report(name, { imported, form: 'pull', ...nothing }, json === true)
}

async function* inOne(lines: readonly NewStatementLine[]): AsyncGenerator<readonly NewStatementLine[]> {
  if (lines.length > 0) yield lines
}

/** No call to an operator runs inside the transaction that stores the lines: they wait here, but not without end. */
const LINES_MAX = 500_000

/** Rejects a statement that did not arrive completely. */
async function collected(stream: AsyncIterable<StatementLine>, name: string): Promise<readonly StatementLine[]> {
  const lines: StatementLine[] = []
  try {
    for await (const line of stream) {
      if (lines.length === LINES_MAX)
        throw usedWrongly(`malipo: ${name} lists more than ${LINES_MAX} movements: ask for a shorter period`)
      lines.push(line)
    }
    return lines
  } catch (error) {
    if (error instanceof RangeError) throw usedWrongly(`malipo: ${error.message}`)
    if (error instanceof NoAnswer || error instanceof NotSent)
      throw new CliError(`malipo: nothing was imported: ${name}: ${error.message}`)
    throw error
  }
}
