import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { amountText, moneyText, moneyFromWire } from '../../domain/money.ts'
import { isRetryable, totalsOf } from '../../domain/payout-batch.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { OperationRefusal } from '../operations/operation.ts'
import {
  payoutBatchNamed,
  previewPayoutFile,
  retryPayoutBatch,
  sendPayoutFile,
  type BatchPreview,
} from '../operations/payout-batches.ts'
import { faultsCsv, PAYOUT_TEMPLATE } from '../../domain/payout-file.ts'
import { listPayoutBatches } from '../queries/payout-batches.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit } from './command.ts'
import { withDatabase } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { note, print, printFields, printJson, printTable, shortTime } from './output.ts'
import { runAddition, runChange } from './run-change.ts'
import {
  addRecordedAction,
  addStaffAction,
  isConfirmed,
  isSomebodyThere,
  type RecordedOptions,
  type StaffOptions,
} from './staff-action.ts'

const MERCHANT = `the merchant, by its public key or its id: ${MALIPO} merchant list`
const BATCH = 'the reference of the batch'
const FAULTS_SHOWN = 20

export function define(group: Command): void {
  addExamples(group, `${MALIPO} payout batch pub_sandbox_demo salaries.csv`)
  addRecordedAction(
    group,
    'batch',
    'send a CSV file of up to 10,000 payouts as one batch, all of it or nothing',
    `${MALIPO} payout batch pub_sandbox_demo salaries.csv --faults faults.csv`,
    `${MALIPO} payout template`,
  )
    .argument('<merchant>', MERCHANT)
    .argument('<file>', 'the file')
    .option('--reference <reference>', 'of the batch; by default one that belongs to the content of the file')
    .option('--preview', 'show what would happen, and send nothing')
    .option('--faults <file>', 'write every faulty row to this CSV file')
    .option('--yes', 'without the confirmation prompt')
    .action(send)
  addLeaf(group, 'template', 'print a CSV file to fill in', `${MALIPO} payout template`).action(
    ({ json }: { json?: true }) =>
      json ? printJson({ template: PAYOUT_TEMPLATE }) : void process.stdout.write(PAYOUT_TEMPLATE), // with its CR
  )
  addLeaf(group, 'list', 'list the batches of a merchant, the newest first', `${MALIPO} payout list pub_sandbox_demo`)
    .argument('<merchant>', MERCHANT)
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 20)
    .action(list)
  addLeaf(
    group,
    'show',
    'show a batch: its sums, and what failed',
    `${MALIPO} payout show pub_sandbox_demo SALARIES-2026-03`,
  )
    .argument('<merchant>', MERCHANT)
    .argument('<batch>', BATCH)
    .action(show)
  addStaffAction(
    group,
    'retry',
    'try the failed payouts of a batch again, with new references; never one whose outcome is unknown',
    `${MALIPO} payout retry pub_sandbox_demo SALARIES-2026-03 --reason "The wallet is filled"`,
  )
    .argument('<merchant>', MERCHANT)
    .argument('<batch>', BATCH)
    .action(retry)
}

interface SendOptions extends RecordedOptions {
  readonly reference?: string
  readonly preview?: true
  readonly faults?: string
  readonly yes?: true
}

async function send(merchant: string, path: string, options: SendOptions): Promise<void> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usedWrongly(`malipo: ${path} cannot be read (${error.code ?? 'unknown'})`)
  })
  const input = { merchant, bytes, batch_reference: options.reference }
  const done = await withDatabase(async (context) => {
    const preview = await previewPayoutFile(context, input)
    if (options.json && options.preview) printJson(preview)
    else await showPreview(preview, options)
    if (preview.faults.length > 0) throw new OperationRefusal('conflict', 'nothing was accepted: correct these rows')
    if (options.preview) return undefined
    if (
      !options.yes &&
      isSomebodyThere(process.stdin, process.stderr) &&
      !(await isConfirmed(process.stdin, process.stderr))
    )
      throw new CliError('malipo: nothing was sent.')
    return runAddition(context, sendPayoutFile, input, options)
  })
  if (!done) return
  if (options.json) printJson(done)
  else print(`Batch ${done.batch_reference} is accepted: ${done.payouts} payouts.`)
}

async function showPreview({ payouts, totals, faults }: BatchPreview, options: SendOptions): Promise<void> {
  const text = (amount: number, currency: string) => moneyText(moneyFromWire(amount, currency))
  note(`${payouts} payouts`)
  for (const { currency, payouts: count, amount, charge, available, waits } of totals) {
    const wallet = `the wallet has ${text(available, currency)}`
    note(`  ${count} of ${text(amount, currency)} and ${text(charge, currency)} of charges; ${wallet}`)
    if (waits) note('  They wait for a second person.')
  }
  for (const { line, message } of faults.slice(0, FAULTS_SHOWN)) note(`  line ${line}: ${message}`)
  if (faults.length > FAULTS_SHOWN) note(`  and ${faults.length - FAULTS_SHOWN} more: --faults <file> has all`)
  const { faults: file } = options
  if (file === undefined || faults.length === 0) return
  await writeFile(file, faultsCsv(faults)).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`malipo: ${file} cannot be written (${error.code ?? 'unknown'}).`)
  })
}

async function list(merchant: string, { limit, json }: { limit: number; json?: true }): Promise<void> {
  const batches = await withDatabase(async (context) => {
    const { id: merchantId } = await merchantNamed(context, merchant)
    return listPayoutBatches(context.pool, { merchantId, limit })
  })
  if (json) return printJson(batches)
  printTable(
    batches,
    [
      { title: 'BATCH', of: ({ reference }) => reference },
      { title: 'AT', of: ({ created_at }) => shortTime(created_at) },
      { title: 'PAYOUTS', of: ({ payouts }) => payouts, align: 'right' },
      { title: 'FINISHED', of: ({ finished_at }) => finished_at && shortTime(finished_at) },
      { title: 'AGAIN AFTER', of: ({ retry_of }) => retry_of },
    ],
    `No batch was sent. Send one: ${MALIPO} payout batch --help`,
  )
}

async function show(merchant: string, reference: string, { json }: { json?: true }): Promise<void> {
  const { batch, payouts } = await withDatabase((context) => payoutBatchNamed(context, merchant, reference))
  const totals = totalsOf(payouts.map(({ payout }) => payout))
  const failed = payouts.filter(({ payout }) => payout.status === 'FAILED')
  const retryable = payouts.filter(isRetryable).length
  if (json)
    return printJson({
      ...batch,
      totals: totals.map(({ amount, ...counts }) => ({
        ...counts,
        currency: amount.currency,
        amount: amountText(amount.amountMinor, amount.currency),
      })),
      retryable,
      failed: failed.map(({ line, payout }) => ({
        line,
        merchant_reference: payout.merchantReference,
        status_message: payout.statusMessage,
      })),
    })
  printFields([
    ['batch', batch.reference],
    ['accepted', shortTime(batch.created_at)],
    ['finished', batch.finished_at && shortTime(batch.finished_at)],
    ['again after', batch.retry_of],
    ...totals.map(
      ({ amount, payouts: count, completed, failed: lost }) =>
        [amount.currency, `${moneyText(amount)}: ${count} payouts, ${completed} completed, ${lost} failed`] as const,
    ),
    ['can be tried again', retryable],
  ])
  for (const { line, payout } of failed) print(`line ${line}: ${payout.merchantReference}: ${payout.statusMessage}`)
}

async function retry(merchant: string, batch: string, options: StaffOptions): Promise<void> {
  const done = await withDatabase((context) => runChange(context, retryPayoutBatch, { merchant, batch }, options))
  if (options.json) printJson(done)
  else print(`Batch ${done.batch_reference} tries ${done.payouts} payouts again.`)
}
