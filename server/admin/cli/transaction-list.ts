import { randomBytes } from 'node:crypto'
import type { CsvCell } from '../../domain/csv.ts'
import { moneyText } from '../../domain/money.ts'
import { maskAccount, storedForms } from '../../domain/phone.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { POLL_RAIL_AFTER_MS, type TransactionStatus } from '../../domain/transaction.ts'
import { openDigests } from '../../storage/digests.ts'
import { searchKey } from '../../storage/search.ts'
import {
  callingCodes,
  listStuck,
  listTransactions,
  paymentCurrencies,
  type StuckPlace,
  type StuckTransaction,
  type TransactionFilter,
} from '../queries/transactions.ts'
import { amountsMeant } from './amount.ts'
import type { RelativeTime } from './command.ts'
import { printCsv, refuseBoth, type CsvPage, type OutputOptions } from './csv-output.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { openSecretBox, withDatabase, type Context } from './database.ts'
import { usedWrongly } from './errors.ts'
import { printable, printJson, printTable, shortTime } from './output.ts'
import { firstPage, parseId, wrongPlace } from './pages.ts'
import { toRecord } from '../queries/transaction-record.ts'

interface ListOptions extends OutputOptions {
  readonly phone?: string
  readonly amount?: string
  readonly receipt?: string
  readonly provider?: string
  readonly merchant?: string
  readonly type?: TransactionType
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
/** Rows per query of a file. */
const CSV_PAGE = 1_000
const CSV_COLUMNS = [
  'id',
  'created_at',
  'final_at',
  'merchant_public_key',
  'merchant_name',
  'merchant_reference',
  'internal_reference',
  'transaction_type',
  'transaction_method',
  'transaction_status',
  'status_message',
  'failure_code',
  'provider_code',
  'transaction_account',
  'request_amount',
  'request_currency',
  'transaction_amount',
  'transaction_currency',
  'transaction_charge',
  'total_credit',
  'total_debit',
  'description',
] as const

/** `transaction list`: the newest transactions that match the options. */
export async function list(options: ListOptions): Promise<void> {
  const { stuck, olderThan, json, csv, limit = LIMIT } = options
  if (olderThan !== undefined && !stuck) throw usedWrongly('malipo: --older-than goes with --stuck')
  refuseBoth(options)
  if (stuck) return stuckList(options)
  if (csv) return withDatabase(async (context) => printAsCsv(context, await filterOf(context, options), options.limit))
  const found = await withDatabase(async (context) =>
    listTransactions(context.pool, { ...(await filterOf(context, options)), limit: limit + 1 }),
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

type Filter = Omit<TransactionFilter, 'limit'>

async function filterOf(context: Context, options: ListOptions): Promise<Filter> {
  const { phone, amount, receipt, provider, merchant, type, status, since, until, after } = options
  const now = context.clock.now()
  return {
    status,
    type,
    receipt,
    providerCode: provider?.toLowerCase(),
    merchantId: merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id,
    since: since?.(now),
    until: until?.(now),
    amounts: amount === undefined ? undefined : amountsMeant(amount, await paymentCurrencies(context.pool)),
    accounts: phone === undefined ? undefined : await accountsMeant(context, phone),
    after: after === undefined ? undefined : parseId(after),
  }
}

/** The search rows have digests of account numbers, made with the key that the server's master key opens. */
async function accountsMeant(context: Context, phone: string): Promise<Filter['accounts']> {
  const forms = storedForms(await callingCodes(context.pool), phone)
  if (forms.length === 0) throw usedWrongly(`malipo: ${printable(phone)} is no account number`)
  const random = { bytes: (size: number) => randomBytes(size) }
  const digests = await openDigests(context.pool, await openSecretBox(context), random, context.clock.now())
  return forms.map((account) => ({ account, key: searchKey.account(digests, account) }))
}

async function printAsCsv({ pool }: Context, filter: Filter, limit = Number.POSITIVE_INFINITY): Promise<void> {
  async function* pages(): AsyncGenerator<CsvPage> {
    let { after } = filter
    for (let left = limit; left > 0; left -= CSV_PAGE) {
      const rows = await listTransactions(pool, { ...filter, after, limit: Math.min(left, CSV_PAGE) })
      yield rows.map((row) => {
        const record: Readonly<Record<string, CsvCell>> = toRecord(row, false)
        return CSV_COLUMNS.map((name) => record[name])
      })
      after = rows.at(-1)?.id
      if (rows.length < CSV_PAGE) return
    }
  }
  await printCsv(CSV_COLUMNS, pages())
}

const placeText = ({ stuckSince, id }: StuckTransaction): string => `${stuckSince.toISOString()}_${id}`

function parsePlace(text: string): StuckPlace {
  const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_(\d+)$/.exec(text) ?? []
  const since = new Date(at)
  if (Number.isNaN(since.getTime())) throw wrongPlace()
  return { since, id: parseId(id) }
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

/**
 * `result`: the rail may have the order and must not get it twice, so it waits for a result or a staff
 * decision. `code`: its result code is in no table; the history shows it.
 */
function waitsFor({ status, isOutcomeUnknown, isUnmapped }: StuckTransaction): 'booking' | 'code' | 'result' | 'rail' {
  if (status === 'FAILED') return 'booking'
  if (isUnmapped) return 'code'
  return isOutcomeUnknown ? 'result' : 'rail'
}
