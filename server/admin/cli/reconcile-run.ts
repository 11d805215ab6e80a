import type { Reconciliation } from '../../actions/reconcile.ts'
import { amountText, formatMoney } from '../../domain/money.ts'
import { withProgress } from '../../progress.ts'
import { OperationRefusal } from '../operations/operation.ts'
import { runReconciliation } from '../operations/run-reconciliation.ts'
import { countOpen, listExceptions, type ExceptionView } from '../queries/statements/end-exception.ts'
import { listStated } from '../queries/statements/import.ts'
import { MALIPO } from './called-as.ts'
import { LIMIT_MAX, type RelativeTime } from './command.ts'
import { withDatabase, type Context } from './database.ts'
import { print, printJson, shortTime } from './output.ts'
import { exceptionRecord, printExceptions } from './reconcile-list.ts'
import type { RecordedOptions } from './staff-action.ts'

/** How many exceptions are listed after a run; `reconcile list` has more. */
const SHOWN_MAX = 20

interface RunOptions extends RecordedOptions {
  readonly until?: RelativeTime | undefined
}

/**
 * `reconcile [rail-account]`: reconciles a rail account, or without a name every rail account with a
 * statement.
 */
export async function run(name: string | undefined, { until, json, reason }: RunOptions): Promise<void> {
  const reports = await withDatabase(async (context) => {
    const shown = json ? LIMIT_MAX : SHOWN_MAX
    const made: Report[] = []
    for (const each of name === undefined ? await allStated(context) : [name])
      made.push(await withProgress(`reconciling ${each}`, () => reportOf(context, each, { until, reason }, shown)))
    return made
  })
  if (json) return printJson(name === undefined ? reports.map(reportRecord) : reports.map(reportRecord)[0])
  for (const [at, report] of reports.entries()) {
    if (at > 0) print('')
    printReport(report)
  }
}

interface Report {
  readonly name: string
  readonly currency: string
  readonly result: Reconciliation
  readonly open: Awaited<ReturnType<typeof countOpen>>
  readonly exceptions: readonly ExceptionView[]
}

async function allStated({ pool }: Context): Promise<readonly string[]> {
  const names = await listStated(pool)
  if (names.length > 0) return names
  throw new OperationRefusal(
    'not_found',
    'there is no statement yet',
    `Import one: ${MALIPO} statement import <rail-account> <file>; see the connections: ${MALIPO} rail list`,
  )
}

async function reportOf(context: Context, name: string, options: RunOptions, limit: number): Promise<Report> {
  const until = options.until?.(context.clock.now())
  const { result, currency } = await runReconciliation(context, { railAccount: name, until, reason: options.reason })
  const exceptions = { railAccount: name, kind: undefined, state: 'open', limit } as const
  return {
    name,
    currency,
    result,
    open: await countOpen(context.pool, name),
    exceptions: await listExceptions(context.pool, exceptions),
  }
}

const suspenseOf = ({ open }: Report): bigint => open.reduce((sum, { suspense_minor }) => sum + suspense_minor, 0n)

const reportRecord = (report: Report) => ({
  railAccount: report.name,
  currency: report.currency,
  complete_from: report.result.from,
  complete_until: report.result.until,
  settled_lines: report.result.settledLines,
  waiting_lines: report.result.waitingLines,
  completed_orders: report.result.completedOrders,
  fees: amountText(report.result.feesMinor, report.currency),
  opened: report.result.opened,
  ended: report.result.ended,
  open: Object.fromEntries(report.open.map((row) => [row.kind, row.count])),
  suspense: amountText(suspenseOf(report), report.currency),
  exceptions: report.exceptions.map(exceptionRecord),
})

function printReport(report: Report): void {
  const { name, currency, result, open, exceptions } = report
  const count = open.reduce((sum, row) => sum + row.count, 0n)
  sendReport(name, result, currency)
  if (count === 0n) return print('\nNothing differs.')
  print(`\n${count} ${count === 1n ? 'difference is' : 'differences are'} open, with ${amountText(suspenseOf(report), currency)} ${currency} on the suspense account:
${open.map((row) => `  ${row.kind.padEnd(20)} ${row.count}`).join('\n')}\n`)
  printExceptions(exceptions)
  if (count > BigInt(exceptions.length))
    print(`\nand ${count - BigInt(exceptions.length)} more: ${MALIPO} reconcile list ${name}`)
  print(`\nEnd one with its reason: ${MALIPO} reconcile end <exception> --reason …`)
}

function sendReport(name: string, result: Reconciliation, currency: string): void {
  print(`${name}, from ${shortTime(result.from)} to ${shortTime(result.until)}:`)
  print(`  ${result.settledLines} lines agree now`)
  if (result.completedOrders > 0)
    print(`  ${result.completedOrders} orders without a result are completed by their line`)
  if (result.waitingLines > 0n)
    print(`  ${result.waitingLines} lines without an order are too recent to count as missing`)
  if (result.feesMinor !== 0n) print(`  ${formatMoney({ amountMinor: result.feesMinor, currency })} of fees are booked`)
  print(`  ${result.opened} differences are new, ${result.ended} are explained`)
}
