import { passedOverIn, type ImportedStatement } from '../operations/import-statement.ts'
import { MALIPO } from './called-as.ts'
import { print, printable, printJson, shortTime } from './output.ts'

/** Prints what an import brought, and what to do next. */
export function report(imported: ImportedStatement, json: boolean): void {
  if (json) printJson(recordOf(imported))
  else for (const line of textOf(imported)) print(line)
}

const recordOf = ({
  rail_account: railAccount,
  passed_over: passedOver,
  unreadable,
  ...counts
}: ImportedStatement) => ({
  railAccount,
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
