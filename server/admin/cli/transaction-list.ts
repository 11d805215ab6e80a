import { amountsMeant } from '../../domain/amounts-meant.ts'
import { moneyText } from '../../domain/money.ts'
import { maskAccount } from '../../domain/phone.ts'
import type { OrderType } from '../../domain/provider.ts'
import { POLL_RAIL_AFTER_MS, type TransactionStatus } from '../../domain/transaction.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { PAYMENT_COLUMNS, paymentRows } from '../queries/payment-csv.ts'
import { accountsMeant, type PaymentFilter } from '../queries/payment-search.ts'
import { listStuck, parsePlace, placeText, waitsFor, type StuckTransaction } from '../queries/stuck-transactions.ts'
import { toRecord } from '../queries/transaction-record.ts'
import { listTransactions, paymentCurrencies } from '../queries/transactions.ts'
import type { RelativeTime } from './command.ts'
import { printCsv, refuseBoth, type OutputOptions } from './csv-output.ts'
import { withDatabase, type Context } from './database.ts'
import { usedWrongly } from './errors.ts'
import { printable, printJson, printTable, shortTime } from './output.ts'
import { firstPage, parseId, wrongPlace } from './pages.ts'

interface ListOptions extends OutputOptions {
  readonly phone?: string
  readonly amount?: string
  readonly receipt?: string
  readonly provider?: string
  readonly merchant?: string
  readonly type?: OrderType
  readonly status?: TransactionStatus
  readonly since?: RelativeTime
  readonly until?: RelativeTime
  readonly stuck?: true
  /** In seconds. */
  readonly olderThan?: number
  /** Cursor: where the previous page ended, as it was printed. */
  readonly after?: string
  readonly limit?: number
}

const LIMIT = 50
/** `transaction list`: the newest transactions that match the options. */
export async function list(options: ListOptions): Promise<void> {
  const { stuck, olderThan, json, csv, after, limit = LIMIT } = options
  const id = stuck || after === undefined ? undefined : parseId(after)
  if (olderThan !== undefined && !stuck) throw usedWrongly('malipo: --older-than goes with --stuck')
  refuseBoth(options)
  if (stuck) return stuckList(options)
  if (csv)
    return withDatabase(async (context) =>
      printCsv(PAYMENT_COLUMNS, paymentRows(context, await filterOf(context, options), { after, max: options.limit })),
    )
  const found = await withDatabase(async (context) =>
    listTransactions(context.pool, { ...(await filterOf(context, options)), after: id, limit: limit + 1 }),
  )
  const transactions = firstPage(found, limit, ({ id }) => String(id))
  if (json) return printJson(transactions.map((transaction) => toRecord(transaction, false)))
  printTable(
    transactions,
    [
      { title: 'ACCEPTED', of: ({ createdAt }) => shortTime(createdAt) },
      { title: 'REFERENCE', of: ({ merchantReference }) => merchantReference },
      { title: 'TYPE', of: ({ type }) => type },
      { title: 'STATUS', of: (row) => row.status },
      { title: 'AMOUNT', of: ({ amount }) => moneyText(amount), align: 'right' },
      { title: 'PROVIDER', of: ({ providerCode }) => providerCode },
      { title: 'ACCOUNT', of: ({ account }) => maskAccount(account) },
      { title: 'MERCHANT', of: ({ merchantName }) => merchantName, cut: true },
      { title: 'MESSAGE', of: ({ statusMessage }) => statusMessage, cut: true },
    ],
    'No transaction.',
  )
}

async function filterOf(context: Context, options: ListOptions): Promise<PaymentFilter> {
  const { phone, amount, receipt, provider, merchant, type, status, since, until } = options
  const now = context.clock.now()
  return {
    status,
    type,
    receipt,
    providerCode: provider?.toLowerCase(),
    merchantId: merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id,
    since: since?.(now),
    until: until?.(now),
    amounts: amount === undefined ? undefined : await amountsOf(context, amount),
    accounts: phone === undefined ? undefined : await accountsOf(context, phone),
  }
}

async function accountsOf(context: Context, phone: string): Promise<PaymentFilter['accounts']> {
  const accounts = await accountsMeant(context, phone)
  if (accounts.length === 0) throw usedWrongly(`malipo: ${printable(phone)} is no account number`)
  return accounts
}

async function amountsOf({ pool }: Context, amount: string): Promise<PaymentFilter['amounts']> {
  const amounts = amountsMeant(amount, await paymentCurrencies(pool))
  if (amounts.length > 0) return amounts
  throw usedWrongly(
    `malipo: ${printable(amount)} is no amount to look for: write it like 5000, 1,500,000, 10.50 or "5,000 UGX"`,
  )
}

const STUCK_AFTER_SECONDS = POLL_RAIL_AFTER_MS / 1000

async function stuckList({
  merchant,
  olderThan = STUCK_AFTER_SECONDS,
  after,
  limit = LIMIT,
  json,
  stuck: _stuck,
  ...others
}: ListOptions): Promise<void> {
  if (Object.keys(others).length > 0)
    throw usedWrongly('malipo: --stuck goes with --merchant, --older-than, --after and --limit only')
  const place = after === undefined ? undefined : parsePlace(after)
  if (after !== undefined && !place) throw wrongPlace()
  const { found, now } = await withDatabase(async (context) => {
    const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
    const now = context.clock.now().getTime()
    const before = new Date(now - olderThan * 1000)
    return { now, found: await listStuck(context.pool, { before, merchantId, after: place, limit: limit + 1 }) }
  })
  const transactions = firstPage(found, limit, placeText)
  if (json)
    return printJson(
      transactions.map((transaction) => ({
        ...toRecord(transaction, false),
        waits_for: waitsFor(transaction),
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
      { title: 'WAITS FOR', of: waitsFor },
      { title: 'SINCE', of: ({ stuckSince }) => shortTime(stuckSince) },
      { title: 'FOR', of: waited, align: 'right' },
      { title: 'REFERENCE', of: ({ merchantReference }) => merchantReference },
      { title: 'TYPE', of: ({ type }) => type },
      { title: 'AMOUNT', of: ({ amount }) => moneyText(amount), align: 'right' },
      { title: 'PROVIDER', of: ({ providerCode }) => providerCode },
      { title: 'ACCOUNT', of: ({ account }) => maskAccount(account) },
      { title: 'MERCHANT', of: ({ merchantName }) => merchantName, cut: true },
    ],
    'No transaction is stuck.',
  )
}
