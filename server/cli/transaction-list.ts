import { formatMoney } from '../domain/money.ts'
import { maskAccount } from '../domain/phone.ts'
import { ASK_RAIL_AFTER_MS, type TransactionStatus } from '../domain/transaction.ts'
import { listStuck, listTransactions, type StuckTransaction } from '../storage/operators/transactions.ts'
import type { Moment } from './command.ts'
import { merchantNamed, withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { printJson, printTable, shortTime } from './output.ts'
import { toRecord } from './transaction-record.ts'

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

/** `transaction list`: the newest that fit the options. */
export async function list(options: ListOptions): Promise<void> {
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
 * `result`: the rail may have the order and must not get it twice, so a result or an operator has to come. `code`: its
 * result code is in no table, and stands in its history.
 */
function waitsFor({ status, isUnresolved, isUnmapped }: StuckTransaction): 'booking' | 'code' | 'result' | 'rail' {
  if (status === 'FAILED') return 'booking'
  if (isUnmapped) return 'code'
  return isUnresolved ? 'result' : 'rail'
}
