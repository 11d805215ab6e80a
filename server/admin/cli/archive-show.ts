import { join } from 'node:path'
import { readProcessConfig } from '../../config.ts'
import { withoutNames, withoutValues } from '../../domain/masking/known-values.ts'
import { MASK } from '../../domain/masking/named-values.ts'
import { maskAccount } from '../../domain/phone.ts'
import { readArchived, type ArchivedPayment, type ArchivedRow } from '../queries/archive/read-archive.ts'
import { notFound } from './errors.ts'
import { print, printable, printFields, printJson } from './output.ts'

interface ShowOptions {
  readonly from?: string
  readonly json?: true
}

/** `archive show <reference>`: shows a payment as it was when its month was archived. */
export async function show(reference: string, { from, json }: ShowOptions): Promise<void> {
  const folder = from ?? join(readProcessConfig().dataDir, 'archive')
  const payments = (await readArchived(folder, reference)).map(withoutCustomer)
  if (payments.length === 0) throw notFound(`malipo: there is no payment ${reference} in the archive ${folder}.`)
  if (json) return printJson(payments.map(recordOf))
  for (const [n, payment] of payments.entries()) {
    if (n > 0) print('')
    printPayment(payment)
  }
}

/**
 * The number, name and address of the customer stay in the files, wherever they stand in a payment: nothing shown here
 * has an entry in the audit log, which is in a database that this command does not need.
 */
function withoutCustomer(payment: ArchivedPayment): ArchivedPayment {
  const textIn = (name: string): string[] => {
    const value = payment.transaction[name]
    return typeof value === 'string' && value !== '' ? [value] : []
  }
  const numbers = textIn('account')
  const people = [...textIn('customer_name'), ...textIn('customer_email')]
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return withoutNames(withoutValues(value, numbers, maskAccount), people, MASK)
    if (Array.isArray(value)) return value.map(masked)
    if (value === null || typeof value !== 'object' || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, masked(part)]))
  }
  return masked(payment) as ArchivedPayment
}

const recordOf = ({ operatorReferences, ...payment }: ArchivedPayment) => ({
  ...payment,
  operator_references: operatorReferences,
})

function printPayment({ month, transaction, events, entries, callbacks, attempts, ...others }: ArchivedPayment): void {
  printFields([
    ['month', month],
    ...Object.entries(transaction).map(([name, value]) => [name.replaceAll('_', ' '), textOf(value)] as const),
    ...others.operatorReferences.map((row) => [textOf(row['name']) ?? '', textOf(row['reference'])] as const),
  ])
  section('history', events, ({ at, kind, detail }) => [at, kind, detail])
  section('entries', entries, ({ transfer_kind, account, currency, amount_minor }) => [
    transfer_kind,
    account,
    amount_minor,
    `${String(currency)} (minor units)`,
  ])
  section('callbacks', callbacks, ({ webhook_id, event, status, url }) => [webhook_id, event, status, url])
  section('attempts', attempts, ({ at, http_status, error, duration_ms }) => [
    at,
    http_status ?? error,
    `${String(duration_ms)} ms`,
  ])
  section('handshakes', others.handshakes, ({ at, http_status, error }) => [at, http_status ?? error])
}

function section(title: string, rows: readonly ArchivedRow[], of: (row: ArchivedRow) => readonly unknown[]): void {
  if (rows.length === 0) return
  print(`${title}:`)
  for (const row of rows) print(`  ${printable(of(row).map(String).join('  '))}`)
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(typeof value === 'bigint' ? String(value) : value)
}
