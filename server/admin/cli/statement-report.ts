import type { ImportSummary } from '../queries/statements/import.ts'
import { MALIPO } from './called-as.ts'
import { print, printable, printJson, shortTime } from './output.ts'
import { maskedAccount, statementsText, type StatementsByAccount } from './statement-account.ts'

/** The result of an import. */
export interface Report {
  readonly imported: ImportSummary
  readonly form: string
  /** The first of the lines that were skipped as unreadable. */
  readonly unreadable: readonly string[]
  /** Entries that moved no money, by reason. */
  readonly passedOver: ReadonlyMap<string, number>
  /** Statements of other bank accounts, which were skipped. */
  readonly otherStatements: StatementsByAccount
}

/** Prints what an import brought, and what to do next. */
export function report(railAccount: string, result: Report, json: boolean): void {
  if (json) printJson(recordOf(railAccount, result))
  else for (const line of textOf(railAccount, result)) print(line)
}

const passedOverIn = ({ passedOver }: Report): number => [...passedOver.values()].reduce((sum, count) => sum + count, 0)
const linesIn = (result: Report): bigint => result.imported.lines + BigInt(passedOverIn(result))

function recordOf(railAccount: string, result: Report): object {
  const { imported, form, unreadable, passedOver, otherStatements } = result
  return {
    railAccount,
    form,
    lines: linesIn(result),
    new_lines: imported.newLines,
    unclear: imported.unclear,
    maybe_repeated: imported.maybeRepeated,
    reversals: imported.reversals,
    reported_fees: imported.reportedFees,
    passed_over: Object.fromEntries(passedOver),
    skipped: imported.skipped,
    skipped_statements: [...otherStatements].map(([account, statements]) => ({
      account: maskedAccount(account),
      statements,
    })),
    unreadable,
    first_at: imported.firstAt,
    last_at: imported.lastAt,
    imported_before: imported.before,
  }
}

function* textOf(railAccount: string, result: Report): Generator<string> {
  const { imported, unreadable, passedOver, otherStatements } = result
  const { newLines, reportedFees, unclear, maybeRepeated, reversals, skipped, firstAt, lastAt, before } = imported
  const lines = linesIn(result)
  const period = firstAt && lastAt ? `, from ${shortTime(firstAt)} to ${shortTime(lastAt)}` : ''
  const reasons = [...passedOver].map(([reason, count]) => `${count} ${printable(reason)}`)
  const counts = [
    `${newLines} new`,
    ...(unclear > 0n ? [`${unclear} unclear`] : []),
    ...(maybeRepeated > 0n ? [`${maybeRepeated} maybe repeated`] : []),
    ...reasons,
  ]
  yield `${lines} ${lines === 1n ? 'line' : 'lines'} of ${railAccount}${period}: ${counts.join(', ')}.`
  const passed = passedOverIn(result)
  if (imported.lines === 0n && passed > 0)
    yield `Nothing in it moved money: ${passed} ${passed === 1 ? 'entry' : 'entries'} passed over: ${reasons.map((reason) => (reasons.length === 1 ? reason.replace(/^\d+ /, '') : reason)).join(', ')}.`
  if (otherStatements.size > 0) yield `Skipped, because the account is another: ${statementsText(otherStatements)}.`
  if (reportedFees > 0n) yield `Known before without a fee, reported now: ${reportedFees}.`
  if (unclear > 0n) yield `Only a part can be read: ${unclear}. Each becomes an exception.`
  if (maybeRepeated > 0n)
    yield `Also in another statement, either the same movement or a second one: ${maybeRepeated}. Each becomes an exception.`
  if (reversals > 0n) yield `Reversals of lines that are known: ${reversals}. Each becomes an exception.`
  if (before) yield `The same file was imported before, at ${shortTime(before)}.`
  if (skipped > 0n) yield `Skipped, because they cannot be read: ${skipped}.`
  for (const fault of unreadable) yield `  ${printable(fault)}`
  yield `Compare it with the ledger: ${MALIPO} reconcile ${railAccount}`
}
