import { amountText, formatMoney } from '../../domain/money.ts'
import { withProgress } from '../../progress.ts'
import { OperationRefusal } from '../operations/operation.ts'
import { runReconciliation, type ReconciliationRun } from '../operations/run-reconciliation.ts'
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
  readonly result: ReconciliationRun
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
  const result = await runReconciliation(context, { railAccount: name, until, reason: options.reason })
  const exceptions = { railAccount: name, kind: undefined, state: 'open', limit } as const
  return {
    name,
    result,
    open: await countOpen(context.pool, name),
    exceptions: await listExceptions(context.pool, exceptions),
  }
}

const suspenseOf = ({ open }: Pick<Report, 'open'>): bigint =>
  open.reduce((sum, { suspense_minor }) => sum + suspense_minor, 0n)

const reportRecord = ({ name, result, ...report }: Report) => ({
  rail_account: name,
  currency: result.currency,
  complete_from: result.complete_from,
  complete_until: result.complete_until,
  settled_lines: result.settled_lines,
  waiting_lines: result.waiting_lines,
  completed_orders: result.completed_orders,
  fees: amountText(BigInt(result.fees_minor), result.currency),
  opened: result.opened,
  ended: result.ended,
  open: Object.fromEntries(report.open.map((row) => [row.kind, row.count])),
  suspense: amountText(suspenseOf(report), result.currency),
  exceptions: report.exceptions.map(exceptionRecord),
})

function printReport(report: Report): void {
  const { name, result, open, exceptions } = report
  const { currency } = result
  const count = open.reduce((sum, row) => sum + row.count, 0n)
  sendReport(name, result)
  if (count === 0n) return print('\nNothing differs.')
  print(`\n${count} ${count === 1n ? 'difference is' : 'differences are'} open, with ${amountText(suspenseOf(report), currency)} ${currency} on the suspense account:
${open.map((row) => `  ${row.kind.padEnd(20)} ${row.count}`).join('\n')}\n`)
  printExceptions(exceptions)
  if (count > BigInt(exceptions.length))
    print(`\nand ${count - BigInt(exceptions.length)} more: ${MALIPO} reconcile list ${name}`)
  print(`\nEnd one with its reason: ${MALIPO} reconcile end <exception> --reason …`)
}

function sendReport(name: string, result: ReconciliationRun): void {
  const time = (at: string): string => shortTime(new Date(at))
  const fees = { amountMinor: BigInt(result.fees_minor), currency: result.currency }
  print(`${name}, from ${time(result.complete_from)} to ${time(result.complete_until)}:`)
  print(`  ${result.settled_lines} lines agree now`)
  if (result.completed_orders > 0)
    print(`  ${result.completed_orders} orders without a result are completed by their line`)
  if (result.waiting_lines > 0)
    print(`  ${result.waiting_lines} lines without an order are too recent to count as missing`)
  if (fees.amountMinor !== 0n) print(`  ${formatMoney(fees)} of fees are booked`)
  print(`  ${result.opened} differences are new, ${result.ended} are explained`)
}
