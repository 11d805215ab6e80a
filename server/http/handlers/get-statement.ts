import type { components } from '../../../generated/schema.d.ts'
import { getStatement } from '../../actions/get-statement.ts'
import type { Statement, StatementEntry } from '../../actions/ports/merchant-lists.ts'
import { csvLines, type CsvCell } from '../../domain/csv.ts'
import { amountToWire, type Currency } from '../../domain/money.ts'
import { weightsIn } from '../accepted-encoding.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

const ENTRIES_MAX = 5_000
const LINES_MAX = 100_000
const CSV = 'text/csv'

export const getStatementHandler =
  (deps: HandlerDeps): Handler<'getStatement'> =>
  async ({ merchant, query, accepts = '' }) => {
    const { wallet_type, currency } = query
    const weights = weightsIn(accepts)
    const weight = weights.get(CSV) ?? 0
    const isFile = weight > 0 && weight >= (weights.get('application/json') ?? 0)
    const period = { from: new Date(query.from), to: new Date(query.to) }
    const statement = await getStatement(deps, merchant, {
      purpose: wallet_type === 'MERCHANT_COLLECTION' ? 'collection' : 'payout',
      currency,
      ...period,
      entriesMax: isFile ? LINES_MAX : ENTRIES_MAX,
    })
    const reply = success<components['schemas']['Statement']>('Statement retrieved successfully', {
      wallet_type,
      currency,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      opening_balance: amountToWire(statement.openingMinor, currency),
      closing_balance: amountToWire(statement.closingMinor, currency),
      entries: isFile ? [] : statement.entries.map((entry) => entryOf(entry, currency)),
    })
    return isFile ? { ...reply, file: { type: `${CSV}; charset=utf-8`, text: csvOf(statement, currency) } } : reply
  }

function entryOf(entry: StatementEntry, currency: Currency): components['schemas']['StatementEntry'] {
  const { merchantReference, transactionAmountMinor, chargeMinor, reference } = entry
  return {
    booked_at: entry.at.toISOString(),
    kind: entry.kind,
    amount: amountToWire(entry.amountMinor, currency),
    balance: amountToWire(entry.balanceMinor, currency),
    ...(merchantReference !== undefined && { merchant_reference: merchantReference }),
    ...(transactionAmountMinor !== undefined && { transaction_amount: amountToWire(transactionAmountMinor, currency) }),
    ...(chargeMinor !== undefined && { transaction_charge: amountToWire(chargeMinor, currency) }),
    ...(reference !== undefined && { reference }),
  }
}

/** The fields of an entry, in their order. */
const COLUMNS = [
  'booked_at',
  'kind',
  'amount',
  'balance',
  'merchant_reference',
  'transaction_amount',
  'transaction_charge',
  'reference',
] as const

function csvOf({ openingMinor, closingMinor, entries }: Statement, currency: Currency): string {
  const total = (kind: string, minor: bigint): Record<string, CsvCell> => ({
    kind,
    balance: amountToWire(minor, currency),
  })
  const rows: readonly Readonly<Record<string, CsvCell>>[] = [
    total('opening', openingMinor),
    ...entries.map((entry): Record<string, CsvCell> => ({ ...entryOf(entry, currency) })),
    total('closing', closingMinor),
  ]
  return csvLines([COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))])
}
