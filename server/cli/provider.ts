import { InvalidArgumentError, type Command } from 'commander'
import { amountToWire, decimalsOf } from '../domain/money.ts'
import type { TransactionType } from '../domain/provider.ts'
import { listProviderOptions, type ProviderOptionRow } from '../storage/operator-queries.ts'
import { addExamples, addLeaf, parseOneOf } from './command.ts'
import { withDatabase } from './database.ts'
import { printJson, printTable } from './output.ts'

export function define(group: Command): void {
  addExamples(group, 'malipo provider list --currency UGX')
  addLeaf(group, 'list', 'list payment options: provider, type, limits and charge', 'malipo provider list --currency UGX --type COLLECTION')
    .option('--currency <code>', 'only of this currency, for example UGX', parseCurrency)
    .option('--type <type>', 'only COLLECTION or PAYOUT', parseOneOf(['COLLECTION', 'PAYOUT']))
    .action(async ({ currency, type, json }: { currency?: string; type?: TransactionType; json?: true }) => {
      const options = await withDatabase(({ pool }) => listProviderOptions(pool, { currency, type }))
      if (json) return printJson(options.map(toRecord))
      printTable(options, [
        { title: 'PROVIDER', of: (row) => row.provider_code },
        { title: 'NAME', of: (row) => row.name, cut: true },
        { title: 'TYPE', of: (row) => row.transaction_type },
        { title: 'METHOD', of: (row) => row.method, cut: true },
        { title: 'CURRENCY', of: (row) => row.currency },
        { title: 'MIN', of: (row) => amountToWire(row.min_amount_minor, row.currency), align: 'right' },
        { title: 'MAX', of: (row) => amountToWire(row.max_amount_minor, row.currency), align: 'right' },
        { title: 'DAILY', of: (row) => amountToWire(row.max_daily_amount_minor, row.currency), align: 'right' },
        { title: 'CHARGE', of: chargeText, align: 'right' },
        { title: 'ACTIVE', of: (row) => (row.is_active ? 'yes' : 'no') },
      ], 'No payment option. A sandbox gets its providers when the server starts.')
    })
}

function parseCurrency(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError('It must be three letters (ISO 4217), for example UGX.')
  return text.toUpperCase()
}

const chargeText = ({ charge_bps, charge_flat_minor, currency }: ProviderOptionRow): string =>
  `${charge_bps / 100} %${charge_flat_minor > 0n ? ` + ${amountToWire(charge_flat_minor, currency).toFixed(decimalsOf(currency))}` : ''}`

const toRecord = (row: ProviderOptionRow) => ({
  provider_code: row.provider_code,
  name: row.name,
  transaction_type: row.transaction_type,
  transaction_method: row.method,
  currency: row.currency,
  min_amount: amountToWire(row.min_amount_minor, row.currency),
  max_amount: amountToWire(row.max_amount_minor, row.currency),
  max_daily_amount: amountToWire(row.max_daily_amount_minor, row.currency),
  charge_basis_points: row.charge_bps,
  charge_flat: amountToWire(row.charge_flat_minor, row.currency),
  is_active: row.is_active,
  asks_for_otp: row.asks_for_otp,
  calling_code: row.calling_code,
  prefixes: row.prefixes,
})
