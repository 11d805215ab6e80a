import { csvLines, type CsvCell } from '../../../domain/csv.ts'
import { amountToWire } from '../../../domain/money.ts'
import { success } from '../../../http/envelope.ts'
import { merchantNamed } from '../../operations/merchant-named.ts'
import { monthNamed } from '../../operations/month-named.ts'
import { OperationRefusal, type OperationContext } from '../../operations/operation.ts'
import {
  readBalances,
  readBalanceTotals,
  readVolumes,
  VOLUME_GROUPS,
  withStatement,
  type Volume,
} from '../../queries/reports.ts'
import { STATEMENT_COLUMNS, statementPages, statementRecord } from '../../queries/statement-csv.ts'
import type { WalletView } from '../../queries/wallets.ts'
import { csvReply, writtenStream } from '../csv-reply.ts'
import type { AdminData, AdminHandler, AdminPart } from '../handler.ts'
import { counted, idOfCursor, wire } from '../wire.ts'

const DAY_MS = 86_400_000
const PERIOD_MAX_MS = 366 * DAY_MS
const ROWS_MAX = 10_000

async function volumesOf(context: OperationContext, query: AdminPart<'reportVolume', 'query'>) {
  const now = context.clock.now()
  const since =
    query.since === undefined ? new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS) : new Date(query.since)
  const until = query.until === undefined ? now : new Date(query.until)
  if (until < since) throw new OperationRefusal('invalid', 'until must not be before since')
  if (until.getTime() - since.getTime() > PERIOD_MAX_MS)
    throw new OperationRefusal('invalid', 'the period must have at most 366 days')
  const wanted = (query.by ?? 'provider,type,status').split(',')
  const groups = VOLUME_GROUPS.filter((group) => wanted.includes(group))
  const merchantId = query.merchant === undefined ? undefined : (await merchantNamed(context, query.merchant)).id
  const volumes = await readVolumes(context.pool, { since, until, merchantId }, groups)
  if (volumes.length > ROWS_MAX)
    throw new OperationRefusal('invalid', `there are more than ${ROWS_MAX} sums: ask for a shorter period`)
  return { since, until, items: volumes.map(volumeRecord) }
}

const volumeRecord = ({ amount_minor, charge_minor, ...row }: Volume) => ({
  ...row,
  amount: amountToWire(amount_minor, row.currency),
  charge: amountToWire(charge_minor, row.currency),
})

export const reportVolume: AdminHandler<'reportVolume'> = async ({ context, query }) => {
  const volumes = await volumesOf(context, query)
  return success(counted(volumes.items, 'row'), wire<AdminData<'reportVolume'>>(volumes))
}

/** A file of records; all of them have the same fields, where there are any. */
const fileOf = (name: string, records: readonly Readonly<Record<string, CsvCell>>[], columns: readonly string[]) =>
  csvReply(name, [csvLines([columns, ...records.map((record) => columns.map((column) => record[column]))])])

const SUMS = ['currency', 'payments', 'amount', 'charge']

export const exportVolume: AdminHandler<'exportVolume'> = async ({ context, query }) => {
  const { items } = await volumesOf(context, query)
  const groups = Object.keys(items[0] ?? {}).filter((name) => !SUMS.includes(name))
  return fileOf('volume.csv', items, [...groups, ...SUMS])
}

const PARTS = ['available', 'uncleared', 'reserve', 'held'] as const

const walletRecord = (row: WalletView) => ({
  wallet: row.purpose,
  currency: row.currency,
  available: amountToWire(row.available_minor, row.currency),
  uncleared: amountToWire(row.uncleared_minor, row.currency),
  reserve: amountToWire(row.reserve_minor, row.currency),
  held: amountToWire(row.held_minor, row.currency),
})

const withSandbox = ({ mode }: OperationContext): boolean => mode === 'sandbox'

export const reportBalances: AdminHandler<'reportBalances'> = async ({ context, query: { after, limit = 50 } }) => {
  const page = { after: idOfCursor(after) ?? 0n, limit: limit + 1 }
  const [wallets, totals] = await Promise.all([
    readBalances(context.pool, withSandbox(context), page),
    readBalanceTotals(context.pool, withSandbox(context)),
  ])
  const merchants = [...new Set(wallets.map(({ merchant_id: id }) => id))]
  const shown = new Set(merchants.slice(0, limit))
  const last = merchants[limit - 1]
  const items = wallets
    .filter((row) => shown.has(row.merchant_id) && PARTS.some((part) => row[`${part}_minor`] !== 0n))
    .map(({ merchant_public_key, merchant_name, ...row }) => ({
      merchant_public_key,
      merchant_name,
      ...walletRecord(row),
    }))
  return success(counted(items, 'wallet'), {
    items,
    totals: totals.map(walletRecord),
    ...(last !== undefined && merchants.length > limit && { next: String(last) }),
  })
}

export const exportBalances: AdminHandler<'exportBalances'> = async ({ context }) => {
  const wallets = await readBalances(context.pool, withSandbox(context))
  const records = wallets.map(({ merchant_public_key, merchant_name, ...row }) => ({
    merchant_public_key,
    merchant_name,
    ...walletRecord(row),
  }))
  return fileOf('balances.csv', records, ['merchant_public_key', 'merchant_name', 'wallet', 'currency', ...PARTS])
}

export const showStatement: AdminHandler<'showStatement'> = async ({ context, params }) => {
  const { merchant, month } = await monthNamed(context, params.merchant, params.month)
  let record: AdminData<'showStatement'> | undefined
  await withStatement(context.pool, merchant.id, month, async (statement) => {
    record = wire<AdminData<'showStatement'>>(statementRecord(merchant, params.month, statement))
  })
  if (!record) throw new Error('the statement was not read')
  return success(`The statement of ${params.month}`, record)
}

/** Each holds a connection and a snapshot of the database while somebody reads it. */
const FILES_MAX = 2
/** A snapshot that stays open keeps the database from cleaning up. */
const FILE_MS_MAX = 5 * 60_000

export function createStatementExport(): AdminHandler<'exportStatement'> {
  let open = 0
  return async ({ context, params }) => {
    const { merchant, month } = await monthNamed(context, params.merchant, params.month)
    if (open >= FILES_MAX)
      throw new OperationRefusal('conflict', 'other statements are being written: try again in a minute')
    open += 1
    const until = context.clock.now().getTime() + FILE_MS_MAX
    const stream = writtenStream((write) =>
      withStatement(context.pool, merchant.id, month, async (statement) => {
        await write(csvLines([STATEMENT_COLUMNS]))
        for await (const page of statementPages(statement)) {
          if (context.clock.now().getTime() > until) throw new Error('the statement was read too slowly')
          if (page.length > 0) await write(csvLines(page))
        }
      }).finally(() => {
        open -= 1
      }),
    )
    return csvReply(`statement-${params.month}.csv`, stream)
  }
}
