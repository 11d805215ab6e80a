import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { timeOfReference } from '../../../domain/references.ts'
import { OWN_URL } from '../../../storage/record-deliveries.ts'
import { monthOf } from '../../../storage/months.ts'
import { unpackBody } from '../../../storage/packed-body.ts'
import { MANIFEST, readLines, readManifest, type Manifest } from './month-files.ts'

/** A row as it was stored, by column name. Numbers that JSON cannot hold exactly are bigints. */
export type ArchivedRow = Readonly<Record<string, unknown>>

/** A payment read from the files. */
export interface ArchivedPayment {
  readonly month: string
  readonly transaction: ArchivedRow
  readonly events: readonly ArchivedRow[]
  /** Each with the name that its account had then. */
  readonly entries: readonly ArchivedRow[]
  readonly callbacks: readonly ArchivedRow[]
  readonly attempts: readonly ArchivedRow[]
  readonly handshakes: readonly ArchivedRow[]
  readonly operatorReferences: readonly ArchivedRow[]
}

/**
 * Needs no database.
 * @param reference the merchant's or the internal one
 * @returns several when merchants use the same reference
 */
export async function readArchived(folder: string, reference: string): Promise<ArchivedPayment[]> {
  const found: ArchivedPayment[] = []
  for (const month of await monthsIn(folder, reference)) {
    const at = join(folder, month)
    const manifest = await readManifest(at)
    const transactions = await rowsOf(at, manifest, 'transactions', (line) => line.includes(`"${reference}"`))
    for (const transaction of transactions)
      if (transaction['merchant_reference'] === reference || transaction['internal_reference'] === reference)
        found.push(await paymentOf(at, manifest, transaction))
  }
  return found
}

/** The complete months; only the payment's month if its reference contains the time. */
async function monthsIn(folder: string, reference: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const all = (await readdir(folder)).filter((name) => existsSync(join(folder, name, MANIFEST))).sort()
  const time = timeOfReference(reference)
  const reported = time && [monthOf(time.from)?.name, monthOf(time.until)?.name]
  const ofItsTime = all.filter((name) => reported?.includes(name))
  return ofItsTime.length > 0 ? ofItsTime : all
}

async function paymentOf(folder: string, manifest: Manifest, transaction: ArchivedRow): Promise<ArchivedPayment> {
  const id = Number(transaction['id'])
  /** Rows of the payment itself, or of one of the 15 ids that belong to it. */
  const related = (table: string, column: string) => {
    const key = new RegExp(`"${column}":(\\d+)`)
    return rowsOf(folder, manifest, table, (line) => {
      const of = Number(key.exec(line)?.[1])
      return of >= id && of < id + 16
    })
  }
  const transfers = new Map((await related('transfers', 'id')).map((row) => [row['id'], row]))
  const callbacks = await related('callbacks', 'id')
  const urls = new Map(callbacks.map((callback) => [callback['id'], callback['url']]))
  const accounts = new Map(manifest.accounts.map((account) => [Number(account.account_id), account]))
  return {
    month: manifest.month,
    transaction,
    events: await related('transaction_events', 'transaction_id'),
    entries: (await related('entries', 'transfer_id')).map((entry) => {
      const account = accounts.get(Number(entry['account_id']))
      const transfer = transfers.get(entry['transfer_id'])
      return { ...entry, transfer_kind: transfer?.['kind'], account: account?.kind, currency: account?.currency }
    }),
    callbacks: callbacks.map(withBody),
    attempts: (await related('callback_attempts', 'callback_id')).map((attempt) =>
      attempt['url'] === OWN_URL ? { ...attempt, url: urls.get(attempt['callback_id']) } : attempt,
    ),
    handshakes: await related('handshake_attempts', 'transaction_id'),
    operatorReferences: await related('rail_references', 'transaction_id'),
  }
}

/** With the body that the merchant received. */
function withBody({ packed_body: packed, ...callback }: ArchivedRow): ArchivedRow {
  if (typeof packed !== 'string') return callback
  return { ...callback, body: unpackBody(Buffer.from(packed.slice('\\x'.length), 'hex')) }
}

async function rowsOf(
  folder: string,
  { tables }: Manifest,
  table: string,
  isWanted: (line: string) => boolean,
): Promise<ArchivedRow[]> {
  const rows: ArchivedRow[] = []
  for (const { file } of tables.filter((one) => one.table === table))
    for await (const line of readLines(folder, file))
      if (isWanted(line)) rows.push(JSON.parse(line, exactly) as ArchivedRow)
  return rows
}

const exactly = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source !== undefined
    ? BigInt(context.source)
    : value
