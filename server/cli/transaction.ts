import type { Command } from 'commander'
import { amountToWire, decimalsOf, formatMoney } from '../domain/money.ts'
import { maskAccount } from '../domain/phone.ts'
import { resolveTransaction } from '../actions/resolve-transaction.ts'
import {
  ASK_RAIL_AFTER_MS,
  reportedChargeMinor,
  reportedTotalMinor,
  type RailOutcome,
  type TransactionStatus,
} from '../domain/transaction.ts'
import {
  bookedEntries,
  findTransactions,
  listStuck,
  listTransactions,
  transactionEvents,
  type BookedEntry,
  type HistoryEvent,
  type OperatorTransaction,
  type StuckTransaction,
} from '../storage/operators/transactions.ts'
import {
  addExamples,
  addLeaf,
  LIMIT_MAX,
  parseLimit,
  parseOneOf,
  parseSince,
  parseSpan,
  type Moment,
} from './command.ts'
import { merchantNamed, withDatabase, type Context } from './database.ts'
import { CliError, notFound, usedWrongly } from './errors.ts'
import { settling } from './settling.ts'
import { print, printable, printFields, printJson, printTable, shortTime } from './output.ts'

const STATUSES = [
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const satisfies readonly TransactionStatus[]
const REFERENCE = 'merchant reference, internal reference or id'
const MERCHANT = 'only of this merchant (public key or id)'

interface ListOptions {
  readonly status?: TransactionStatus
  readonly merchant?: string
  readonly since?: Moment
  readonly stuck?: true
  /** Seconds. */
  readonly olderThan?: number
  readonly limit: number
  readonly json?: true
}
interface ShowOptions {
  readonly merchant?: string
  readonly full?: boolean
  readonly json?: true
}

export function define(group: Command): void {
  addExamples(group, 'malipo transaction events ORDER-2026-0001')
  addLeaf(group, 'show', 'show one transaction', 'malipo transaction show ORDER-2026-0001')
    .argument('<reference>', REFERENCE)
    .option('--merchant <merchant>', MERCHANT)
    .option('--full', 'with the whole account number and what is known of the customer')
    .action(show)
  addLeaf(
    group,
    'list',
    'list transactions, the newest first',
    'malipo transaction list --status FAILED --since 1h',
    'malipo transaction list --stuck --older-than 1h',
  )
    .option('--status <status>', `only ${STATUSES.join(', ')}`, parseOneOf(STATUSES))
    .option('--merchant <merchant>', MERCHANT)
    .option('--since <time>', 'accepted since: 90s, 15m, 1h, 7d, or a moment in ISO 8601', parseSince)
    .option(
      '--stuck',
      'only what needs somebody: PROCESSING for more than 10 minutes, or paid by the rail and not booked; the longest first',
    )
    .option('--older-than <span>', 'with --stuck: for more than this: 90s, 15m, 1h, 7d', parseSpan)
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 50)
    .action(list)
  addLeaf(
    group,
    'events',
    'tell what happened to a transaction, step by step, money included',
    'malipo transaction events ORDER-2026-0001',
  )
    .argument('<reference>', REFERENCE)
    .option('--merchant <merchant>', MERCHANT)
    .action(events)
  addLeaf(
    group,
    'resolve',
    'decide a PROCESSING transaction that its rail never reported, or book a payout that the rail has paid while it was FAILED here',
    'malipo transaction resolve ORDER-2026-0001 --failed "The operator found no transfer"',
    'malipo transaction resolve ORDER-2026-0001 --completed',
  )
    .argument('<reference>', REFERENCE)
    .option('--completed', 'the money has moved')
    .option('--failed <reason>', 'it has not; the reason goes to the merchant as status_message')
    .option('--merchant <merchant>', MERCHANT)
    .action(resolve)
}

interface ResolveOptions {
  readonly completed?: true
  readonly failed?: string
  readonly merchant?: string
  readonly json?: true
}

const REASON_MAX = 200

async function resolve(reference: string, { completed, failed, merchant, json }: ResolveOptions): Promise<void> {
  if ((completed === undefined) === (failed === undefined))
    throw usedWrongly('malipo: say either --completed or --failed <reason>')
  if (failed !== undefined && (failed.trim() === '' || failed.length > REASON_MAX || printable(failed) !== failed))
    throw usedWrongly(`malipo: the reason must have 1 to ${REASON_MAX} readable characters`)
  const outcome: RailOutcome =
    failed === undefined ? { status: 'COMPLETED' } : { status: 'FAILED', reason: failed.trim() }
  const { transaction, result } = await withDatabase(async (context) => {
    const { internalReference } = await transactionNamed(context, reference, merchant)
    const resolution = await resolveTransaction(await settling(context), internalReference, outcome)
    if (resolution.result === 'state') {
      throw new CliError(
        `malipo: ${reference} is ${resolution.status}: only what is PROCESSING, or paid by the rail and not booked, can be resolved`,
      )
    }
    if (resolution.result === 'uncovered') {
      throw new CliError(
        `malipo: the payout wallet does not hold what ${reference} cost.\nDeposit or transfer first, then resolve it: malipo wallet --help`,
      )
    }
    return {
      transaction: await transactionNamed(context, internalReference, undefined),
      result: resolution.result,
    }
  })
  if (json) return printJson(toRecord(transaction, false))
  // One that the rail never paid after all was FAILED before: its merchant has heard that.
  const told = result === 'resolved' ? ' The server delivers the callback.' : ''
  print(`${reference} is now ${transaction.status}: ${transaction.statusMessage}.${told}`)
}

/** Exactly one. @throws CliError when there is none, or when several merchants use the reference */
export async function transactionNamed(
  context: Context,
  reference: string,
  merchant: string | undefined,
): Promise<OperatorTransaction> {
  const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
  const [found, ...others] = await findTransactions(context.pool, reference, merchantId)
  if (!found)
    throw notFound(
      `malipo: there is no transaction ${reference}${merchant === undefined ? '' : ` of merchant ${merchant}`}.\nSee the latest: malipo transaction list`,
    )
  if (others.length > 0) {
    const owners = [found, ...others].map(({ merchantPublicKey, id }) => `${merchantPublicKey} (id ${id})`).join(', ')
    throw usedWrongly(
      `malipo: ${others.length + 1} transactions go by ${reference}: ${owners}.\nSay which one with --merchant, or give its id.`,
    )
  }
  return found
}

async function show(reference: string, { merchant, full = false, json }: ShowOptions): Promise<void> {
  const transaction = await withDatabase((context) => transactionNamed(context, reference, merchant))
  if (json) return printJson(toRecord(transaction, full))
  const { amount, request, type } = transaction
  const inCurrency = (amountMinor: bigint) => formatMoney({ amountMinor, currency: amount.currency })
  printFields([
    ['id', transaction.id],
    ['merchant', `${transaction.merchantName} (${transaction.merchantPublicKey})`],
    ['merchant reference', transaction.merchantReference],
    ['internal reference', transaction.internalReference],
    ['type', `${type}, ${transaction.method}`],
    ['status', `${transaction.status}: ${transaction.statusMessage}`],
    ['provider', transaction.providerCode],
    ['account', accountOf(transaction, full)],
    ['institution', transaction.institutionName],
    ['requested', request.currency === amount.currency ? undefined : formatMoney(request)],
    ['amount', formatMoney(amount)],
    [
      'charge',
      `${inCurrency(reportedChargeMinor(transaction))}${transaction.chargeCustomer ? ', paid by the customer' : ''}`,
    ],
    [type === 'COLLECTION' ? 'total credit' : 'total debit', inCurrency(reportedTotalMinor(transaction))],
    ['description', transaction.description],
    [
      'customer',
      full ? [transaction.customerName, transaction.customerEmail].filter(Boolean).join(', ') || undefined : undefined,
    ],
    ['redirect to', transaction.redirectUrl],
    ['accepted', transaction.createdAt.toISOString()],
    ['final', transaction.finalAt?.toISOString()],
  ])
}

async function list(options: ListOptions): Promise<void> {
  const { status, merchant, since, stuck, olderThan, limit, json } = options
  if (olderThan !== undefined && !stuck) throw usedWrongly('malipo: --older-than goes with --stuck')
  if (stuck) return stuckList(options)
  const transactions = await withDatabase(async (context) => {
    const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
    return listTransactions(context.pool, { status, merchantId, since: since?.(context.clock.now()), limit })
  })
  if (json) return printJson(transactions.map((transaction) => toRecord(transaction, false)))
  printTable(
    transactions,
    [
      { title: 'ACCEPTED', of: ({ createdAt }) => shortTime(createdAt) },
      { title: 'REFERENCE', of: ({ merchantReference }) => merchantReference },
      { title: 'TYPE', of: ({ type }) => type },
      { title: 'STATUS', of: (row) => row.status },
      { title: 'AMOUNT', of: ({ amount }) => formatMoney(amount), align: 'right' },
      { title: 'PROVIDER', of: ({ providerCode }) => providerCode },
      { title: 'ACCOUNT', of: ({ account }) => maskAccount(account) },
      { title: 'MERCHANT', of: ({ merchantName }) => merchantName, cut: true },
      { title: 'MESSAGE', of: ({ statusMessage }) => statusMessage, cut: true },
    ],
    'No transaction.',
  )
}

const STUCK_AFTER_SECONDS = ASK_RAIL_AFTER_MS / 1000

async function stuckList({
  status,
  merchant,
  since,
  olderThan = STUCK_AFTER_SECONDS,
  limit,
  json,
}: ListOptions): Promise<void> {
  if (status !== undefined || since !== undefined)
    throw usedWrongly('malipo: --stuck goes with --merchant, --older-than and --limit only')
  const { transactions, now } = await withDatabase(async (context) => {
    const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
    const now = context.clock.now().getTime()
    return {
      now,
      transactions: await listStuck(context.pool, { before: new Date(now - olderThan * 1000), merchantId, limit }),
    }
  })
  if (json)
    return printJson(
      transactions.map((transaction) => ({
        ...toRecord(transaction, false),
        waits_for: transaction.status === 'FAILED' ? 'booking' : 'rail',
        stuck_since: transaction.stuckSince,
      })),
    )
  const waited = ({ stuckSince }: StuckTransaction): string => {
    const minutes = Math.floor((now - stuckSince.getTime()) / 60_000)
    return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
  }
  printTable(
    transactions,
    [
      { title: 'WAITS FOR', of: ({ status }) => (status === 'FAILED' ? 'booking' : 'rail') },
      { title: 'SINCE', of: ({ stuckSince }) => shortTime(stuckSince) },
      { title: 'FOR', of: waited, align: 'right' },
      { title: 'REFERENCE', of: ({ merchantReference }) => merchantReference },
      { title: 'TYPE', of: ({ type }) => type },
      { title: 'AMOUNT', of: ({ amount }) => formatMoney(amount), align: 'right' },
      { title: 'PROVIDER', of: ({ providerCode }) => providerCode },
      { title: 'ACCOUNT', of: ({ account }) => maskAccount(account) },
      { title: 'MERCHANT', of: ({ merchantName }) => merchantName, cut: true },
    ],
    'No transaction is stuck.',
  )
}

const accountOf = ({ account }: OperatorTransaction, full: boolean): string => (full ? account : maskAccount(account))

/** Named as in the contract; charge and totals as they are reported to the merchant. */
function toRecord(transaction: OperatorTransaction, full: boolean) {
  const { amount, request, type } = transaction
  const total = amountToWire(reportedTotalMinor(transaction), amount.currency)
  return {
    id: transaction.id,
    merchant_public_key: transaction.merchantPublicKey,
    merchant_name: transaction.merchantName,
    merchant_reference: transaction.merchantReference,
    internal_reference: transaction.internalReference,
    transaction_type: type,
    transaction_method: transaction.method,
    transaction_status: transaction.status,
    status_message: transaction.statusMessage,
    provider_code: transaction.providerCode,
    transaction_account: accountOf(transaction, full),
    request_amount: amountToWire(request.amountMinor, request.currency),
    request_currency: request.currency,
    transaction_amount: amountToWire(amount.amountMinor, amount.currency),
    transaction_currency: amount.currency,
    transaction_charge: amountToWire(reportedChargeMinor(transaction), amount.currency),
    ...(type === 'COLLECTION' ? { total_credit: total } : { total_debit: total }),
    charge_customer: transaction.chargeCustomer,
    allow_final_status_change: transaction.allowFinalStatusChange,
    description: transaction.description,
    institution_name: transaction.institutionName,
    ...(full && { customer_name: transaction.customerName, customer_email: transaction.customerEmail }),
    redirect_url: transaction.redirectUrl,
    created_at: transaction.createdAt,
    final_at: transaction.finalAt,
    rail_paid_at: transaction.railPaidAt,
  }
}

interface TimelineEntry {
  readonly account: string
  readonly amount: number
  readonly currency: string
}
interface TimelineStep extends HistoryEvent {
  readonly entries?: readonly TimelineEntry[]
}

async function events(reference: string, { merchant, json }: ShowOptions): Promise<void> {
  const { transaction, steps } = await withDatabase(async (context) => {
    const transaction = await transactionNamed(context, reference, merchant)
    const [history, booked] = await Promise.all([
      transactionEvents(context.pool, transaction.id),
      bookedEntries(context.pool, transaction.id),
    ])
    return { transaction, steps: timeline(transaction, history, booked) }
  })
  if (json) return printJson(steps)
  print(`${transaction.merchantReference}  ${transaction.status}: ${printable(transaction.statusMessage)}\n`)
  const kindWidth = Math.max(...steps.map(({ kind }) => kind.length))
  for (const { at, kind, detail } of steps)
    print(`${at.toISOString()}  ${kind.padEnd(kindWidth)}  ${printable(detail)}`)
}

/**
 * Acceptance, history and bookings in the order of their times; what has one time stands in the order of cause: the
 * state, then the money.
 */
function timeline(
  transaction: OperatorTransaction,
  history: readonly HistoryEvent[],
  booked: readonly BookedEntry[],
): TimelineStep[] {
  const bookings = [...Map.groupBy(booked, ({ transfer_id }) => transfer_id).values()].map(bookingStep)
  return [acceptanceStep(transaction), ...history, ...bookings].sort((a, b) => a.at.getTime() - b.at.getTime())
}

function acceptanceStep({
  createdAt,
  type,
  amount,
  account,
  providerCode,
  merchantName,
}: OperatorTransaction): TimelineStep {
  const flow = type === 'COLLECTION' ? 'from' : 'to'
  return {
    at: createdAt,
    kind: 'accepted',
    detail: `${type} of ${formatMoney(amount)} ${flow} ${maskAccount(account)} by ${providerCode}, for ${merchantName}`,
  }
}

function bookingStep(entries: readonly BookedEntry[]): TimelineStep {
  const [{ at, transfer_kind, transfer_id }] = entries as [BookedEntry, ...BookedEntry[]]
  return {
    at,
    kind: 'booked',
    detail: `${transfer_kind} transfer ${transfer_id}: ${entries.map((entry) => `${accountName(entry)} ${signed(entry)}`).join(', ')}`,
    entries: entries.map((entry) => ({
      account: accountName(entry),
      amount: amountToWire(entry.amount_minor, entry.currency),
      currency: entry.currency,
    })),
  }
}

const accountName = ({ account, provider_code }: BookedEntry): string =>
  provider_code === '' ? account : `${account} of ${provider_code}`

const signed = ({ amount_minor, currency }: BookedEntry): string =>
  `${amount_minor > 0n ? '+' : ''}${amountToWire(amount_minor, currency).toFixed(decimalsOf(currency))} ${currency}`
