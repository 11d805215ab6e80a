import { UnreadableStatement } from '../../statements/reading.ts'
import { openStatement } from '../../statements/read-statement.ts'
import { NoAnswer, NotSent } from '../../rails/operator-errors.ts'
import * as stored from '../queries/statements/import.ts'
import { changeRailAccount } from '../queries/rail-accounts.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation, type OperationContext, type PreparedChange } from './operation.ts'
import { railAccountNamed } from './rail-account-named.ts'
import { accountOf, AccountNotSet, maskedAccount, noneOfOurs, printableAccount } from './statement-account.ts'
import { formatOf, lineStorer, NO_STATEMENT } from './statement-lines.ts'
import { readStatements, type Faults, type ReadStatements } from './statement-readings.ts'

/** It is never stored: no four-eyes rule covers an import, which moves no wallet. */
interface ImportInput {
  readonly rail_account: string
  /** Its name, for the list of imports. */
  readonly file: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Imports the rest of a file of which some lines cannot be read. */
  readonly skip_unreadable?: boolean | undefined
  /** The account number of the statements, where it is not set yet: it is stored. */
  readonly account?: string | undefined
  /** Told of each batch of lines that is read. */
  readonly onLines?: (count: number) => void
}

interface PullInput {
  readonly rail_account: string
  readonly since: Date
}

/** What an import brought. */
export type ImportedStatement = {
  readonly rail_account: string
  readonly form: string
  /** All lines, those included that moved no money. */
  readonly lines: number
  readonly new_lines: number
  readonly unclear: number
  readonly maybe_repeated: number
  readonly reversals: number
  readonly reported_fees: number
  readonly skipped: number
  /** Entries that moved no money, by reason. */
  readonly passed_over: readonly { readonly reason: string; readonly count: number }[]
  /** Statements of other bank accounts, which were skipped. */
  readonly skipped_statements: readonly { readonly account: string; readonly statements: number }[]
  /** The first of the lines that cannot be read. */
  readonly unreadable: readonly { readonly fault: string }[]
  readonly first_at: string | undefined
  readonly last_at: string | undefined
  /** When exactly this file was imported before. */
  readonly imported_before: string | undefined
}

/** Imports a statement file: a reconciliation settles payments by its content. All of it or nothing. */
export const importStatement: Operation<ImportInput, ImportedStatement> = {
  name: 'statement import',
  async prepare(context, { rail_account: name, file, bytes, skip_unreadable: skips, account: said, onLines }) {
    const installed = await railAccountNamed(context, name)
    const format = formatOf(installed)
    const { settings, currency } = installed.railAccount
    const set = settings['statement_account']
    if (set !== undefined && said !== undefined)
      throw new OperationRefusal('conflict', `account is set already, as statement_account of ${name}`)
    const account = set ?? said
    const ours = account === undefined ? undefined : accountOf(account)
    const opened = await openStatement(bytes, format).catch((error: unknown) => {
      throw unreadable(file, error) ?? error
    })
    const read = readStatements(opened.readings, {
      kind: installed.kind,
      format,
      account: ours,
      now: context.clock.now(),
    })
    return importing(context, {
      source: {
        railAccount: name,
        currency,
        timeZone: format.timeZone,
        form: opened.form,
        name: file,
        batches: watched(read.batches, onLines),
        end() {
          checkAccount(read, { name, file, account: ours })
          if (read.faults.count > 0 && !skips) throw unreadableLines(file, read.faults)
          const passedOver = [...read.passedOver.values()].reduce((sum, count) => sum + count, 0)
          return { digest: opened.digest(), skipped: read.faults.count, passedOver }
        },
      },
      read,
      newAccount: said === undefined ? undefined : ours,
      refusalOf: (error) => unreadable(file, error),
    })
  },
}

/** Imports what the operator's API reports. */
export const pullStatement: Operation<PullInput, ImportedStatement> = {
  name: 'statement pull',
  async prepare(context, { rail_account: name, since }) {
    const installed = await railAccountNamed(context, name)
    const format = formatOf(installed)
    const now = context.clock.now()
    const lines = await context.rails.statement(installed, since, now).catch((error: unknown) => {
      // A statement that did not arrive completely is rejected.
      if (error instanceof RangeError) throw new OperationRefusal('invalid', error.message)
      if (error instanceof NoAnswer || error instanceof NotSent)
        throw new OperationRefusal('conflict', `nothing was imported: ${name}: ${error.message}`)
      throw error
    })
    if (!lines)
      throw new OperationRefusal(
        'invalid',
        `${name} offers no statement by API`,
        `Import its file: malipo statement import ${name} <file>`,
      )
    const store = lineStorer(installed.kind, format, now)
    // A payment with an unreadable time counts up to the end of the requested period: its day is unknown.
    const batch = lines.map((line, index) =>
      store.line(line, { ...NO_STATEMENT, lineNumber: index + 1 }, { isTimed: line.at < now }),
    )
    return importing(context, {
      source: {
        railAccount: name,
        currency: installed.railAccount.currency,
        timeZone: format.timeZone,
        form: 'pull',
        name: `${since.toISOString()} to ${now.toISOString()}`,
        batches: watched(batch.length > 0 ? [batch] : []),
        end: () => ({ skipped: 0 }),
      },
    })
  },
}

interface Importing {
  readonly source: stored.StatementSource
  /** Of a file. */
  readonly read?: ReadStatements
  readonly newAccount?: string | undefined
  readonly refusalOf?: PreparedChange<never>['refusalOf']
}

async function importing(
  context: OperationContext,
  { source, read, newAccount, refusalOf }: Importing,
): Promise<PreparedChange<ImportedStatement>> {
  const { railAccount, form, name } = source
  const box = newAccount === undefined ? undefined : await context.secretBox()
  return {
    subject: railAccount,
    async read(_pool, imported) {
      if (!imported) return {}
      const { skipped, new_lines: newLines } = imported
      const lines = imported.lines - passedOverIn(imported)
      return displayValues({
        [form === 'pull' ? 'period' : 'file']: name,
        lines,
        'new lines': newLines,
        skipped,
        statement_account: newAccount === undefined ? undefined : printableAccount(newAccount),
      })
    },
    async apply(pool) {
      const now = context.clock.now()
      if (box && newAccount !== undefined) {
        const change = { settings: { statement_account: newAccount }, secrets: {}, requiresNoOpenOrders: false }
        await changeRailAccount(pool, box, railAccount, { ...change, by: context.actor.name }, now)
      }
      return recordOf(source, await stored.importStatement(pool, source, now), read)
    },
    ...(refusalOf && { refusalOf }),
  }
}

/** How many entries moved no money. */
export const passedOverIn = ({ passed_over: passedOver }: Pick<ImportedStatement, 'passed_over'>): number =>
  passedOver.reduce((sum, { count }) => sum + count, 0)

function recordOf(
  { railAccount, form }: stored.StatementSource,
  imported: stored.ImportSummary,
  read?: ReadStatements,
): ImportedStatement {
  const passedOver = [...(read?.passedOver ?? [])].map(([reason, count]) => ({ reason, count }))
  return {
    rail_account: railAccount,
    form,
    lines: Number(imported.lines) + passedOverIn({ passed_over: passedOver }),
    new_lines: Number(imported.newLines),
    unclear: Number(imported.unclear),
    maybe_repeated: Number(imported.maybeRepeated),
    reversals: Number(imported.reversals),
    reported_fees: Number(imported.reportedFees),
    skipped: Number(imported.skipped),
    passed_over: passedOver,
    skipped_statements: [...(read?.others ?? [])].map(([account, statements]) => ({
      account: maskedAccount(account),
      statements,
    })),
    unreadable: (read?.faults.first ?? []).map((fault) => ({ fault })),
    first_at: imported.firstAt?.toISOString(),
    last_at: imported.lastAt?.toISOString(),
    imported_before: imported.before?.toISOString(),
  }
}

/** @throws OperationRefusal */
function checkAccount(
  { others, ownStatements: ours }: ReadStatements,
  { name, file, account }: { readonly name: string; readonly file: string; readonly account: string | undefined },
): void {
  if (others.size === 0) return
  if (account === undefined) throw new AccountNotSet(file, name, others)
  if (ours() === 0) throw noneOfOurs(file, name, account, others)
}

/** Passes the batches through, and reports the count of their lines. */
async function* watched(
  batches: AsyncIterable<readonly stored.NewStatementLine[]> | Iterable<readonly stored.NewStatementLine[]>,
  onLines?: (count: number) => void,
): AsyncGenerator<readonly stored.NewStatementLine[]> {
  let count = 0
  for await (const batch of batches) {
    yield batch
    count += batch.length
    onLines?.(count)
  }
}

function unreadableLines(file: string, { count, first }: Faults): OperationRefusal {
  const more = count > first.length ? `\n  and ${count - first.length} more` : ''
  return new OperationRefusal(
    'conflict',
    `nothing was imported: ${count === 1 ? 'a line' : `${count} lines`} of ${file} cannot be read.\n${first
      .map((fault) => `  ${onOneLine(fault)}`)
      .join('\n')}${more}`,
    'Import the others all the same: --skip-unreadable',
  )
}

/** Both quote what the file has. */
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

function unreadable(file: string, error: unknown): OperationRefusal | undefined {
  if (!(error instanceof UnreadableStatement)) return undefined
  const where = error.lineNumber === undefined ? file : `${file}, line ${error.lineNumber},`
  return new OperationRefusal('conflict', `nothing was imported: ${where} ${onOneLine(error.message)}`)
}
