import type { Command } from 'commander'
import { listImports } from '../queries/statements/import.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit, parseSince, type RelativeTime } from './command.ts'
import { withDatabase } from './database.ts'
import { printJson, printTable, shortTime, note, print, printable } from './output.ts'
import { addRecordedAction, type RecordedOptions } from './staff-action.ts'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { withProgress } from '../../progress.ts'
import { refuseUnknownRail } from '../operations/rail-account-named.ts'
import { importStatement, type ImportedStatement, pullStatement, passedOverIn } from '../operations/import-statement.ts'
import { AccountNotSet, printableAccount } from '../operations/statement-account.ts'
import { usedWrongly } from './errors.ts'
import { runAddition } from './run-change.ts'
import { queryForAccount } from './statement-account.ts'

const RAIL_ACCOUNT = `the connection to the operator, by its name: ${MALIPO} rail list`

export function define(group: Command): void {
  addExamples(group, `${MALIPO} statement import mtn-uganda november-22.csv`)
  addRecordedAction(
    group,
    'import',
    "read an operator's statement (CSV or camt.053), all of it or nothing; a repeated import changes nothing",
    `${MALIPO} statement import mtn-uganda november-22.csv`,
    `gunzip -c statement.xml.gz | ${MALIPO} statement import bank-kenya -`,
  )
    .argument('<rail-account>', RAIL_ACCOUNT)
    .argument('<file>', 'the file; - is standard input')
    .option('--skip-unreadable', 'import the rest of a file of which some lines cannot be read')
    .action(importFile)
  addRecordedAction(
    group,
    'pull',
    'pull the statement from the operator, where its API offers one',
    `${MALIPO} statement pull mobile-kenya --since 24h`,
  )
    .argument('<rail-account>', RAIL_ACCOUNT)
    .requiredOption('--since <time>', 'from then until now: 90s, 15m, 1h, 2d, or a moment in ISO 8601', parseSince)
    .action(pull)
  addLeaf(group, 'list', 'list what was imported, the newest first', `${MALIPO} statement list mtn-uganda`)
    .argument('[rail-account]', 'only of this connection')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 20)
    .action(list)
}

async function list(railAccount: string | undefined, { limit, json }: { limit: number; json?: true }): Promise<void> {
  const imports = await withDatabase(async (context) => {
    const found = await listImports(context.pool, { railAccount, limit })
    await refuseUnknownRail(context, railAccount, found)
    return found
  })
  if (json) return printJson(imports)
  printTable(
    imports,
    [
      { title: 'IMPORT', of: ({ id }) => id, align: 'right' },
      { title: 'AT', of: ({ imported_at }) => shortTime(imported_at) },
      { title: 'RAIL ACCOUNT', of: (row) => row.rail_account },
      { title: 'FORM', of: ({ form }) => form },
      { title: 'LINES', of: ({ lines }) => lines, align: 'right' },
      { title: 'NEW', of: ({ new_lines }) => new_lines, align: 'right' },
      { title: 'PASSED OVER', of: ({ passed_over }) => passed_over, align: 'right' },
      { title: 'SKIPPED', of: ({ skipped }) => skipped, align: 'right' },
      { title: 'FROM', of: ({ first_at }) => first_at && shortTime(first_at) },
      { title: 'TO', of: ({ last_at }) => last_at && shortTime(last_at) },
      { title: 'FILE', of: ({ name }) => name, cut: true },
    ],
    `No statement was imported. Import one: ${MALIPO} statement import --help`,
  )
}

interface ImportOptions extends RecordedOptions {
  readonly skipUnreadable?: true
}

/** `statement import`: imports a statement file of an operator. */
async function importFile(name: string, file: string, options: ImportOptions): Promise<void> {
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

interface PullOptions extends RecordedOptions {
  readonly since: RelativeTime
}

/** `statement pull`: imports what the operator's API reports. */
async function pull(name: string, { since, json, reason }: PullOptions): Promise<void> {
  const imported = await withDatabase((context) =>
    withProgress(`pulling the statement of ${name}`, () =>
      runAddition(context, pullStatement, { rail_account: name, since: since(context.clock.now()) }, { reason }),
    ),
  )
  report(imported, json === true)
}

/** Prints what an import brought, and what to do next. */
function report(imported: ImportedStatement, json: boolean): void {
  if (json) printJson(recordOf(imported))
  else for (const line of textOf(imported)) print(line)
}

const recordOf = ({ passed_over: passedOver, unreadable, ...counts }: ImportedStatement) => ({
  ...counts,
  passed_over: Object.fromEntries(passedOver.map(({ reason, count }) => [reason, count])),
  unreadable: unreadable.map(({ fault }) => fault),
  first_at: counts.first_at ?? null,
  last_at: counts.last_at ?? null,
  imported_before: counts.imported_before ?? null,
})

const time = (at: string): string => shortTime(new Date(at))

function* textOf(imported: ImportedStatement): Generator<string> {
  const { rail_account: railAccount, lines, new_lines: newLines, unclear, reversals, skipped, unreadable } = imported
  const { maybe_repeated: maybeRepeated, reported_fees: reportedFees, imported_before: before } = imported
  const { first_at: first, last_at: last, skipped_statements: others } = imported
  const period = first && last ? `, from ${time(first)} to ${time(last)}` : ''
  const reasons = imported.passed_over.map(({ reason, count }) => ({ count, text: printable(reason) }))
  const counts = [
    `${newLines} new`,
    ...(unclear > 0 ? [`${unclear} unclear`] : []),
    ...(maybeRepeated > 0 ? [`${maybeRepeated} maybe repeated`] : []),
    ...reasons.map(({ count, text }) => `${count} ${text}`),
  ]
  yield `${lines} ${lines === 1 ? 'line' : 'lines'} of ${railAccount}${period}: ${counts.join(', ')}.`
  const passed = passedOverIn(imported)
  if (lines === passed && passed > 0)
    yield `Nothing in it moved money: ${passed} ${passed === 1 ? 'entry' : 'entries'} passed over: ${reasons.map(({ count, text }) => (reasons.length === 1 ? text : `${count} ${text}`)).join(', ')}.`
  if (others.length > 0)
    yield `Skipped, because the account is another: ${others.map(({ account, statements }) => `${statements} ${statements === 1 ? 'statement' : 'statements'} of account ${printable(account)}`).join(', ')}.`
  if (reportedFees > 0) yield `Known before without a fee, reported now: ${reportedFees}.`
  if (unclear > 0) yield `Only a part can be read: ${unclear}. Each becomes an exception.`
  if (maybeRepeated > 0)
    yield `Also in another statement, either the same movement or a second one: ${maybeRepeated}. Each becomes an exception.`
  if (reversals > 0) yield `Reversals of lines that are known: ${reversals}. Each becomes an exception.`
  if (before) yield `The same file was imported before, at ${time(before)}.`
  if (skipped > 0) yield `Skipped, because they cannot be read: ${skipped}.`
  for (const { fault } of unreadable) yield `  ${printable(fault)}`
  yield `Compare it with the ledger: ${MALIPO} reconcile ${railAccount}`
}
