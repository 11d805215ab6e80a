import { formatMoney } from '../../domain/money.ts'
import { maskAccount } from '../../domain/phone.ts'
import { POLL_RAIL_AFTER_MS, type TransactionStatus } from '../../domain/transaction.ts'
import { listStuck, listTransactions, type StuckPlace, type StuckTransaction } from '../queries/transactions.ts'
import type { RelativeTime } from './command.ts'
import { merchantNamed, withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { printJson, printTable, shortTime } from './output.ts'
import { firstPage, parseId, wrongPlace } from './pages.ts'
import { toRecord } from './transaction-record.ts'

interface ListOptions {
  readonly status?: TransactionStatus
  readonly merchant?: string
  readonly since?: RelativeTime
  readonly stuck?: true
  /** In seconds. */
  readonly olderThan?: number
  /** Cursor: where the previous page ended, as it was printed. */
  readonly after?: string
  readonly limit: number
  readonly json?: true
}

/** `transaction list`: the newest transactions that match the options. */
export async function list(options: ListOptions): Promise<void> {
  const { status, merchant, since, stuck, olderThan, after, limit, json } = options
  if (olderThan !== undefined && !stuck) throw usedWrongly('malipo: --older-than goes with --stuck')
  if (stuck) return stuckList(options)
  const afterId = after === undefined ? undefined : parseId(after)
  const found = await withDatabase(async (context) => {
    const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
    const filter = { status, merchantId, since: since?.(context.clock.now()), after: afterId }
    return listTransactions(context.pool, { ...filter, limit: limit + 1 })
  })
  const transactions = firstPage(found, limit, ({ id }) => String(id))
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

const placeText = ({ stuckSince, id }: StuckTransaction): string => `${stuckSince.toISOString()}_${id}`

function parsePlace(text: string): StuckPlace {
  const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_(\d+)$/.exec(text) ?? []
  const since = new Date(at)
  if (Number.isNaN(since.getTime())) throw wrongPlace()
  return { since, id: parseId(id) }
}

const STUCK_AFTER_SECONDS = POLL_RAIL_AFTER_MS / 1000

async function stuckList({
  status,
  merchant,
  since,
  olderThan = STUCK_AFTER_SECONDS,
  after,
  limit,
  json,
}: ListOptions): Promise<void> {
  if (status !== undefined || since !== undefined)
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
      { title: 'AMOUNT', of: ({ amount }) => formatMoney(amount), align: 'right' },
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
