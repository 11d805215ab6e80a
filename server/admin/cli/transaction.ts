import type { Command } from 'commander'
import { FAILURE_CODES, type FailureCode } from '../../domain/failure-code.ts'
import type { OrderType } from '../../domain/provider.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit, parseOneOf, parseSince, parseSpan, parseText } from './command.ts'
import { list } from './transaction-list.ts'
import { addStaffAction, parseReason, type StaffOptions } from './staff-action.ts'
import { show } from './transaction-show.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson, printable } from './output.ts'
import { runChange } from './run-change.ts'
import { resolveTransaction } from '../operations/resolve-transaction.ts'
import { transactionNamed } from '../operations/transaction-named.ts'
import { toRecord } from '../queries/transaction-record.ts'
import { cancelPayout } from '../operations/cancel-payout.ts'
import { refundCollection } from '../operations/refund-collection.ts'
import { timelineOf } from '../queries/timeline.ts'

const STATUSES = [
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const satisfies readonly TransactionStatus[]
const TYPES = ['COLLECTION', 'PAYOUT', 'REFUND'] as const satisfies readonly OrderType[]
// The object contains exactly the failure codes, so the cast is safe.
const CODES = Object.keys(FAILURE_CODES) as FailureCode[]
const REFERENCE = "merchant reference, internal reference, operator's receipt or id"
const MERCHANT = 'only of this merchant (public key or id)'

function defineShow(group: Command): void {
  addLeaf(
    group,
    'show',
    'show one transaction',
    `${MALIPO} transaction show ORDER-2026-0001`,
    `${MALIPO} transaction show ORDER-2026-0001 --full --reason "Asked by the customer"`,
  )
    .argument('<reference>', REFERENCE)
    .option('--merchant <merchant>', MERCHANT)
    .option('--full', 'with the whole account number and what is known of the customer; the audit log records it')
    .option('--reason <text>', 'why you need the whole account number', parseReason)
    .action(show)
}

export function define(group: Command): void {
  addExamples(group, `${MALIPO} transaction events ORDER-2026-0001`)
  defineShow(group)
  defineList(group)
  addLeaf(
    group,
    'events',
    'show the history of a transaction, step by step, with all money movements',
    `${MALIPO} transaction events ORDER-2026-0001`,
  )
    .argument('<reference>', REFERENCE)
    .option('--merchant <merchant>', MERCHANT)
    .action(events)
  addStaffAction(
    group,
    'resolve',
    'decide a PROCESSING transaction that its rail never reported, or book a payout that the rail has paid while it was FAILED here',
    `${MALIPO} transaction resolve ORDER-2026-0001 --failed "The operator found no transfer" --code expired --reason "Ticket 4711"`,
    `${MALIPO} transaction resolve ORDER-2026-0001 --completed --reason "MTN confirmed it, ticket 4711"`,
  )
    .argument('<reference>', REFERENCE)
    .option('--completed', 'the money has moved')
    .option('--failed <reason>', 'no money has moved; the reason goes to the merchant as status_message', parseText)
    .option(
      '--code <code>',
      `with --failed: why, for programs; goes to the merchant as failure_code: ${CODES.join(', ')}`,
      parseOneOf(CODES),
    )
    .option('--merchant <merchant>', MERCHANT)
    .action(resolve)
  defineRefund(group)
}

function defineRefund(group: Command): void {
  addStaffAction(
    group,
    'refund',
    'give a completed collection, or a part of it, back to the account that paid it; the reason goes to the merchant',
    `${MALIPO} transaction refund ORDER-2026-0001 --reason "Sold out"`,
    `${MALIPO} transaction refund ORDER-2026-0001 --amount 2000 --reason "One of two returned"`,
  )
    .argument('<reference>', REFERENCE)
    .option(
      '--amount <amount>',
      'a part, in major units of the currency that was requested (default: all that is left)',
    )
    .option(
      '--reference <text>',
      "the merchant's own reference of the refund: 8 to 36 letters, digits and . _ ~ - (default: one is made)",
    )
    .option('--merchant <merchant>', MERCHANT)
    .action(refund)
  addStaffAction(
    group,
    'cancel',
    'cancel a payout that was not handed over to its operator, for its merchant',
    `${MALIPO} transaction cancel ORDER-2026-0002 --reason "The merchant has asked for it"`,
  )
    .argument('<reference>', REFERENCE)
    .option('--merchant <merchant>', MERCHANT)
    .action(cancel)
}

function defineList(group: Command): void {
  addLeaf(
    group,
    'list',
    'list transactions, the newest first',
    `${MALIPO} transaction list --status FAILED --since 1h`,
    `${MALIPO} transaction list --phone "0772 000 123" --amount 5,000`,
    `${MALIPO} transaction list --merchant 2 --since 2026-11-01 --until 2026-12-01 --csv`,
    `${MALIPO} transaction list --stuck --older-than 1h`,
  )
    .option('--phone <number>', 'only of this phone or bank account number, in any spelling')
    .option('--amount <amount>', 'only of this amount, in any currency or in the one it names: 5,000 or "10.50 KES"')
    .option('--receipt <id>', "only with this receipt of the operator's")
    .option('--provider <code>', 'only by this provider, for example mtn_ug')
    .option('--merchant <merchant>', MERCHANT)
    .option('--type <type>', `only ${TYPES.join(', ')}`, parseOneOf(TYPES))
    .option('--status <status>', `only ${STATUSES.join(', ')}`, parseOneOf(STATUSES))
    .option('--since <time>', 'accepted since: 90s, 15m, 1h, 7d, or a moment in ISO 8601', parseSince)
    .option('--until <time>', 'accepted before: the same', parseSince)
    .option(
      '--stuck',
      'only those that need staff: PROCESSING for more than 10 minutes or with a result code that no table explains, or paid by the rail and not booked; the longest first',
    )
    .option('--older-than <span>', 'with --stuck: for more than this: 90s, 15m, 1h, 7d', parseSpan)
    .option('--after <place>', 'the next page: the end that the previous page printed')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX} (default: 50; with --csv all)`, parseLimit)
    .option('--csv', 'print all of them as a CSV file')
    .action(list)
}

interface ResolveOptions extends StaffOptions {
  readonly completed?: true
  readonly failed?: string
  readonly code?: FailureCode
  readonly merchant?: string
}

/** `transaction resolve`: a staff member records an outcome that the rail does not report. */
async function resolve(reference: string, options: ResolveOptions): Promise<void> {
  const { completed, failed, code, merchant, json } = options
  if ((completed === undefined) === (failed === undefined))
    throw usedWrongly('malipo: set either --completed or --failed <reason>')
  if (code !== undefined && failed === undefined) throw usedWrongly('malipo: --code goes with --failed')
  const outcome =
    failed === undefined ? ({ status: 'COMPLETED' } as const) : ({ status: 'FAILED', message: failed, code } as const)
  const { transaction, resolution } = await withDatabase(async (context) => {
    const input = { transaction: reference, merchant, outcome }
    const { internal_reference: resolved, resolution } = await runChange(context, resolveTransaction, input, options)
    return { transaction: await transactionNamed(context, resolved, undefined), resolution }
  })
  if (json) return printJson(toRecord(transaction, false))
  // A transaction that the rail never paid was FAILED already, and its merchant was notified then.
  const reported = resolution === 'resolved' ? ' The server delivers the callback.' : ''
  print(`${reference} is now ${transaction.status}: ${transaction.statusMessage}.${reported}`)
}

interface NamedOptions extends StaffOptions {
  readonly merchant?: string
}
interface RefundOptions extends NamedOptions {
  readonly amount?: string
  readonly reference?: string
}

/** `transaction refund`: gives money of a collection back to whoever paid it. */
async function refund(transaction: string, options: RefundOptions): Promise<void> {
  const { merchant, amount, reference, reason, json } = options
  const refunded = await withDatabase(async (context) => {
    const input = { transaction, merchant, amount, reference, reason }
    const { internal_reference: made } = await runChange(context, refundCollection, input, options)
    return transactionNamed(context, made, undefined)
  })
  if (json) return printJson(toRecord(refunded, false))
  print(`${refunded.merchantReference} is ${refunded.status}: ${refunded.statusMessage}. The server sends it.`)
}

/** `transaction cancel`: ends a payout that was not handed over. */
async function cancel(transaction: string, options: NamedOptions): Promise<void> {
  const cancelled = await withDatabase(async (context) => {
    const input = { transaction, merchant: options.merchant }
    const { internal_reference: ended } = await runChange(context, cancelPayout, input, options)
    return transactionNamed(context, ended, undefined)
  })
  if (options.json) return printJson(toRecord(cancelled, false))
  print(`${transaction} is now ${cancelled.status}: ${cancelled.statusMessage}. The server delivers the callback.`)
}

interface EventsOptions {
  readonly merchant?: string
  readonly json?: true
}

/** `transaction events`: the history of a transaction, step by step. */
async function events(reference: string, { merchant, json }: EventsOptions): Promise<void> {
  const { transaction, steps } = await withDatabase(async (context) => {
    const transaction = await transactionNamed(context, reference, merchant)
    return { transaction, steps: await timelineOf(context.pool, transaction) }
  })
  if (json) return printJson(steps)
  print(`${transaction.merchantReference}  ${transaction.status}: ${printable(transaction.statusMessage)}\n`)
  const kindWidth = Math.max(...steps.map(({ kind }) => kind.length))
  for (const { at, kind, detail } of steps)
    print(`${at.toISOString()}  ${kind.padEnd(kindWidth)}  ${printable(detail)}`)
}
