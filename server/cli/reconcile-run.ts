import { reconcile, type Reconciliation } from '../actions/reconcile.ts'
import { formatMoney } from '../domain/money.ts'
import { withDefaults } from '../rails/settings.ts'
import { countOpen, listExceptions } from '../storage/operators/statements/end-exception.ts'
import { createStatements } from '../storage/operators/statements/statements.ts'
import { MALIPO } from './called-as.ts'
import { LIMIT_MAX, type Moment } from './command.ts'
import { withDatabase, type Context } from './database.ts'
import { notFound } from './errors.ts'
import { print, printJson, shortTime } from './output.ts'
import { installationNamed } from './rail-named.ts'
import { amountText, exceptionRecord, printExceptions } from './reconcile-list.ts'
import { settling } from './settling.ts'

/** How many exceptions are listed after a run; `reconcile list` has more. */
const SHOWN_MAX = 20

interface RunOptions {
  readonly until?: Moment
  readonly json?: true
}

/** `reconcile <installation>`: what agrees, and what does not. */
export async function run(name: string, { until, json }: RunOptions): Promise<void> {
  const { result, currency, open, exceptions } = await withDatabase(async (context) => {
    const { result, currency } = await reconciled(context, name, until)
    const limit = json ? LIMIT_MAX : SHOWN_MAX
    return {
      result,
      currency,
      open: await countOpen(context.pool, name),
      exceptions: await listExceptions(context.pool, { installation: name, kind: undefined, all: false, limit }),
    }
  })
  const suspenseMinor = open.reduce((sum, { suspense_minor }) => sum + suspense_minor, 0n)
  const count = open.reduce((sum, row) => sum + row.count, 0n)
  if (json)
    return printJson({
      installation: name,
      currency,
      complete_from: result.from,
      complete_until: result.until,
      settled_lines: result.settledLines,
      waiting_lines: result.waitingLines,
      completed_orders: result.completedOrders,
      fees: amountText(result.feesMinor, currency),
      opened: result.opened,
      ended: result.ended,
      open: Object.fromEntries(open.map((row) => [row.kind, row.count])),
      suspense: amountText(suspenseMinor, currency),
      exceptions: exceptions.map(exceptionRecord),
    })
  tell(name, result, currency)
  if (count === 0n) return print('\nNothing differs.')
  print(`\n${count} ${count === 1n ? 'difference is' : 'differences are'} open, with ${amountText(suspenseMinor, currency)} ${currency} on the suspense account:
${open.map((row) => `  ${row.kind.padEnd(20)} ${row.count}`).join('\n')}\n`)
  printExceptions(exceptions)
  if (count > BigInt(exceptions.length))
    print(`\nand ${count - BigInt(exceptions.length)} more: ${MALIPO} reconcile list ${name}`)
  print(`\nEnd one with its reason: ${MALIPO} reconcile end <exception> --reason …`)
}

async function reconciled(
  context: Context,
  name: string,
  until: Moment | undefined,
): Promise<{ result: Reconciliation; currency: string }> {
  const { pool, clock } = context
  const { installation, kind } = await installationNamed(context, name)
  const settings = withDefaults(kind, installation.settings)
  const { currency } = installation
  const receiptName = (type: 'COLLECTION' | 'PAYOUT') => kind.statement?.receiptName(type) ?? 'receipt'
  const statements = createStatements(
    pool,
    {
      installation: name,
      currency,
      windowMs: Number(settings['statement_window_hours']) * 3_600_000,
      until: until?.(clock.now()),
    },
    {
      receipt: { COLLECTION: receiptName('COLLECTION'), PAYOUT: receiptName('PAYOUT') },
      ...(kind.statement?.ours && { ours: kind.statement.ours }),
    },
    clock,
  )
  const result = await reconcile(await settling(context), statements)
  if (!result)
    throw notFound(
      `malipo: there is no statement of ${name} yet.\nImport one: ${MALIPO} statement import ${name} <file>, or ${MALIPO} statement pull ${name} --since 24h`,
    )
  return { result, currency }
}

function tell(name: string, result: Reconciliation, currency: string): void {
  print(`${name}, from ${shortTime(result.from)} to ${shortTime(result.until)}:`)
  print(`  ${result.settledLines} lines agree now`)
  if (result.completedOrders > 0)
    print(`  ${result.completedOrders} orders without a result are completed by their line`)
  if (result.waitingLines > 0n) print(`  ${result.waitingLines} lines without an order are too young to be missed`)
  if (result.feesMinor !== 0n) print(`  ${formatMoney({ amountMinor: result.feesMinor, currency })} of fees are booked`)
  print(`  ${result.opened} differences are new, ${result.ended} are explained`)
}
